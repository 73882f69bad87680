#include "gelenk/view/live_control.h"

#include <gtest/gtest.h>

#include <string>

#include "gelenk/base/duplicate_test_support.h"
#include "gelenk/base/memory_file.h"

namespace gelenk::view::live_control_test {
namespace {

using Phase = LiveControl::Phase;
using Wish = LiveControl::Wish;

// Both sides of a run that is shown.
struct Both {
  std::optional<LiveControl> run, viewer;

  Both() {
    std::string error;
    run = LiveControl::create(error);
    EXPECT_TRUE(run) << error;
    if (!run) return;
    viewer = LiveControl::attach(test::duplicate(run->descriptor()), error);
    EXPECT_TRUE(viewer) << error;
  }
};

TEST(LiveControl, BeginsWithoutWishes) {
  const Both both;
  ASSERT_TRUE(both.run && both.viewer);
  EXPECT_NE(both.run->descriptor(), both.viewer->descriptor());
  EXPECT_EQ(both.viewer->time(), 0.0);
  EXPECT_EQ(both.viewer->phase(), Phase::running);
  EXPECT_EQ(both.run->wish(), Wish::go_on);
  EXPECT_EQ(both.run->port(), 0U);
  EXPECT_EQ(both.run->token(), "");
  EXPECT_FALSE(both.viewer->is_readable());
}

TEST(LiveControl, ValuesCross) {
  Both both;
  ASSERT_TRUE(both.run && both.viewer);
  both.run->set_time(0.1 + 0.2);
  both.run->set_token("secret");
  both.run->set_readable();
  both.viewer->set_port(65535);
  EXPECT_EQ(both.viewer->time(), 0.1 + 0.2);
  EXPECT_EQ(both.viewer->token(), "secret");
  EXPECT_TRUE(both.viewer->is_readable());
  EXPECT_EQ(both.run->port(), 65535U);
  for (const Phase phase : {Phase::paused, Phase::over, Phase::running}) {
    both.run->set_phase(phase);
    EXPECT_EQ(both.viewer->phase(), phase);
  }
  for (const Wish wish : {Wish::pause, Wish::stop, Wish::go_on}) {
    both.viewer->set_wish(wish);
    EXPECT_EQ(both.run->wish(), wish);
  }
}

TEST(LiveControl, OneSideMayEnd) {
  Both both;
  ASSERT_TRUE(both.run && both.viewer);
  both.run->set_time(3.0);
  both.run.reset();
  EXPECT_EQ(both.viewer->time(), 3.0);
}

TEST(LiveControl, LongTokensAreCut) {
  Both both;
  ASSERT_TRUE(both.run && both.viewer);
  both.run->set_token(std::string(1000, 'x'));
  EXPECT_EQ(both.viewer->token(), std::string(63, 'x'));
}

TEST(LiveControl, OtherFilesAreRefused) {
  std::string error;
  EXPECT_FALSE(LiveControl::attach(Descriptor(), error));
  EXPECT_NE(error, "");
  std::optional<SharedMemory> small = SharedMemory::create(8, error);
  ASSERT_TRUE(small) << error;
  EXPECT_FALSE(LiveControl::attach(test::duplicate(small->descriptor()), error));
  EXPECT_EQ(error, "it is too small");
}

}  // namespace
}  // namespace gelenk::view::live_control_test
