#include "gelenk/component/command_store.h"

#include <algorithm>

namespace gelenk::component {

void CommandStore::add(const gelenk_command& command) {
  Kept& kept = kept_.emplace_back();
  kept.command = command;
  kept.in_at = numbers_.size();
  numbers_.insert(numbers_.end(), command.in, command.in + (command.in == nullptr ? 0 : command.in_count));
  kept.out_at = numbers_.size();
  if (command.out != nullptr) numbers_.resize(numbers_.size() + command.out_count);
}

void CommandStore::clear() {
  kept_.clear();
  numbers_.clear();
  next_ = 0;
}

std::span<const gelenk_command> CommandStore::commands() {
  commands_.clear();
  for (const Kept& kept : kept_) {
    gelenk_command& command = commands_.emplace_back(kept.command);
    if (command.in != nullptr) command.in = numbers_.data() + kept.in_at;
    if (command.out != nullptr) command.out = numbers_.data() + kept.out_at;
  }
  return commands_;
}

void CommandStore::shorten(std::size_t count) {
  if (count < kept_.size()) kept_.resize(count);
}

bool CommandStore::take(const gelenk_command& command) {
  if (is_empty()) return false;
  const Kept& kept = kept_[next_];
  const gelenk_command& other = kept.command;
  const bool is_same =
      command.code == other.code && command.flags == other.flags && command.slot == other.slot &&
      command.other == other.other && command.time == other.time && (command.in == nullptr) == (other.in == nullptr) &&
      command.in_count == other.in_count &&
      (command.in == nullptr || std::equal(command.in, command.in + command.in_count, numbers_.data() + kept.in_at)) &&
      (command.out == nullptr || (other.out != nullptr && command.out_count == other.out_count));
  if (!is_same) return false;
  if (command.out != nullptr) std::copy_n(numbers_.data() + kept.out_at, command.out_count, command.out);
  ++next_;
  return true;
}

}  // namespace gelenk::component
