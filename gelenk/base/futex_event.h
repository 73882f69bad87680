#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace gelenk {

// How two processes wake each other: it is the other one's turn. Lies in memory that both share; all zero at first. It
// only wakes: what it says must be checked by who does not trust the other one.
struct FutexEvent {
  std::atomic<std::uint32_t> number{0};
  std::atomic<std::uint32_t> is_slept_on{0};

  bool has_changed_since(std::uint32_t seen) const { return number.load(std::memory_order_acquire) != seen; }
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(FutexEvent) == 2 * sizeof(std::uint32_t));

void set_event(FutexEvent& event, std::uint32_t number);

// Sleeps until the number is another one than `seen`: true. False when it is still the same after `time`; it may wake
// up earlier.
bool sleep_on(FutexEvent& event, std::uint32_t seen, std::chrono::nanoseconds time);

// Looks at an event for a short time before its owner falls asleep, because waking up takes longer than a short answer.
// That helps only when the other process runs at the same time: where looking was in vain, it is tried less often.
class Lookout {
 public:
  Lookout();
  bool look(const FutexEvent& event, std::uint32_t seen);

 private:
  bool is_alone_;  // one processor, which the other one needs
  std::uint32_t misses_ = 0;
  std::uint32_t looks_ = 0;
};

}  // namespace gelenk
