#include "gelenk/view/places.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

namespace gelenk::view::places_test {
namespace {

class Visitor : public Guest {
 public:
  Visitor(std::shared_ptr<Places> places, std::vector<int>& sent_away, int number)
      : Guest(std::move(places)), sent_away_(sent_away), number_(number) {}
  void let_go() override { sent_away_.push_back(number_); }

 private:
  std::vector<int>& sent_away_;
  int number_;
};

class PlacesTest : public testing::Test {
 protected:
  bool come(bool is_known) {
    if (!places_->make_room()) return false;
    visitors_.push_back(std::make_unique<Visitor>(places_, sent_away_, static_cast<int>(visitors_.size())));
    if (is_known) visitors_.back()->set_known();
    return true;
  }

  std::shared_ptr<Places> places_ = std::make_shared<Places>();
  std::vector<int> sent_away_;
  std::vector<std::unique_ptr<Visitor>> visitors_;
};

TEST_F(PlacesTest, StrangersHaveAShareAndTheOldestGoes) {
  for (std::size_t i = 0; i < Places::kMostStrangers + 2; ++i) EXPECT_TRUE(come(false));
  EXPECT_EQ(sent_away_, (std::vector<int>{0, 1}));
  EXPECT_EQ(places_->taken(), Places::kMostStrangers);
}

TEST_F(PlacesTest, WhoIsKnownNeverGoes) {
  EXPECT_TRUE(come(true));
  for (std::size_t i = 0; i < 1000; ++i) EXPECT_TRUE(come(false));
  for (std::size_t i = 1; i < Places::kMost; ++i) EXPECT_TRUE(come(true)) << i;
  EXPECT_EQ(places_->taken(), Places::kMost);
  for (std::size_t i = 0; i < sent_away_.size(); ++i) EXPECT_EQ(sent_away_[i], static_cast<int>(i) + 1);
  EXPECT_FALSE(come(false)) << "all places belong to who is known";
}

TEST_F(PlacesTest, WhoLeavesGivesThePlaceBack) {
  for (std::size_t i = 0; i < Places::kMost; ++i) EXPECT_TRUE(come(true));
  visitors_.pop_back();
  EXPECT_TRUE(come(true));
  EXPECT_TRUE(sent_away_.empty());
  visitors_.clear();
  EXPECT_EQ(places_->taken(), 0U);
}

}  // namespace
}  // namespace gelenk::view::places_test
