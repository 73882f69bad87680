#include "gelenk/system/state_layout.h"

#include <cassert>

namespace gelenk::system {

std::int32_t StateLayout::add(StateEntry entry) {
  assert(entries_.empty() || entries_.back().kind <= entry.kind);
  entry.first = static_cast<std::int32_t>(size());
  counts_[static_cast<std::size_t>(entry.kind)] += static_cast<std::size_t>(entry.count);
  if (entry.kind == StateKind::first_order) ++first_order_entries_;
  entries_.push_back(entry);
  return entry.first;
}

void StateLayout::add_each(StateKind kind, StateOwner owner, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) add({.kind = kind, .owner = owner, .index = static_cast<std::int32_t>(i)});
}

}  // namespace gelenk::system
