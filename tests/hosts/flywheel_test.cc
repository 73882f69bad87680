// Shafts across the border, and components of the version before them.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "gelenk/component/sealed_subsystem.h"
#include "tests/hosts/hosts_test_support.h"

namespace gelenk::component::flywheel_test {
namespace {

using test::Batch;
using test::Place;

Manifest flywheel_manifest() {
  Manifest manifest;
  manifest.about.name = "flywheel";
  manifest.about.version = "1.0";
  manifest.ports = {{"out", PortKind::rotational, kFlangeWidth, "", ""}};
  manifest.parameters = {{"inertia", "kg*m^2", 0.7, 1e-6, 1e6, ""}, {"stiffness", "N*m", 0.0, 0.0, 1e9, ""}};
  manifest.outputs = {{"angle", "rad", ""}};
  return manifest;
}

std::unique_ptr<Host> flywheel(Place place) {
  HostSettings settings;
  settings.parameters = {0.5, 8.0};
  const std::string bytes = test::library("flywheel");
  return place == Place::in_process ? host_in_process(bytes, flywheel_manifest(), settings)
                                    : host_in_worker(bytes, flywheel_manifest(), settings, test::worker_limits());
}

class Flywheel : public testing::TestWithParam<Place> {};
INSTANTIATE_TEST_SUITE_P(Places, Flywheel, testing::Values(Place::in_process, Place::worker));

TEST_P(Flywheel, HasOneNumberAtItsShaft) {
  const std::unique_ptr<Host> host = flywheel(GetParam());
  host->mount(test::mounting_of({test::frame_at(0.0)}));
  EXPECT_EQ(host->sizes().mounts, 0u);
  EXPECT_EQ(host->sizes().shafts, 1u);
  ASSERT_TRUE(test::start(*host));
  Batch batch;
  batch.add(GELENK_DRAWN, -1, 0, {}, 3);
  batch.add(GELENK_LOAD, 0, 0, {}, 2);
  batch.add(GELENK_FACTOR, 0, 0, {test::kRankTolerance}, 4);
  batch.add(GELENK_RIGHT_SIDE, 0, 0, {}, 2);
  batch.add(GELENK_UP, 0, 0, {}, 1);
  batch.add(GELENK_DOWN, 0, 0, {3.0}, 1);
  ASSERT_TRUE(host->perform(batch.commands()));
  EXPECT_EQ(batch.out(0), (std::vector<double>{0.0, 0.0, 2.0}));
  EXPECT_EQ(batch.out(2)[0], 2.0);
  EXPECT_EQ(batch.out(4)[0], 0.0);
  EXPECT_EQ(batch.out(5)[0], 6.0);
  Batch wrong;
  wrong.add(GELENK_UP, 0, 0, {}, 6);
  EXPECT_THROW(host->perform(wrong.commands()), ComponentFailure);
}

TEST_P(Flywheel, IsASubsystemWithAShaft) {
  const std::unique_ptr<Host> host = flywheel(GetParam());
  host->mount(test::mounting_of({test::frame_at(0.0)}));
  const std::unique_ptr<subsystem::Subsystem> one = as_subsystem(*host);
  EXPECT_EQ(one->shape().ports, 0u);
  EXPECT_EQ(one->shape().shafts, 1u);
  const subsystem::Drawing drawn = one->evaluation().drawn();
  EXPECT_EQ(drawn.motions.size(), 2u);
  EXPECT_TRUE(drawn.references.empty());
  EXPECT_EQ(drawn.D, std::vector<double>{2.0});
}

// What a maker built before there were shafts, with the header of that time.
class Older : public testing::TestWithParam<Place> {};
INSTANTIATE_TEST_SUITE_P(Places, Older, testing::Values(Place::in_process, Place::worker));

TEST_P(Older, AComponentOfVersion1_1WorksAsBefore) {
  const auto numbers = [&](const std::string& name) {
    const std::unique_ptr<Host> host = test::mount(GetParam(), name);
    EXPECT_EQ(host->sizes().shafts, 0u);
    EXPECT_TRUE(test::start(*host));
    Batch batch;
    test::add_stage(batch, 0, 0);
    batch.add(GELENK_COMBINE, 0, 1, {0.01, 0.0});
    test::add_stage(batch, 1, 1);
    EXPECT_TRUE(host->perform(batch.commands()));
    return batch.all_outs();
  };
  EXPECT_EQ(numbers("older_body"), numbers("free_body"));
}

}  // namespace
}  // namespace gelenk::component::flywheel_test
