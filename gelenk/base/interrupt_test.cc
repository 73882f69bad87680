#include "gelenk/base/interrupt.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace gelenk::interrupt_test {
namespace {

using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds kClearlyLater{80};

TEST(Interrupt, OneIsRemembered) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    const InterruptWatch watch;
    EXPECT_FALSE(watch.was_interrupted());
    raise(number);
    EXPECT_TRUE(watch.was_interrupted());
  }
}

TEST(Interrupt, OneThatIsPassedOnTwiceCountsOnce) {
  const InterruptWatch watch;
  raise(SIGINT);
  raise(SIGINT);
  EXPECT_TRUE(watch.was_interrupted());
}

TEST(InterruptDeathTest, TheSecondEndsWhateverIsDone) {
  const auto spin = [](int first, int second) {
    const InterruptWatch watch;
    raise(first);
    std::this_thread::sleep_for(kClearlyLater);
    raise(second);
    std::this_thread::sleep_for(std::chrono::seconds(60));
  };
  EXPECT_EXIT(spin(SIGINT, SIGINT), testing::KilledBySignal(SIGINT), "");
  EXPECT_EXIT(spin(SIGINT, SIGTERM), testing::KilledBySignal(SIGTERM), "");
}

TEST(Interrupt, NohupIsRespected) {
  struct sigaction before {};
  struct sigaction ignoring {};
  ignoring.sa_handler = SIG_IGN;
  sigaction(SIGHUP, &ignoring, &before);
  {
    const InterruptWatch watch;
    raise(SIGHUP);
    EXPECT_FALSE(watch.was_interrupted());
  }
  sigaction(SIGHUP, &before, nullptr);
}

}  // namespace
}  // namespace gelenk::interrupt_test
