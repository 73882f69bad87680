#include "gelenk/component/command_store.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace gelenk::component::command_store_test {
namespace {

TEST(CommandStore, KeepsNumbersOfItsOwnAndGivesAnswersInOrder) {
  CommandStore store;
  std::vector<double> in{1.0, 2.0};
  std::array<double, 3> out{};
  gelenk_command first{GELENK_DOWN, 0, 4, 0, 0.5, in.data(), out.data(), 2, 3};
  gelenk_command second{GELENK_TAKE, 0, 4, 1, 0.0, nullptr, nullptr, 0, 0};
  store.add(first);
  store.add(second);
  in.assign({7.0, 8.0});
  const std::span<const gelenk_command> kept = store.commands();
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].in[0], 1.0);
  EXPECT_EQ(kept[0].in[1], 2.0);
  EXPECT_EQ(kept[1].out, nullptr);
  for (int i = 0; i < 3; ++i) kept[0].out[i] = 10.0 + i;

  EXPECT_FALSE(store.take(second)) << "not yet";
  EXPECT_FALSE(store.take(first)) << "its numbers are others now";
  in.assign({1.0, 2.0});
  EXPECT_TRUE(store.take(first));
  EXPECT_EQ(out[2], 12.0);
  EXPECT_TRUE(store.take(second));
  EXPECT_TRUE(store.is_empty());
  EXPECT_FALSE(store.take(second)) << "once";
}

TEST(CommandStore, EveryDifferenceCounts) {
  const double in = 1.0;
  double out = 0.0;
  const gelenk_command kept{GELENK_FACTOR, 1, 2, 3, 4.0, &in, &out, 1, 1};
  const double other_in = 1.5;
  std::vector<gelenk_command> others(7, kept);
  others[0].code = GELENK_UP;
  others[1].flags = 0;
  others[2].slot = 0;
  others[3].other = 0;
  others[4].time = 0.0;
  others[5].in = &other_in;
  others[6].in = nullptr;
  others[6].in_count = 0;
  CommandStore store;
  store.add(kept);
  for (std::size_t i = 0; i < others.size(); ++i) EXPECT_FALSE(store.take(others[i])) << i;
  EXPECT_TRUE(store.take(kept));
}

TEST(CommandStore, CanBeShortenedAndSkipped) {
  CommandStore store;
  gelenk_command command{GELENK_COPY, 0, 0, 1, 0.0, nullptr, nullptr, 0, 0};
  for (command.slot = 0; command.slot < 4; ++command.slot) store.add(command);
  store.shorten(3);
  store.skip(2);
  command.slot = 0;
  EXPECT_FALSE(store.take(command));
  command.slot = 2;
  EXPECT_TRUE(store.take(command));
  EXPECT_TRUE(store.is_empty());
}

}  // namespace
}  // namespace gelenk::component::command_store_test
