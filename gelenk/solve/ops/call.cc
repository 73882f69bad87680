#include "gelenk/solve/ops/call.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/solve/ops/finish.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {
namespace {

struct CalledFront {
  OpData& inside;
  std::size_t op;

  const double* W() const { return inside.at(inside.places[op].W); }
};

CalledFront called_front(OpData& data, const Op& op) {
  return {*data.callees[at(op.component)].inside, at(data.program.given[at(op.component)].fronts[at(op.front)].op)};
}

// What the owner has condensed on its bodies.
void hand_loads(const OpData& data, const GivenFront& given, OpData& inside) {
  for (std::size_t i = 0; i < given.loaded.size(); ++i) {
    copy6(&data.bias[6 * at(given.loaded[i])], &inside.handed_loads[6 * i]);
  }
}

}  // namespace

// I_0: all that is condensed on the anchor inside, and what its fronts bring to it.
OpOutcome factor_call(OpData& data, std::size_t index, const RankRule& rule, OpReport& report) {
  const Op& op = data.program.ops[index];
  const GivenFront& given = data.program.given[at(op.component)];
  const Callee& callee = data.callees[at(op.component)];
  OpData& inside = *callee.inside;
  if (callee.factor != nullptr) {
    for (std::size_t i = 0; i < given.loaded.size(); ++i) {
      inside.handed_inertias[i] = data.inertias[at(given.loaded[i])];
    }
    if (data.pass != Pass::factor) hand_loads(data, given, inside);
    if (!callee.factor(callee.self, rule, data.pass, report)) return OpOutcome::joint_lost_rank;
  }
  if (given.anchor == kNone) return OpOutcome::good;
  Inertia& I = data.inertias[at(given.anchor)];
  add_inertia(inside.inertias[at(inside.program.anchor)], I);
  for (const std::int32_t front : inside.program.published) add_base_inertia(inside.at(inside.places[at(front)].Ib), I);
  return OpOutcome::good;
}

void up_call(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const GivenFront& given = data.program.given[at(op.component)];
  const Callee& callee = data.callees[at(op.component)];
  OpData& inside = *callee.inside;
  if (data.pass == Pass::up) {
    hand_loads(data, given, inside);
    callee.up(callee.self, data.load);
  }
  if (given.anchor == kNone) return;
  double* const p = &data.bias[6 * at(given.anchor)];
  for (std::size_t i = 0; i < 6; ++i) p[i] += inside.bias[6 * at(inside.program.anchor) + i];
  for (const std::int32_t front : inside.program.published) {
    const double* const pb = inside.at(inside.places[at(front)].pb);
    for (std::size_t i = 0; i < 6; ++i) p[i] += pb[i];
  }
}

void down_call(OpData& data, std::size_t index, double* a, bool wants_reactions) {
  const Op& op = data.program.ops[index];
  const GivenFront& given = data.program.given[at(op.component)];
  const Callee& callee = data.callees[at(op.component)];
  double* const motion = callee.motion(callee.self, data.load);
  if (given.anchor != kNone) copy6(a + 6 * at(given.anchor), motion + 6 * at(callee.inside->program.anchor));
  callee.down(callee.self, data.load, wants_reactions);
  for (std::size_t i = 0; i < given.bodies.size(); ++i) {
    if (given.bodies[i] == given.anchor) continue;
    copy6(motion + 6 * at(given.inside[i]), a + 6 * at(given.bodies[i]));
  }
}

OpOutcome factor_called_front(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const Place& place = data.places[index];
  const CalledFront from = called_front(data, op);
  const std::size_t columns = from.inside.columns(from.op);
  data.column_counts[index] = data.ranks[index] = static_cast<std::int32_t>(columns);
  if (columns > at(place.columns)) return OpOutcome::too_many_columns;
  const std::size_t rows = 6 * at(op.live_count);
  std::copy_n(from.W(), rows * columns, data.at(place.W));
  if (op.base == kNone) return OpOutcome::good;
  std::copy_n(from.inside.at(from.inside.places[from.op].phi), 6 * rows, data.at(place.phi));
  std::fill_n(data.at(place.Ib), 36, 0.0);
  return OpOutcome::good;
}

void up_called_front(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const CalledFront from = called_front(data, op);
  std::copy_n(from.inside.at(from.inside.places[from.op].r), 6 * at(op.live_count), data.at(data.places[index].r));
  if (op.base != kNone) std::fill_n(data.at(data.places[index].pb), 6, 0.0);
}

void down_called_front(OpData& data, std::size_t index, bool wants_reactions) {
  const Op& op = data.program.ops[index];
  const CalledFront to = called_front(data, op);
  std::copy_n(data.at(data.places[index].y), data.columns(index), to.inside.at(to.inside.places[to.op].y));
  if (!wants_reactions) return;
  const auto ours = data.program.live_of(op);
  const auto theirs = to.inside.program.live_of(to.inside.program.ops[to.op]);
  for (std::size_t b = 0; b < ours.size(); ++b) {
    copy6(&data.loads[6 * at(ours[b])], &to.inside.handed_wrenches[6 * at(theirs[b])]);
  }
}

}  // namespace gelenk::solve
