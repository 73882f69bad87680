// libFuzzer target of the YAML layer: whatever comes in, nothing crashes or hangs; what is accepted has sound ranges,
// survives writing and reading, and stays readable under edits of its text.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "gelenk/formats/text_edit.h"
#include "gelenk/formats/yaml_reader.h"
#include "gelenk/formats/yaml_writer.h"

namespace {

using gelenk::Node;
using gelenk::SourceRange;

std::optional<Node> parse(const std::string& text) {
  gelenk::SourceMap sources;
  gelenk::Diagnostics diagnostics;
  std::optional<Node> root = gelenk::formats::parse_yaml(sources, sources.add("fuzz", text), {}, diagnostics);
  if (!root && !diagnostics.has_errors()) std::abort();
  for (const gelenk::Diagnostic& d : diagnostics.sorted()) {
    if (d.where.begin > d.where.end || d.where.end > text.size() || d.message.empty()) std::abort();
  }
  return root;
}

void demand(bool holds, const char* what, const std::string& text) {
  if (holds) return;
  std::fprintf(stderr, "%s\n---\n%s\n", what, text.c_str());
  std::abort();
}

bool lies_in(const SourceRange& inner, const SourceRange& outer) {
  return outer.begin <= inner.begin && inner.begin <= inner.end && inner.end <= outer.end;
}

void check_ranges(const Node& node, const std::string& text) {
  demand(node.range.end <= text.size() && node.range.begin <= node.range.end, "range outside the text", text);
  std::uint32_t last = node.range.begin;
  const auto check_next = [&](const SourceRange& range) {
    demand(lies_in(range, node.range) && range.begin >= last, "child outside its parent or its turn", text);
    last = range.end;
  };
  for (const Node& item : node.items) {
    check_next(item.range);
    check_ranges(item, text);
  }
  for (const Node::Entry& entry : node.entries) {
    check_next(entry.key_range);
    check_next(entry.value.range);
    check_ranges(entry.value, text);
  }
}

const Node* first_map(const Node& node) {
  if (node.is_map()) return &node;
  for (const Node& item : node.items) {
    if (const Node* map = first_map(item)) return map;
  }
  return nullptr;
}

void check_edits(const Node& root, const std::string& text) {
  const Node* map = first_map(root);
  if (map == nullptr || map->find("new_key") != nullptr) return;
  const std::string longer = gelenk::formats::insert_entry(text, *map, "new_key", "1");
  demand(parse(longer).has_value(), "insert_entry broke the text", text + "\n--- into\n" + longer);
  if (map->entries.empty()) return;
  const Node::Entry& entry = map->entries[text.size() % map->entries.size()];
  const std::string shorter = gelenk::formats::remove_entry(text, *map, entry.key);
  demand(parse(shorter).has_value(), "remove_entry broke the text", text + "\n--- into\n" + shorter);
  const std::string replaced = gelenk::formats::replace_value(text, entry.value, "7");
  demand(parse(replaced).has_value(), "replace_value broke the text", text + "\n--- into\n" + replaced);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::optional<Node> root = parse(text);
  if (!root) return 0;
  check_ranges(*root, text);
  const std::string written = gelenk::formats::write_yaml(*root);
  const std::optional<Node> again = parse(written);
  demand(again && same_content(*root, *again), "write_yaml does not read back", text + "\n--- written\n" + written);
  check_edits(*root, text);
  return 0;
}
