#include <gtest/gtest.h>

#include <optional>
#include <string_view>
#include <vector>

#include "gelenk/expression/expression.h"

namespace gelenk::expression::angle_power_test {
namespace {

// Symbols by their first letter: `a` is an angle, `w` a rate of turning, `l` a length; others are parameters.
std::optional<int> power(std::string_view text) {
  const ParseResult result = parse(text);
  EXPECT_TRUE(result.expression) << text;
  std::vector<std::optional<int>> symbols;
  for (const Symbol& symbol : result.expression->symbols()) {
    const char kind = symbol.name.front();
    symbols.push_back(kind == 'a' || kind == 'w' ? std::optional<int>(1)
                      : kind == 'l'              ? std::optional<int>(0)
                                                 : std::nullopt);
  }
  return angle_power(*result.expression, symbols);
}

TEST(AnglePower, WhatIsMadeOfAnglesIsAnAngle) {
  for (const char* text : {"a", "a1 - a2", "a - 30 deg", "90 deg - a", "a - offset", "2 * a", "-a", "abs(a)", "a / 2",
                           "min(a1, a2)", "mod(a, 2 * pi)", "if(l > 1 m, a, 0)", "sqrt(a * a)", "hypot(a1, a2)",
                           "atan2(l1, l2)", "acos(l1 / l2)", "w", "w1 - ratio * w2", "a^2 / a"}) {
    EXPECT_EQ(power(text), 1) << text;
  }
}

TEST(AnglePower, RatiosAndSinesArePlainNumbers) {
  for (const char* text :
       {"a1 / a2", "sin(a)", "l * cos(a)", "w1 / w2", "a > 1", "l1 / l2", "a + l1 / l2", "sqrt(a)"}) {
    EXPECT_EQ(power(text), 0) << text;
  }
  EXPECT_EQ(power("a^2"), 2);
  EXPECT_EQ(power("1 / w"), -1);
}

TEST(AnglePower, ConstantsAloneSayNothing) {
  for (const char* text : {"3", "45 deg", "offset", "2 * offset + 1", "offset^2"})
    EXPECT_EQ(power(text), std::nullopt) << text;
}

}  // namespace
}  // namespace gelenk::expression::angle_power_test
