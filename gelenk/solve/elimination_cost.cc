#include "gelenk/solve/elimination_cost.h"

#include <algorithm>
#include <span>
#include <vector>

#include "gelenk/base/index.h"

namespace gelenk::solve {

ProgramCost tree_cost(const Op& op) {
  const auto f = static_cast<double>(op.free_count);
  const double to_parent = op.parent == kNone ? 0.0 : 200.0;
  return {120.0 * f + 6.0 * f * f + f * f * f / 3.0 + to_parent, 136.0 + 36.0 * f + 2.0 * f * f};
}

ProgramCost attach_cost(const Op& op, std::size_t columns) {
  const auto n = static_cast<double>(columns);
  const auto rows = 6.0 * op.live_count;
  ProgramCost cost{84.0 * n + 6.0 * n * n + n * n * n / 3.0 + rows * n * n,
                   144.0 + 24.0 * n + 4.0 * n * n + 2.0 * rows * n};
  if (op.base != kNone) {
    cost.factor += 144.0 * n + 6.0 * n * n + 12.0 * rows * n + 500.0;
    cost.sweep += 24.0 * n + 144.0;
  }
  return cost;
}

ProgramCost close_cost(const Op& op, std::size_t columns, std::size_t rank) {
  const auto n = static_cast<double>(columns);
  const auto k = static_cast<double>(rank);
  const auto c = static_cast<double>(op.row_count);
  const auto rows = 6.0 * op.live_count;
  ProgramCost cost{24.0 * c * n + 2.0 * n * k * k + 4.0 * rows * n * k + 2.0 * n * k * (c - k),
                   48.0 * c + 2.0 * k * k + 4.0 * n * k + 2.0 * rows * k};
  if (op.base != kNone) {
    cost.factor += 144.0 * c + 6.0 * k * k + 12.0 * rows * k + 72.0 * k;
    cost.sweep += 24.0 * k;
  }
  return cost;
}

ProgramCost carry_cost(const Op& op, const Op& shown, std::size_t columns) {
  const auto n = static_cast<double>(columns) + (op.base == kNone ? 0.0 : 6.0);
  return {72.0 * shown.live_count * n, 72.0 * shown.live_count};
}

ProgramCost compress_cost(const Op& op, std::size_t columns, std::size_t rank) {
  const auto n = static_cast<double>(columns);
  const auto k = static_cast<double>(rank);
  return {2.0 * n * k * k + 12.0 * op.live_count * n * k, 4.0 * n * k};
}

// With all rows accepted.
ProgramCost join_cost(const Op& op, const Network& network, std::size_t slots_in) {
  const auto c = static_cast<double>(op.row_count);
  const auto in = static_cast<double>(slots_in);
  const auto m = static_cast<double>(network.slots);
  const auto seen = static_cast<double>(network.seen);
  const double body = op.body == kNone ? 0.0 : 100.0 + 36.0 * seen + 6.0 * seen * seen;
  const double merging = op.source[1] == kNone ? 0.0 : m * m;
  ProgramCost cost{body + merging + 2.0 * c * in + c * c * (4.0 + c / 3.0) + c * c * m + c * m * m,
                   4.0 * c * m + 4.0 * c * c + 24.0 * seen + (op.body == kNone ? 0.0 : 72.0)};
  if (op.base != kNone) {
    cost.factor += 12.0 * c * m + 6.0 * c * c + 72.0 * c;
    cost.sweep += 24.0 * c;
  }
  return cost;
}

namespace {

// What a boundary takes on both sides besides its fronts: D is multiplied out, handed on and read again, wrenches go
// the other way. They come with the multipliers of all joints of the owner, which nobody else may have asked for.
ProgramCost border_cost(const Program& program, std::span<const std::size_t> columns) {
  constexpr double kMultipliersOfJoint = 150.0;
  ProgramCost cost;
  bool takes_mobilities = false;
  for (const GivenFront& given : program.given) {
    if (!given.is_called) {
      takes_mobilities = true;
      continue;
    }
    // A call: inertias and biases are handed in, one comes back, motions are handed out.
    const auto loaded = static_cast<double>(given.loaded.size());
    cost += {kCallOperations + 27.0 * loaded + 27.0, kCallOperations + 6.0 * loaded + 6.0};
  }
  if (program.is_called) return cost;
  for (const std::int32_t front : program.published) {
    const Op& op = program.ops[at(front)];
    const double m = 6.0 * op.live_count;
    const auto n = static_cast<double>(columns[at(front)]);
    cost += {m * m * (n + 2.0), 4.0 * m * n + 12.0 * m};
  }
  if (takes_mobilities) cost.sweep += kMultipliersOfJoint * static_cast<double>(program.layout.joints.size());
  return cost;
}

}  // namespace

ProgramCost cost_of(const Program& program) {
  std::vector<std::size_t> columns(program.ops.size(), 0);
  ProgramCost total;
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    std::size_t in = 0;
    for (const std::int32_t source : op.source) in += source == kNone ? 0 : columns[at(source)];
    const auto rank = static_cast<std::size_t>(op.planned_rank);
    ProgramCost cost;
    switch (op.kind) {
      case OpKind::tree:
        cost = tree_cost(op);
        break;
      case OpKind::start:
        columns[i] = 6;
        cost = {150.0, 150.0};
        break;
      case OpKind::attach:
        columns[i] = in + static_cast<std::size_t>(op.free_count);
        cost = attach_cost(op, columns[i]);
        break;
      case OpKind::close:
        columns[i] = in - std::min(in, rank);
        cost = close_cost(op, in, rank);
        break;
      case OpKind::compress:
        columns[i] = rank;
        cost = compress_cost(op, in, rank);
        break;
      case OpKind::finish:
        cost = {36.0, 6.0};
        break;
      case OpKind::call:
        break;
      case OpKind::carry:
        columns[i] = in;
        cost = carry_cost(op, program.ops[at(op.source[1])], columns[at(op.source[0])]);
        break;
      case OpKind::given: {
        if (op.front != kNone) {
          const double rows = 6.0 * op.live_count;
          columns[i] = rank;
          cost = {rows * static_cast<double>(rank), rows};
          break;
        }
        const double m = 6.0 * op.live_count;
        columns[i] = static_cast<std::size_t>(m);
        cost = {m * m * m / 3.0, 4.0 * m * m};
        break;
      }
      case OpKind::load: {
        const auto n = static_cast<double>(in);
        columns[i] = in;
        cost = {72.0 * n + 6.0 * n * n + n * n * n / 3.0 + 6.0 * op.live_count * n * n, 4.0 * n * n + 24.0 * n};
        break;
      }
      case OpKind::join: {
        std::size_t slots = 0;
        for (const std::int32_t source : op.source) {
          if (source != kNone) slots += at(program.network_of(program.ops[at(source)]).slots);
        }
        cost = join_cost(op, program.network_of(op), slots);
        break;
      }
      case OpKind::take:
      case OpKind::square: {
        const double m = 6.0 * op.live_count;
        cost = {m * m * (op.kind == OpKind::take ? 0.5 : static_cast<double>(in)), 2.0 * m * m};
        break;
      }
    }
    total += cost;
  }
  total += border_cost(program, columns);
  return total;
}

}  // namespace gelenk::solve
