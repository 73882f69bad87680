#include "gelenk/solve/ops/place.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/solve/ops/attach.h"
#include "gelenk/solve/ops/close.h"
#include "gelenk/solve/ops/compress.h"
#include "gelenk/solve/ops/hinge.h"
#include "gelenk/solve/ops/join.h"
#include "gelenk/solve/ops/load.h"
#include "gelenk/solve/ops/tree.h"

namespace gelenk::solve {
namespace {

std::uint32_t take_numbers(OpData& data, std::size_t count) {
  const std::size_t first = data.used;
  data.used += count;
  return static_cast<std::uint32_t>(first);
}

Shape shape_of(const OpData& data, const Op& op) {
  if (op.kind == OpKind::close && closes_one_hinge(data, op)) return Shape::hinge_close;
  if (op.kind != OpKind::tree) return Shape::other_front;
  if (op.is_free) return Shape::other_tree;
  const JointRows& joint = data.joint(op.joint);
  return is_hinge(joint) ? Shape::hinge : Shape::other_tree;
}

void place_network(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const Network& network = data.program.network_of(op);
  Place& place = data.places[index];
  data.column_counts[index] = data.ranks[index] = 0;
  const auto rows = at(op.row_count);
  if (op.kind == OpKind::join) {
    place.own = take_numbers(data, place_sides(data, op, index));
    place.order = static_cast<std::uint32_t>(data.orders.size());
    for (std::size_t i = 0; i < rows; ++i) data.orders.push_back(static_cast<std::int32_t>(i));
  } else {
    place.own = take_numbers(data, 1);
  }
  std::size_t going_in = 0;
  if (op.kind == OpKind::join && op.source[0] != kNone && op.source[1] == kNone) {
    const Place& from = data.places[at(op.source[0])];
    place.W = from.W;
    place.r = from.r;
    place.y = from.y;
    place.phi = from.phi;
    place.Ib = from.Ib;
    place.pb = from.pb;
    place.columns = from.columns;
  } else {
    const auto capacity = at(network.capacity);
    place.columns = network.capacity;
    place.W = take_numbers(data, capacity * capacity);
    place.r = take_numbers(data, capacity);
    place.y = take_numbers(data, capacity);
    if (op.base != kNone) {
      place.phi = take_numbers(data, 6 * capacity);
      place.Ib = take_numbers(data, 36);
      place.pb = take_numbers(data, 6);
    }
  }
  for (const std::int32_t source : op.source) {
    if (source == kNone || op.kind != OpKind::join) continue;
    going_in += at(data.program.network_of(data.program.ops[at(source)]).slots);
  }
  // N, E D of one joint and the mobilities it sees, or two numbers for each row.
  std::size_t rows_at_once = 0;
  for (const Closing& closing : data.program.closing_of(op)) {
    rows_at_once = std::max(rows_at_once, data.joint(closing.joint).row_count());
  }
  const std::size_t most = std::max(rows * rows + (6 + rows_at_once) * going_in, 2 * rows);
  if (data.network.size() < most) data.network.resize(most);
}

void place_op(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  Place& place = data.places[index];
  place = {};
  place.is_carrying = data.is_growing;
  if (Program::is_network(op)) {
    data.steps[index] = {};
    place_network(data, index);
    return;
  }
  const auto live = at(op.live_count);
  const bool has_base = op.base != kNone;
  std::int32_t in = 0;
  for (const std::int32_t source : op.source) {
    if (source != kNone) in += data.places[at(source)].columns;
  }
  place.columns_in = in;
  std::size_t own = 0;
  std::size_t widest = 0;
  switch (op.kind) {
    case OpKind::tree:
      own = TreeParts::size(at(op.free_count));
      break;
    case OpKind::start:
      place.columns = 6;
      break;
    case OpKind::attach:
      place.columns_in = place.columns = in + op.free_count;
      place.is_hinge = !op.is_free && is_hinge(data.joint(op.joint));
      place.duals = op.is_free ? 0 : dual_count(data.joint(op.joint));
      own = AttachParts::size(at(place.columns), place.duals, has_base);
      place.is_alone = live == 1 && data.program.live_of(op)[0] == op.body;
      break;
    case OpKind::close:
      place.columns = op.most_columns == kNone ? in : std::min(in, op.most_columns + data.spare[index]);
      own = CloseParts::size(at(in), at(op.row_count), live, has_base);
      widest = at(op.row_count);
      if (!closes_one_hinge(data, op)) break;
      place.sides = static_cast<std::uint32_t>(data.hinge_closings.size());
      data.hinge_closings.push_back(hinge_closing(data, op));
      break;
    case OpKind::compress:
      place.columns = std::min(in, op.most_columns + data.spare[index]);
      own = CompressParts::size(at(in), live);
      widest = 6 * live;
      break;
    case OpKind::finish:
      break;
    case OpKind::call:
      break;
    case OpKind::carry:
      place.columns = in;
      break;
    case OpKind::given:
      if (op.front != kNone) {
        place.columns = place.columns_in = op.most_columns + data.spare[index];
        break;
      }
      place.columns = place.columns_in = 6 * op.live_count;
      own = 36 * live * live;
      break;
    case OpKind::load:
      place.columns = in;
      own = LoadParts::size(at(in));
      break;
    case OpKind::join:
    case OpKind::take:
    case OpKind::square:
      break;
  }
  Step& step = data.steps[index];
  step = {};
  step.shape = shape_of(data, op);
  if (step.shape == Shape::hinge) own = sizeof(HingeParts) / sizeof(double);
  if (step.shape == Shape::hinge || (op.kind == OpKind::attach && place.is_hinge)) {
    const JointRows& joint = data.joint(op.joint);
    step.first_value = joint.first_value;
    step.first_row = joint.first_row;
  }
  place.own = take_numbers(data, own);
  step.own = place.own;
  step.body = op.body;
  step.parent = op.parent;
  step.is_b = op.is_b;
  if (Program::is_front(op)) {
    const auto columns = at(place.columns);
    place.W =
        place.is_alone ? place.own + AttachParts::first_motion(place.duals) : take_numbers(data, 6 * live * columns);
    place.r = take_numbers(data, 6 * live);
    place.y = take_numbers(data, columns);
    if (has_base) {
      place.phi = take_numbers(data, 36 * live);
      place.Ib = take_numbers(data, 36);
      place.pb = take_numbers(data, 6);
    }
  }
  if (op.kind == OpKind::close || op.kind == OpKind::compress) {
    place.order = static_cast<std::uint32_t>(data.orders.size());
    data.orders.resize(data.orders.size() + widest);
    for (std::size_t i = 0; i < widest; ++i) data.orders[place.order + i] = static_cast<std::int32_t>(i);
  }
  // Enough for one vector of all columns, and for six of them or of all rows.
  const std::size_t most = std::max(at(place.columns_in), std::size_t{6}) + 6;
  if (data.line.size() < most) data.line.resize(most);
  if (data.block.size() < 6 * std::max(most, widest + 6)) data.block.resize(6 * std::max(most, widest + 6));
  if (data.products.size() < 6 * most) data.products.resize(6 * most);
}

// Inertias and loads of most bodies are put in place right before the first of their children adds to them: one way to
// the memory less.
void find_first_ops(OpData& data) {
  std::vector<char> is_touched(data.program.body_count + 1, 0);  // 2: needs nothing before all ops
  for (const GivenFront& front : data.program.given) {
    for (const std::int32_t body : front.bodies) is_touched[at(body)] = 1;
    if (front.is_seated) is_touched[at(front.anchor)] = 1;
  }
  // What the owner sees of a program: complete, whatever hangs there.
  if (data.program.anchor != kNone) is_touched[at(data.program.anchor)] = 1;
  for (const std::int32_t body : data.program.loaded) is_touched[at(body)] = 1;
  for (std::size_t i = 0; i < data.program.ops.size() && !data.is_growing; ++i) {
    const Op& op = data.program.ops[i];
    const std::int32_t onto = op.kind == OpKind::tree ? op.parent : op.base;
    if (onto == kNone || at(onto) == data.program.body_count) continue;
    char& touched = is_touched[at(onto)];
    data.steps[i].is_first = op.kind == OpKind::tree && touched == 0;
    touched = data.steps[i].is_first || touched == 2 ? 2 : 1;
  }
  // Bodies on which nothing hangs are read where they are.
  for (std::size_t i = 0; i < data.program.ops.size(); ++i) {
    const Op& op = data.program.ops[i];
    if (data.is_growing || op.kind != OpKind::attach) continue;
    char& touched = is_touched[at(op.body)];
    Place& place = data.places[i];
    place.is_bare = touched == 0;
    if (place.is_bare && place.is_hinge && op.base == kNone) data.steps[i].shape = Shape::hinge_attach;
    if (touched == 0) touched = 2;
  }
  for (const GivenFront& front : data.program.given) {
    for (const std::int32_t body : front.bodies) is_touched[at(body)] = 2;  // without inertia
  }
  if (data.program.is_seated) is_touched[at(data.program.anchor)] = 2;
  data.loaded.clear();
  for (std::size_t b = 0; b < data.program.body_count; ++b) {
    if (is_touched[b] != 2) data.loaded.push_back(static_cast<std::int32_t>(b));
  }
}

// Given fronts on whose bodies something hangs: their motion is wanted on the way down.
void find_carriers(OpData& data) {
  std::vector<char> carries(data.program.body_count + 1, 0);
  for (const Op& op : data.program.ops) {
    const std::int32_t onto = op.kind == OpKind::tree ? op.parent : op.base;
    if (onto != kNone) carries[at(onto)] = 1;
  }
  for (std::size_t i = 0; i < data.program.ops.size(); ++i) {
    const Op& op = data.program.ops[i];
    if ((op.kind != OpKind::given || op.front != kNone) && op.kind != OpKind::take) continue;
    for (const std::int32_t body : data.program.live_of(op)) {
      if (carries[at(body)] != 0) data.places[i].is_carrying = true;
    }
  }
}

// Hinges one after the other along a chain: the first on the body of the next op is the only one. Parts of a cut
// chain hand nothing to each other.
void find_handed(OpData& data) {
  if (data.is_growing) return;
  const ChainCut& cut = data.program.cut;
  for (std::size_t i = 0; i + 1 < data.steps.size(); ++i) {
    Step& step = data.steps[i];
    Step& next = data.steps[i + 1];
    const auto number = static_cast<std::int32_t>(i + 1);
    if (cut.is_set() && (number == cut.inner_end || number == cut.joint_op || number == cut.joint_op + 1)) continue;
    if (step.shape != Shape::hinge || next.shape != Shape::hinge || !step.is_first || step.parent != next.body)
      continue;
    step.hands_over = next.is_handed = true;
  }
}

}  // namespace

void place_ops(OpData& data, std::size_t first) {
  const std::size_t count = data.program.ops.size();
  // Ops behind `first` may have been taken back: their numbers are overwritten.
  data.used = first == 0 ? 0 : data.ends[first - 1].numbers;
  data.orders.resize(first == 0 ? 0 : data.ends[first - 1].orders);
  data.sides.resize(first == 0 ? 0 : data.ends[first - 1].sides);
  data.hinge_closings.resize(first == 0 ? 0 : data.ends[first - 1].hinges);
  data.places.resize(count);
  data.steps.resize(count);
  data.column_counts.resize(count, 0);
  data.ranks.resize(count, 0);
  data.spare.resize(count, 0);
  data.decisions.resize(data.program.decision_count);
  if (data.is_growing) data.ends.resize(count);
  for (std::size_t i = first; i < count; ++i) {
    place_op(data, i);
    if (data.is_growing) data.ends[i] = {data.used, data.orders.size(), data.sides.size(), data.hinge_closings.size()};
  }
  if (data.numbers.size() < data.used)
    data.numbers.resize(std::max(data.used, first == 0 ? data.used : 2 * data.numbers.size()));
  if (data.is_growing && first > 0) return;
  find_first_ops(data);
  find_carriers(data);
  find_handed(data);
}

void make_room(OpData& data, std::size_t op) {
  // Where loops come after one another all may lose a row at once: twice the room each time, and along the whole way.
  const std::int32_t more = data.column_counts[op] - data.places[op].columns + data.spare[op];
  std::vector<char> is_behind(data.program.ops.size(), 0);
  for (std::size_t i = op; i < is_behind.size(); ++i) {
    for (const std::int32_t source : data.program.ops[i].source) {
      if (source != kNone && is_behind[at(source)] != 0) is_behind[i] = 1;
    }
    if (i == op) is_behind[i] = 1;
    if (is_behind[i] != 0) data.spare[i] += more;
  }
  const std::vector<std::int32_t> orders = data.orders;  // pivots stay
  place_ops(data);
  data.orders = orders;
}

}  // namespace gelenk::solve
