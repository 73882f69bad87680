#include "gelenk/base/bell.h"

#include <gtest/gtest.h>

#include <thread>

namespace gelenk::bell_test {
namespace {

TEST(Bell, SleepEndsWithoutARing) {
  Bell bell;
  EXPECT_FALSE(sleep_on(bell, 0, std::chrono::milliseconds(1)));
  ring(bell, 1);
  EXPECT_TRUE(sleep_on(bell, 0, std::chrono::hours(1)));
  EXPECT_TRUE(Lookout().look(bell, 0));
  EXPECT_FALSE(Lookout().look(bell, 1));
}

TEST(Bell, WakesASleeper) {
  Bell bell;
  std::thread sleeper([&] {
    while (!sleep_on(bell, 0, std::chrono::hours(1))) {
    }
  });
  while (bell.is_slept_on.load() == 0) std::this_thread::yield();
  ring(bell, 1);
  sleeper.join();
}

// Turn by turn, as owner and worker do: no ring is lost, or this never ends.
TEST(Bell, NoRingIsLost) {
  constexpr std::uint32_t kTurns = 20'000;
  Bell there, back;
  const auto wait = [](Lookout& lookout, Bell& bell, std::uint32_t seen) {
    if (lookout.look(bell, seen)) return;
    while (!sleep_on(bell, seen, std::chrono::hours(1))) {
    }
  };
  std::thread other([&] {
    Lookout lookout;
    for (std::uint32_t i = 0; i < kTurns; ++i) {
      wait(lookout, there, i);
      ring(back, i + 1);
    }
  });
  Lookout lookout;
  for (std::uint32_t i = 0; i < kTurns; ++i) {
    ring(there, i + 1);
    wait(lookout, back, i);
  }
  other.join();
  EXPECT_EQ(back.number.load(), kTurns);
}

}  // namespace
}  // namespace gelenk::bell_test
