#include "gelenk/view/http_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace gelenk::view::http_target_test {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(HttpTarget, PathAndParameters) {
  const auto target = parse_target("/api/rows?run=0&first=12&name=arm.rod%2Ex&empty=&bare");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/api/rows");
  EXPECT_THAT(target->query, ElementsAre(Pair("run", "0"), Pair("first", "12"), Pair("name", "arm.rod.x"),
                                         Pair("empty", ""), Pair("bare", "")));
  ASSERT_NE(target->find("name"), nullptr);
  EXPECT_EQ(*target->find("name"), "arm.rod.x");
  EXPECT_EQ(target->find("Name"), nullptr);
}

TEST(HttpTarget, LettersAreDecodedOnce) {
  const auto target = parse_target("/%61%2F%2fb?n%C3%A4me=%25%32%30&two+words=a%2Bb&x=1=2?3");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/a//b");
  EXPECT_THAT(target->query, ElementsAre(Pair("n\xC3\xA4me", "%20"), Pair("two words", "a+b"), Pair("x", "1=2?3")));
  const auto zero = parse_target("/a%00b");
  ASSERT_TRUE(zero);
  EXPECT_EQ(zero->path, std::string("/a\0b", 4));
}

TEST(HttpTarget, DotsStayInThePath) {
  // Nobody looks for files by it: what is no known address is not found.
  const auto target = parse_target("/api/%2e%2e/x");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/api/../x");
}

TEST(HttpTarget, WhatIsNoAddress) {
  for (const char* text : {"", "api/rows", "*", "http://127.0.0.1/", "?run=0", "/%", "/%4", "/%4g", "/%-1", "/%+1",
                           "/% 1", "/a?x=%", "/a?x=%f", "/a?%zz=1", "/a?x=%0x"}) {
    EXPECT_FALSE(parse_target(text)) << text;
  }
}

TEST(HttpTarget, ManyParametersAreRefused) {
  constexpr std::size_t kMost = 16;
  std::string text = "/a?p=0";
  for (std::size_t i = 1; i < kMost; ++i) text += "&p=0";
  ASSERT_TRUE(parse_target(text));
  EXPECT_EQ(parse_target(text)->query.size(), kMost);
  EXPECT_FALSE(parse_target(text + "&p=0"));
}

TEST(HttpTarget, Numbers) {
  const auto target = parse_target(
      "/a?zero=0&large=18446744073709551615&larger=18446744073709551616&minus=-1&plus=%2B1&half=0.5&text=x&tail=1x&"
      "none=&blank=%201&hex=0x10");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->number("zero"), 0U);
  EXPECT_EQ(target->number("large"), std::numeric_limits<std::size_t>::max());
  for (const char* name : {"larger", "minus", "plus", "half", "text", "tail", "none", "blank", "hex"}) {
    EXPECT_FALSE(target->number(name)) << name;
    EXPECT_FALSE(target->number(name, 7)) << name << " is there: nothing stands in for it";
  }
  EXPECT_FALSE(target->number("other"));
  EXPECT_EQ(target->number("other", 7), 7U);
}

}  // namespace
}  // namespace gelenk::view::http_target_test
