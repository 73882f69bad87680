#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "gelenk/base/document.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/model.h"
#include "gelenk/model/reader.h"

// Documents for tests of this layer, which knows no file format: brackets, braces, plain and double-quoted texts.
namespace gelenk::model {

class FlowParser {
 public:
  FlowParser(std::string_view text, std::int32_t file) : text_(text), file_(file) {}

  Node value() {
    skip_blanks();
    Node node;
    const std::size_t begin = at_;
    if (peek() == '{') {
      node = map();
    } else if (peek() == '[') {
      node = list();
    } else if (peek() != ',' && peek() != '}' && peek() != ']') {
      node.kind = Node::Kind::scalar;
      node.quoted = peek() == '"';
      node.text = scalar();
    }
    node.range = range_from(begin);
    return node;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '}'; }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  SourceRange range_from(std::size_t begin) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
  }

  std::string scalar() {
    if (peek() == '"') {
      const std::size_t end = text_.find('"', at_ + 1);
      std::string result(text_.substr(at_ + 1, end - at_ - 1));
      at_ = end + 1;
      return result;
    }
    const std::size_t begin = at_;
    // A colon ends a key only before a blank.
    while (at_ < text_.size() && std::string_view(",]}\n").find(text_[at_]) == std::string_view::npos &&
           !(text_[at_] == ':' && at_ + 1 < text_.size() && text_[at_ + 1] == ' ')) {
      ++at_;
    }
    while (at_ > begin && text_[at_ - 1] == ' ') --at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  void end_of_item() {
    skip_blanks();
    if (peek() == ',') ++at_;
    skip_blanks();
  }

  Node list() {
    Node node;
    node.kind = Node::Kind::list;
    for (++at_, skip_blanks(); peek() != ']'; end_of_item()) node.items.push_back(value());
    ++at_;
    return node;
  }

  Node map() {
    Node node;
    node.kind = Node::Kind::map;
    for (++at_, skip_blanks(); peek() != '}'; end_of_item()) {
      Node::Entry entry;
      const std::size_t begin = at_;
      entry.key = scalar();
      entry.key_range = range_from(begin);
      ++at_;  // the colon
      entry.value = value();
      node.entries.push_back(std::move(entry));
    }
    ++at_;
    return node;
  }

  std::string_view text_;
  std::int32_t file_;
  std::size_t at_ = 0;
};

inline Node flow(std::string_view text) { return FlowParser(text, -1).value(); }

// A model of several definitions, each from a text of its own: the first is the root.
struct TextModel {
  SourceMap sources;
  Diagnostics diagnostics;
  Model model;

  TextModel& add(const std::string& name, const std::string& text) {
    const std::int32_t file = sources.add(name, text);
    const bool is_root = model.definitions.empty();
    Object object = read_object(FlowParser(sources.file(file).text(), file).value(),
                                is_root ? kFileType : kAssemblyType, sources, diagnostics);
    if (is_root) model.name = name;
    model.definitions.push_back({name, std::move(object)});
    model.folders.emplace_back(".");
    for (const Diagnostic& d : diagnostics.all()) ADD_FAILURE() << d.message << " at " << sources.describe(d.where);
    return *this;
  }
};

}  // namespace gelenk::model
