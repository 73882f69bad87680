#include "gelenk/formats/edit_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "gelenk/base/text.h"
#include "gelenk/formats/yaml_reader.h"

namespace gelenk::formats {

std::optional<EditCommand> parse_edit_command(std::span<const std::string> words, Diagnostics& diagnostics) {
  static const std::vector<std::string> kVerbs{"add", "set", "remove", "rename"};
  const auto refuse = [&](std::string message, std::string hint) -> std::optional<EditCommand> {
    diagnostics.error(Code::edit_refused, {}, std::move(message), std::move(hint));
    return std::nullopt;
  };
  const auto verb = words.empty() ? kVerbs.end() : std::find(kVerbs.begin(), kVerbs.end(), words[0]);
  if (verb == kVerbs.end()) {
    if (words.empty()) return refuse("no edit given", "one of add, set, remove, rename");
    const std::string hint = did_you_mean(words[0], kVerbs);
    return refuse(fmt::format("unknown edit {}", shown(words[0])),
                  hint.empty() ? "one of add, set, remove, rename" : hint);
  }
  EditCommand command;
  command.kind = static_cast<EditCommand::Kind>(verb - kVerbs.begin());
  if (words.size() < 2) return refuse(fmt::format("`{}` needs a path", words[0]), "such as joints.crank_pin");
  const std::size_t equals = words[1].find('=');
  command.path = words[1].substr(0, equals);
  const bool takes_values = command.kind == EditCommand::Kind::add || command.kind == EditCommand::Kind::set;
  if (!takes_values) {
    const bool is_rename = command.kind == EditCommand::Kind::rename;
    if (equals != std::string::npos || words.size() != (is_rename ? 3u : 2u)) {
      return refuse(fmt::format("`{}` needs a path{}", words[0], is_rename ? " and a new name" : " and nothing else"),
                    is_rename ? "such as: rename parts.rod connecting_rod" : "such as: remove joints.crank_pin");
    }
    if (is_rename) command.new_name = words[2];
    return command;
  }
  if (equals != std::string::npos) command.key_values.emplace_back("", words[1].substr(equals + 1));
  for (const std::string& word : words.subspan(2)) {
    const std::size_t at = word.find('=');
    if (at == std::string::npos || at == 0) {
      return refuse(fmt::format("{} is not of the form key=value", shown(word)),
                    "quote values with spaces: start.angle=\"30 deg\"");
    }
    command.key_values.emplace_back(word.substr(0, at), word.substr(at + 1));
  }
  if (command.key_values.size() > 1 && command.key_values.front().first.empty()) {
    return refuse("a whole value and single keys cannot be combined", "write all of them as key=value");
  }
  return command;
}

std::optional<Node> read_given_value(std::string_view given, Diagnostics& diagnostics) {
  const std::string_view text = trim(given);
  Node node;
  if (text.empty()) return node;
  if (std::string_view("[{\"'").find(text.front()) == std::string_view::npos) {
    node.kind = Node::Kind::scalar;
    node.text = text;
    return node;
  }
  SourceMap sources;
  Diagnostics found;
  const std::int32_t file = sources.add("value", fmt::format("value: {}\n", text));
  std::optional<Node> root = parse_yaml(sources, file, TextLimits{}, found);
  const Node::Entry* entry = root ? root->find("value") : nullptr;
  if (entry != nullptr && root->entries.size() == 1) return entry->value;
  const Diagnostic problem = found.all().empty() ? Diagnostic{} : found.all().front();
  diagnostics.error(Code::edit_refused, {},
                    fmt::format("the value {} cannot be read: {}", shown(text),
                                problem.message.empty() ? "it is more than one value" : problem.message),
                    problem.hint);
  return std::nullopt;
}

}  // namespace gelenk::formats
