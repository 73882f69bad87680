// Channels have one name everywhere: what a file of results lists, an expression can read, and the other way round.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gelenk/formats/model_writer.h"
#include "gelenk/results/layout.h"
#include "tests/support/load_example.h"
#include "tests/support/load_text.h"

namespace gelenk::results_names_test {
namespace {

class EveryExample : public testing::TestWithParam<const char*> {};

// Scalars that expressions know: all but the energies, and the orientation of a ball joint and its rate.
std::vector<std::string> readable_names(const model::Machine& machine, const results::Layout& layout) {
  std::vector<std::string> names;
  for (const results::Channel& channel : layout.channels) {
    if (channel.block == results::BlockId::energy || channel.block == results::BlockId::output) continue;
    bool is_of_ball_joint = false;
    for (const model::JointNode& joint : machine.joints) {
      for (const model::Coordinate& coordinate : joint.type->coordinates) {
        if (coordinate.motion != model::Coordinate::Motion::orientation) continue;
        is_of_ball_joint = is_of_ball_joint || channel.name == fmt::format("{}.{}", joint.path, coordinate.name) ||
                           channel.name == fmt::format("{}.{}", joint.path, coordinate.rate);
      }
    }
    if (is_of_ball_joint) continue;
    for (const std::string_view component : channel.components())
      names.push_back(channel.name + std::string(component));
  }
  return names;
}

TEST_P(EveryExample, RecordedNamesAreReadableInExpressions) {
  const test::Example example = test::load_example(GetParam());
  ASSERT_EQ(example.complaints(), "");
  const results::Layout layout = results::make_layout(example.machine);
  const std::vector<std::string> names = readable_names(example.machine, layout);
  ASSERT_FALSE(names.empty());

  // The same model with one more output for each name.
  std::string text = formats::write_model(example.loaded.model);
  std::string outputs;
  for (std::size_t i = 0; i < names.size(); ++i) outputs += fmt::format("  seen_{}: {}\n", i, names[i]);
  // Its own outputs stay where they have lines of their own, and make way where they share one.
  constexpr std::string_view kHead = "\noutputs:\n";
  if (const std::size_t own = text.find("\noutputs: {"); own != std::string::npos) {
    text.erase(own, text.find('\n', own + 1) - own);
  }
  if (text.find(kHead) == std::string::npos) text += kHead;
  text.insert(text.find(kHead) + kHead.size(), outputs);
  const test::Checked checked = test::check_files({{"model.yaml", text}}, "model.yaml");
  ASSERT_EQ(checked.messages(), "");

  // Dimensions agree as well.
  const results::Layout seen = results::make_layout(checked.machine);
  std::size_t compared = 0;
  for (const model::OutputNode& output : checked.machine.outputs) {
    if (!output.path.starts_with("seen_")) continue;
    const std::string& name = names[std::stoul(output.path.substr(5))];
    for (const results::Channel& channel : seen.channels) {
      if (!name.starts_with(channel.name) || channel.block == results::BlockId::output) continue;
      const std::string rest = name.substr(channel.name.size());
      if (!rest.empty() && rest.size() != 2) continue;
      EXPECT_EQ(quantity_info(channel.quantity).dimension, output.value.dimension) << name;
      ++compared;
    }
  }
  EXPECT_EQ(compared, names.size());
}

INSTANTIATE_TEST_SUITE_P(Results, EveryExample,
                         testing::Values("crank_slider/crank_slider.yaml", "car/car.yaml",
                                         "double_pendulum/double_pendulum.yaml", "four_bar/four_bar.yaml",
                                         "steam_engine/steam_engine.yaml", "h_frame/h_frame.yaml"));

}  // namespace
}  // namespace gelenk::results_names_test
