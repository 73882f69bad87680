#include "gelenk/base/document.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace gelenk::document_test {
namespace {

Node scalar(std::string text) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = std::move(text);
  return node;
}

Node list(std::vector<Node> items) {
  Node node;
  node.kind = Node::Kind::list;
  node.items = std::move(items);
  return node;
}

Node map(const std::vector<std::pair<std::string, Node>>& entries) {
  Node node;
  node.kind = Node::Kind::map;
  for (const auto& [key, value] : entries) node.entries.push_back({key, {}, value});
  return node;
}

TEST(Document, FindsEntriesByKey) {
  Node node = map({{"type", scalar("revolute")}, {"axis", scalar("z")}});
  const Node& fixed = node;
  ASSERT_NE(fixed.find("axis"), nullptr);
  EXPECT_EQ(fixed.find("axis")->value.text, "z");
  EXPECT_EQ(fixed.find("Axis"), nullptr);
  node.find("axis")->value.text = "x";
  EXPECT_EQ(fixed.find("axis")->value.text, "x");
  EXPECT_EQ(scalar("a").find("a"), nullptr);
}

TEST(Document, KnowsItsKind) {
  EXPECT_TRUE(Node{}.is_null());
  EXPECT_TRUE(scalar("a").is_scalar());
  EXPECT_TRUE(list({}).is_list());
  EXPECT_TRUE(map({}).is_map());
  EXPECT_EQ(kind_name(Node::Kind::null), "nothing");
  EXPECT_EQ(kind_name(Node::Kind::scalar), "text");
  EXPECT_EQ(kind_name(Node::Kind::list), "a list");
  EXPECT_EQ(kind_name(Node::Kind::map), "a map");
}

TEST(Document, SameContentIgnoresPlaceAndStyle) {
  Node a = map({{"x", list({scalar("1"), scalar("2")})}, {"y", scalar("a")}});
  Node b = map({{"y", scalar("a")}, {"x", list({scalar("1"), scalar("2")})}});
  b.range = {0, 5, 9};
  b.flow = true;
  b.entries[0].value.quoted = true;
  EXPECT_TRUE(same_content(a, b));
  EXPECT_TRUE(same_content(b, a));
}

TEST(Document, SameContentSeesEveryDifference) {
  const Node base = map({{"x", list({scalar("1"), scalar("2")})}});
  EXPECT_FALSE(same_content(base, map({{"x", list({scalar("2"), scalar("1")})}})));
  EXPECT_FALSE(same_content(base, map({{"x", list({scalar("1")})}})));
  EXPECT_FALSE(same_content(base, map({{"z", list({scalar("1"), scalar("2")})}})));
  EXPECT_FALSE(same_content(base, map({})));
  EXPECT_FALSE(same_content(base, list({})));
  EXPECT_FALSE(same_content(scalar(""), Node{}));
  EXPECT_FALSE(same_content(map({{"x", scalar("")}}), map({{"x", Node{}}})));
}

}  // namespace
}  // namespace gelenk::document_test
