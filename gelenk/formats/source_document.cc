#include "gelenk/formats/source_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "gelenk/base/json.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"
#include "gelenk/formats/text_edit.h"
#include "gelenk/formats/yaml_writer.h"

namespace gelenk::formats {
namespace {

std::optional<std::size_t> list_position(const Node& list, const std::string& step) {
  const bool is_number = !step.empty() && step.size() < 10 && step.find_first_not_of("0123456789") == step.npos;
  if (!is_number) return std::nullopt;
  const std::size_t position = std::stoul(step);
  if (position >= list.items.size()) return std::nullopt;
  return position;
}

const Node* next_node(const Node& node, const std::string& step) {
  if (node.is_map()) {
    const Node::Entry* entry = node.find(step);
    return entry == nullptr ? nullptr : &entry->value;
  }
  const std::optional<std::size_t> position = node.is_list() ? list_position(node, step) : std::nullopt;
  return position ? &node.items[*position] : nullptr;
}

bool covers(const SourceRange& outer, const SourceRange& inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

// Follows the values that contain the range down to the one that `is_it` accepts; it is shown the key, too, if any.
template <class IsIt>
bool descend(const Node& node, const SourceRange& range, NodePath& path, const IsIt& is_it) {
  const auto enter = [&](std::string step, const Node& value, const SourceRange* key) {
    const bool may_be = (key != nullptr && covers(*key, range)) || covers(value.range, range);
    if (!may_be) return false;
    path.push_back(std::move(step));
    if (is_it(value, key) || descend(value, range, path, is_it)) return true;
    path.pop_back();
    return false;
  };
  for (const Node::Entry& entry : node.entries) {
    if (enter(entry.key, entry.value, &entry.key_range)) return true;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (enter(std::to_string(i), node.items[i], nullptr)) return true;
  }
  return false;
}

bool same_span(const SourceRange& a, const SourceRange& b) { return a.begin == b.begin && a.end == b.end; }

Node map_with(const std::string& key, Node value) {
  Node map;
  map.kind = Node::Kind::map;
  map.entries.push_back({key, {}, std::move(value)});
  return map;
}

Node nested(std::span<const std::string> keys, const Node& value) {
  return keys.empty() ? value : map_with(keys.front(), nested(keys.subspan(1), value));
}

std::string json_text(const Node& value) {
  std::string result;
  switch (value.kind) {
    case Node::Kind::null:
      return "null";
    case Node::Kind::scalar: {
      const bool is_word = value.text == "true" || value.text == "false";
      // Numbers with a leading point or sign are not JSON; in quotes they mean the same here.
      const bool is_number = parse_number(value.text).has_value() && value.text.find('+') == std::string::npos &&
                             value.text.front() != '.' && value.text.back() != '.';
      return is_word || is_number ? value.text : json_quoted(value.text);
    }
    case Node::Kind::list:
      for (const Node& item : value.items) result += (result.empty() ? "[" : ", ") + json_text(item);
      return result.empty() ? "[]" : result + "]";
    case Node::Kind::map:
      for (const Node::Entry& entry : value.entries) {
        result += (result.empty() ? "{" : ", ") + json_quoted(entry.key) + ": " + json_text(entry.value);
      }
      return result.empty() ? "{}" : result + "}";
  }
  return result;
}

}  // namespace

NodeWalk walk(const Node& root, const NodePath& path) {
  NodeWalk result{&root, 0};
  for (const std::string& step : path) {
    const Node* next = next_node(*result.node, step);
    if (next == nullptr) break;
    result.node = next;
    ++result.steps;
  }
  return result;
}

SourceDocuments::SourceDocuments(const SourceMap& sources) {
  std::map<std::string, std::int32_t> known;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto file = static_cast<std::int32_t>(i);
    const std::string& path = sources.file(file).path();
    const auto [it, is_new] = known.try_emplace(real_path(path).value_or(path), file);
    first_copies_.push_back(it->second);
    if (!is_new) continue;
    Diagnostics ignored;  // the loader has reported them
    std::optional<Node> document = parse_yaml(sources, file, TextLimits{}, ignored);
    if (document) documents_.emplace(file, *std::move(document));
  }
}

SourceRange SourceDocuments::first_copy(SourceRange range) const {
  if (range.is_known() && static_cast<std::size_t>(range.file) < first_copies_.size()) {
    range.file = first_copies_[static_cast<std::size_t>(range.file)];
  }
  return range;
}

const Node* SourceDocuments::document(std::int32_t file) const {
  const auto it = documents_.find(file);
  return it == documents_.end() ? nullptr : &it->second;
}

std::optional<NodePath> SourceDocuments::find_value(const SourceRange& range) const {
  const Node* root = document(first_copy(range).file);
  if (root == nullptr) return std::nullopt;
  NodePath path;
  if (same_span(root->range, range)) return path;
  const bool is_found =
      descend(*root, range, path, [&](const Node& value, const SourceRange*) { return same_span(value.range, range); });
  if (!is_found) return std::nullopt;
  return path;
}

std::optional<NodePath> SourceDocuments::find_key(const SourceRange& range) const {
  const Node* root = document(first_copy(range).file);
  NodePath path;
  const bool is_found = root != nullptr && descend(*root, range, path, [&](const Node&, const SourceRange* key) {
                          return key != nullptr && same_span(*key, range);
                        });
  if (!is_found) return std::nullopt;
  return path;
}

std::string value_text(const Node& value, bool is_json) { return is_json ? json_text(value) : flow_text(value); }

std::optional<Node> EditedText::parse() const {
  SourceMap sources;
  Diagnostics ignored;  // a text that cannot be read any more is found when the model is loaded again
  const std::int32_t file = sources.add("edited", text);
  return parse_yaml(sources, file, TextLimits{}, ignored);
}

// A new key with a map of one entry, as a section with its first element, gets the entry on a line of its own where
// the map around it is written in lines.
void EditedText::insert(const NodePath& place, const NodePath& rest, const Node& value) {
  const std::optional<Node> before = parse();
  const Node& holder = *walk(*before, place).node;
  if (rest.size() != 2 || is_json) {
    text = insert_entry(text, holder, rest[0], value_text(nested(std::span(rest).subspan(1), value), is_json));
    return;
  }
  text = insert_entry(text, holder, rest[0], "0");
  const std::optional<Node> root = parse();
  const Node* map = root ? walk(*root, place).node : nullptr;
  const Node::Entry* entry = map == nullptr ? nullptr : map->find(rest[0]);
  if (entry == nullptr) return;
  const std::string inner = flow_key(rest[1]) + ": " + flow_text(value);
  const bool is_assembly = place.empty() || (place.size() == 2 && place[0] == "definitions");
  if (map->flow || !is_assembly) {
    text = replace_value(text, entry->value, fmt::format("{{{}}}", inner));
    return;
  }
  const std::size_t key = entry->key_range.begin;
  const std::size_t line = text.rfind('\n', key) == std::string::npos ? 0 : text.rfind('\n', key) + 1;
  const std::string indent(key - line + 2, ' ');
  const std::string_view line_end = text.find("\r\n") == std::string::npos ? "\n" : "\r\n";
  text.replace(entry->key_range.end, entry->value.range.end - entry->key_range.end,
               fmt::format(":{}{}{}", line_end, indent, inner));
}

bool EditedText::assign(const NodePath& place, const NodePath& rest, std::string_view shorthand, const Node& value) {
  const std::optional<Node> root = parse();
  if (!root) return false;
  const NodeWalk start = walk(*root, place);
  if (start.steps != place.size()) return false;
  const bool is_short = !shorthand.empty() && !start.node->is_map() && !start.node->is_null();
  if (is_short && rest.size() == 1 && rest[0] == shorthand) {
    text = replace_value(text, *start.node, value_text(value, is_json));
    return true;
  }
  if (is_short && !rest.empty()) {
    Node longer = map_with(std::string(shorthand), *start.node);
    longer.entries.push_back({rest[0], {}, nested(std::span(rest).subspan(1), value)});
    text = replace_value(text, *start.node, value_text(longer, is_json));
    return true;
  }
  const NodeWalk end = walk(*start.node, rest);
  if (end.steps == rest.size()) {
    text = replace_value(text, *end.node, value_text(value, is_json));
    return true;
  }
  if (!end.node->is_map() && !end.node->is_null()) return false;
  const auto taken = static_cast<std::ptrdiff_t>(end.steps);
  NodePath holder = place;
  holder.insert(holder.end(), rest.begin(), rest.begin() + taken);
  insert(holder, NodePath(rest.begin() + taken, rest.end()), value);
  return true;
}

bool EditedText::remove(const NodePath& entry) {
  const std::optional<Node> root = parse();
  if (!root || entry.empty()) return false;
  const NodePath parent(entry.begin(), entry.end() - 1);
  const NodeWalk holder = walk(*root, parent);
  if (holder.steps != parent.size() || !holder.node->is_map() || holder.node->find(entry.back()) == nullptr) {
    return false;
  }
  text = remove_entry(text, *holder.node, entry.back());
  return true;
}

}  // namespace gelenk::formats
