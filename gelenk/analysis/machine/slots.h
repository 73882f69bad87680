#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/analysis/equations.h"
#include "gelenk/base/bytes.h"
#include "gelenk/base/index.h"
#include "gelenk/integrate/problem.h"
#include "gelenk/solve/pivot_set.h"
#include "gelenk/system/system.h"

namespace gelenk::analysis {

// A numbered state of a machine, and what its equations keep with it.
struct MachineSlot {
  system::State state;
  std::vector<double> turn;  // rotation vector of each body from the base of the step; three per body
  bool is_base = true;       // turn is zero
  solve::PivotSet pivots;
  double base_pivot = 0.0;   // smallest pivot at the base of the step
  double usual_pivot = 0.0;  // the largest of these until then: small if masses differ much, which is not singular
  std::int32_t base_rank = 0;
  double base_time = 0.0;
  bool is_at_event = false;  // sides were changed: what the next projection does to the velocities is an impact
  FactorPose factor_pose;
  std::vector<double> multipliers;  // of the rows, when accelerations were last asked for
  std::uint64_t revision = 0;       // another one after every change from outside of the equations; no two are the same
};

// States and rates of the bodies of a machine, and of its extra states. A rate has, for the positions, six numbers per
// body (velocity, rate of the rotation vector) or in the linear chart seven (velocity, rate of the quaternion w x y z),
// for the velocities six per body, and one for each extra state.
class MachineSlots {
 public:
  explicit MachineSlots(const system::System& system);

  void reserve(int states, int rates, integrate::Chart chart);
  MachineSlot& operator[](int slot) { return slots_[at(slot)]; }
  const MachineSlot& operator[](int slot) const { return slots_[at(slot)]; }
  std::vector<double>& rate(int rate) { return rates_[at(rate)]; }
  const std::vector<double>& rate(int rate) const { return rates_[at(rate)]; }
  integrate::Chart chart() const { return chart_; }
  // Numbers of a rate: of the position of a body, and in all.
  std::size_t position_width() const { return chart_ == integrate::Chart::linear ? 7 : 6; }
  std::size_t rate_size() const { return (position_width() + 6) * system_.bodies.size() + system_.extra.size(); }

  // On its constraints, sides set.
  void start(int slot, const system::State& state);
  // Where a body was then.
  const Vector3& start_position(std::size_t body) const { return start_position_[body]; }
  // Rows that count as independent in a slot that was projected.
  std::size_t rank(int slot) const { return static_cast<std::size_t>(slots_[at(slot)].pivots.rank); }
  // The slot was changed: what equations have loaded of it is out of date.
  void touch(int slot) { slots_[at(slot)].revision = ++last_revision_; }

  void copy(int from, int to);
  void combine(int from, double time, std::span<const integrate::Term> terms, int to);
  void combine_rates(std::span<const integrate::Term> terms, int to);
  void combine_stage(int from, double time, std::span<const integrate::StageTerm> terms, int to);

  // A change of state in the exponential chart: twelve numbers per body and the extra states.
  std::vector<double>& offset() { return offset_; }
  void sum_stage(std::span<const integrate::StageTerm> terms);     // -> offset()
  void sum_error(int to, std::span<const integrate::Term> terms);  // -> offset(), at the slot `to`
  void move(int from, double time, int to);                        // to := from ⊞ offset()

  // Exactly, for a continuation bit for bit. load_…() leaves a failure in the reader.
  void save_state(int slot, ByteWriter& out) const;
  void load_state(int slot, const system::State& pattern, ByteReader& in);
  void save_rate(int rate, ByteWriter& out) const { out.put(rates_[at(rate)]); }
  void load_rate(int rate, ByteReader& in);

 private:
  void sum_rates(std::span<const integrate::Term> terms, std::span<double> sum) const;  // sum: not among the rates

  const system::System& system_;
  std::vector<MachineSlot> slots_;
  std::vector<std::vector<double>> rates_;
  std::vector<Vector3> start_position_;
  integrate::Chart chart_ = integrate::Chart::exponential;
  std::vector<double> sum_;  // of rates, in the chart
  std::vector<double> offset_;
  std::uint64_t last_revision_ = 0;
};

// The quaternion (0, half_turn) q, w x y z: the rate of q when the body turns with 2 half_turn.
void put_quaternion_rate(const Vector3& half_turn, const Quaternion& q, double* out);
// A change of positions in the linear chart, seven per body, as displacements and rotation vectors, six, and back.
void to_tangent(std::span<const Quaternion> orientation, std::span<const double> linear, std::span<double> tangent);
void to_linear(std::span<const Quaternion> orientation, std::span<const double> tangent, std::span<double> linear);

}  // namespace gelenk::analysis
