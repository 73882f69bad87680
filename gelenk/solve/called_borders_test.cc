#include "gelenk/solve/called_borders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "gelenk/base/parallel.h"
#include "gelenk/solve/component_solver.h"
#include "gelenk/solve/component_tree.h"
#include "gelenk/solve/elimination_planner.h"
#include "gelenk/solve/foreign_test_support.h"
#include "gelenk/solve/joint_motion.h"
#include "gelenk/solve/mechanisms_test_support.h"
#include "gelenk/solve/spatial.h"

// Components that their owner calls: they show an inertia at one body and how the others move relative to it.
namespace gelenk::solve::called_borders_test {
namespace {

using test::JointMachine;
using test::TakenOut;
using test::Task;

std::size_t count_ops(const Plan& plan, OpKind kind) {
  std::size_t count = 0;
  for (const NodePlan& node : plan.nodes) {
    count += static_cast<std::size_t>(
        std::count_if(node.program.ops.begin(), node.program.ops.end(), [&](const Op& op) { return op.kind == kind; }));
  }
  return count;
}

// Bodies in a row are components of `leaf`, four of these are one, and so on.
Partition nested(std::size_t bodies, std::size_t leaf, std::size_t levels) {
  Partition partition;
  partition.component_of_body.assign(bodies, 0);
  for (std::size_t level = levels; level-- > 0;) {
    const std::size_t length = leaf << (2 * level);
    std::vector<std::int32_t> inside(bodies);
    for (std::size_t b = 0; b < bodies; ++b) {
      if (b % length == 0) partition.owner.push_back(partition.component_of_body[b]);
      inside[b] = static_cast<std::int32_t>(partition.owner.size()) - 1;
    }
    partition.component_of_body = inside;
  }
  return partition;
}

std::shared_ptr<const Plan> plan_of(const JointMachine& m, Partition partition) {
  PlanRequest request;
  request.partition = std::move(partition);
  return make_plan(m.layout, m.masses, m.values, std::move(request));
}

double operations(const ProgramCost& cost) { return cost.factor + cost.sweep; }

enum class Way { after, ahead };

TakenOut::Result solve(const Task& task, BorderForm borders, Way way = Way::after) {
  PlanRequest request;
  request.partition = task.partition;
  request.port_arms = task.port_arms;
  request.borders = borders;
  ComponentSolver solver(make_plan(task.layout, task.masses, task.values, std::move(request)));
  TakenOut::Result result{std::vector<double>(6 * task.masses.size()), std::vector<double>(task.u.size()), {}};
  PivotSet pivots;
  const PoseBlocks blocks{task.masses, task.values, {}, {}, task.port_arms};
  if (way == Way::ahead) {
    solver.factor_ahead(blocks, 1e-6, pivots, task.f, task.u, task.port_biases);
    result.report = solver.solve_ahead(result.a, result.lambda, task.port_biases);
  } else {
    solver.factor(blocks, 1e-6, pivots);
    result.report = solver.solve(task.f, task.u, result.a, result.lambda, task.port_biases);
  }
  return result;
}

// A tree has no decision about rank, wherever its borders are, and each level costs the same.
// S1-20: time grows with the number of bodies, not with the depth of the design.
TEST(CalledBorders, NestedChainHasNoDecisionsAndKeepsItsCost) {
  double before = 0.0;
  for (std::size_t levels = 2; levels <= 5; ++levels) {
    const std::size_t bodies = std::size_t{2} << (2 * (levels - 1));
    JointMachine m = test::link_chain(bodies);
    const auto one = plan_of(m, {});
    const auto kept = plan_of(m, nested(bodies, 2, levels));
    ASSERT_GT(kept->nodes.size(), bodies / 2);
    EXPECT_EQ(count_ops(*kept, OpKind::close), 0u);
    EXPECT_EQ(count_ops(*kept, OpKind::join), 0u);
    const double ratio = operations(kept->cost()) / operations(one->cost());
    // Loads go in, motions come out: less than the bodies of a component take, and the calls themselves.
    const auto borders = static_cast<double>(kept->nodes.size() - 1);
    EXPECT_LT(operations(kept->cost()) - operations(one->cost()), (2.0 * kCallOperations + 300.0) * borders);
    if (before > 0.0) {
      EXPECT_LT(ratio, 1.1 * before);
    }
    before = ratio;
  }
}

// Five levels; at the centers of mass borders are exact to the last digits, without corrections.
TEST(CalledBorders, FiveLevelsAreExact) {
  JointMachine m = test::link_chain(512);
  const std::vector<double> f = m.machine.numbers(6 * 512);
  const std::vector<double> u = m.machine.rates(m.machine.numbers(6 * 512));
  std::vector<double> expected(f.size()), a(f.size());
  for (const bool is_divided : {false, true}) {
    ComponentSolver solver(plan_of(m, is_divided ? nested(512, 2, 5) : Partition{}));
    PivotSet pivots;
    solver.factor({m.masses, m.values, m.machine.bodies, m.machine.blocks}, 1e-6, pivots);
    EXPECT_FALSE(solver.is_corrected());
    solver.solve(f, u, is_divided ? a : expected, {});
  }
  const double largest = test::largest(expected);
  EXPECT_LT(test::largest_difference(a, expected), 1e-12 * largest);
}

// Four suspensions on a chassis that moves freely, all hinges parallel, so that rows are redundant: an arm with a
// wheel, a strut of two bodies from the chassis to the arm. Each is a component with two inside, arm and strut.
struct Suspended {
  JointMachine m;
  Partition partition;
};

Suspended suspended_chassis() {
  Suspended s;
  JointMachine& m = s.m;
  s.partition.component_of_body = {0};
  const std::int32_t chassis = m.add_bar({-1, 0, 1}, {1, 0, 1}, 20.0);
  for (std::int32_t corner = 0; corner < 4; ++corner) {
    const double x = corner < 2 ? 1.0 : -1.0, y = corner % 2 == 0 ? 0.7 : -0.7;
    const test::Vector pivot{x, y, 1}, seat{x + 0.3, y, 0.9}, hub{x + 0.5, y, 0.8}, top{x + 0.2, y, 1.6};
    const test::Vector middle{x + 0.25, y, 1.25};
    const std::int32_t arm = m.add_bar(pivot, hub, 2.0);
    const std::int32_t wheel = m.add_bar(hub, test::plus(hub, {0, 0.1, 0}), 3.0);
    const std::int32_t rod = m.add_bar(seat, middle, 0.5);
    const std::int32_t tube = m.add_bar(middle, top, 0.6);
    m.revolute(chassis, arm, pivot, test::kY);
    m.revolute(arm, wheel, hub, test::kY);
    m.spherical(arm, rod, seat);
    m.cylindrical(rod, tube, middle, middle, test::minus(top, seat));
    m.revolute(chassis, tube, top, test::kY);
    const auto suspension = static_cast<std::int32_t>(s.partition.owner.size());
    s.partition.owner.insert(s.partition.owner.end(), {0, suspension, suspension});
    for (const std::int32_t inside : {1, 1, 2, 2}) s.partition.component_of_body.push_back(suspension + inside);
  }
  m.finish("suspended chassis");
  return s;
}

// Loops over the chassis are closed inside, where one program closes them: the same operations, and no digits lost.
TEST(CalledBorders, JointsToWhatAComponentIsOnAreClosedInside) {
  Suspended s = suspended_chassis();
  const auto one = plan_of(s.m, {});
  const auto kept = plan_of(s.m, s.partition);
  ASSERT_EQ(kept->nodes.size(), 13u);
  EXPECT_TRUE(kept->nodes.back().joints.empty());
  EXPECT_EQ(kept->home_of_joint[0], 0);
  for (std::size_t n = 0; n + 1 < kept->nodes.size(); ++n) EXPECT_TRUE(kept->nodes[n].program.is_seated);
  // One loop of each suspension, closed with all that is live of it.
  EXPECT_EQ(count_ops(*kept, OpKind::close), count_ops(*one, OpKind::close));
  EXPECT_EQ(count_ops(*kept, OpKind::carry), 0u);
  EXPECT_LT(operations(kept->cost()) - 24 * kCallOperations, 1.05 * operations(one->cost()));

  const std::size_t size = 6 * s.m.masses.size();
  const std::vector<double> f = s.m.machine.numbers(size);
  const std::vector<double> u = s.m.machine.rates(s.m.machine.numbers(size));
  std::vector<double> a[2], lambda[2];
  for (const bool is_divided : {false, true}) {
    ComponentSolver solver(is_divided ? kept : one);
    PivotSet pivots;
    solver.factor({s.m.masses, s.m.values, s.m.machine.bodies, s.m.machine.blocks}, 1e-6, pivots);
    EXPECT_FALSE(solver.is_corrected());
    a[is_divided].resize(size);
    lambda[is_divided].resize(u.size());
    solver.solve(f, u, a[is_divided], lambda[is_divided]);
  }
  EXPECT_LT(test::largest_difference(a[0], a[1]), 1e-12 * test::largest(a[0]));
  // Which rows are dropped may differ; what joints do to bodies in all may not.
  const std::vector<double> wrenches[2] = {s.m.machine.wrenches(lambda[0]), s.m.machine.wrenches(lambda[1])};
  EXPECT_LT(test::largest_difference(wrenches[0], wrenches[1]), 1e-11 * test::largest(wrenches[0]));
}

// What a sweep leaves is found on the bodies that components are on, too: a wrong acceleration there is corrected.
TEST(CalledBorders, ResidualsReachWhatComponentsAreOn) {
  Suspended s = suspended_chassis();
  ComponentTree tree(plan_of(s.m, s.partition));
  tree.load(s.m.masses, s.m.values.data());
  tree.factor(1e-6);
  tree.make_test_load(1);
  tree.sweep(NodeLoad::given);
  const NodeResidual left = tree.residual();
  EXPECT_LT(left.forces, 1e-13 * left.inertial_forces);
  EXPECT_LT(left.rows, 1e-12);
  tree.sweep(NodeLoad::rest);
  EXPECT_LT(tree.residual().change, 1e-12 * left.motion);
}

// A crane: mast and jib are on the base, where the mast is the anchor; boom and stay close a loop over the jib, the
// hook is on the boom, so these two are on bodies of components beside them.
TEST(CalledBorders, ComponentsAreOnBodiesOfOthers) {
  JointMachine m;
  Partition partition;
  partition.owner = {kNone, 0, 0, 0};
  const std::int32_t base = m.add_bar({0, 0, 0}, {1, 0, 0}, 5.0);
  m.revolute(-1, base, {0, 0, 0}, test::kY);
  const std::int32_t mast = m.add_bar({1, 0, 0}, {1, 0, 1}, 2.0);
  m.revolute(base, mast, {1, 0, 0}, {0, 0, 1});
  const std::int32_t jib = m.add_bar({1, 0, 1}, {2, 0, 1.5}, 1.0);
  m.revolute(mast, jib, {1, 0, 1}, test::kY);
  const std::int32_t boom = m.add_bar({2, 0, 1.5}, {3, 0, 1}, 0.7);
  m.revolute(jib, boom, {2, 0, 1.5}, test::kY);
  const std::int32_t stay = m.add_bar({1.5, 0, 1.25}, {2.5, 0, 1.25}, 0.3);
  m.revolute(jib, stay, {1.5, 0, 1.25}, test::kY);
  m.spherical(stay, boom, {2.5, 0, 1.25});
  const std::int32_t hook = m.add_bar({3, 0, 1}, {3, 0, 0.5}, 0.4);
  m.spherical(boom, hook, {3, 0, 1});
  m.finish("crane");
  partition.component_of_body = {0, 1, 1, 2, 2, 3};
  const auto kept = plan_of(m, partition);
  std::size_t seated = 0;
  for (const NodePlan& node : kept->nodes) seated += node.program.is_seated ? 1 : 0;
  EXPECT_EQ(seated, 2u);
  EXPECT_EQ(kept->nodes.back().joints.size(), 2u);  // from the ground to the base, and to the mast
  const std::vector<double> f = m.machine.numbers(6 * m.masses.size());
  const std::vector<double> u = m.machine.rates(m.machine.numbers(6 * m.masses.size()));
  std::vector<double> expected(f.size()), a(f.size()), lambda(u.size());
  for (const bool is_divided : {false, true}) {
    ComponentSolver solver(is_divided ? kept : plan_of(m, {}));
    PivotSet pivots;
    solver.factor({m.masses, m.values, m.machine.bodies, m.machine.blocks}, 1e-6, pivots);
    EXPECT_FALSE(solver.is_corrected());
    solver.solve(f, u, is_divided ? a : expected, lambda);
  }
  EXPECT_LT(test::largest_difference(a, expected), 1e-12 * test::largest(expected));
}

// A second port on each body that has one, for every other joint; then all ports away from the centers of mass, the
// rows of joints with them, so that the machine stays the same.
void spread_ports(JointMachine& m, Task& task) {
  const std::size_t ports = task.partition.ports.size();
  const std::size_t bodies = task.masses.size();
  for (std::size_t p = 0; p < ports; ++p) task.partition.ports.push_back(task.partition.ports[p]);
  for (std::size_t j = 0; j < task.layout.joints.size(); j += 2) {
    for (std::int32_t* const end : {&task.layout.joints[j].a, &task.layout.joints[j].b}) {
      if (*end >= static_cast<std::int32_t>(bodies)) *end += static_cast<std::int32_t>(ports);
    }
  }
  const auto numbers = [&](std::size_t count) {
    std::vector<double> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(m.machine.number(-0.5, 0.5));
    return result;
  };
  task.port_arms = numbers(6 * ports);
  task.port_biases = numbers(6 * ports);
  const std::vector<double> loads = numbers(12 * ports);
  task.f.resize(6 * bodies);
  task.f.insert(task.f.end(), loads.begin(), loads.end());
  std::vector<double> back = task.port_arms;
  for (double& arm : back) arm = -arm;
  move_rows_to_bodies(*task.plan(), back, task.values);
  for (const JointRows& joint : task.layout.joints) {
    for (const bool is_b : {false, true}) {
      const std::int32_t end = is_b ? joint.b : joint.a;
      if (end < static_cast<std::int32_t>(bodies)) continue;
      double bias[6] = {};
      copy3(&task.port_biases[3 * (static_cast<std::size_t>(end) - bodies)], bias);
      std::vector<double> products(joint.row_count(), 0.0);
      add_row_products({&joint, &task.values[static_cast<std::size_t>(joint.first_value)], is_b}, bias,
                       products.data());
      const std::span<const std::int32_t> rows = task.layout.rows_of(joint);
      for (std::size_t i = 0; i < rows.size(); ++i) task.u[static_cast<std::size_t>(rows[i])] += products[i];
    }
  }
}

// Arms, centripetal terms and loads, two ports on one body: the same as in one program, which has no ports.
TEST(CalledBorders, PortsWithArmsAreTurnedIntoBodies) {
  std::size_t with_ports = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    JointMachine m = test::random_machine(seed);
    Task task = test::random_task(m, seed);
    const std::vector<double> u = task.u;
    spread_ports(m, task);
    const std::size_t bodies = task.masses.size();
    if (!task.partition.ports.empty()) ++with_ports;
    std::vector<double> f(task.f.begin(), task.f.begin() + static_cast<std::ptrdiff_t>(6 * bodies));
    for (std::size_t p = 0; p < task.partition.ports.size(); ++p) {
      add_shifted_wrench(&task.port_arms[3 * p], &task.f[6 * (bodies + p)],
                         &f[6 * static_cast<std::size_t>(task.partition.ports[p].body)]);
    }
    std::vector<double> expected(6 * bodies), lambda(u.size());
    ComponentSolver whole(plan_of(m, {}));
    PivotSet pivots;
    whole.factor({m.masses, m.values, m.machine.bodies, m.machine.blocks}, 1e-6, pivots);
    whole.solve(f, u, expected, lambda);
    const TakenOut::Result result = solve(task, BorderForm::anchored);
    EXPECT_LT(test::largest_difference(result.a, expected), 1e-11 * std::max(1.0, test::largest(expected)));
    EXPECT_EQ(solve(task, BorderForm::anchored, Way::ahead).a, result.a);
  }
  EXPECT_GT(with_ports, 150u);
}

// Three long ropes between the ground and one bar, which need not wait for each other.
TEST(CalledBorders, SameBitsForAnyNumberOfThreads) {
  constexpr std::size_t kRopes = 3;
  constexpr std::size_t kLinks = 120;
  JointMachine m;
  Partition partition;
  const std::int32_t bar = m.add_bar({120, 0, 0}, {120, 3, 0}, 2.0);
  partition.component_of_body.push_back(0);
  for (std::size_t rope = 0; rope < kRopes; ++rope) {
    partition.owner.push_back(0);
    std::int32_t before = -1;
    for (std::size_t k = 0; k <= kLinks; ++k) {
      const auto x = static_cast<double>(k);
      const test::Vector at{x, static_cast<double>(rope), std::sin(0.3 * x)};
      const std::int32_t body = k == kLinks ? bar : m.add_bar(at, {x + 1, at[1], std::sin(0.3 * (x + 1))}, 1.0);
      m.spherical(before, body, at);
      before = body;
      if (k < kLinks) partition.component_of_body.push_back(static_cast<std::int32_t>(rope + 1));
    }
  }
  m.finish("ropes");
  Task task;
  task.layout = m.layout;
  task.masses = m.masses;
  task.values = m.values;
  task.partition = partition;
  task.f = m.machine.numbers(6 * m.masses.size());
  task.u = m.machine.rates(m.machine.numbers(6 * m.masses.size()));
  ASSERT_TRUE(plan_of(m, partition)->nodes.back().is_parallel);
  const TakenOut::Result alone = solve(task, BorderForm::anchored);
  set_thread_count(2);
  const TakenOut::Result together = solve(task, BorderForm::anchored);
  const TakenOut::Result ahead = solve(task, BorderForm::anchored, Way::ahead);
  set_thread_count(1);
  EXPECT_EQ(alone.a, together.a);
  EXPECT_EQ(alone.lambda, together.lambda);
  EXPECT_EQ(alone.a, ahead.a);
  EXPECT_EQ(alone.lambda, ahead.lambda);
  const TakenOut::Result by_mobility = solve(task, BorderForm::mobility);
  EXPECT_LT(test::largest_difference(alone.a, by_mobility.a), 1e-10 * test::largest(alone.a));
}

// A loop that lies flat has one row less: the component shows one more column, and its owners find room for it.
TEST(CalledBorders, RankChangesInside) {
  const JointMachine open = test::four_bars(4, 0.5);
  const JointMachine flat = test::four_bars(4, 0.0);
  const auto blocks = [](const JointMachine& m) {
    return PoseBlocks{m.masses, m.values, m.machine.bodies, m.machine.blocks};
  };
  ComponentSolver whole(plan_of(open, {}));
  PivotSet of_whole;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    ComponentSolver solver(plan_of(open, test::random_partition(open.masses.size(), seed)));
    PivotSet pivots;
    for (const JointMachine* const pose : {&open, &flat, &open}) {
      whole.factor(blocks(*pose), 1e-6, of_whole);
      solver.factor(blocks(*pose), 1e-6, pivots);
      EXPECT_EQ(solver.rank(), whole.rank());
      EXPECT_EQ(solver.factor(blocks(*pose), 1e-6, pivots), PivotChange::none);
    }
  }
}

// A pose whose sweeps are corrected leaves nothing behind for the next one, though that goes up as it is factored.
TEST(CalledBorders, FactorsAheadAfterCorrections) {
  const JointMachine open = test::four_bars(4, 0.5);
  const JointMachine nearly_flat = test::four_bars(4, 3e-6);
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::vector<double> f(6 * open.masses.size());
  for (double& x : f) x = number(generator);
  const std::vector<double> u(open.machine.rows.size(), 0.0);
  std::size_t corrections = 0;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const auto plan = plan_of(open, test::random_partition(open.masses.size(), seed));
    std::vector<double> a[2] = {std::vector<double>(f.size()), std::vector<double>(f.size())};
    for (const bool is_after : {false, true}) {
      ComponentSolver solver(plan);
      PivotSet pivots;
      const auto run = [&](const JointMachine& m) {
        solver.factor_ahead({m.masses, m.values, m.machine.bodies, m.machine.blocks}, 1e-9, pivots, f, u);
        return solver.solve_ahead(a[is_after], {}).corrections;
      };
      run(open);
      if (is_after && run(nearly_flat) > 0) ++corrections;
      EXPECT_EQ(run(open), 0);
    }
    EXPECT_LT(test::largest_difference(a[0], a[1]), 1e-10 * test::largest(a[0]));
  }
  EXPECT_GT(corrections, 10u);
}

// The rows that are dropped differ; what they share out is the same: least squares among all.
TEST(CalledBorders, SharesReactionsAsOneProgram) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    JointMachine m = test::random_machine(seed);
    const std::vector<double> f = m.machine.numbers(6 * m.masses.size());
    const std::vector<double> u = m.machine.rates(m.machine.numbers(6 * m.masses.size()));
    std::vector<double> shared[2];
    for (const bool is_divided : {false, true}) {
      const Partition partition = is_divided ? test::random_partition(m.masses.size(), seed) : Partition{};
      ComponentSolver solver(plan_of(m, partition));
      PivotSet pivots;
      solver.factor({m.masses, m.values, m.machine.bodies, m.machine.blocks}, 1e-6, pivots);
      std::vector<double> a(f.size());
      std::vector<double>& lambda = shared[is_divided ? 1 : 0];
      lambda.resize(u.size());
      solver.solve(f, u, a, lambda);
      solver.share(lambda, std::vector<double>(u.size(), 1.0));
    }
    const double largest = std::max(1.0, test::largest(shared[0]));
    EXPECT_LT(test::largest_difference(shared[0], shared[1]), 1e-8 * largest);
  }
}

}  // namespace
}  // namespace gelenk::solve::called_borders_test
