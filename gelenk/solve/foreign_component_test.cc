#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "gelenk/base/parallel.h"
#include "gelenk/solve/foreign_test_support.h"
#include "gelenk/solve/mechanisms_test_support.h"

// What an owner sees of a component it sees through its functions only. So it makes no difference, not in the last bit,
// whether the component is part of the machine or comes from elsewhere.
namespace gelenk::solve::foreign_component_test {
namespace {

using test::JointMachine;
using test::TakenOut;
using test::Task;

void expect_same_bits(const Task& task) {
  const TakenOut::Result open = solve_open(task);
  for (std::size_t c = 1; c < task.partition.owner.size(); ++c) {
    SCOPED_TRACE(c);
    const TakenOut::Result result = TakenOut(task, static_cast<std::int32_t>(c)).solve();
    EXPECT_EQ(result.a, open.a);
    EXPECT_EQ(result.lambda, open.lambda);
    EXPECT_EQ(result.report.corrections, open.report.corrections);
  }
}

// S0-14, S1-13, S1-16: D and r of the border go up, wrenches go down; of a component its owner knows nothing else.
TEST(ForeignComponent, SameBitsInRandomMachines) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    JointMachine m = test::random_machine(seed);
    expect_same_bits(test::random_task(m, seed));
  }
}

TEST(ForeignComponent, SameBitsInMechanisms) {
  unsigned seed = 0;
  for (JointMachine& m : test::mechanisms(1e4)) {
    SCOPED_TRACE(m.name);
    if (m.masses.size() > 24) continue;  // borders of all bodies would be dense matrices
    expect_same_bits(test::random_task(m, ++seed));
  }
}

// Three long ropes of hinged bars between the ground and one bar, each a component.
// S0-11, S1-08: components are computed by several processors.
TEST(ComponentThreads, SameBitsForAnyNumber) {
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
  EXPECT_TRUE(task.plan()->nodes.back().is_parallel);
  const TakenOut::Result alone = solve_open(task);
  set_thread_count(2);
  const TakenOut::Result together = solve_open(task);
  set_thread_count(1);
  EXPECT_EQ(alone.a, together.a);
  EXPECT_EQ(alone.lambda, together.lambda);
}

// Loads on ports push what carries them, as if they were on the bodies.
// S3-13: a port moves as a frame, and takes a force and a torque.
TEST(ForeignComponent, LoadsOnPorts) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    JointMachine m = test::random_machine(seed);
    Task task = test::random_task(m, seed);
    const TakenOut::Result plain = solve_open(task);
    Task loaded = task;
    for (std::size_t p = 0; p < task.partition.ports.size(); ++p) {
      for (std::size_t i = 0; i < 6; ++i) {
        const double part = 0.5 * static_cast<double>(i + p) - 1.0;
        loaded.f[6 * static_cast<std::size_t>(task.partition.ports[p].body) + i] -= part;
        loaded.f[6 * (task.masses.size() + p) + i] += part;
      }
    }
    const TakenOut::Result result = solve_open(loaded);
    double largest = 0.0;
    for (const double a : plain.a) largest = std::max(largest, std::abs(a));
    for (std::size_t i = 0; i < plain.a.size(); ++i) EXPECT_NEAR(result.a[i], plain.a[i], 1e-11 * largest);
    expect_same_bits(loaded);
  }
}

}  // namespace
}  // namespace gelenk::solve::foreign_component_test
