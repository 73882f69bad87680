#include "gelenk/results/certificate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>

namespace gelenk::results::certificate_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A run with nothing to complain about.
Certificate good_run() {
  Certificate c;
  c.program_version = "1.2.3";
  c.build = "GNU 12";
  c.model_hash = std::string(64, 'a');
  c.options_hash = std::string(64, 'b');
  c.state_hash = std::string(64, 'c');
  c.status = "done";
  c.end_time = 2.5;
  c.method = "rk4";
  c.solver = "flat";
  c.step = 1e-3;
  c.steps = 2500;
  c.position_residual = 2e-13;
  c.machine_size = 0.1;
  c.energy_turnover = 10.0;
  c.energy_imbalance = 1e-8;
  c.rows = 20;
  c.independent_rows = 15;
  judge(c);
  return c;
}

Verdict verdict_with(const std::function<void(Certificate&)>& change) {
  Certificate c = good_run();
  change(c);
  judge(c);
  EXPECT_EQ(c.reasons.empty(), c.verdict == Verdict::good);
  return c.verdict;
}

// Just below and just above: thresholds are met from both sides.
constexpr double kBelow = 0.99, kAbove = 1.01;

void expect_threshold(const Threshold& threshold, const std::function<void(Certificate&, double)>& set) {
  const auto at = [&](double value) { return verdict_with([&](Certificate& c) { set(c, value); }); };
  EXPECT_EQ(at(0.0), Verdict::good);
  EXPECT_EQ(at(kBelow * threshold.look_at), Verdict::good);
  EXPECT_EQ(at(kAbove * threshold.look_at), Verdict::look_at);
  EXPECT_EQ(at(kBelow * threshold.do_not_use), Verdict::look_at);
  EXPECT_EQ(at(kAbove * threshold.do_not_use), Verdict::do_not_use);
  EXPECT_EQ(at(std::numeric_limits<double>::quiet_NaN()), Verdict::do_not_use);
  EXPECT_EQ(at(std::numeric_limits<double>::infinity()), Verdict::do_not_use);
}

TEST(Judge, ARunWithNothingToComplainAboutIsGood) {
  Certificate c = good_run();
  EXPECT_EQ(c.verdict, Verdict::good);
  EXPECT_THAT(c.reasons, IsEmpty());
  EXPECT_EQ(
      verdict_line(c),
      "good (joints closed to 2e-13 m, energy balanced to 1e-09; the error of the steps is not included: --confirm "
      "estimates it)");
  c.confirmation.emplace();
  EXPECT_EQ(verdict_line(c),
            "good (joints closed to 2e-13 m, energy balanced to 1e-09, error of the steps below rounding)");
  c.confirmation = {{"stroke", 0.002, 0.5, 4.0, "m"}};
  EXPECT_EQ(verdict_line(c),
            "good (joints closed to 2e-13 m, energy balanced to 1e-09, error of the steps about 0.05 % of the motion)");
}

// An error is taken as half of what twice the step changes.
TEST(Judge, FixedStepsAreComparedWithTwiceTheStep) {
  expect_threshold(kConfirmedChange, [](Certificate& c, double x) {
    c.doubled_step = {{"hinge.angle", 2.0 * x * 4.0, 0.5, 4.0, "rad"}, {"still", 0.0, 0.0, 0.0, "m"}};
  });
  Certificate c = good_run();
  c.doubled_step = {{"hinge.angle", 0.6, 0.5, 4.0, "rad"}, {"slide.travel", 0.16, 1.5, 1.0, "m"}};
  judge(c);
  EXPECT_EQ(verdict_line(c),
            "needs a look: slide.travel may be off by 8 % of its range at 1.5 s: the step is too large");
  std::string error;
  const std::optional<Certificate> read = certificate_from_json(to_json(c), error);
  ASSERT_TRUE(read) << error;
  EXPECT_EQ(read->doubled_step->back().output, "slide.travel");
  EXPECT_EQ(to_json(*read), to_json(c));
}

// Which box of a pile falls first is chaos: no step is small enough, and the law of contact is judged by itself.
TEST(Judge, WhereThereAreContactsALargeDifferenceOfTwoStepsIsWorthALook) {
  Certificate c = good_run();
  c.contacts = Certificate::Contacts{};
  c.doubled_step = {{"box.position", 1.6, 1.5, 1.0, "m"}};
  judge(c);
  EXPECT_EQ(c.verdict, Verdict::look_at);
  EXPECT_EQ(verdict_line(c),
            "needs a look: box.position may be off by 80 % of its range at 1.5 s; where things fall and bounce, small "
            "differences grow: a smaller step shows whether it is that");
  c.doubled_step->front().largest_change = 0.1;
  judge(c);
  EXPECT_EQ(verdict_line(c),
            "needs a look: box.position may be off by 5 % of its range at 1.5 s: the step is too large");
}

TEST(Judge, FixedStepsOfUnknownErrorAreNotGood) {
  Certificate c = good_run();
  EXPECT_EQ(to_json(c).find("StepError"), std::string::npos) << "files of earlier programs keep their checksums";
  c.unknown_step_error = "with twice the step the run fails at 0.4 s";
  judge(c);
  EXPECT_EQ(verdict_line(c),
            "needs a look: the error of the fixed steps is not known: with twice the step the run fails at 0.4 s");
  std::string error;
  const std::optional<Certificate> read = certificate_from_json(to_json(c), error);
  ASSERT_TRUE(read) << error;
  EXPECT_EQ(read->unknown_step_error, c.unknown_step_error);
}

TEST(Judge, ResidualsArePartsOfTheMachine) {
  expect_threshold(kPositionResidual, [](Certificate& c, double x) { c.position_residual = x * c.machine_size; });
  expect_threshold(kRateResidual, [](Certificate& c, double x) { c.rate_residual = x * c.machine_size; });
  expect_threshold(kDroppedResidual, [](Certificate& c, double x) { c.dropped_residual = x * c.machine_size; });
  // An angle does not become better because the machine is large.
  expect_threshold(kPositionResidual, [](Certificate& c, double x) {
    c.machine_size = 100.0;
    c.position_residual = x;
  });
}

TEST(Judge, EnergyIsComparedWithItsTurnover) {
  expect_threshold(kEnergyImbalance, [](Certificate& c, double x) { c.energy_imbalance = x * c.energy_turnover; });
  // Neither motion nor imbalance
  EXPECT_EQ(verdict_with([](Certificate& c) { c.energy_imbalance = c.energy_turnover = 0.0; }), Verdict::good);
}

TEST(Judge, ImpactsAreWorthALook) {
  const auto impact = [](double share) {
    return verdict_with([&](Certificate& c) { c.work_of_impacts = share * c.energy_turnover; });
  };
  EXPECT_EQ(impact(kBelow * kNotableImpact), Verdict::good);
  EXPECT_EQ(impact(kAbove * kNotableImpact), Verdict::look_at);
  EXPECT_EQ(impact(-kAbove * kNotableImpact), Verdict::look_at);
  EXPECT_EQ(verdict_with([](Certificate& c) { c.impact = "the rate of driver 'motor' jumps at 1 s"; }),
            Verdict::look_at);
}

TEST(Judge, ConfirmationComparesWithTheRangeOfTheOutput) {
  expect_threshold(kConfirmedChange, [](Certificate& c, double x) {
    c.confirmation = {{"stroke", x * 4.0, 0.5, 4.0, "m"}, {"still", 0.0, 0.0, 0.0, "m"}};
  });
  // A change of what should not change at all
  EXPECT_EQ(verdict_with([](Certificate& c) {
              c.confirmation = {{"still", 1e-3, 0.5, 0.0, "m"}};
            }),
            Verdict::do_not_use);
}

TEST(Judge, StatusDecides) {
  EXPECT_EQ(verdict_with([](Certificate& c) { c.status = "failed"; }), Verdict::do_not_use);
  EXPECT_EQ(verdict_with([](Certificate& c) { c.status = "stopped"; }), Verdict::look_at);
}

TEST(Judge, LimitsAndSingularPosesAreWorthALook) {
  Certificate c = good_run();
  c.exceeded_limits = {{"lift.travel", 0.4, 0.45, 1.5, "m"}};
  judge(c);
  EXPECT_EQ(c.verdict, Verdict::look_at);
  EXPECT_EQ(verdict_line(c), "needs a look: limit of lift.travel exceeded: 0.45 m at 1.5 s, allowed 0.4 m");
  EXPECT_EQ(verdict_with([](Certificate& one) { one.rank_change_count = 1; }), Verdict::look_at);
}

TEST(Judge, StatesBelowTheirScaleAreWorthALook) {
  Certificate c = good_run();
  c.tolerance = 1e-6;
  c.small_states = {{"valve.travel", 2e-5, 1.0, "m"}};
  judge(c);
  EXPECT_EQ(verdict_line(c),
            "needs a look: state valve.travel stays below 2e-05 m, small relative to its scale of 1 m: the tolerance "
            "allows errors of 5 % of it; choose a `scale` of its size");
  std::string error;
  const std::optional<Certificate> again = certificate_from_json(to_json(c), error);
  ASSERT_TRUE(again) << error;
  ASSERT_EQ(again->small_states.size(), 1U);
  EXPECT_EQ(again->small_states.front().scale, 1.0);
}

TEST(Judge, SentencesAreInTheUnitsOfTheModel) {
  Certificate c = good_run();
  c.display = {{Quantity::length, "mm"}};
  c.exceeded_limits = {{"lift.travel", 0.4, 0.45, 1.5, "m"}};
  judge(c);
  EXPECT_EQ(verdict_line(c), "needs a look: limit of lift.travel exceeded: 450 mm at 1.5 s, allowed 400 mm");
  c.exceeded_limits = {{"hinge.angle", 0.5, 1.0, 1.5, "rad"}};
  judge(c);
  EXPECT_EQ(verdict_line(c), "needs a look: limit of hinge.angle exceeded: 57.3 deg at 1.5 s, allowed 28.65 deg");
  c.exceeded_limits.clear();
  c.machine_size = 0.2;
  c.departures = {{"'rod'", 12.5}};
  judge(c);
  EXPECT_THAT(verdict_line(c), HasSubstr("'rod' ended 12500 mm from the start"));
}

TEST(Judge, SingularPosesNameTheirJoints) {
  Certificate c = good_run();
  c.rank_changes = {{0.1, 12, 12, {}, {}, {"elbow"}}, {0.25, 12, 11, {"corner", "foot"}, {}, {}}};
  c.rank_change_count = 1;
  judge(c);
  EXPECT_EQ(verdict_line(c),
            "needs a look: the machine passed a singular pose at 0.25 s, at 'corner' and 1 more: its joints do not "
            "determine how it "
            "continues from there");
  // A joint in its own singular pose, with as many independent rows as before, is no doubt about the motion.
  c.rank_change_count = 0;
  c.rank_changes.pop_back();
  judge(c);
  EXPECT_EQ(c.verdict, Verdict::good);
}

TEST(Judge, TheWorstReasonIsFirst) {
  Certificate c = good_run();
  c.exceeded_limits = {{"lift.travel", 0.4, 0.45, 1.5, "m"}};
  c.energy_imbalance = c.energy_turnover;
  judge(c);
  ASSERT_EQ(c.reasons.size(), 2u);
  EXPECT_EQ(c.verdict, Verdict::do_not_use);
  EXPECT_THAT(c.reasons[0], HasSubstr("energy"));
  EXPECT_THAT(verdict_line(c), HasSubstr("; and 1 more"));
  c.energy_imbalance = 0.0;
  c.exceeded_limits.clear();
  judge(c);
  EXPECT_EQ(c.verdict, Verdict::good);  // nothing is left of an earlier judgment
  EXPECT_THAT(c.reasons, IsEmpty());
}

Certificate full_run() {
  Certificate c = good_run();
  c.method_reason = "stiff \"springs\"\n";
  c.resumed_at = {0.5, 1.0 / 3.0};
  c.is_reproducible = false;
  c.drift = 1e-7;
  c.rank_changes = {{0.25, 12, 11, {"corner", "foot"}, {}, {}}, {0.26, 11, 12, {}, {"corner"}, {"elbow"}}};
  c.rank_change_count = 200;
  c.exceeded_limits = {{"lift.travel", 0.4, 0.45, 1.5, "m"}};
  c.display = {{Quantity::length, "mm"}, {Quantity::angular_rate, "rpm"}};
  c.assumptions = {"parts are rigid", "ä"};
  c.reaction_split = "equal";
  c.shared_reactions = {{"left.reaction.force.x", "left", 0, true},
                        {"left.reaction.moment.z", "left", 1, false},
                        {"right.reaction.force.x", "right", 0, true},
                        {"rod.reaction.moment.z", "rod", 1, false}};
  c.shared_reaction_count = 4;
  c.confirmation = {{"stroke", 0.1, 0.5, 4.0, "m"}};
  c.impact = "the rate of driver 'motor' jumps at 1 s";
  c.imbalance_time = 0.7;
  judge(c);
  return c;
}

TEST(CertificateJson, ReadsBackTheSame) {
  for (const Certificate& c : {good_run(), full_run()}) {
    const std::string text = to_json(c);
    std::string error;
    const std::optional<Certificate> read = certificate_from_json(text, error);
    ASSERT_TRUE(read) << error;
    EXPECT_EQ(to_json(*read), text);
    EXPECT_EQ(read->verdict, c.verdict);
    EXPECT_EQ(read->resumed_at, c.resumed_at);
    EXPECT_EQ(read->reasons, c.reasons);
    EXPECT_EQ(read->confirmation.has_value(), c.confirmation.has_value());
    EXPECT_EQ(read->rank_change_count, c.rank_change_count);
    ASSERT_EQ(read->rank_changes.size(), c.rank_changes.size());
    for (std::size_t i = 0; i < c.rank_changes.size(); ++i)
      EXPECT_EQ(read->rank_changes[i].lost, c.rank_changes[i].lost);
  }
}

TEST(SharedReactions, CanBeAskedFor) {
  std::string error;
  std::optional<Certificate> c = certificate_from_json(to_json(full_run()), error);
  ASSERT_TRUE(c) << error;
  EXPECT_EQ(c->reaction_split, "equal");
  EXPECT_EQ(sharing_of(*c, "left.reaction.force.x"), Sharing::always);
  EXPECT_EQ(sharing_of(*c, "left.reaction.moment.z"), Sharing::at_times);
  EXPECT_EQ(sharing_of(*c, "left.reaction.force.y"), Sharing::unique);
  EXPECT_THAT(sharing_partners(*c, "left"), ElementsAre("right", "rod"));
  EXPECT_THAT(sharing_partners(*c, "rod"), ElementsAre("left"));
  EXPECT_THAT(sharing_partners(*c, "other"), IsEmpty());
  c->shared_reaction_count = 5;  // the list was cut: what is not named may be shared as well
  EXPECT_EQ(sharing_of(*c, "left.reaction.force.y"), Sharing::unknown);
}

TEST(CertificateJson, WhatIsNoNumberStaysThat) {
  Certificate c = good_run();
  c.energy_imbalance = std::nan("");
  judge(c);
  std::string error;
  const std::optional<Certificate> read = certificate_from_json(to_json(c), error);
  ASSERT_TRUE(read) << error;
  EXPECT_TRUE(std::isnan(read->energy_imbalance));
  EXPECT_EQ(read->verdict, Verdict::do_not_use);
}

TEST(CertificateJson, SaysWhatIsWrong) {
  const auto error_with = [](const std::string& from, const std::string& to) {
    std::string text = to_json(full_run());
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    text.replace(place, from.size(), to);
    std::string error;
    EXPECT_FALSE(certificate_from_json(text, error)) << to;
    return error;
  };
  EXPECT_THAT(error_with("\"look at\"", "\"fine\""), HasSubstr("'verdict' should be"));
  EXPECT_THAT(error_with("\"certificate\": 3", "\"certificate\": 7"), HasSubstr("version 7"));
  EXPECT_THAT(error_with("\"status\"", "\"state\""), HasSubstr("'status' should be a text"));
  EXPECT_THAT(error_with("\"steps\": 2500", "\"steps\": 2500.5"), HasSubstr("'steps' should be a whole number"));
  EXPECT_THAT(error_with("\"steps\": 2500", "\"steps\": 1e300"), HasSubstr("'steps' should be a whole number"));
  EXPECT_THAT(error_with("\"parts are rigid\"", "3"), HasSubstr("'assumptions' should be a list of texts"));
  std::string error;
  EXPECT_FALSE(certificate_from_json("[]", error));
  EXPECT_FALSE(certificate_from_json("{", error));
  EXPECT_THAT(error, HasSubstr("line 1"));
}

// Any digit that is changed shows: the text does not fit its checksum any more.
TEST(CertificateJson, EveryChangeOfADigitIsFound) {
  const std::string text = to_json(full_run());
  std::mt19937 dice(7);
  int changed = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') continue;
    std::string other = text;
    other[i] = static_cast<char>('0' + (text[i] - '0' + 1 + static_cast<int>(dice() % 9)) % 10);
    std::string error;
    const std::optional<Certificate> read = certificate_from_json(other, error);
    EXPECT_TRUE(!read || to_json(*read) != other) << i;
    ++changed;
  }
  EXPECT_GT(changed, 100);
}

TEST(CertificateTest, PartsThatLeftAreWorthALook) {
  Certificate c = good_run();
  c.departures = {{"'hub' and 'lid'", 19.6}};
  judge(c);
  EXPECT_EQ(
      verdict_line(c),
      "needs a look: 'hub' and 'lid' ended 19.6 m from the start, 196 times the machine's size: nothing joins them to "
      "the ground");
  std::string error;
  const std::optional<Certificate> read = certificate_from_json(to_json(c), error);
  ASSERT_TRUE(read) << error;
  EXPECT_EQ(read->departures.front().parts, "'hub' and 'lid'");
  EXPECT_EQ(to_json(*read), to_json(c));
  c.departures.front().size = 0.98;  // as it is seen
  judge(c);
  EXPECT_THAT(verdict_line(c), HasSubstr("19.6 m from the start, 20 times the machine's size"));
  c.departures.front().distance = 4.9;
  judge(c);
  EXPECT_EQ(c.verdict, Verdict::good);
  EXPECT_THAT(verdict_line(c),
              testing::EndsWith("; 'hub' and 'lid' ended 4.9 m from the start: nothing joins them to the "
                                "ground)"));
  EXPECT_EQ(to_json(*certificate_from_json(to_json(c), error)), to_json(c));
}

TEST(CertificateTest, SealedComponentsAnswerForTheirOwnBooks) {
  Certificate c = good_run();
  c.energy_imbalance = 1.0;
  judge(c);
  EXPECT_THAT(c.reasons.front(), testing::EndsWith("the step is too large"));
  c.other_books = {"damper"};
  judge(c);
  EXPECT_THAT(c.reasons.front(), HasSubstr("the step is too large, or the energy that 'damper' reports is wrong"));
  std::string error;
  const std::optional<Certificate> read = certificate_from_json(to_json(c), error);
  ASSERT_TRUE(read) << error;
  EXPECT_THAT(read->other_books, ElementsAre("damper"));
}

}  // namespace
}  // namespace gelenk::results::certificate_test
