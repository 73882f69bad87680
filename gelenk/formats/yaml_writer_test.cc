#include "gelenk/formats/yaml_writer.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "gelenk/formats/yaml_test_support.h"

namespace gelenk::formats::yaml_writer_test {
namespace {

Node scalar(std::string text) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = std::move(text);
  return node;
}

TEST(YamlWriter, WritesWhatAPersonWouldWrite) {
  const std::string text =
      "gelenk: 1\n"
      "name: crank_slider\n"
      "parts:\n"
      "  crank:\n"
      "    material: steel\n"
      "    shape: {cylinder: {radius: 10 mm, from: [0, 0, 0], to: pin}}\n"
      "    note: |\n"
      "      two lines\n"
      "\n"
      "      of text\n"
      "  empty: {}\n"
      "  nothing: ~\n"
      "list:\n"
      "  - a: [1, \"=max(a, b)\"]\n"
      "    b:\n"
      "      - x: {y: 1}\n"
      "  - - p: [q, {r: 1}]\n"
      "      s: t\n"
      "    - u\n";
  const Node root = parse_good(text);
  EXPECT_EQ(write_yaml(root), text);
}

TEST(YamlWriter, QuotesOnlyWhereNeeded) {
  EXPECT_EQ(flow_scalar("steel"), "steel");
  EXPECT_EQ(flow_scalar("-x"), "-x");
  EXPECT_EQ(flow_scalar("null"), "null");
  EXPECT_EQ(flow_scalar("=a*b"), "=a*b");
  EXPECT_EQ(flow_scalar("12 mm"), "12 mm");
  EXPECT_EQ(flow_scalar("=max(a, b)"), "\"=max(a, b)\"");
  EXPECT_EQ(flow_scalar("~"), "\"~\"");
  EXPECT_EQ(flow_scalar(""), "\"\"");
  EXPECT_EQ(flow_scalar("a: b"), "\"a: b\"");
  EXPECT_EQ(flow_scalar("C:\\dir"), "C:\\dir");
  EXPECT_EQ(flow_scalar("say \"x\", y"), "'say \"x\", y'");
  EXPECT_EQ(flow_scalar("a\u2028\u0001"), "\"a\\u2028\\x01\"");
  EXPECT_EQ(flow_key("<<"), "\"<<\"");
  EXPECT_EQ(flow_key("front_left"), "front_left");
}

TEST(YamlWriter, WrapsLongListsOfNumbers) {
  Node list;
  list.kind = Node::Kind::list;
  list.flow = true;
  for (int i = 0; i < 100; ++i) list.items.push_back(scalar(std::to_string(i * 1000)));
  Node root;
  root.kind = Node::Kind::map;
  root.entries.push_back({"x", {}, list});
  const std::string text = write_yaml(root);
  constexpr std::size_t kColumns = 100;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    EXPECT_LE(end - begin, kColumns);
    begin = end + 1;
  }
  EXPECT_TRUE(same_content(parse_good(text), root));
}

// Random trees of everything that makes YAML hard.
class RandomTrees {
 public:
  explicit RandomTrees(unsigned seed) : random_(seed) {}

  Node node(int depth) {
    Node result;
    const int kind = below(depth > 0 ? 6 : 3);
    if (kind == 0) return result;
    if (kind <= 2) {
      result = scalar(text());
      result.quoted = below(3) == 0;
      return result;
    }
    result.kind = kind <= 4 ? Node::Kind::map : Node::Kind::list;
    result.flow = below(2) == 0;
    const int count = below(5);
    for (int i = 0; i < count; ++i) {
      if (result.is_list()) {
        result.items.push_back(node(depth - 1));
      } else if (std::string key = text(); result.find(key) == nullptr) {
        result.entries.push_back({std::move(key), {}, node(depth - 1)});
      }
    }
    return result;
  }

 private:
  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

  std::string text() {
    static const std::vector<std::string> kPieces = {
        "a",  "word", " ",  "  ", "\n", "\n\n", "\t", ": ",  ":",    " #",     "#",      "-",      "- ",     "?",  "? ",
        ",",  "[",    "]",  "{",  "}",  "'",    "\"", "\\",  "|",    ">",      "&",      "*",      "!",      "%",  "@",
        "`",  "~",    "<<", "=",  "(",  ")",    "0",  "1.5", "null", "true",   "---",    "...",    "ä",      "→",  "😀",
        "\r", "\x01", "é",  ".",  "/",  "$",    "|+", "x y", "\x7F", "\u0085", "\u2028", "\uFEFF", "\u00A0", "a,b"};
    std::string result;
    const int count = below(6);
    for (int i = 0; i < count; ++i)
      result += kPieces[static_cast<std::size_t>(below(static_cast<int>(kPieces.size())))];
    return result;
  }

  std::mt19937 random_;
};

TEST(YamlWriter, ReadsBackWhatItWrites) {
  constexpr int kTrees = 5000;
  RandomTrees trees(1);
  for (int i = 0; i < kTrees; ++i) {
    const Node tree = trees.node(4);
    const std::string text = write_yaml(tree);
    const Parsed parsed(text);
    ASSERT_TRUE(parsed.root) << parsed.first_error() << "\n" << text;
    ASSERT_TRUE(same_content(*parsed.root, tree)) << text;
    const Parsed in_line(flow_text(tree));
    ASSERT_TRUE(in_line.root) << in_line.first_error() << "\n" << in_line.text();
    ASSERT_TRUE(same_content(*in_line.root, tree)) << in_line.text();
  }
}

}  // namespace
}  // namespace gelenk::formats::yaml_writer_test
