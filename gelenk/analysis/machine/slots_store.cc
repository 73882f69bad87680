// States and rates of a machine as bytes, exactly.
#include <algorithm>

#include "gelenk/analysis/machine/slots.h"
#include "gelenk/base/index.h"

namespace gelenk::analysis {
namespace {

void put(const std::vector<Vector3>& vectors, ByteWriter& out) {
  for (const Vector3& v : vectors) {
    for (int i = 0; i < 3; ++i) out.put(v(i));
  }
}
void get(std::vector<Vector3>& vectors, std::size_t count, ByteReader& in) {
  vectors.resize(count);
  for (Vector3& v : vectors) {
    for (int i = 0; i < 3; ++i) in.get(v(i));
  }
}

void put(const std::vector<Quaternion>& quaternions, ByteWriter& out) {
  for (const Quaternion& q : quaternions) {
    for (int i = 0; i < 4; ++i) out.put(q.coeffs()(i));
  }
}
void get(std::vector<Quaternion>& quaternions, std::size_t count, ByteReader& in) {
  quaternions.resize(count);
  for (Quaternion& q : quaternions) {
    for (int i = 0; i < 4; ++i) in.get(q.coeffs()(i));
  }
}

void put(const system::State& state, ByteWriter& out) {
  out.put(state.time);
  put(state.position, out);
  out.put(static_cast<std::uint64_t>(state.origin.size()));
  put(state.origin, out);
  put(state.orientation, out);
  out.put(state.velocity);
  out.put(state.extra);
  out.put(state.sides);
}
// Into a state of the same machine; anything else is a failure of the reader.
void get(system::State& state, ByteReader& in) {
  const system::State pattern = state;
  in.get(state.time);
  get(state.position, pattern.position.size(), in);
  const auto origins = in.get<std::uint64_t>();
  if (origins != 0 && origins != pattern.position.size()) in.fail();
  get(state.origin, in.is_good() ? origins : 0, in);
  get(state.orientation, pattern.orientation.size(), in);
  in.get(state.velocity);
  in.get(state.extra);
  in.get(state.sides);
  const bool fits = state.velocity.size() == pattern.velocity.size() && state.extra.size() == pattern.extra.size() &&
                    state.sides.size() == pattern.sides.size();
  if (!fits) in.fail();
  if (!in.is_good()) state = pattern;
}

}  // namespace

void MachineSlots::save_state(int index, ByteWriter& out) const {
  const MachineSlot& s = slots_[at(index)];
  put(s.state, out);
  out.put(s.turn);
  out.put(s.is_base);
  out.put(s.pivots.accepted);
  out.put(s.pivots.dropped);
  out.put(s.pivots.smallest);
  out.put(s.pivots.counts);
  out.put(s.pivots.weakest);
  out.put(s.pivots.rank);
  out.put(s.pivots.freed);
  out.put(s.base_pivot);
  out.put(s.usual_pivot);
  out.put(s.base_rank);
  out.put(s.base_time);
  out.put(s.is_at_event);
  out.put(s.multipliers);
  out.put(s.factor_pose.is_set);
  if (s.factor_pose.is_set) {
    put(s.factor_pose.position, out);
    put(s.factor_pose.orientation, out);
    out.put(s.factor_pose.time);
    out.put(s.factor_pose.extra);
  }
}

void MachineSlots::load_state(int index, const system::State& pattern, ByteReader& in) {
  MachineSlot& s = slots_[at(index)];
  if (s.state.position.empty()) s.state = pattern;
  get(s.state, in);
  in.get(s.turn);
  in.get(s.is_base);
  s.pivots.stamp = 0;
  in.get(s.pivots.accepted);
  in.get(s.pivots.dropped);
  in.get(s.pivots.smallest);
  in.get(s.pivots.counts);
  in.get(s.pivots.weakest);
  in.get(s.pivots.rank);
  in.get(s.pivots.freed);
  in.get(s.base_pivot);
  in.get(s.usual_pivot);
  in.get(s.base_rank);
  in.get(s.base_time);
  in.get(s.is_at_event);
  in.get(s.multipliers);
  in.get(s.factor_pose.is_set);
  if (s.factor_pose.is_set) {
    get(s.factor_pose.position, s.state.position.size(), in);
    get(s.factor_pose.orientation, s.state.position.size(), in);
    in.get(s.factor_pose.time);
    in.get(s.factor_pose.extra);
  }
  // Numbers of rows that are none would be read as addresses.
  const auto is_row = [&](std::int32_t row) { return row >= 0 && at(row) < system_.row_count(); };
  const bool are_rows = std::all_of(s.pivots.accepted.begin(), s.pivots.accepted.end(), is_row) &&
                        std::all_of(s.pivots.dropped.begin(), s.pivots.dropped.end(), is_row);
  const auto is_joint = [&](std::int32_t joint) { return joint >= 0 && at(joint) < system_.joints.size(); };
  if (!std::all_of(s.pivots.freed.begin(), s.pivots.freed.end(), is_joint)) in.fail();
  if (!are_rows || s.turn.size() != 3 * system_.bodies.size()) in.fail();
  touch(index);
}

void MachineSlots::load_rate(int rate, ByteReader& in) {
  std::vector<double>& values = rates_[at(rate)];
  in.get(values);
  if (values.size() == rate_size()) return;
  in.fail();
  values.assign(rate_size(), 0.0);
}

}  // namespace gelenk::analysis
