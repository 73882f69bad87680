#include "gelenk/model/model.h"

#include <algorithm>

namespace gelenk::model {

const Definition* Model::find(std::string_view definition_name) const {
  const auto it = std::find_if(definitions.begin(), definitions.end(),
                               [&](const Definition& d) { return d.name == definition_name; });
  return it == definitions.end() ? nullptr : &*it;
}

std::string Model::resolve_path(const std::string& path, const SourceRange& where) const {
  const bool is_absolute = !path.empty() && path.front() == '/';
  const auto file = static_cast<std::size_t>(std::max(where.file, 0));
  if (is_absolute || file >= folders.size() || folders[file].empty()) return path;
  return folders[file] == "." ? path : folders[file] + "/" + path;
}

bool same(const Model& a, const Model& b) {
  return a.name == b.name && std::equal(a.definitions.begin(), a.definitions.end(), b.definitions.begin(),
                                        b.definitions.end(), [](const Definition& x, const Definition& y) {
                                          return x.name == y.name && same(x.object, y.object);
                                        });
}

}  // namespace gelenk::model
