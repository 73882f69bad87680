#include "gelenk/view/run_wish.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gelenk/base/text.h"

namespace gelenk::view::run_wish_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ModelSettings machine() {
  const NamedUnit millimeters{"mm", *find_unit_symbol("mm")};
  ModelSettings settings;
  settings.parameters = {
      {.path = "crank_length", .value = 0.05, .min = 0.02, .max = 0.08, .shown = millimeters},
      // Bare numbers of this one are millimeters, in the file and on the command line.
      {.path = "bore", .value = 0.07, .min = 0.0, .max = 0.07, .shown = millimeters, .bare = millimeters.unit},
      {.path = "front.stiffness", .value = 2000.0}};
  settings.starts = {{.path = "main_bearing.angle", .max = 3.0}, {.path = "slide.speed"}};
  settings.duration = 1.0;
  return settings;
}

std::string problem_of(const std::string& text) {
  std::string error;
  EXPECT_FALSE(read_wish(text, machine(), error)) << text;
  return error;
}

RunWish read(const std::string& text) {
  std::string error;
  const std::optional<RunWish> wish = read_wish(text, machine(), error);
  EXPECT_TRUE(wish) << error;
  return wish.value_or(RunWish{});
}

TEST(RunWish, IsReadAndBecomesOptions) {
  const RunWish wish = read(R"({"parameters": {"crank_length": 0.06, "front.stiffness": 1e4},
                                "starts": {"slide.speed": -0.5}, "duration": 2.5, "keep": true})");
  const ModelSettings settings = machine();
  EXPECT_THAT(settings_text(wish.parameters, settings.parameters),
              ElementsAre("crank_length=0.06", "front.stiffness=10000"));
  EXPECT_THAT(settings_text(wish.starts, settings.starts), ElementsAre("slide.speed=-0.5"));
  EXPECT_EQ(wish.duration, 2.5);
  EXPECT_TRUE(wish.is_kept);
  EXPECT_EQ(wish_title(wish, settings), "crank_length=60 mm, front.stiffness=10000, slide.speed=-0.5, ...");
}

TEST(RunWish, MayBeEmpty) {
  const RunWish wish = read("{}");
  EXPECT_THAT(wish.parameters, IsEmpty());
  EXPECT_THAT(wish.starts, IsEmpty());
  EXPECT_FALSE(wish.duration);
  EXPECT_FALSE(wish.is_kept);
  EXPECT_EQ(wish_title(wish, machine()), "");
  EXPECT_FALSE(read(R"({"duration": null})").duration);
}

TEST(RunWish, OnlyKnownNumbersWithinTheirLimits) {
  EXPECT_THAT(problem_of(R"({"parameters": {"crank": 1}})"), HasSubstr("no parameter 'crank'"));
  EXPECT_THAT(problem_of(R"({"parameters": {"slide.speed": 1}})"), HasSubstr("no parameter"));
  EXPECT_THAT(problem_of(R"({"starts": {"none.angle": 1}})"), HasSubstr("no start value 'none.angle'"));
  EXPECT_EQ(problem_of(R"({"parameters": {"crank_length": 0.081}})"),
            "'crank_length' is 81 mm, but its maximum is 80 mm");
  EXPECT_EQ(problem_of(R"({"parameters": {"crank_length": 0.01}})"),
            "'crank_length' is 10 mm, but its minimum is 20 mm");
  EXPECT_THAT(problem_of(R"({"starts": {"main_bearing.angle": 4}})"), HasSubstr("maximum"));
}

TEST(RunWish, AnythingElseIsRefused) {
  for (const char* text :
       {"", "[]", "1", "{", R"({"parameters": []})", R"({"starts": 3})",
        R"({"parameters": {"crank_length": "0.05; rm -rf /"}})", R"({"parameters": {"crank_length": 1e999}})",
        R"({"duration": 0})", R"({"duration": -1})", R"({"duration": "1 s"})"}) {
    EXPECT_NE(problem_of(text), "") << text;
  }
  EXPECT_NE(problem_of("{\"x\": \"" + std::string(kMostWishBytes, 'x') + "\"}"), "");
}

// Rounding must not carry a number over its limit: the run would refuse it.
TEST(RunWish, ALimitIsMetInEveryUnit) {
  ModelSettings settings = machine();
  Setting& bore = settings.parameters[1];
  for (int i = 1; i < 1000; ++i) {
    bore.max = i * 1.1e-4;
    const std::string text = settings_text({{"bore", *bore.max}}, settings.parameters).at(0);
    const double number = parse_number(text.substr(text.find('=') + 1)).value();
    const double read_back = number * bore.bare.factor;
    EXPECT_LE(read_back, *bore.max);
    EXPECT_NEAR(read_back, *bore.max, 1e-15);
  }
}

TEST(RunWish, WhatTheModelHasLostIsForgotten) {
  RunWish wish = read(R"({"parameters": {"crank_length": 0.06, "bore": 0.05}, "starts": {"slide.speed": 1}})");
  ModelSettings settings = machine();
  settings.parameters[0].max = 0.055;
  settings.starts.pop_back();
  forget_unfit(wish, settings);
  EXPECT_THAT(wish.parameters, ElementsAre(Change{"bore", 0.05}));
  EXPECT_THAT(wish.starts, IsEmpty());
  mark_changes(wish, settings);
  EXPECT_FALSE(settings.parameters[0].is_set);
  EXPECT_TRUE(settings.parameters[1].is_set);
}

}  // namespace
}  // namespace gelenk::view::run_wish_test
