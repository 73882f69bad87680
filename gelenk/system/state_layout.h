#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// What a run integrates or remembers beside the motion of the bodies, as a table. Whoever needs one of these numbers
// asks for its place; norms, weights, recording and listings loop over the entries. Nobody knows the order.
namespace gelenk::system {

enum class StateKind : std::uint8_t {
  first_order,    // integrated, and the motion depends on it: its errors are errors of the motion
  tracked_angle,  // remembers how often a coordinate has turned
  work,           // books of energy, which nothing depends on
};

// To whom the numbers of an entry belong; `index` counts elements of that kind in System.
enum class StateOwner : std::uint8_t { driver, state, code, coordinate, work };

struct StateEntry {
  StateKind kind = StateKind::first_order;
  StateOwner owner = StateOwner::state;
  std::int32_t index = -1;
  std::int32_t component = 0;  // of System::components, that owns it
  std::int32_t count = 1;
  std::int32_t first = -1;  // place in State::extra

  std::size_t begin() const { return static_cast<std::size_t>(first); }
  std::size_t end() const { return begin() + static_cast<std::size_t>(count); }
};

// Entries of one kind lie together: all of first order, then tracked angles, then works.
class StateLayout {
 public:
  // Returns the place of its first number. Entries must come in the order of their kinds.
  std::int32_t add(StateEntry entry);
  // One number for each of this many owners.
  void add_each(StateKind kind, StateOwner owner, std::size_t count);

  std::span<const StateEntry> entries() const { return entries_; }
  std::span<const StateEntry> first_order() const { return entries().first(first_order_entries_); }
  std::size_t size() const { return counts_[0] + counts_[1] + counts_[2]; }
  std::size_t count(StateKind kind) const { return counts_[static_cast<std::size_t>(kind)]; }
  // Numbers that the motion depends on: the first of all.
  std::size_t motion_count() const { return count(StateKind::first_order) + count(StateKind::tracked_angle); }

 private:
  std::vector<StateEntry> entries_;
  std::size_t first_order_entries_ = 0;
  std::size_t counts_[3] = {};
};

}  // namespace gelenk::system
