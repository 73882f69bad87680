#include "gelenk/base/glob.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace gelenk::glob_test {
namespace {

TEST(Glob, StarsTakeDotsToo) {
  EXPECT_TRUE(matches_glob("*.angle", "front_left.hinge.angle"));
  EXPECT_TRUE(matches_glob("crank.*", "crank.position.x"));
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_TRUE(matches_glob("a*b*c", "a.b.b.c"));
  EXPECT_TRUE(matches_glob("piston.position.?", "piston.position.x"));
  EXPECT_FALSE(matches_glob("piston.position.?", "piston.position.xy"));
  EXPECT_FALSE(matches_glob("*.angle", "hinge.angle_1"));
  EXPECT_FALSE(matches_glob("crank", "crank.position.x"));
}

// The definition, without any cleverness.
bool matches_slowly(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*') {
    return matches_slowly(pattern.substr(1), text) || (!text.empty() && matches_slowly(pattern, text.substr(1)));
  }
  return !text.empty() && (pattern.front() == '?' || pattern.front() == text.front()) &&
         matches_slowly(pattern.substr(1), text.substr(1));
}

TEST(Glob, AgreesWithItsDefinitionOnRandomTexts) {
  std::mt19937 random(7);
  const auto word = [&](std::string_view letters, std::size_t most) {
    std::string result(std::uniform_int_distribution<std::size_t>(0, most)(random), ' ');
    for (char& c : result) c = letters[std::uniform_int_distribution<std::size_t>(0, letters.size() - 1)(random)];
    return result;
  };
  int matches = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string pattern = word("ab*?", 6);
    const std::string text = word("ab", 7);
    const bool expected = matches_slowly(pattern, text);
    matches += expected ? 1 : 0;
    ASSERT_EQ(matches_glob(pattern, text), expected) << pattern << " " << text;
  }
  EXPECT_GT(matches, 1000) << "the random texts must try both answers";
}

TEST(Glob, ManyStarsTakeNoExponentialTime) {
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "a*";
  EXPECT_FALSE(matches_glob(pattern + "b", std::string(10'000, 'a')));
}

}  // namespace
}  // namespace gelenk::glob_test
