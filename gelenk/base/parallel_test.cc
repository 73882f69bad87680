#include "gelenk/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace gelenk::parallel_test {
namespace {

class Parallel : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_thread_count(GetParam()); }
  void TearDown() override { set_thread_count(1); }
};
INSTANTIATE_TEST_SUITE_P(Threads, Parallel, testing::Values(1, 2, 5));

TEST_P(Parallel, EveryPartOnce) {
  for (const std::size_t count : {0u, 1u, 2u, 1000u}) {
    std::vector<int> calls(count, 0);
    for_each_part(count, [&](std::size_t part) { ++calls[part]; });
    EXPECT_EQ(calls, std::vector<int>(count, 1));
  }
}

TEST(Parallel, TwoPartsAtTheSameTime) {
  set_thread_count(2);
  std::atomic<int> waiting{0};
  std::atomic<bool> met{false};
  // Each part waits for the other: one after another they would never meet.
  for_each_part(2, [&](std::size_t) {
    ++waiting;
    for (int i = 0; i < 2000 && waiting < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (waiting == 2) met = true;
  });
  EXPECT_TRUE(met);
  set_thread_count(1);
}

TEST(Parallel, NeverLessThanOneThread) {
  set_thread_count(-3);
  EXPECT_EQ(thread_count(), 1);
}

}  // namespace
}  // namespace gelenk::parallel_test
