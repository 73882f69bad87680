#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gelenk/solve/elimination.h"
#include "gelenk/solve/elimination_close.h"
#include "gelenk/solve/elimination_hinge.h"
#include "gelenk/solve/elimination_network.h"
#include "gelenk/solve/elimination_parts.h"

// Room for the numbers of all ops, and what follows from the program alone; included by elimination.cc only.
namespace gelenk::solve {

template <class T>
void Elimination<T>::place(std::size_t first) {
  const std::size_t count = program_.ops.size();
  // Ops behind `first` may have been taken back: their numbers are overwritten.
  used_ = first == 0 ? 0 : ends_[first - 1].numbers;
  orders_.resize(first == 0 ? 0 : ends_[first - 1].orders);
  sides_.resize(first == 0 ? 0 : ends_[first - 1].sides);
  hinge_closings_.resize(first == 0 ? 0 : ends_[first - 1].hinges);
  places_.resize(count);
  steps_.resize(count);
  columns_.resize(count, 0);
  ranks_.resize(count, 0);
  spare_.resize(count, 0);
  decisions_.resize(program_.decision_count);
  if (is_growing_) ends_.resize(count);
  for (std::size_t i = first; i < count; ++i) {
    place_op(i);
    if (is_growing_) ends_[i] = {used_, orders_.size(), sides_.size(), hinge_closings_.size()};
  }
  if (numbers_.size() < used_) numbers_.resize(std::max(used_, first == 0 ? used_ : 2 * numbers_.size()));
  if (is_growing_ && first > 0) return;
  find_first_ops();
  find_carriers();
  find_handed();
}

template <class T>
void Elimination<T>::make_room(std::size_t op) {
  // Where loops come after one another all may lose a row at once: twice the room each time, and along the whole way.
  const std::int32_t more = columns_[op] - places_[op].columns + spare_[op];
  std::vector<char> is_behind(program_.ops.size(), 0);
  for (std::size_t i = op; i < is_behind.size(); ++i) {
    for (const std::int32_t source : program_.ops[i].source) {
      if (source != kNone && is_behind[static_cast<std::size_t>(source)] != 0) is_behind[i] = 1;
    }
    if (i == op) is_behind[i] = 1;
    if (is_behind[i] != 0) spare_[i] += more;
  }
  const std::vector<std::int32_t> orders = orders_;  // pivots stay
  place();
  orders_ = orders;
}

template <class T>
void Elimination<T>::place_op(std::size_t index) {
  const Op& op = program_.ops[index];
  Place& place = places_[index];
  place = {};
  place.is_carrying = is_growing_;
  if (Program::is_network(op)) {
    steps_[index] = {};
    place_network(index);
    return;
  }
  const auto live = static_cast<std::size_t>(op.live_count);
  const bool has_base = op.base != kNone;
  std::int32_t in = 0;
  for (const std::int32_t source : op.source) {
    if (source != kNone) in += places_[static_cast<std::size_t>(source)].columns;
  }
  place.columns_in = in;
  std::size_t own = 0;
  std::size_t widest = 0;
  switch (op.kind) {
    case OpKind::tree:
      own = TreeParts::size(static_cast<std::size_t>(op.free_count));
      break;
    case OpKind::start:
      place.columns = 6;
      break;
    case OpKind::attach:
      place.columns_in = place.columns = in + op.free_count;
      place.is_hinge = !op.is_free && is_hinge(program_.layout.joints[static_cast<std::size_t>(op.joint)]);
      place.duals = op.is_free ? 0 : dual_count(program_.layout.joints[static_cast<std::size_t>(op.joint)]);
      own = AttachParts::size(static_cast<std::size_t>(place.columns), place.duals, has_base);
      place.is_alone = live == 1 && program_.live_of(op)[0] == op.body;
      break;
    case OpKind::close:
      place.columns = op.most_columns == kNone ? in : std::min(in, op.most_columns + spare_[index]);
      own = CloseParts::size(static_cast<std::size_t>(in), static_cast<std::size_t>(op.row_count), live, has_base);
      widest = static_cast<std::size_t>(op.row_count);
      if (!closes_one_hinge(op)) break;
      place.sides = static_cast<std::uint32_t>(hinge_closings_.size());
      hinge_closings_.push_back(hinge_closing(op));
      break;
    case OpKind::compress:
      place.columns = std::min(in, op.most_columns + spare_[index]);
      own = CompressParts::size(static_cast<std::size_t>(in), live);
      widest = 6 * live;
      break;
    case OpKind::finish:
      break;
    case OpKind::given:
      place.columns = place.columns_in = 6 * op.live_count;
      own = 36 * live * live;
      break;
    case OpKind::load:
      place.columns = in;
      own = LoadParts::size(static_cast<std::size_t>(in));
      break;
    case OpKind::join:
    case OpKind::take:
    case OpKind::square:
      break;
  }
  Step& step = steps_[index];
  step = {};
  step.shape = shape_of(op);
  if (step.shape == Shape::hinge) own = sizeof(HingeParts) / sizeof(T);
  if (step.shape == Shape::hinge || (op.kind == OpKind::attach && place.is_hinge)) {
    const JointRows& joint = program_.layout.joints[static_cast<std::size_t>(op.joint)];
    step.first_value = joint.first_value;
    step.first_row = joint.first_row;
  }
  place.own = take(own);
  step.own = place.own;
  step.body = op.body;
  step.parent = op.parent;
  step.is_b = op.is_b;
  if (Program::is_front(op)) {
    const auto columns = static_cast<std::size_t>(place.columns);
    place.W = place.is_alone ? place.own + AttachParts::first_motion(place.duals) : take(6 * live * columns);
    place.r = take(6 * live);
    place.y = take(columns);
    if (has_base) {
      place.phi = take(36 * live);
      place.Ib = take(36);
      place.pb = take(6);
    }
  }
  if (op.kind == OpKind::close || op.kind == OpKind::compress) {
    place.order = static_cast<std::uint32_t>(orders_.size());
    orders_.resize(orders_.size() + widest);
    for (std::size_t i = 0; i < widest; ++i) orders_[place.order + i] = static_cast<std::int32_t>(i);
  }
  // Enough for one vector of all columns, and for six of them or of all rows.
  const std::size_t most = std::max(static_cast<std::size_t>(place.columns_in), std::size_t{6}) + 6;
  if (line_.size() < most) line_.resize(most);
  if (block_.size() < 6 * std::max(most, widest + 6)) block_.resize(6 * std::max(most, widest + 6));
  if (products_.size() < 6 * most) products_.resize(6 * most);
}

// Inertias and loads of most bodies are put in place right before the first of their children adds to them: one way to
// the memory less.
template <class T>
void Elimination<T>::find_first_ops() {
  std::vector<char> is_touched(program_.body_count + 1, 0);  // 2: needs nothing before all ops
  for (const GivenFront& front : program_.given) {
    for (const std::int32_t body : front.bodies) is_touched[static_cast<std::size_t>(body)] = 1;
  }
  for (std::size_t i = 0; i < program_.ops.size() && !is_growing_; ++i) {
    const Op& op = program_.ops[i];
    const std::int32_t onto = op.kind == OpKind::tree ? op.parent : op.base;
    if (onto == kNone || static_cast<std::size_t>(onto) == program_.body_count) continue;
    char& touched = is_touched[static_cast<std::size_t>(onto)];
    steps_[i].is_first = op.kind == OpKind::tree && touched == 0;
    touched = steps_[i].is_first || touched == 2 ? 2 : 1;
  }
  // Bodies on which nothing hangs are read where they are.
  for (std::size_t i = 0; i < program_.ops.size(); ++i) {
    const Op& op = program_.ops[i];
    if (is_growing_ || op.kind != OpKind::attach) continue;
    char& touched = is_touched[static_cast<std::size_t>(op.body)];
    Place& place = places_[i];
    place.is_bare = touched == 0;
    if (place.is_bare && place.is_hinge && op.base == kNone) steps_[i].shape = Shape::hinge_attach;
    if (touched == 0) touched = 2;
  }
  loaded_.clear();
  for (std::size_t b = 0; b < program_.body_count; ++b) {
    if (is_touched[b] != 2) loaded_.push_back(static_cast<std::int32_t>(b));
  }
}

// Given fronts on whose bodies something hangs: their motion is wanted on the way down.
template <class T>
void Elimination<T>::find_carriers() {
  std::vector<char> carries(program_.body_count + 1, 0);
  for (const Op& op : program_.ops) {
    const std::int32_t onto = op.kind == OpKind::tree ? op.parent : op.base;
    if (onto != kNone) carries[static_cast<std::size_t>(onto)] = 1;
  }
  for (std::size_t i = 0; i < program_.ops.size(); ++i) {
    const Op& op = program_.ops[i];
    if (op.kind != OpKind::given && op.kind != OpKind::take) continue;
    for (const std::int32_t body : program_.live_of(op)) {
      if (carries[static_cast<std::size_t>(body)] != 0) places_[i].is_carrying = true;
    }
  }
}

// Hinges one after the other along a chain: who is the first on the body of the next op is the only one. Parts of a cut
// chain hand nothing to each other.
template <class T>
void Elimination<T>::find_handed() {
  if (is_growing_) return;
  const ChainCut& cut = program_.cut;
  for (std::size_t i = 0; i + 1 < steps_.size(); ++i) {
    Step& step = steps_[i];
    Step& next = steps_[i + 1];
    const auto number = static_cast<std::int32_t>(i + 1);
    if (cut.is_set() && (number == cut.inner_end || number == cut.joint_op || number == cut.joint_op + 1)) continue;
    if (step.shape != Shape::hinge || next.shape != Shape::hinge || !step.is_first || step.parent != next.body)
      continue;
    step.hands_over = next.is_handed = true;
  }
}

}  // namespace gelenk::solve
