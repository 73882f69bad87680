#include "gelenk/base/futex_event.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <thread>

namespace gelenk {
namespace {

constexpr int kLooksPerClock = 32;
constexpr std::chrono::microseconds kLook{30};  // about three times a sleep and its end
constexpr std::uint32_t kMostMisses = 2;
constexpr std::uint32_t kTrials = 16;  // one of so many after that

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

bool look_once(const FutexEvent& event, std::uint32_t seen) {
  const auto end = std::chrono::steady_clock::now() + kLook;
  do {
    for (int i = 0; i < kLooksPerClock; ++i) {
      if (event.has_changed_since(seen)) return true;
      relax();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace

void set_event(FutexEvent& event, std::uint32_t number) {
  // In one order for both processes: either we see the sleeper, or he sees the number before he sleeps.
  event.number.store(number, std::memory_order_seq_cst);
  if (event.is_slept_on.load(std::memory_order_seq_cst) == 0) return;
  ::syscall(SYS_futex, &event.number, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

bool sleep_on(FutexEvent& event, std::uint32_t seen, std::chrono::nanoseconds time) {
  event.is_slept_on.store(1, std::memory_order_seq_cst);
  if (event.number.load(std::memory_order_seq_cst) == seen) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
    const timespec timeout{static_cast<time_t>(seconds.count()), static_cast<long>((time - seconds).count())};
    ::syscall(SYS_futex, &event.number, FUTEX_WAIT, seen, &timeout, nullptr, 0);
  }
  event.is_slept_on.store(0, std::memory_order_relaxed);
  return event.has_changed_since(seen);
}

Lookout::Lookout() : is_alone_(std::thread::hardware_concurrency() <= 1) {}

bool Lookout::look(const FutexEvent& event, std::uint32_t seen) {
  if (event.has_changed_since(seen)) return true;
  ++looks_;
  if (is_alone_ || (misses_ >= kMostMisses && looks_ % kTrials != 0)) return false;
  const bool has_changed = look_once(event, seen);
  misses_ = has_changed ? 0 : misses_ + 1;
  return has_changed;
}

}  // namespace gelenk
