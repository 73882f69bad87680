// Assembly by the component solver, beside the flat one: the same motions from other algorithms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <span>

#include "gelenk/analysis/added_rows.h"
#include "gelenk/analysis/joint_loops.h"
#include "gelenk/base/index.h"
#include "gelenk/mechanics/dynamics.h"
#include "gelenk/solve/component_solver.h"
#include "gelenk/solve/flat_solver.h"
#include "tests/support/run_text.h"

namespace gelenk::assemble_solvers_test {
namespace {

using analysis::ClosedBy;

// A four-bar linkage in space with a slider on its coupler: loops, redundant rows, turns and lines, a single body too.
const std::string kLinkage = R"yaml(
parts:
  crank: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.2, zz: 0.3}, frames: {pin: [0, 1, 0]}}
  coupler: {at: [0, 1, 0], mass: 2 kg, inertia: {xx: 0.3, yy: 0.1, zz: 0.2}, frames: {pin: [2, 0, 0], rail: [1, 0.2, 0]}}
  rocker: {at: [2, 0, 0], mass: 1.5 kg, inertia: {xx: 0.1, yy: 0.2, zz: 0.3}, frames: {pin: [0, 1, 0]}}
  slider: {at: [1, 1.2, 0], mass: 0.5 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
ground: {frames: {bearing: [2, 0, 0]}}
joints:
  crank_bearing: {type: revolute, between: [ground, crank], axis: z}
  crank_pin: {type: revolute, between: [crank.pin, coupler], axis: z}
  rocker_pin: {type: revolute, between: [coupler.pin, rocker.pin], axis: z}
  rocker_bearing: {type: revolute, between: [rocker, ground.bearing], axis: z}
  rail: {type: prismatic, between: [coupler.rail, slider], axis: x}
)yaml";

// Rounding of a solve, against velocities of about one.
constexpr double kSame = 1e-11;

double rate_of(const RowBodies& bodies, const RowBlock& block, std::span<const double> v) {
  double rate = 0.0;
  for (std::size_t k = 0; k < 6; ++k) {
    if (bodies.a >= 0) rate += block.a[k] * v[6 * at(bodies.a) + k];
    if (bodies.b >= 0) rate += block.b[k] * v[6 * at(bodies.b) + k];
  }
  return rate;
}

// Rates of coordinates and velocities of a part as further rows, some of joints, some of their own: the flat solver
// takes them as they are, the component solver packed.
TEST(AddedRows, MoveTheMachineAsTheFlatSolverSays) {
  const test::Assembled model = test::assemble_text(kLinkage);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const system::System& system = *model.system;
  const mechanics::Context context{system, model.params, model.state()};
  mechanics::Workspace workspace(system);
  mechanics::update_positions(context, workspace);
  mechanics::update_rows(context, workspace);
  mechanics::update_bodies(context, workspace);
  mechanics::update_joints(context, workspace);

  std::vector<analysis::AddedRow> added;
  const auto add_coordinate = [&](const std::string& path, bool is_of_joint) {
    const std::size_t j = test::index_of_path(system.joints, path);
    const system::Joint& joint = system.joints[j];
    const mechanics::FrameMotion& A = workspace.frames[at(joint.frame_a)];
    const mechanics::FrameMotion& B = workspace.frames[at(joint.frame_b)];
    added.push_back({is_of_joint ? static_cast<std::int32_t>(j) : -1,
                     {system.frames[at(joint.frame_a)].body, system.frames[at(joint.frame_b)].body},
                     mechanics::block_at_centers(
                         mechanics::coordinate_jacobian<double>(joint.type->coordinates[0], A, B, nullptr), A, B)});
  };
  add_coordinate("rocker_bearing", true);  // a turn, body b is the ground
  add_coordinate("rail", true);            // a line
  add_coordinate("rail", false);           // the same once more: redundant
  RowBlock along_x;
  along_x.b = {1.0, 0.0, 0.0, 0.0, 0.3, -0.2};
  added.push_back({-1, {-1, 0}, along_x});

  std::vector<RowBodies> rows = system.row_bodies;
  std::vector<RowBlock> blocks = workspace.blocks;
  std::vector<double> change(rows.size(), 0.0);
  for (const double value : {0.7, -0.4, -0.4}) {
    const analysis::AddedRow& row = added[change.size() - system.rows.size()];
    rows.push_back(row.bodies);
    blocks.push_back(row.block);
    change.push_back(value);
  }
  const std::vector<double> zeros(6 * system.bodies.size(), 0.0);
  std::vector<double> flat_motion = zeros;
  std::vector<double> motion = zeros;
  solve::FlatSolver flat(system.bodies.size(), rows);
  solve::PivotSet pivots;
  std::vector<double> multipliers(rows.size());
  flat.factor(workspace.inverse_masses, blocks, 1e-6, pivots);
  flat.sweep(zeros, change, flat_motion, multipliers);
  // Nothing is free any more: the last row can only say what the others do.
  rows.push_back(added.back().bodies);
  blocks.push_back(added.back().block);
  change.push_back(rate_of(rows.back(), blocks.back(), flat_motion));

  const analysis::PackedRows packed = analysis::add_rows(workspace.joints.layout, workspace.joint_values, added);
  ASSERT_EQ(packed.layout.row_numbers.size(), rows.size());
  solve::ComponentSolver components(solve::make_plan(packed.layout, workspace.masses, packed.values));
  solve::PivotSet own;
  components.factor({workspace.masses, packed.values, {}, {}}, 1e-6, own);
  EXPECT_EQ(components.rank(), flat.rank());
  components.solve(zeros, change, motion, {});
  for (std::size_t i = 0; i < motion.size(); ++i) EXPECT_NEAR(motion[i], flat_motion[i], kSame) << i;
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_NEAR(rate_of(rows[i], blocks[i], motion), change[i], kSame) << i;
}

// Whether the ends of a joint hang together without it, one joint after the other.
std::vector<bool> loops_one_by_one(const system::System& system) {
  std::vector<bool> in_loop;
  for (std::size_t left_out = 0; left_out < system.joints.size(); ++left_out) {
    std::vector<std::int32_t> group(system.bodies.size() + 1);
    std::iota(group.begin(), group.end(), 0);
    const auto end = [&](std::int32_t frame) { return group[at(system.frames[at(frame)].body + 1)]; };
    for (std::size_t j = 0; j < system.joints.size(); ++j) {
      if (j == left_out) continue;
      const std::int32_t from = end(system.joints[j].frame_a);
      std::replace(group.begin(), group.end(), from, end(system.joints[j].frame_b));
    }
    in_loop.push_back(end(system.joints[left_out].frame_a) == end(system.joints[left_out].frame_b));
  }
  return in_loop;
}

// S1-10, S3-02: loops are found, nobody has to close them specially.
TEST(JointLoops, AsFoundByLeavingOutEachJoint) {
  std::mt19937 random(7);
  for (int graph = 0; graph < 300; ++graph) {
    system::System system;
    const std::size_t bodies = 1 + random() % 12;
    system.bodies.resize(bodies);
    for (std::size_t b = 0; b <= bodies; ++b) system.frames.push_back({static_cast<std::int32_t>(b) - 1, 0});
    system.joints.resize(random() % 16);
    for (system::Joint& joint : system.joints) {
      joint.frame_a = static_cast<std::int32_t>(random() % (bodies + 1));
      joint.frame_b = static_cast<std::int32_t>(random() % (bodies + 1));
    }
    EXPECT_EQ(analysis::joints_in_loops(system), loops_one_by_one(system)) << graph;
  }
}

ClosedBy closed_by(const std::string& text) {
  const test::Assembled model = test::assemble_text(text);
  EXPECT_TRUE(model.is_ready()) << model.messages();
  return model.is_ready() ? model.assembly->closed_by : ClosedBy::flat;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  return place == std::string::npos ? "" : text.replace(place, from.size(), to);
}

TEST(ClosedBy, TellsWhatWasNeeded) {
  EXPECT_EQ(closed_by(kLinkage), ClosedBy::drawing);
  EXPECT_EQ(closed_by(with(kLinkage, "slider: {at: [1, 1.2, 0]", "slider: {at: [1, 1.21, 0.003]")),
            ClosedBy::components);
  // Axes of one loop that are not quite parallel contradict each other.
  EXPECT_EQ(closed_by(with(kLinkage, "{pin: [2, 0, 0]",
                           "{pin: {at: {position: [2, 0, 0], orientation: {axis: x, angle: 1e-5 rad}}}")),
            ClosedBy::flat);
}

}  // namespace
}  // namespace gelenk::assemble_solvers_test
