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

TEST(Gallery, EveryMachineIsOnItsPage) {
  std::ifstream file(test::source_folder() + "/docs/gallery.md");
  std::ostringstream page;
  page << file.rdbuf();
  ASSERT_GE(machines().size(), 20U);
  for (const std::string& name : machines()) {
    EXPECT_NE(page.str().find("examples/gallery/" + name + ".yaml"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace gelenk::gallery_test
