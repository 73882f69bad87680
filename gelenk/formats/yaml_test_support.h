#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gelenk/formats/yaml_reader.h"

namespace gelenk::formats {

// A text, what was read from it and what was said about it. For tests.
struct Parsed {
  SourceMap sources;
  Diagnostics diagnostics;
  std::optional<Node> root;

  explicit Parsed(std::string text, const TextLimits& limits = {}) {
    const std::int32_t file = sources.add("model.yaml", std::move(text));
    root = parse_yaml(sources, file, limits, diagnostics);
  }

  const std::string& text() const { return sources.file(0).text(); }
  std::string_view at(const SourceRange& range) const { return sources.text(range); }
  std::string_view at(const Node& node) const { return sources.text(node.range); }

  // The first thing that was said, as "line:column GK1007 message".
  std::string first_error() const {
    if (diagnostics.all().empty()) return "no error";
    const Diagnostic first = diagnostics.sorted().front();
    return sources.describe(first.where).substr(std::string_view("model.yaml:").size()) + " " + code_label(first.code) +
           " " + first.message;
  }
};

// The tree of a text that must be good.
inline Node parse_good(const std::string& text) {
  Parsed parsed(text);
  EXPECT_TRUE(parsed.root.has_value()) << parsed.first_error() << "\n--- in:\n" << text;
  return parsed.root.value_or(Node{});
}

// Follows keys: value(root, "parts", "crank").
inline const Node& value_at(const Node& node) { return node; }
template <class... Keys>
const Node& value_at(const Node& node, std::string_view key, Keys... keys) {
  static const Node kMissing;
  const Node::Entry* entry = node.find(key);
  EXPECT_NE(entry, nullptr) << "no key " << key;
  return entry == nullptr ? kMissing : value_at(entry->value, keys...);
}

}  // namespace gelenk::formats
