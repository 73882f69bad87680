#include "gelenk/formats/text_edit.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "gelenk/formats/yaml_test_support.h"
#include "gelenk/formats/yaml_writer.h"

namespace gelenk::formats::text_edit_test {
namespace {

// One text in Unix and in Windows line ends.
std::string windows(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') result += '\r';
    result += c;
  }
  return result;
}

// Finds a value by keys and list positions: {"parts", "1", "mass"}.
const Node& find(const Node& root, const std::vector<std::string>& path) {
  const Node* node = &root;
  for (const std::string& step : path) {
    node = node->is_list() ? &node->items.at(std::stoul(step)) : &value_at(*node, step);
  }
  return *node;
}

using Path = std::vector<std::string>;

// Each check runs with both line ends and demands that the result reads well.
void expect_insert(const std::string& text, const Path& map, const std::string& expected) {
  for (const bool crlf : {false, true}) {
    const std::string source = crlf ? windows(text) : text;
    const Node root = parse_good(source);
    const std::string edited = insert_entry(source, find(root, map), "new", "[1, 2]");
    EXPECT_EQ(edited, crlf && text.find('\n') != text.npos ? windows(expected) : expected);
    const Node after = parse_good(edited);
    const Node& value = value_at(find(after, map), "new");
    EXPECT_EQ(flow_text(value), "[1, 2]") << edited;
  }
}

void expect_remove(const std::string& text, const Path& map, const std::string& key, const std::string& expected) {
  for (const bool crlf : {false, true}) {
    const std::string source = crlf ? windows(text) : text;
    Node root = parse_good(source);
    const std::string edited = remove_entry(source, find(root, map), key);
    EXPECT_EQ(edited, crlf ? windows(expected) : expected);
    const Node after = parse_good(edited);
    EXPECT_EQ(find(after, map).find(key), nullptr);
    EXPECT_EQ(find(after, map).entries.size() + 1, find(root, map).entries.size());
  }
}

void expect_replace(const std::string& text, const Path& value, const std::string& expected) {
  for (const bool crlf : {false, true}) {
    const std::string source = crlf ? windows(text) : text;
    const Node root = parse_good(source);
    const std::string edited = replace_value(source, find(root, value), "{x: 5 mm}");
    EXPECT_EQ(edited, crlf ? windows(expected) : expected);
    const Node after = parse_good(edited);
    EXPECT_EQ(flow_text(find(after, value)), "{x: 5 mm}");
  }
}

TEST(TextEdit, ReplacesValues) {
  expect_replace("ä: ö   # why\nb: 2\n", {"ä"}, "ä: {x: 5 mm}   # why\nb: 2\n");
  expect_replace("a: [1,\n  2]  # why\n", {"a"}, "a: {x: 5 mm}  # why\n");
  expect_replace("a: first\n  second\nb: 1\n", {"a"}, "a: {x: 5 mm}\nb: 1\n");
  expect_replace("a: |  # h\n  x\n\n  y\n# c\nb: 1\n", {"a"}, "a: {x: 5 mm}\n# c\nb: 1\n");
  expect_replace("a:  # nothing\nb: 1\n", {"a"}, "a: {x: 5 mm}  # nothing\nb: 1\n");
  expect_replace("a: ~ # nothing\nb: 1\n", {"a"}, "a: {x: 5 mm} # nothing\nb: 1\n");
  expect_replace("{a: , b: 1}\n", {"a"}, "{a: {x: 5 mm} , b: 1}\n");
  expect_replace("a: [1, 'it''s', 3]\n", {"a", "1"}, "a: [1, {x: 5 mm}, 3]\n");
}

TEST(TextEdit, PullsBlocksUpBehindTheirKey) {
  expect_replace("a:\n  b: 1\n  c:\n    d: 2 # x\nz: 1\n", {"a"}, "a: {x: 5 mm}\nz: 1\n");
  expect_replace("a:\n- b\n- c\nz: 1\n", {"a"}, "a: {x: 5 mm}\nz: 1\n");
  expect_replace("a:  # what a is\n  # more\n  b: 1\n\nz: 1\n", {"a"}, "a: {x: 5 mm}  # what a is\n  # more\n\nz: 1\n");
  expect_replace("\"a: #\": # c\n- b\nz: 1\n", {"a: #"}, "\"a: #\": {x: 5 mm} # c\nz: 1\n");
  expect_replace("- a: 1\n  b: 2\n- c\n", {"0"}, "- {x: 5 mm}\n- c\n");
  expect_replace("-\n  a: 1\n  b: 2\n- c\n", {"0"}, "- {x: 5 mm}\n- c\n");
  expect_replace("- - a\n  -\n    - b\n- c\n", {"0", "1"}, "- - a\n  - {x: 5 mm}\n- c\n");
  expect_replace("p:\n  - a:\n      b: 1\n    c: 2\n", {"p", "0", "a"}, "p:\n  - a: {x: 5 mm}\n    c: 2\n");
  expect_replace("---\na: 1\nb: 2\n", {}, "---\n{x: 5 mm}\n");
}

TEST(TextEdit, AppendsToBlockMaps) {
  expect_insert("a: 1\n", {}, "a: 1\nnew: [1, 2]\n");
  expect_insert("a: 1", {}, "a: 1\nnew: [1, 2]");
  expect_insert("p:\n    a: 1  # one\n    # about a\nq: 2\n", {"p"},
                "p:\n    a: 1  # one\n    # about a\n    new: [1, 2]\nq: 2\n");
  expect_insert("p:\n  a:\n    - x\n\n# next\nq: 2\n", {"p"}, "p:\n  a:\n    - x\n  new: [1, 2]\n\n# next\nq: 2\n");
  expect_insert("p:\n  a:\nq: 2\n", {"p"}, "p:\n  a:\n  new: [1, 2]\nq: 2\n");
  expect_insert("- a: 1\n  b: |\n    text\n- c\n", {"0"}, "- a: 1\n  b: |\n    text\n  new: [1, 2]\n- c\n");
  expect_insert("p:\n  a: |+\n    text\n\n\nq: 2\n", {"p"}, "p:\n  a: |+\n    text\n\n\n  new: [1, 2]\nq: 2\n");
}

TEST(TextEdit, KeepsTheByteOrderMark) {
  const std::string text =
      "\xEF\xBB\xBF"
      "a: 1\nb: 2\n";
  EXPECT_EQ(insert_entry(text, parse_good(text), "c", "3"), text + "c: 3\n");
  EXPECT_EQ(remove_entry(text, parse_good(text), "a"),
            "\xEF\xBB\xBF"
            "b: 2\n");
}

TEST(TextEdit, AppendsToFlowMaps) {
  expect_insert("{a: 1}", {}, "{a: 1, new: [1, 2]}");
  expect_insert("p: {}  # none\n", {"p"}, "p: {new: [1, 2]}  # none\n");
  expect_insert("p: { }\n", {"p"}, "p: {new: [1, 2]}\n");
  expect_insert("p: { a: 1 }\n", {"p"}, "p: { a: 1, new: [1, 2] }\n");
  expect_insert("p: {a: 1,}\n", {"p"}, "p: {a: 1, new: [1, 2],}\n");
  expect_insert("p: {a: {b: }}\n", {"p", "a"}, "p: {a: {b:, new: [1, 2] }}\n");
  expect_insert("{\n  \"a\": 1  # one\n}\n", {}, "{\n  \"a\": 1,  # one\n  \"new\": [1, 2]\n}\n");
  expect_insert("{\n  a: 1\n  ,}\n", {}, "{\n  a: 1, new: [1, 2]\n  ,}\n");
  expect_insert("{\n  a: 1, # one\n}\n", {}, "{\n  a: 1, # one\n  new: [1, 2],\n}\n");
}

TEST(TextEdit, MakesMapsOfEmptyValues) {
  expect_insert("p:  # parts\nq: 1\n", {"p"}, "p:  # parts\n  new: [1, 2]\nq: 1\n");
  expect_insert("p:", {"p"}, "p:\n  new: [1, 2]");
  expect_insert("l:\n  - p:\n    q: 1\n", {"l", "0", "p"}, "l:\n  - p:\n      new: [1, 2]\n    q: 1\n");
  expect_insert("p: ~\n", {"p"}, "p: {new: [1, 2]}\n");
  expect_insert("{p: , q: 1}\n", {"p"}, "{p: {new: [1, 2]} , q: 1}\n");
  expect_insert("-\n- a\n", {"0"}, "- new: [1, 2]\n- a\n");
}

TEST(TextEdit, RemovesFromBlockMaps) {
  expect_remove("a: 1\n# about b\nb: 2 # two\nc: 3\n", {}, "b", "a: 1\n# about b\nc: 3\n");
  expect_remove("a: 1\nb:\n  - x\n  - y: |\n      z\n\nc: 3\n", {}, "b", "a: 1\n\nc: 3\n");
  expect_remove("a: 1\nb: 2", {}, "b", "a: 1\n");
  expect_remove("p:\n  a: 1\n  b: {c: 1,\n    d: 2}\nq: 1\n", {"p"}, "b", "p:\n  a: 1\nq: 1\n");
  expect_remove("- a: 1\n  b: 2\n", {"0"}, "a", "- b: 2\n");
  expect_remove("- a: 1 # x\n  # about b\n  b: 2\n", {"0"}, "a", "- \n  # about b\n  b: 2\n");
  expect_remove("a: |+\n  x\n\n\nb: 1\n", {}, "a", "b: 1\n");
}

TEST(TextEdit, LeavesBracesWhenTheLastEntryGoes) {
  expect_remove("p:\n  # all\n  a: 1\nq: 1\n", {"p"}, "a", "p: {}\n  # all\nq: 1\n");
  expect_remove("p: {a: 1}  # x\n", {"p"}, "a", "p: {}  # x\n");
  expect_remove("# c\na: 1\n", {}, "a", "# c\n{}\n");
}

TEST(TextEdit, RemovesFromFlowMaps) {
  expect_remove("p: {a: 1, b: 2, c: 3}\n", {"p"}, "a", "p: {b: 2, c: 3}\n");
  expect_remove("p: {a: 1, b: 2, c: 3}\n", {"p"}, "b", "p: {a: 1, c: 3}\n");
  expect_remove("p: { a: 1, b: 2 , c: 3 }\n", {"p"}, "c", "p: { a: 1, b: 2 }\n");
  expect_remove("p: {a: 1, b: [x, y],}\n", {"p"}, "b", "p: {a: 1,}\n");
  expect_remove("{\n  \"a\": 1, # one\n  # about b\n  \"b\": 2\n}\n", {}, "b", "{\n  \"a\": 1 # one\n  # about b\n}\n");
  expect_remove("{\n  \"a\": 1, # one\n  # about b\n  \"b\": 2\n}\n", {}, "a", "{\n  # about b\n  \"b\": 2\n}\n");
  expect_remove("{a: 1,\n  b: 2,\n  c: 3}\n", {}, "a", "{\n  b: 2,\n  c: 3}\n");
  expect_remove("{a: 1,\n  b: 2,\n  c: 3}\n", {}, "c", "{a: 1,\n  b: 2}\n");
}

TEST(TextEdit, RenamesKeys) {
  const std::string text = "a: 1\n\"b\" : {c: 2} # c\n";
  const Node root = parse_good(text);
  EXPECT_EQ(rename_key(text, *root.find("a"), "ä b"), "ä b: 1\n\"b\" : {c: 2} # c\n");
  EXPECT_EQ(rename_key(text, *root.find("b"), "d"), "a: 1\n\"d\" : {c: 2} # c\n");
  EXPECT_EQ(rename_key(text, *value_at(root, "b").find("c"), "x: y"), "a: 1\n\"b\" : {\"x: y\": 2} # c\n");
}

TEST(TextEdit, LeavesTheTextWhenThereIsNoSuchKey) {
  EXPECT_EQ(remove_entry("a: 1 # x\n", parse_good("a: 1 # x\n"), "b"), "a: 1 # x\n");
}

// Every map of a tree, as paths.
void collect_maps(const Node& node, Path& path, std::vector<Path>& maps) {
  if (node.is_map()) maps.push_back(path);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    path.push_back(std::to_string(i));
    collect_maps(node.items[i], path, maps);
    path.pop_back();
  }
  for (const Node::Entry& entry : node.entries) {
    path.push_back(entry.key);
    collect_maps(entry.value, path, maps);
    path.pop_back();
  }
}

// The same edits on the tree are the reference for the edits of the text.
TEST(TextEdit, ChangesTheTextAsTheTree) {
  const std::string text =
      "# head\nä: {b: 1, c: [x, {d: 2, d2: [3]}], e: }  # one\nf:\n  - g: 1\n    h: |\n      t\n       u\n    # c\n"
      "  - {i: 1}\n  - \n   - - v: 1\n       w:\n     -\n      x: y\nj:\n    k:\n    l: 'm'  # m\n    # end of j\n\n"
      "n: {\n  o: 1, # o\n  p: 2\n  # end\n  }\nz: |+\n  kept\n\nq: r\n  s\n";
  const Node root = parse_good(text);
  std::vector<Path> maps;
  Path path;
  collect_maps(root, path, maps);
  EXPECT_EQ(maps.size(), 9u);
  const Node seven = parse_good("[7]");
  const auto expect_tree = [](const std::string& edited, const Node& expected) {
    EXPECT_TRUE(same_content(parse_good(edited), expected)) << edited;
  };
  for (const Path& at : maps) {
    const Node& map = find(root, at);
    Node inserted = root;
    const_cast<Node&>(find(inserted, at)).entries.push_back({"new", {}, seven});
    expect_tree(insert_entry(text, map, "new", "[7]"), inserted);
    for (std::size_t i = 0; i < map.entries.size(); ++i) {
      const Node::Entry& entry = map.entries[i];
      Node removed = root;
      auto& entries = const_cast<Node&>(find(removed, at)).entries;
      entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i));
      expect_tree(remove_entry(text, map, entry.key), removed);
      Node replaced = root;
      const_cast<Node&>(find(replaced, at)).entries[i].value = seven;
      expect_tree(replace_value(text, entry.value, "[7]"), replaced);
      Node renamed = root;
      const_cast<Node&>(find(renamed, at)).entries[i].key = "a: b";
      expect_tree(rename_key(text, entry, "a: b"), renamed);
    }
  }
}

}  // namespace
}  // namespace gelenk::formats::text_edit_test
