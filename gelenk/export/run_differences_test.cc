#include "gelenk/export/run_differences.h"

#include <gtest/gtest.h>

namespace gelenk::exporting::run_differences_test {
namespace {

constexpr const char* kModel = R"yaml(gelenk: 1
name: lever
parameters:
  length: {value: 0.05 m, doc: of the arm}
  speed: 600 rpm
parts:
  arm: {mass: 2 kg, at: [0, 0, 1]}
simulation: {duration: 1 s}
)yaml";

results::RunHeader header(std::string model, std::string options) {
  results::RunHeader result;
  result.resolved_model = std::move(model);
  result.options = std::move(options);
  return result;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos);
  return text.replace(text.find(from), from.size(), to);
}

std::vector<std::string> lines(const std::vector<RunDifference>& differences) {
  std::vector<std::string> result;
  for (const RunDifference& difference : differences) {
    result.push_back(difference.name + ": " + difference.a + " -> " + difference.b);
  }
  return result;
}

using Lines = std::vector<std::string>;

TEST(RunDifferences, ParametersThenModelThenOptions) {
  const std::string other =
      replaced(replaced(replaced(kModel, "0.05 m", "0.06 m"), "2 kg", "3 kg"), "[0, 0, 1]", "[0, 0, 2]");
  const auto found = run_differences(header(kModel, R"({"method": "rk4", "step": 0.001, "file": "a.yaml"})"),
                                     header(other, R"({"method": "dopri5", "tolerance": 1e-6, "file": "b.yaml"})"));
  EXPECT_EQ(lines(found),
            (Lines{"length: 0.05 m -> 0.06 m", "parts.arm.mass: 2 kg -> 3 kg", "parts.arm.at: [0, 0, 1] -> [0, 0, 2]",
                   "method: rk4 -> dopri5", "step: 0.001 s -> ", "tolerance:  -> 1e-06"}));
}

TEST(RunDifferences, SettingsCountAsParameters) {
  const auto a = header(kModel, R"({"set": [], "start": ["pin.rate=1 rad/s"], "gravity": ""})");
  const auto b = header(kModel, R"({"set": ["length = 60 mm", "speed=600 rpm"], "start": [], "gravity": "none"})");
  EXPECT_EQ(lines(run_differences(a, b)),
            (Lines{"length: 50 mm -> 60 mm", "start pin.rate: 1 rad/s -> ", "gravity:  -> none"}));
  const auto same = header(kModel, R"({"set": ["length=50 mm"], "start": ["pin.rate=1 rad/s"], "gravity": ""})");
  EXPECT_EQ(lines(run_differences(a, same)), Lines{}) << "50 mm is 0.05 m";
}

TEST(RunDifferences, NothingIsTooBrokenToBeCompared) {
  EXPECT_TRUE(run_differences(header("", ""), header("", "")).empty());
  EXPECT_EQ(lines(run_differences(header("[", "{"), header("]", "}"))), (Lines{"model: [ -> ]"}));
  EXPECT_FALSE(run_differences(header(kModel, "[]"), header("- a", "{}")).empty());
}

}  // namespace
}  // namespace gelenk::exporting::run_differences_test
