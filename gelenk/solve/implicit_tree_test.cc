#include "gelenk/solve/implicit_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "gelenk/solve/foreign_test_support.h"
#include "gelenk/solve/mechanisms_test_support.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve::implicit_tree_test {
namespace {

using test::JointMachine;
using test::TakenOut;
using test::Task;
using Real = long double;

// A task with a matrix that is not symmetric, as implicit steps have it: elements between all that a component sees.
struct ImplicitTask {
  Task task;
  std::vector<ImplicitBlock> blocks;
  std::vector<RowBodies> row_ends;
  std::vector<RowBlock> rows, row_motions;
  std::vector<std::int32_t> accepted;
  std::vector<double> u;  // of the accepted rows

  std::vector<ImplicitNode::PortMap> ports;

  ImplicitTree::Matrix matrix() const { return {blocks, row_ends, rows, row_motions, accepted, ports}; }
};

struct Solution {
  std::vector<double> x, l;
};

// Numbers of one body.
struct OnBody {
  std::size_t first = 0;
  double values[6] = {};
};

// A wrench on a body or port, on its body.
OnBody wrench_on_body(const ImplicitTask& task, std::int32_t end, const double* wrench) {
  const auto number = static_cast<std::size_t>(end);
  const std::size_t bodies = task.task.masses.size();
  const bool is_port = number >= bodies;
  const double no_arm[3] = {};
  OnBody result;
  result.first = 6 * (is_port ? static_cast<std::size_t>(task.task.partition.ports[number - bodies].body) : number);
  add_shifted_wrench(is_port ? task.ports[number - bodies].arm.data() : no_arm, wrench, result.values);
  return result;
}

// A row by the unknowns of a body, or by the first `columns` motions of a port, as one by the unknowns of its body.
OnBody row_by_body(const ImplicitTask& task, std::int32_t end, const double* row, std::size_t columns) {
  const auto number = static_cast<std::size_t>(end);
  const std::size_t bodies = task.task.masses.size();
  OnBody result{6 * number, {}};
  if (number < bodies) {
    std::copy_n(row, 6, result.values);
    return result;
  }
  result.first = 6 * static_cast<std::size_t>(task.task.partition.ports[number - bodies].body);
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t k = 0; k < 6; ++k) result.values[k] += row[i] * task.ports[number - bodies].motion[6 * i + k];
  }
  return result;
}

// Of G by unknowns, or of Gᵀ.
std::vector<Real> row_on_bodies(const ImplicitTask& task, std::int32_t row, bool is_motion) {
  std::vector<Real> result(6 * task.task.masses.size(), 0);
  const auto number = static_cast<std::size_t>(row);
  const auto add = [&](std::int32_t end, const std::array<double, 6>& values) {
    if (end < 0) return;
    const OnBody part = is_motion ? row_by_body(task, end, values.data(), 6) : wrench_on_body(task, end, values.data());
    for (std::size_t i = 0; i < 6; ++i) result[part.first + i] += part.values[i];
  };
  const RowBlock& block = (is_motion ? task.row_motions : task.rows)[number];
  add(task.row_ends[number].a, block.a);
  add(task.row_ends[number].b, block.b);
  return result;
}

// Rows that are far from each other.
void accept_rows(ImplicitTask& task) {
  constexpr Real kFar = 0.05;
  std::vector<std::vector<Real>> basis;
  for (std::size_t r = 0; r < task.rows.size(); ++r) {
    std::vector<Real> rest = row_on_bodies(task, static_cast<std::int32_t>(r), false);
    const auto square = [](const std::vector<Real>& v) {
      Real sum = 0;
      for (const Real value : v) sum += value * value;
      return sum;
    };
    const Real before = square(rest);
    for (const std::vector<Real>& q : basis) {
      Real overlap = 0;
      for (std::size_t i = 0; i < q.size(); ++i) overlap += q[i] * rest[i];
      for (std::size_t i = 0; i < q.size(); ++i) rest[i] -= overlap * q[i];
    }
    const Real after = square(rest);
    if (after <= kFar * kFar * before) continue;
    for (Real& value : rest) value /= std::sqrt(after);
    basis.push_back(std::move(rest));
    task.accepted.push_back(static_cast<std::int32_t>(r));
    task.u.push_back(task.task.u[r]);
  }
}

ImplicitTask implicit_task(JointMachine& m, unsigned seed) {
  ImplicitTask result;
  result.task = test::random_task(m, seed);
  Task& task = result.task;
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> number(-0.5, 0.5);
  constexpr double kTurned = 0.01;  // unknowns are almost motions
  for (std::size_t p = 0; p < task.partition.ports.size(); ++p) {
    ImplicitNode::PortMap& map = result.ports.emplace_back();
    for (double& arm : map.arm) arm = number(generator);
    for (double& value : map.motion) value = kTurned * number(generator);
    for (std::size_t k = 0; k < 6; ++k) {
      double motion[6] = {};
      motion[k] = 1.0;
      shift_motion(map.arm.data(), motion, motion);
      for (std::size_t i = 0; i < 12; ++i) map.motion[6 * i + k] += motion[i % 6];
    }
  }
  for (double& load : task.f) load = number(generator);
  result.row_ends.resize(task.u.size());
  for (const JointRows& joint : task.layout.joints) {
    for (const std::int32_t row : task.layout.rows_of(joint)) {
      result.row_ends[static_cast<std::size_t>(row)] = {joint.a, joint.b};
    }
  }
  result.rows = m.machine.blocks;
  result.row_motions = result.rows;
  for (std::size_t row = 0; row < result.rows.size(); ++row) {
    for (std::size_t k = 0; k < 6; ++k) {
      const auto turn = [&](std::int32_t end, double& value) {
        if (static_cast<std::size_t>(end) < task.masses.size()) value += kTurned * number(generator);
      };
      turn(result.row_ends[row].a, result.row_motions[row].a[k]);
      turn(result.row_ends[row].b, result.row_motions[row].b[k]);
    }
  }
  accept_rows(result);
  const ImplicitTree tree(task.plan());
  const auto ends = static_cast<std::int32_t>(task.masses.size() + task.partition.ports.size());
  for (std::size_t c = 0; c < task.partition.owner.size(); ++c) {
    const auto component = static_cast<std::int32_t>(c);
    std::vector<std::int32_t> seen;
    for (std::int32_t end = 0; end < ends; ++end) {
      if (tree.sees(component, end)) seen.push_back(end);
      if (static_cast<std::size_t>(end) >= task.masses.size() ||
          task.partition.component_of_body[static_cast<std::size_t>(end)] != component) {
        continue;
      }
      ImplicitBlock block{component, end, end, {}};
      for (double& value : block.values) value = 0.3 * number(generator);
      for (std::size_t i = 0; i < 6; ++i) block.values[kBlockColumns * i + i] += 1.0;
      result.blocks.push_back(block);
    }
    // Bushings, with a symmetric part that is positive. The digits that D loses to them are those of stiffness over
    // mass.
    for (const std::int32_t a : seen) {
      for (const std::int32_t b : seen) {
        if (a >= b || generator() % 3 != 0) continue;
        std::array<double, kBlockSize> bushing;
        const double stiffness = generator() % 2 == 0 ? 1.0 : 1e2;
        for (double& value : bushing) value = 0.2 * stiffness * number(generator);
        for (std::size_t i = 0; i < 6; ++i) {
          bushing[kBlockColumns * i + i] += stiffness;
          bushing[kBlockColumns * i + 6 + i] += stiffness;
        }
        for (const auto& [on, by] : {std::pair{a, a}, {a, b}, {b, a}, {b, b}}) {
          ImplicitBlock block{component, on, by, bushing};
          for (double& value : block.values) value = on == by ? value : -value;
          const bool is_body = static_cast<std::size_t>(by) < task.masses.size();
          for (std::size_t i = 0; i < kBlockSize && is_body; ++i) {
            if (i % kBlockColumns < 6) block.values[i] += block.values[i + 6];
          }
          result.blocks.push_back(block);
        }
      }
    }
  }
  return result;
}

// The same on the bodies alone, by one dense elimination in 80 bits.
Solution solve_dense(const ImplicitTask& task) {
  const std::size_t n = 6 * task.task.masses.size();
  const std::size_t size = n + task.accepted.size();
  std::vector<std::vector<Real>> A(size, std::vector<Real>(size + 1, 0));
  for (const ImplicitBlock& block : task.blocks) {
    for (std::size_t i = 0; i < 6; ++i) {
      const OnBody by = row_by_body(task, block.by, &block.values[kBlockColumns * i], 12);
      double unit[6] = {};
      unit[i] = 1.0;
      const OnBody on = wrench_on_body(task, block.on, unit);
      for (std::size_t p = 0; p < 6; ++p) {
        for (std::size_t q = 0; q < 6; ++q)
          A[on.first + p][by.first + q] += static_cast<Real>(on.values[p]) * by.values[q];
      }
    }
  }
  for (std::size_t j = 0; j < task.accepted.size(); ++j) {
    const std::vector<Real> motion = row_on_bodies(task, task.accepted[j], true);
    const std::vector<Real> force = row_on_bodies(task, task.accepted[j], false);
    for (std::size_t i = 0; i < n; ++i) {
      A[n + j][i] = motion[i];
      A[i][n + j] = -force[i];
    }
    A[n + j][size] = task.u[j];
  }
  for (std::size_t end = 0; 6 * end < task.task.f.size(); ++end) {
    const OnBody part = wrench_on_body(task, static_cast<std::int32_t>(end), &task.task.f[6 * end]);
    for (std::size_t i = 0; i < 6; ++i) A[part.first + i][size] += part.values[i];
  }
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < size; ++i) {
      if (std::abs(A[i][k]) > std::abs(A[pivot][k])) pivot = i;
    }
    std::swap(A[k], A[pivot]);
    for (std::size_t i = 0; i < size; ++i) {
      const Real factor = A[i][k] / A[k][k];
      for (std::size_t j = k; j <= size && i != k; ++j) A[i][j] -= factor * A[k][j];
    }
  }
  Solution result;
  for (std::size_t k = 0; k < size; ++k) {
    (k < n ? result.x : result.l).push_back(static_cast<double>(A[k][size] / A[k][k]));
  }
  return result;
}

Solution solve_open(const ImplicitTask& task) {
  Solution result{std::vector<double>(6 * task.task.masses.size()), std::vector<double>(task.u.size())};
  ImplicitTree tree(task.task.plan());
  tree.load(task.matrix());
  EXPECT_TRUE(tree.factor());
  tree.set_right_side(task.task.f, task.u);
  tree.sweep();
  tree.collect(result.x, result.l);
  return result;
}

Solution solve_taken_out(const ImplicitTask& task, std::int32_t taken) {
  const TakenOut halves(task.task, taken);
  ImplicitTask half[2];  // outside, inside
  for (const bool is_inside : {false, true}) {
    half[is_inside].task = halves.half(is_inside);
    half[is_inside].row_ends.resize(half[is_inside].task.u.size());
    half[is_inside].rows.resize(half[is_inside].task.u.size());
    half[is_inside].row_motions.resize(half[is_inside].task.u.size());
    half[is_inside].ports.resize(half[is_inside].task.partition.ports.size());
  }
  for (const ImplicitBlock& block : task.blocks) {
    const bool is_inside = halves.is_inside(block.component);
    half[is_inside].blocks.push_back({halves.component(block.component), halves.end(block.on, is_inside),
                                      halves.end(block.by, is_inside), block.values});
  }
  for (std::size_t row = 0; row < task.rows.size(); ++row) {
    const bool is_inside = halves.is_row_inside(row);
    const auto to = static_cast<std::size_t>(halves.row(row));
    half[is_inside].rows[to] = task.rows[row];
    half[is_inside].row_motions[to] = task.row_motions[row];
    half[is_inside].row_ends[to] = {halves.end(task.row_ends[row].a, is_inside),
                                    halves.end(task.row_ends[row].b, is_inside)};
  }
  for (std::size_t p = 0; p < task.ports.size(); ++p) {
    // Only the half with the body of the port needs to know.
    const std::int32_t body = task.task.partition.ports[p].body;
    const bool is_inside = halves.is_body_inside(static_cast<std::size_t>(body));
    const auto port = static_cast<std::int32_t>(task.task.masses.size() + p);
    const std::size_t to = static_cast<std::size_t>(halves.end(port, is_inside)) - half[is_inside].task.masses.size();
    half[is_inside].ports[to] = task.ports[p];
  }
  for (std::size_t i = 0; i < task.accepted.size(); ++i) {
    const auto row = static_cast<std::size_t>(task.accepted[i]);
    ImplicitTask& of = half[halves.is_row_inside(row)];
    of.accepted.push_back(halves.row(row));
    of.u.push_back(task.u[i]);
  }
  ImplicitTree inside(halves.plan(true));
  const ImplicitFunctions functions = inside.functions();
  ImplicitTree outside(halves.plan(false), std::span<const ImplicitFunctions>(&functions, 1));
  inside.load(half[1].matrix());
  outside.load(half[0].matrix());
  EXPECT_TRUE(outside.factor());
  inside.set_right_side(half[1].task.f, half[1].u);
  outside.set_right_side(half[0].task.f, half[0].u);
  outside.sweep();
  Solution parts[2];
  for (const bool is_inside : {false, true}) {
    parts[is_inside].x.resize(6 * half[is_inside].task.masses.size());
    parts[is_inside].l.resize(half[is_inside].u.size());
    (is_inside ? inside : outside).collect(parts[is_inside].x, parts[is_inside].l);
  }
  Solution result;
  for (std::size_t b = 0; b < task.task.masses.size(); ++b) {
    const double* const from = &parts[halves.is_body_inside(b)].x[6 * static_cast<std::size_t>(halves.body(b))];
    result.x.insert(result.x.end(), from, from + 6);
  }
  std::size_t next[2] = {};
  for (const std::int32_t row : task.accepted) {
    const bool is_inside = halves.is_row_inside(static_cast<std::size_t>(row));
    result.l.push_back(parts[is_inside].l[next[is_inside]++]);
  }
  return result;
}

double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double result = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) result = std::max(result, std::abs(a[i] - b[i]));
  return result / std::max(largest(b), 1e-300);
}

constexpr double kRelative = 1e-10;

// S0-02, of its two ways the first: one sparse factorization in each component.
TEST(ImplicitTree, EqualsOneDenseElimination) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    JointMachine m = test::random_machine(seed);
    const ImplicitTask task = implicit_task(m, seed);
    const Solution expected = solve_dense(task);
    const Solution result = solve_open(task);
    EXPECT_LT(difference(result.x, expected.x), kRelative);
    EXPECT_LT(difference(result.l, expected.l), kRelative);
  }
}

TEST(ImplicitTree, SameBitsFromElsewhere) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    JointMachine m = test::random_machine(seed);
    const ImplicitTask task = implicit_task(m, seed);
    const Solution open = solve_open(task);
    for (std::size_t c = 1; c < task.task.partition.owner.size(); ++c) {
      SCOPED_TRACE(c);
      const Solution result = solve_taken_out(task, static_cast<std::int32_t>(c));
      EXPECT_EQ(result.x, open.x);
      EXPECT_EQ(result.l, open.l);
    }
  }
}

// Values and right sides change, the pattern stays; rows come and go.
TEST(ImplicitTree, IsUsedAgain) {
  JointMachine m = test::random_machine(7);
  ImplicitTask task = implicit_task(m, 7);
  ImplicitTree tree(task.task.plan());
  Solution result{std::vector<double>(6 * task.task.masses.size()), {}};
  for (int i = 0; i < 3; ++i) {
    SCOPED_TRACE(i);
    tree.load(task.matrix());
    ASSERT_TRUE(tree.factor());
    tree.set_right_side(task.task.f, task.u);
    tree.sweep();
    result.l.resize(task.u.size());
    tree.collect(result.x, result.l);
    const Solution fresh = solve_open(task);
    EXPECT_EQ(result.x, fresh.x);
    EXPECT_EQ(result.l, fresh.l);
    if (i == 0) {
      for (ImplicitBlock& block : task.blocks) block.values[0] *= 1.5;
      for (double& load : task.task.f) load -= 0.3;
    } else {
      task.accepted.erase(task.accepted.begin());
      task.u.erase(task.u.begin());
    }
  }
}

TEST(ImplicitTree, TellsASingularComponent) {
  JointMachine m = test::random_machine(5);
  ImplicitTask task = implicit_task(m, 5);
  ImplicitTree tree(task.task.plan());
  for (ImplicitBlock& block : task.blocks) block.values.fill(0.0);
  tree.load(task.matrix());
  EXPECT_FALSE(tree.factor());
}

}  // namespace
}  // namespace gelenk::solve::implicit_tree_test
