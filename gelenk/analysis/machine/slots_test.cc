#include "gelenk/analysis/machine/slots.h"

#include <gtest/gtest.h>

#include <vector>

#include "gelenk/math/rotation.h"

namespace gelenk::analysis::slots_test {
namespace {

constexpr double kRounding = 1e-15;

// Two bodies that nothing holds.
class Slots : public testing::Test {
 protected:
  Slots() {
    system_.bodies.resize(2);
    state_.position = {Vector3(1.0, 2.0, 3.0), Vector3(-1.0, 0.5, 0.0)};
    state_.orientation = {rotation_exp(Vector3(0.3, -0.2, 0.5)), Quaternion::Identity()};
    state_.velocity = std::vector<double>(12, 0.0);
  }
  // A rate with the numbers 1, 2, 3 … times a factor.
  void fill_rate(MachineSlots& slots, int rate, double factor) {
    std::vector<double>& numbers = slots.rate(rate);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = factor * static_cast<double>(i + 1);
  }

  system::System system_;
  system::State state_;
};

TEST_F(Slots, ExponentialChartTurnsBodiesByTheSumOfTheirRates) {
  MachineSlots slots(system_);
  slots.reserve(2, 2, integrate::Chart::exponential);
  slots.start(0, state_);
  fill_rate(slots, 0, 0.01);
  fill_rate(slots, 1, 0.02);
  const integrate::Term terms[] = {{0.5, 0}, {-0.25, 1}};
  slots.combine(0, 0.1, terms, 1);
  EXPECT_EQ(slots[1].state.time, 0.1);
  EXPECT_FALSE(slots[1].is_base);
  EXPECT_EQ(slots[1].state.position, state_.position) << "the terms cancel";
  const integrate::Term one[] = {{1.0, 0}};
  slots.combine(0, 0.1, one, 1);
  EXPECT_EQ(slots[1].state.position[0], state_.position[0] + Vector3(0.01, 0.02, 0.03));
  const Quaternion expected = turned(state_.orientation[0], Vector3(0.04, 0.05, 0.06));
  EXPECT_LT((slots[1].state.orientation[0].coeffs() - expected.coeffs()).norm(), kRounding);
  EXPECT_EQ(slots[1].turn[0], 0.04) << "evaluations need the way from the base";
  EXPECT_EQ(slots[1].state.velocity[0], 0.13) << "behind the positions of two bodies";
}

TEST_F(Slots, LinearChartAddsQuaternionsAndPullsThemBack) {
  MachineSlots slots(system_);
  slots.reserve(2, 1, integrate::Chart::linear);
  EXPECT_EQ(slots.rate_size(), 26u);
  slots.start(0, state_);
  std::vector<double>& rate = slots.rate(0);
  put_quaternion_rate(0.5 * Vector3(0.1, 0.2, -0.3), state_.orientation[0], &rate[3]);
  const integrate::Term terms[] = {{1e-4, 0}};
  slots.combine(0, 0.0, terms, 1);
  const Quaternion expected = turned(state_.orientation[0], 1e-4 * Vector3(0.1, 0.2, -0.3));
  constexpr double kThirdOrder = 1e-13;
  EXPECT_LT((slots[1].state.orientation[0].coeffs() - expected.coeffs()).norm(), kThirdOrder);
  EXPECT_NEAR(slots[1].state.orientation[0].norm(), 1.0, kRounding);
}

TEST_F(Slots, ChartsGoThereAndBack) {
  const std::vector<double> tangent{0.1, 0.2, 0.3, -0.4, 0.5, 0.6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
  std::vector<double> linear(14), back(12);
  to_linear(state_.orientation, tangent, linear);
  to_tangent(state_.orientation, linear, back);
  for (std::size_t i = 0; i < tangent.size(); ++i) EXPECT_NEAR(back[i], tangent[i], 1e-14);
}

TEST_F(Slots, EveryChangeHasARevisionOfItsOwn) {
  MachineSlots slots(system_);
  slots.reserve(3, 1, integrate::Chart::exponential);
  slots.start(0, state_);
  const std::uint64_t first = slots[0].revision;
  slots.copy(0, 1);
  EXPECT_NE(slots[1].revision, first) << "what was loaded of one slot says nothing about the other";
  EXPECT_EQ(slots[0].revision, first);
  const integrate::Term terms[] = {{1.0, 0}};
  slots.combine(0, 0.0, terms, 0);
  EXPECT_NE(slots[0].revision, first);
}

TEST_F(Slots, BytesBringAStateBack) {
  MachineSlots slots(system_);
  slots.reserve(2, 1, integrate::Chart::exponential);
  slots.start(0, state_);
  fill_rate(slots, 0, 0.3);
  const integrate::Term terms[] = {{1.0, 0}};
  slots.combine(0, 0.7, terms, 1);
  ByteWriter out;
  slots.save_state(1, out);
  slots.save_rate(0, out);
  MachineSlots other(system_);
  other.reserve(2, 1, integrate::Chart::exponential);
  ByteReader in(out.bytes());
  other.load_state(1, state_, in);
  other.load_rate(0, in);
  ASSERT_TRUE(in.is_complete());
  EXPECT_EQ(other[1].state.position, slots[1].state.position);
  EXPECT_EQ(other[1].state.velocity, slots[1].state.velocity);
  EXPECT_EQ(other[1].turn, slots[1].turn);
  EXPECT_EQ(other.rate(0), slots.rate(0));

  ByteReader cut(std::string_view(out.bytes()).substr(0, 40));
  other.load_state(1, state_, cut);
  EXPECT_FALSE(cut.is_good());
}

TEST_F(Slots, StagesTreatPositionsAndVelocitiesDifferently) {
  MachineSlots slots(system_);
  slots.reserve(2, 1, integrate::Chart::exponential);
  slots.start(0, state_);
  fill_rate(slots, 0, 1.0);
  const integrate::StageTerm terms[] = {{.rate = 0, .position = 0.1, .velocity = 0.2, .shifted = 0.3, .lowered = 0.4}};
  slots.sum_stage(terms);
  // Number 1 of the velocities, number 13 of the accelerations.
  EXPECT_DOUBLE_EQ(slots.offset()[0], 0.1 * 1.0 + 0.3 * 13.0);
  EXPECT_DOUBLE_EQ(slots.offset()[12], 0.2 * 13.0 + 0.4 * 1.0);
}

}  // namespace
}  // namespace gelenk::analysis::slots_test
