#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/analysis/equations.h"
#include "gelenk/analysis/machine/contact_finder.h"
#include "gelenk/contact/problem.h"
#include "gelenk/system/system.h"

namespace gelenk::analysis {

// A row as wrenches of a unit effort on bodies, about their centers of mass.
struct RowOnBodies {
  struct Wrench {
    std::int32_t body = -1;
    contact::Twist values{};
  };
  std::vector<Wrench> wrenches;  // none on the ground
};

// What contacts touch, for contact::Problem: bodies as nodes, and what unit impulses do to them. A body without joints
// has its own inverse mass; others have columns of the mobility of their machine, contact.md (1.3), six sweeps each. A
// row is one sweep.
class ContactNodes {
 public:
  ContactNodes(const system::System& system, const system::Params& params);

  // The problem of the points at the velocities (six per body). Joints count with the factorization that the equations
  // hold. Points: those of `points` whose number is in `chosen`.
  void build(const system::State& state, std::span<const double> velocities, std::span<const FoundPoint> points,
             std::span<const std::int32_t> chosen, std::span<const RowOnBodies> rows, Equations& equations,
             contact::Problem& problem);
  // What the impulses of the problem, solved, do to all bodies: six per body each. multipliers: of the rows.
  void spread(const contact::Problem& problem, Equations& equations, std::span<double> loads,
              std::span<double> velocity_changes, std::span<double> multipliers);

  // Bodies that joints connect have the same group; the ground connects nothing.
  std::int32_t group_of(std::int32_t body) const { return group_[static_cast<std::size_t>(body)]; }
  std::int32_t body_of(std::int32_t node) const { return bodies_[static_cast<std::size_t>(node)]; }

 private:
  struct Column {
    std::int32_t node = -1;       // touched
    std::vector<double> changes;  // of all bodies, by a unit along each of the six directions
  };
  std::int32_t node_of(std::int32_t body);
  void find_columns(std::size_t touched, Equations& equations);
  void add_row(const RowOnBodies& row, Equations& equations, contact::Problem& problem);
  contact::Twist response(const system::State& state, std::int32_t body, const Vector3& arm,
                          const Vector3& force) const;
  void add_effects(const system::State& state, const contact::PointProblem& point, contact::Problem& problem) const;

  const system::System& system_;
  const system::Params& params_;
  std::vector<std::int32_t> group_;  // of each body
  std::vector<char> is_free_;        // of each body: without joints
  std::vector<std::int32_t> node_of_body_, bodies_;
  std::vector<Column> columns_;  // of nodes with joints; behind column_count_ kept for their memory
  std::size_t column_count_ = 0;
  std::vector<double> load_, zero_rows_, unasked_, changes_;
  std::vector<contact::NodeTwist> wrenches_, effects_;
};

}  // namespace gelenk::analysis
