#include "gelenk/model/setting_text.h"

#include <cstdint>
#include <string_view>

#include "gelenk/base/text.h"
#include "gelenk/model/named_values.h"
#include "gelenk/model/reader.h"

namespace gelenk::model {

ParameterSetting read_setting(const std::string& path, const std::string& line, std::size_t value_begin,
                              const std::string& origin, SourceMap& sources, Diagnostics& diagnostics) {
  const std::int32_t file = sources.add(origin, line);
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = std::string(trim(std::string_view(line).substr(value_begin)));
  const std::size_t begin = node.text.empty() ? line.size() : line.find(node.text, value_begin);
  node.range = {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + node.text.size())};
  return {path, read_value(node, kNamedNumberField, sources, diagnostics)};
}

}  // namespace gelenk::model
