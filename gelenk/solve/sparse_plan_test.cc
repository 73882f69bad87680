#include "gelenk/solve/sparse_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "gelenk/base/index.h"
#include "gelenk/solve/machine_test_support.h"

namespace gelenk::solve::sparse_plan_test {
namespace {

using test::Link;
using test::Machine;

// Rows below each place in L, by elimination row by row, without any cleverness.
std::vector<std::set<std::size_t>> structure(const Machine& machine, const SparsePlan& plan) {
  const std::size_t n = machine.rows.size();
  std::vector<std::set<std::size_t>> below(n);
  const auto meet = [&](std::size_t p, std::size_t q) {
    const RowBodies& first = machine.rows[at(plan.row_at_place[p])];
    const RowBodies& second = machine.rows[at(plan.row_at_place[q])];
    const auto touches = [&second](std::int32_t body) { return body >= 0 && (body == second.a || body == second.b); };
    return touches(first.a) || touches(first.b);
  };
  for (std::size_t p = 0; p < n; ++p) {
    for (std::size_t q = p + 1; q < n; ++q) {
      if (meet(p, q)) below[p].insert(q);
    }
  }
  for (std::size_t p = 0; p < n; ++p) {
    for (const std::size_t q : below[p]) {
      for (const std::size_t other : below[p]) {
        if (other > q) below[q].insert(other);
      }
    }
  }
  return below;
}

SparsePlan plan_of(const Machine& machine) {
  RowSystem system(machine.bodies.size(), machine.rows);
  return make_sparse_plan(system);
}

std::vector<Machine> machines() {
  return {test::chain(12, Link::revolute),
          test::ladder(5),
          test::star(9, Link::spherical),
          test::tangle(15, 1),
          test::tangle(22, 2),
          test::star(60, Link::revolute)};
}

TEST(SparsePlan, PlacesAreAPermutation) {
  for (const Machine& machine : machines()) {
    const SparsePlan plan = plan_of(machine);
    ASSERT_EQ(plan.row_at_place.size(), machine.rows.size());
    for (std::size_t row = 0; row < machine.rows.size(); ++row) {
      EXPECT_EQ(plan.row_at_place[at(plan.place_of_row[row])], static_cast<std::int32_t>(row));
    }
  }
}

// A supernode stores the rows that elimination fills, and no others.
TEST(SparsePlan, BlocksHoldTheFill) {
  for (const Machine& machine : machines()) {
    const SparsePlan plan = plan_of(machine);
    const std::vector<std::set<std::size_t>> below = structure(machine, plan);
    std::size_t place = 0;
    for (std::size_t k = 0; k + 1 < plan.supernodes.size(); ++k) {
      const SparsePlan::Supernode& node = plan.supernodes[k];
      ASSERT_EQ(node.first_place, place);
      const std::span<const std::int32_t> rows = plan.rows_of(k);
      for (std::size_t column = 0; column < node.width; ++column, ++place) {
        std::vector<std::int32_t> expected(below[place].begin(), below[place].end());
        EXPECT_TRUE(std::equal(rows.begin() + static_cast<std::ptrdiff_t>(column) + 1, rows.end(), expected.begin(),
                               expected.end()));
      }
    }
    EXPECT_EQ(place, machine.rows.size());
  }
}

// Every product that elimination needs comes from exactly one update: the rows of a source below and at a place of it.
TEST(SparsePlan, UpdatesReachWhatTheirSourceChanges) {
  for (const Machine& machine : machines()) {
    RowSystem system(machine.bodies.size(), machine.rows);
    const SparsePlan plan = make_sparse_plan(system);
    std::vector<std::size_t> seen_bodies(machine.bodies.size(), 0);
    std::vector<std::size_t> seen_nodes(plan.supernodes.size(), 0);
    for (std::size_t k = 0; k + 1 < plan.supernodes.size(); ++k) {
      const std::span<const std::int32_t> rows = plan.rows_of(k);
      for (std::size_t u = plan.supernodes[k].first_update; u < plan.supernodes[k + 1].first_update; ++u) {
        const SparsePlan::Update& update = plan.updates[u];
        (update.is_body ? seen_bodies : seen_nodes)[update.source] += update.columns;
        for (std::size_t i = 0; i < update.count; ++i) {
          const std::int32_t place = update.is_body
                                         ? plan.place_of_row[at(system.slots_of(update.source)[update.from + i].row)]
                                         : plan.rows_of(update.source)[update.from + i];
          EXPECT_EQ(rows[at(plan.local_rows[update.first_local + i])], place);
          EXPECT_EQ(i < update.columns, at(plan.local_rows[update.first_local + i]) < plan.supernodes[k].width);
        }
      }
    }
    for (std::size_t body = 0; body < machine.bodies.size(); ++body) {
      EXPECT_EQ(seen_bodies[body], system.slots_of(body).size());
    }
    for (std::size_t k = 0; k + 1 < plan.supernodes.size(); ++k) {
      EXPECT_EQ(seen_nodes[k], plan.supernodes[k].height - plan.supernodes[k].width);
    }
  }
}

TEST(SparsePlan, ChainsHaveNoFill) {
  constexpr std::size_t kCount = 50;
  const SparsePlan plan = plan_of(test::chain(kCount, Link::revolute));
  std::size_t stored = 0;
  for (std::size_t k = 0; k + 1 < plan.supernodes.size(); ++k) {
    const SparsePlan::Supernode& node = plan.supernodes[k];
    stored += node.width * node.height - node.width * (node.width - 1) / 2;
  }
  // Each hinge: the triangle of its five rows, and the square with the next one.
  EXPECT_EQ(stored, kCount * 15 + (kCount - 1) * 25);
}

TEST(SparsePlan, NoRows) {
  const SparsePlan plan = plan_of(Machine{});
  EXPECT_EQ(plan.supernodes.size(), 1u);
  EXPECT_EQ(plan.value_count, 0u);
}

}  // namespace
}  // namespace gelenk::solve::sparse_plan_test
