// Every machine of the gallery is a good model that can be assembled and moves, for a tenth of its duration.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/assemble_example.h"

namespace gelenk::gallery_test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> machines() {
  std::vector<std::string> names;
  for (const fs::directory_entry& file : fs::directory_iterator(test::source_folder() + "/examples/gallery")) {
    if (file.path().extension() == ".yaml") names.push_back(file.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Gallery, EveryMachineMoves) {
  constexpr double kTolerance = 1e-6;
  constexpr double kClosed = 1e-9;  // m and rad, on machines of about a meter
  for (const std::string& name : machines()) {
    SCOPED_TRACE(name);
    const test::Assembled model = test::assemble_example("gallery/" + name + ".yaml");
    EXPECT_EQ(model.messages(), "");
    if (!model.is_ready() || !model.machine().simulation.duration) {
      ADD_FAILURE() << "it cannot be run";
      continue;
    }
    test::Motion motion(model, test::dopri5(kTolerance));
    const std::vector<Vector3> before = motion.state().position;
    EXPECT_TRUE(motion.advance_to(0.1 * *model.machine().simulation.duration));
    EXPECT_TRUE(std::isfinite(motion.probe().energy().total()));
    EXPECT_LT(motion.probe().largest_row_value(), kClosed);
    double moved = 0.0;
    for (std::size_t b = 0; b < before.size(); ++b)
      moved = std::max(moved, (motion.state().position[b] - before[b]).norm());
    for (const double v : motion.state().velocity) moved = std::max(moved, std::abs(v));
    EXPECT_GT(moved, 1e-3) << "nothing moves";
  }
}

double output_of(const test::Assembled& model, const system::State& state, const std::string& name) {
  mechanics::Workspace workspace(*model.system);
  const mechanics::Context context{*model.system, model.params, state};
  mechanics::update_positions(context, workspace);
  mechanics::update_velocities(context, workspace);
  mechanics::update_drivers(context, workspace);
  const std::size_t index = test::index_of_path(model.system->outputs, name);
  if (index == model.system->outputs.size()) return std::nan("");
  return mechanics::view(context, workspace).signal(model.system->outputs[index].value);
}

// Machines with a number that is known for all of the motion.
TEST(Gallery, LinkagesDoWhatTheyAreKnownFor) {
  struct Known {
    const char* machine;
    const char* output;
    double value;
  };
  // Peaucellier: (long² - short²) / (2 × crank) = (0.25 - 0.0625) / 0.3 m
  for (const Known& known :
       {Known{"peaucellier", "straight", 0.625}, Known{"oldham_coupling", "ratio", 1.0},
        Known{"ellipsograph", "one", 1.0}, Known{"cardan_shaft", "even", 1.0}, Known{"sarrus_linkage", "aside", 0.0}}) {
    SCOPED_TRACE(known.machine);
    const test::Assembled model = test::assemble_example(std::string("gallery/") + known.machine + ".yaml");
    ASSERT_TRUE(model.is_ready());
    test::Motion motion(model, test::dopri5(1e-6));
    for (const double time : {0.0, 0.4, 0.9}) {
      ASSERT_TRUE(motion.advance_to(time));
      EXPECT_NEAR(output_of(model, motion.state(), known.output), known.value, 1e-11);
    }
  }
}

TEST(Gallery, EveryMachineIsOnItsPage) {
  std::ifstream file(test::source_folder() + "/docs/gallery.md");
  std::ostringstream page;
  page << file.rdbuf();
  ASSERT_GE(machines().size(), 40U);
  for (const std::string& name : machines()) {
    EXPECT_NE(page.str().find("examples/gallery/" + name + ".yaml"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace gelenk::gallery_test
