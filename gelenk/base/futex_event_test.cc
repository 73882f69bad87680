#include "gelenk/base/futex_event.h"

#include <gtest/gtest.h>

#include <thread>

namespace gelenk::futex_event_test {
namespace {

TEST(FutexEvent, SleepEndsWithoutARing) {
  FutexEvent event;
  EXPECT_FALSE(sleep_on(event, 0, std::chrono::milliseconds(1)));
  set_event(event, 1);
  EXPECT_TRUE(sleep_on(event, 0, std::chrono::hours(1)));
  EXPECT_TRUE(Lookout().look(event, 0));
  EXPECT_FALSE(Lookout().look(event, 1));
}

TEST(FutexEvent, WakesASleeper) {
  FutexEvent event;
  std::thread sleeper([&] {
    while (!sleep_on(event, 0, std::chrono::hours(1))) {
    }
  });
  while (event.is_slept_on.load() == 0) std::this_thread::yield();
  set_event(event, 1);
  sleeper.join();
}

// Turn by turn, as owner and worker do: no ring is lost, or this never ends.
TEST(FutexEvent, NoRingIsLost) {
  constexpr std::uint32_t kTurns = 20'000;
  FutexEvent there, back;
  const auto wait = [](Lookout& lookout, FutexEvent& event, std::uint32_t seen) {
    if (lookout.look(event, seen)) return;
    while (!sleep_on(event, seen, std::chrono::hours(1))) {
    }
  };
  std::thread other([&] {
    Lookout lookout;
    for (std::uint32_t i = 0; i < kTurns; ++i) {
      wait(lookout, there, i);
      set_event(back, i + 1);
    }
  });
  Lookout lookout;
  for (std::uint32_t i = 0; i < kTurns; ++i) {
    set_event(there, i + 1);
    wait(lookout, back, i);
  }
  other.join();
  EXPECT_EQ(back.number.load(), kTurns);
}

}  // namespace
}  // namespace gelenk::futex_event_test
