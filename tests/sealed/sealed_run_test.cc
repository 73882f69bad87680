#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "gelenk/analysis/sealed_assembly.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/results/reader.h"
#include "gelenk/results/recorder.h"
#include "tests/support/sealed_models.h"

// Runs of machines with sealed components, from the assembly to the recorded rows.
namespace gelenk::sealed_run_test {
namespace {

using analysis::Partitioning;
using analysis::RunOptions;
using analysis::RunResult;

analysis::MountingOptions mounting_of(const RunOptions& options) {
  return {.rank_tolerance = analysis::run_rank_tolerance({}),
          .tolerance = options.is_adaptive() ? options.tolerance : 1.0,
          .partitioning = options.partition};
}

struct Recorded {
  RunResult result;
  std::unique_ptr<results::Reader> reader;
};

class SealedRun : public testing::TestWithParam<test::Way> {
 protected:
  SealedRun() {
    options_.duration = 0.4;
    options_.output_every = 0.01;
    options_.partition = Partitioning::sealed;
    std::filesystem::create_directories(folder_);
  }
  ~SealedRun() override { std::filesystem::remove_all(folder_); }

  Recorded record(const std::string& name, const system::System& system, const system::Params& params,
                  const model::Machine& machine, const analysis::Assembly& assembly,
                  std::span<subsystem::Subsystem* const> subsystems,
                  const analysis::Checkpointing& checkpointing = {}) {
    const std::string file = folder_ + "/" + name + ".h5";
    results::RunInfo info;
    std::string error;
    auto recorder = results::Recorder::open(file, results::make_layout(machine, {}), info, error);
    EXPECT_TRUE(recorder) << error;
    Recorded recorded;
    recorded.result =
        analysis::simulate(system, params, assembly, options_, recorder.get(), {}, checkpointing, subsystems);
    EXPECT_EQ(recorder->close(recorded.result.status, "", ""), "");
    recorder.reset();
    recorded.reader = results::Reader::open(file, error);
    EXPECT_TRUE(recorded.reader) << error;
    return recorded;
  }

  Recorded run_open() {
    test::Example open = test::load_example("car/car.yaml");
    const auto system = system::compile(open.machine, {}, open.diagnostics);
    const system::Params params = system::make_params(*system, open.machine);
    const auto assembly = analysis::assemble(*system, params, open.machine, 0.0, open.diagnostics);
    return record("open", *system, params, open.machine, *assembly, {});
  }

  RunOptions options_;
  std::string folder_ = testing::TempDir() + "gelenk_sealed_run_" + std::to_string(::getpid());
};

std::vector<double> values_of(const results::Reader& reader, const std::string& channel) {
  std::vector<double> values;
  EXPECT_EQ(reader.read_channel(*reader.find(channel), values), "") << channel;
  return values;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST_P(SealedRun, RecordsTheSameBitsInEveryChannelThatBothShow) {
  const Recorded open = run_open();
  test::SealedExample sealed("car", test::sealed_car(), mounting_of(options_), GetParam());
  ASSERT_EQ(sealed.complaints(), "");
  Diagnostics diagnostics;
  const auto assembly = analysis::assemble_with_sealed(sealed.system(), sealed.params(), sealed.machine(),
                                                       mounting_of(options_), sealed.subsystems(), diagnostics);
  ASSERT_TRUE(assembly);
  const Recorded run =
      record("sealed", sealed.system(), sealed.params(), sealed.machine(), *assembly, sealed.subsystems());
  ASSERT_EQ(run.result.status, results::RunStatus::done);
  ASSERT_EQ(run.reader->row_count(), open.reader->row_count());
  // How mounts share loads that rigid parts do not determine depends on what is inside, which nobody outside knows:
  // the report says which these are.
  std::size_t compared = 0;
  for (const results::RecordedChannel& channel : run.reader->channels()) {
    const bool is_of_all = channel.name.starts_with("energy.");  // here of what is open
    if (is_of_all || !open.reader->find(channel.name) || channel.name.find(".reaction.") != std::string::npos) continue;
    EXPECT_TRUE(same_bits(values_of(*run.reader, channel.name), values_of(*open.reader, channel.name))) << channel.name;
    ++compared;
  }
  EXPECT_GE(compared, 20u);
  const analysis::SharedDirections shared = run.result.audit.sharing.result();
  std::size_t shared_count = 0;
  for (std::size_t d = 0; d < analysis::direction_count(sealed.system()); ++d) {
    const std::string name = analysis::direction_channel(sealed.system(), d);
    const std::vector<double> values = values_of(*run.reader, name), expected = values_of(*open.reader, name);
    if (!shared.is_unique(d)) ++shared_count;
    constexpr double kForces = 1e-9;  // N, N m: rounding of some kN
    for (std::size_t i = 0; i < values.size() && shared.is_unique(d); ++i) {
      ASSERT_NEAR(values[i], expected[i], kForces) << name << i;
    }
  }
  EXPECT_EQ(shared_count, 4u * 6u);  // across the plane of each suspension
}

// A boom on a hinge that carries a sealed suspension; drawn at rest with the hinge at zero.
std::string boom(const std::string& start, bool is_of_part = false) {
  return R"(gelenk: 1
name: boom
gravity: [0, 0, -9.81]
parts:
  boom: {at: [0, 0, 0.6 m], mass: 300 kg, inertia: {xx: 40, yy: 40, zz: 40})" +
         std::string(is_of_part ? ", " + start : "") + R"(}
joints:
  hinge: {type: revolute, between: [ground, boom], at: [-1 m, 0, 0.6 m], axis: y)" +
         std::string(is_of_part ? "" : ", " + start) + R"(}
assemblies:
  corner:
    use: suspension.gkc
    at: [0.3 m, 0.75 m, 0.5 m]
    attach:
      strut_top: {type: revolute, to: boom, axis: y}
      arm_pivot: {type: revolute, to: boom, axis: y}
)";
}

TEST_P(SealedRun, StartsWhereAndAsFastAsItIsTold) {
  const analysis::MountingOptions options = mounting_of(options_);
  test::SealedExample sealed("car", boom("start: {angle: 25 deg, rate: 0.5 rad/s}"), options, GetParam());
  ASSERT_EQ(sealed.complaints(), "");
  Diagnostics diagnostics;
  const auto assembly = analysis::assemble_with_sealed(sealed.system(), sealed.params(), sealed.machine(), options,
                                                       sealed.subsystems(), diagnostics);
  ASSERT_TRUE(assembly) << (diagnostics.all().empty() ? "" : diagnostics.all().front().message);
  ASSERT_EQ(assembly->sealed_states.size(), 1u);
  // The center of the boom is 1 m before its hinge; positive angles about y lower it.
  constexpr double kAngle = 25.0 * std::numbers::pi / 180.0;
  constexpr double kClose = 1e-10;  // m, m/s
  const system::State& state = assembly->state;
  EXPECT_NEAR(state.position[0].x(), -1.0 + std::cos(kAngle), kClose);
  EXPECT_NEAR(state.position[0].z(), 0.6 - std::sin(kAngle), kClose);
  EXPECT_NEAR(state.velocity[4], 0.5, kClose);
  EXPECT_NEAR(state.velocity[2], -0.5 * std::cos(kAngle), kClose);
  const Recorded run =
      record("boom", sealed.system(), sealed.params(), sealed.machine(), *assembly, sealed.subsystems());
  EXPECT_EQ(run.result.status, results::RunStatus::done);
  EXPECT_NEAR(values_of(*run.reader, "hinge.angle").front(), kAngle, kClose);
  constexpr double kBalanced = 1e-4;  // of the energy that was turned over; steps are exact to 1e-6 each
  EXPECT_LT(run.result.audit.energy_imbalance, kBalanced * run.result.audit.energy_turnover);
}

// Steps that are refused, and poses near singular ones.
TEST_P(SealedRun, IsThrownAbout) {
  options_.duration = 0.05;
  options_.tolerance = 1e-7;
  const analysis::MountingOptions options = mounting_of(options_);
  test::SealedExample sealed("car", R"(gelenk: 1
name: bench
gravity: [0, 0, -9.81]
parts:
  block0: {at: [0.27, 0, 0.86], mass: 10 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
  block1: {at: [-0.3, 0, 0.3], mass: 10 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
forces:
  bush0: {type: bushing, between: [ground, block0], stiffness: [1e4, 1e4, 1e4]}
  bush1: {type: bushing, between: [ground, block1], stiffness: [1e4, 1e4, 1e4]}
assemblies:
  component:
    use: suspension.gkc
    attach:
      strut_top: {type: spherical, to: block0}
      arm_pivot: {type: spherical, to: block1}
)",
                             options, GetParam());
  ASSERT_EQ(sealed.complaints(), "");
  Diagnostics diagnostics;
  const auto assembly = analysis::assemble_with_sealed(sealed.system(), sealed.params(), sealed.machine(), options,
                                                       sealed.subsystems(), diagnostics);
  ASSERT_TRUE(assembly);
  const Recorded run =
      record("bench", sealed.system(), sealed.params(), sealed.machine(), *assembly, sealed.subsystems());
  EXPECT_EQ(run.result.status, results::RunStatus::done);
}

TEST_P(SealedRun, RefusesAStartThatJointsDoNotAllow) {
  const analysis::MountingOptions options = mounting_of(options_);
  // The hinge lets its center move along z alone.
  test::SealedExample sealed("car", boom("start: {velocity: [1 m/s, 0, 0]}", true), options, GetParam());
  ASSERT_EQ(sealed.complaints(), "");
  Diagnostics diagnostics;
  EXPECT_FALSE(analysis::assemble_with_sealed(sealed.system(), sealed.params(), sealed.machine(), options,
                                              sealed.subsystems(), diagnostics));
  ASSERT_EQ(diagnostics.error_count(), 1u);
  EXPECT_EQ(diagnostics.all().front().code, Code::start_not_possible);
}

INSTANTIATE_TEST_SUITE_P(SealedComponents, SealedRun, testing::ValuesIn(test::kWays),
                         [](const auto& which) { return test::name_of(which.param); });

}  // namespace
}  // namespace gelenk::sealed_run_test
