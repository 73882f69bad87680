#include "gelenk/base/interrupt.h"

#include <time.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gelenk {
namespace {

constexpr std::int64_t kTwiceNanoseconds = 50'000'000;

volatile sig_atomic_t interrupts = 0;
std::atomic<std::int64_t> first_interrupt{0};  // ns
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

std::int64_t nanoseconds() {
  constexpr std::int64_t kPerSecond = 1'000'000'000;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return kPerSecond * now.tv_sec + now.tv_nsec;
}

extern "C" void remember_interrupt(int number) {
  if (interrupts == 0) {
    first_interrupt = nanoseconds();
    interrupts = 1;
  } else if (nanoseconds() - first_interrupt > kTwiceNanoseconds) {
    signal(number, SIG_DFL);
    raise(number);  // takes effect when this function returns
  }
}

struct Watched {
  int number;
  void (*handler)(int);
};
const std::array<Watched, 4> kWatched{
    {{SIGINT, remember_interrupt}, {SIGTERM, remember_interrupt}, {SIGHUP, remember_interrupt}, {SIGXFSZ, SIG_IGN}}};

}  // namespace

InterruptWatch::InterruptWatch() {
  interrupts = 0;
  for (std::size_t i = 0; i < kWatched.size(); ++i) {
    struct sigaction action = {};
    action.sa_handler = kWatched[i].handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;  // a write to disk in progress is not torn
    sigaction(kWatched[i].number, &action, &before_[i]);
    const bool is_unheard = kWatched[i].number == SIGHUP && before_[i].sa_handler == SIG_IGN;
    if (is_unheard) sigaction(SIGHUP, &before_[i], nullptr);
  }
}

InterruptWatch::~InterruptWatch() {
  for (std::size_t i = 0; i < kWatched.size(); ++i) sigaction(kWatched[i].number, &before_[i], nullptr);
}

void expect_full_files() { signal(SIGXFSZ, SIG_IGN); }

bool InterruptWatch::was_interrupted() const { return interrupts > 0; }

}  // namespace gelenk
