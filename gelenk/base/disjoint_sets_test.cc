#include "gelenk/base/disjoint_sets.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace gelenk::disjoint_sets_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(DisjointSets, EachIsAloneAtFirst) {
  DisjointSets sets(3);
  EXPECT_EQ(sets.size(), 3U);
  EXPECT_THAT(sets.numbers(), ElementsAre(0, 1, 2));
  EXPECT_THAT(DisjointSets(0).numbers(), IsEmpty());
}

TEST(DisjointSets, LeaderIsTheSmallestWhateverTheOrder) {
  DisjointSets sets(6);
  sets.join(5, 4);
  EXPECT_EQ(sets.leader(5), 4U);
  sets.join(4, 2);
  sets.join(2, 2);
  EXPECT_EQ(sets.leader(5), 2U);
  sets.join(3, 0);
  sets.join(5, 3);
  EXPECT_EQ(sets.leader(2), 0U);
  EXPECT_THAT(sets.numbers(), ElementsAre(0, 1, 0, 0, 0, 0));
}

TEST(DisjointSets, NumbersFollowTheLeaders) {
  DisjointSets sets(7);
  sets.join(6, 1);
  sets.join(2, 5);
  EXPECT_THAT(sets.numbers(), ElementsAre(0, 1, 2, 3, 4, 2, 1));
}

// Against the slow way: every member of one set is renamed.
TEST(DisjointSets, SameSetsAsRenamingAll) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    const std::size_t count = 1 + random() % 40;
    DisjointSets sets(count);
    std::vector<std::size_t> slow(count);
    for (std::size_t i = 0; i < count; ++i) slow[i] = i;
    for (std::size_t k = random() % (2 * count); k > 0; --k) {
      const std::size_t a = random() % count, b = random() % count;
      sets.join(a, b);
      const auto [low, high] = std::minmax({slow[a], slow[b]});
      std::replace(slow.begin(), slow.end(), std::size_t{high}, std::size_t{low});
    }
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(sets.leader(i), slow[i]) << round;
  }
}

// A chain that is joined from its far end, as a long row of links may be: no way is walked twice in full.
TEST(DisjointSets, LongChain) {
  constexpr std::size_t kCount = 1'000'000;
  DisjointSets sets(kCount);
  for (std::size_t i = kCount - 1; i > 0; --i) sets.join(i, i - 1);
  for (std::size_t i = kCount; i > 0; --i) ASSERT_EQ(sets.leader(i - 1), 0U);
}

}  // namespace
}  // namespace gelenk::disjoint_sets_test
