#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gelenk/component/gelenk_component.h"

namespace gelenk::component {

// Commands with numbers of their own, in their order: those of who gave them may be gone when they are needed.
class CommandStore {
 public:
  void add(const gelenk_command& command);
  void clear();
  bool is_empty() const { return next_ == kept_.size(); }
  std::size_t size() const { return kept_.size(); }
  // All of them, with room for the answers that were wanted. Valid until something is added.
  std::span<const gelenk_command> commands();
  // Forgets all behind the first ones.
  void shorten(std::size_t count);
  // Nobody takes the first ones.
  void skip(std::size_t count) { next_ = count; }

  // When the next one is this command: copies its answer, and goes on to the one behind it.
  bool take(const gelenk_command& command);

 private:
  struct Kept {
    gelenk_command command{};
    std::size_t in_at = 0, out_at = 0;  // in numbers_
  };
  std::vector<Kept> kept_;
  std::vector<double> numbers_;
  std::vector<gelenk_command> commands_;
  std::size_t next_ = 0;
};

}  // namespace gelenk::component
