#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace gelenk {

// How two processes tell each other that it is the other's turn. Lies in memory that both share; all zero at first. It
// only wakes: what it says must be checked by who does not trust the other one.
struct Bell {
  std::atomic<std::uint32_t> number{0};
  std::atomic<std::uint32_t> is_slept_on{0};

  bool has_rung_since(std::uint32_t seen) const { return number.load(std::memory_order_acquire) != seen; }
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(Bell) == 2 * sizeof(std::uint32_t));

void ring(Bell& bell, std::uint32_t number);

// Sleeps until the number is another one than `seen`: true. False when it is still the same after `time`; it may wake
// up earlier.
bool sleep_on(Bell& bell, std::uint32_t seen, std::chrono::nanoseconds time);

// Looks at a bell for a short time before its owner falls asleep, because waking up takes longer than a short answer.
// That helps only when the other process runs at the same time: where looking was in vain, it is tried less often.
class Lookout {
 public:
  Lookout();
  bool look(const Bell& bell, std::uint32_t seen);

 private:
  bool is_alone_;  // one processor, which the other one needs
  std::uint32_t misses_ = 0;
  std::uint32_t looks_ = 0;
};

}  // namespace gelenk
