#include "gelenk/expression/measures.h"

#include <gtest/gtest.h>

#include <string>

#include "gelenk/expression/expression.h"

namespace gelenk::expression::measures_test {
namespace {

std::string names(std::string_view text) {
  std::string joined;
  const ParseResult result = parse(text);
  if (!result.expression) return result.errors.empty() ? "error" : result.errors[0].message;
  for (const Symbol& symbol : result.expression->symbols()) joined += "[" + symbol.name + "]";
  return joined;
}

TEST(Measures, AreOneSymbolEach) {
  EXPECT_EQ(names("distance(rod.tip, ground)"), "[distance(rod.tip, ground)]");
  EXPECT_EQ(names("2 * relative(a, link.3.tip).velocity.x + angle(a, b)/pi"),
            "[relative(a, link.3.tip).velocity.x][angle(a, b)]");
  EXPECT_EQ(names("distance(a, b) - distance(a, b)"), "[distance(a, b)]");
  EXPECT_EQ(names("sin(angle( a ,\n\tb ))^2"), "[angle( a ,  b )]");
  EXPECT_EQ(names("-relative(a, b).position.magnitude"), "[relative(a, b).position.magnitude]");
}

// They are functions only where they are called: a parameter may have the name.
TEST(Measures, LeaveTheirNamesToOthers) {
  EXPECT_EQ(names("distance + 2 * angle"), "[distance][angle]");
  EXPECT_EQ(names("hinge.angle * relative"), "[hinge.angle][relative]");
  EXPECT_FALSE(is_reserved_word("distance"));
}

TEST(Measures, ReadBackAsTheyAreWritten) {
  for (const char* text : {"distance(a.b, c)", "-relative(a, b).velocity.x", "2 * angle(a, b) ^ 2", "angle( a,b)"}) {
    const ParseResult first = parse(text);
    ASSERT_TRUE(first.expression) << text;
    const ParseResult second = parse(to_text(*first.expression));
    ASSERT_TRUE(second.expression) << to_text(*first.expression);
    EXPECT_TRUE(*first.expression == *second.expression) << text;
  }
}

TEST(Measures, TellWhatIsWrong) {
  EXPECT_EQ(names("distance(a)"), "'distance' takes 2 frames, but gets 1");
  EXPECT_EQ(names("distance()"), "'distance' takes 2 frames, but gets 0");
  EXPECT_EQ(names("angle(a, b, c)"), "'angle' takes 2 frames, but gets 3");
  EXPECT_EQ(names("distance(a, 3 mm)"), "'distance' takes the names of two frames, not '3'");
  EXPECT_EQ(names("distance(a, b + c)"), "'+' is not possible here");
  EXPECT_EQ(names("distance(a b)"), "'distance' takes the names of two frames, not 'b'");
  EXPECT_EQ(names("distance(a, b"), "this '(' is never closed");
  EXPECT_EQ(names("relative(a, b). x"), "the name of a quantity is expected after the dot");
  EXPECT_EQ(names("distanc(a, b)"), "unknown function 'distanc'");
  EXPECT_EQ(parse("distanc(a, b)").errors.at(0).hint, "did you mean 'distance'?");
}

TEST(Measures, SplitIntoTheirPieces) {
  EXPECT_FALSE(split_measure("rod.position.x"));
  const std::string text = "relative( rod.tip,ground ).position.x";
  const std::optional<Measure> measure = split_measure(text);
  ASSERT_TRUE(measure);
  EXPECT_EQ(measure->function, "relative");
  ASSERT_EQ(measure->frames.size(), 2u);
  EXPECT_EQ(measure->frames[0].path, "rod.tip");
  EXPECT_EQ(measure->frames[0].begin, text.find("rod"));
  EXPECT_EQ(measure->frames[1].path, "ground");
  EXPECT_EQ(measure->frames[1].begin, text.find("ground"));
  EXPECT_EQ(measure->quantity, "position.x");
  EXPECT_EQ(split_measure("distance(a, b)")->quantity, "");
}

}  // namespace
}  // namespace gelenk::expression::measures_test
