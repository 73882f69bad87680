#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/math/pose.h"

// The problem of all contacts of a machine at once, contact.md, section 2: velocities of what they touch, impulses at
// points and along rows. Joints are in the mobilities already.
namespace gelenk::contact {

using Twist = std::array<double, 6>;  // linear first, world axes, at the center of mass

// What a unit impulse along one direction of a point does to the velocity of a node.
struct Effect {
  std::int32_t node = 0;
  std::array<Twist, 3> twist{};  // of a unit along the normal and both tangents
};

// One point. γ and Λ: normal, first and second tangent.
struct PointProblem {
  std::int32_t node_a = -1, node_b = -1;  // -1: nothing that moves
  Vector3 arm_a = Vector3::Zero(), arm_b = Vector3::Zero();
  Matrix3 directions = Matrix3::Identity();  // columns: normal, tangents; world axes
  double friction = 0.0;
  double target = 0.0;                // b of contact.md (2.2): Λ_N >= 0 ⟂ γ_N + b >= 0
  Vector3 bias = Vector3::Zero();     // γ of the surfaces where no node moves
  Vector3 impulse = Vector3::Zero();  // in: first guess; out
  std::int32_t first_effect = 0, effect_count = 0;
  Matrix3 mobility = Matrix3::Zero();  // D_ii
};

// A unit along a row as a wrench on a node; or what it does to the velocity of one.
struct NodeTwist {
  std::int32_t node = 0;
  Twist values{};
};

// One row: γ = Σ wrench · velocity + bias, with an impulse in an interval; interval_law.h. Stops, dry friction,
// clutches.
struct RowProblem {
  double low = 0.0, high = 0.0;
  double target = 0.0;  // b: the law is one of γ + b
  double bias = 0.0;
  double length = 1.0;   // natural map in m/s per unit of γ
  double impulse = 0.0;  // in: first guess; out
  std::int32_t first_wrench = 0, wrench_count = 0, first_effect = 0, effect_count = 0;
  double mobility = 0.0;  // D_ii
};

struct SweepSettings {
  double tolerance = 1e-6;  // of the natural map (root of the mean square in an island), m/s
  int least_sweeps = 1;
  int most_sweeps = 200;
};

struct SolveReport {
  int sweeps = 0;                 // the most of an island
  double residual = 0.0;          // largest root of the mean square of the natural map in an island, m/s
  double worst = 0.0;             // largest natural map of a point
  std::int32_t worst_point = -1;  // rows have the numbers that follow those of the points
  bool has_converged = true;
};

// Normal and two tangents, from a fixed formula without branches: the same for the same normal.
Matrix3 directions_of(const Vector3& normal);

class Problem {
 public:
  void begin(std::size_t node_count);
  // Its effects follow; see add_effect().
  std::int32_t add_point(const PointProblem& point);
  void add_effect(const Effect& effect);
  // All effects of the last point are there.
  void end_point();

  // After all points. Effects: on all nodes that an impulse along the row moves.
  void add_row(const RowProblem& row, std::span<const NodeTwist> wrenches, std::span<const NodeTwist> effects);

  std::span<Twist> velocities() { return velocities_; }
  std::span<PointProblem> points() { return points_; }
  std::span<const PointProblem> points() const { return points_; }
  std::span<const Effect> effects(const PointProblem& point) const;
  // γ of a point at the velocities at hand.
  Vector3 velocity_of(const PointProblem& point) const;
  std::span<RowProblem> rows() { return rows_; }
  std::span<const RowProblem> rows() const { return rows_; }
  std::span<const NodeTwist> wrenches(const RowProblem& row) const;
  double velocity_of(const RowProblem& row) const;

  // Impulses that fulfill the law at all points, and velocities with them: guesses of impulses are applied first. The
  // order is that of the points, so that the same problem gives the same bits.
  SolveReport solve(const SweepSettings& settings);
  // Of the points as they are: root of the mean square of the natural map.
  double residual(double* worst = nullptr, std::int32_t* worst_point = nullptr) const;

 private:
  struct Residual {
    double squares = 0.0, worst = 0.0;
    std::int32_t worst_point = -1;
  };
  void apply(const PointProblem& point, const Vector3& impulse);
  void sweep(std::span<const std::int32_t> island);
  void solve_alone(std::int32_t index);
  std::span<const NodeTwist> effects(const RowProblem& row) const;
  void apply(const RowProblem& row, double impulse);
  void sweep_row(RowProblem& row);
  void solve_rows(std::span<const std::int32_t> island);
  bool is_row(std::int32_t item) const { return static_cast<std::size_t>(item) >= points_.size(); }
  RowProblem& row_of(std::int32_t item) { return rows_[static_cast<std::size_t>(item) - points_.size()]; }
  const RowProblem& row_of(std::int32_t item) const { return rows_[static_cast<std::size_t>(item) - points_.size()]; }
  template <class Visit>
  void visit_nodes(std::int32_t item, Visit&& visit) const;
  Residual residual_of(std::span<const std::int32_t> island) const;
  double map_of(const PointProblem& point) const;
  double map_of(const RowProblem& row) const;
  void find_islands();

  std::vector<Twist> velocities_;
  std::vector<PointProblem> points_;
  std::vector<Effect> effects_;
  std::vector<RowProblem> rows_;
  std::vector<NodeTwist> wrenches_, row_effects_;
  // Items are points, then rows.
  std::vector<std::int32_t> parent_;        // of nodes, to find islands
  std::vector<std::int32_t> island_order_;  // items, island after island
  std::vector<std::int32_t> island_begin_;  // in island_order_
  std::vector<std::int32_t> island_of_;     // by root node
  // Of an island of rows.
  std::vector<double> matrix_, without_, low_, high_, found_;
  std::vector<Twist> moved_;
};

}  // namespace gelenk::contact
