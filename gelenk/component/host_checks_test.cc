#include "gelenk/component/host_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace gelenk::component::host_checks_test {
namespace {

using Kind = ComponentFailure::Kind;

Manifest two_frames() {
  Manifest manifest;
  manifest.about.name = "rod";
  manifest.ports = {{"a", PortKind::frame, kFrameWidth, "", ""}, {"b", PortKind::frame, kFrameWidth, "", ""}};
  manifest.parameters = {{"mass", "kg", 1.0, 0.0, std::numeric_limits<double>::infinity(), ""}};
  return manifest;
}

Description description_of_two_frames() {
  Description description;
  description.ports = {{"a", "", GELENK_FRAME, 6, {}, {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}},
                       {"b", "", GELENK_FRAME, 6, {1.0}, {0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0}}};
  description.parameters = {{"mass", "kg", 1.0, 0.0, std::numeric_limits<double>::infinity()}};
  description.length = 0.25;
  return description;
}

template <class Work>
void expect_failure(Kind kind, Work&& work) {
  try {
    work();
    FAIL();
  } catch (const ComponentFailure& failure) {
    EXPECT_EQ(failure.kind(), kind) << failure.what();
    EXPECT_THAT(failure.what(), testing::HasSubstr("'rod'"));
  }
}

class HostChecksTest : public testing::Test {
 protected:
  // D of a body with two frames: six free motions seen twelve times, in lengths and angles of very different size.
  std::vector<double> rigid_mobility() const {
    std::vector<double> answer(12 * 12 + 3, 0.0);
    for (std::size_t i = 0; i < 12; ++i) {
      for (std::size_t j = 0; j < 12; ++j) {
        if (i % 6 == j % 6) answer[i * 12 + j] = i % 6 < 3 ? 1e-3 : 1e3;
      }
    }
    return answer;
  }
  void check(std::vector<double>& answer) const {
    gelenk_command command{};
    command.code = GELENK_FACTOR;
    command.out = answer.data();
    command.out_count = answer.size();
    checks_.check_answer(command, sizes_);
  }

  Manifest manifest_ = two_frames();
  HostChecks checks_{manifest_};
  ComponentSizes sizes_ = two_mounts();

 private:
  ComponentSizes two_mounts() const {
    ComponentSizes sizes = checks_.check_description(description_of_two_frames());
    sizes.mounts = 2;
    return sizes;
  }
};

TEST(HostMounts, ShaftsComeAfterFrames) {
  Manifest manifest;
  manifest.about.name = "drive";
  manifest.ports = {{"housing", PortKind::frame, kFrameWidth, "", ""},
                    {"out", PortKind::rotational, kFlangeWidth, "", ""},
                    {"u", PortKind::signal_in, 1, "V", ""}};
  const HostChecks checks(manifest);
  const auto mounted_at = [](std::initializer_list<std::uint32_t> ports) {
    HostMounting mounting;
    for (const std::uint32_t port : ports) mounting.mounts.emplace_back().port = port;
    return mounting;
  };
  EXPECT_NO_THROW(checks.check_mounting(mounted_at({0, 0, 1})));
  const ComponentSizes sizes = checks.with_mounts({}, mounted_at({0, 0, 1}));
  EXPECT_EQ(sizes.mounts, 2u);
  EXPECT_EQ(sizes.shafts, 1u);
  EXPECT_EQ(sizes.motions(), 13u);
  EXPECT_THROW(checks.check_mounting(mounted_at({1, 0})), ComponentFailure);
  EXPECT_THROW(checks.check_mounting(mounted_at({2})), ComponentFailure) << "a signal";
  EXPECT_THROW(checks.check_mounting(mounted_at({3})), ComponentFailure) << "there is none";
}

TEST_F(HostChecksTest, SingularMobilitiesWithRoundingAreGood) {
  std::vector<double> D = rigid_mobility();
  EXPECT_NO_THROW(check(D));
  for (std::size_t i = 0; i < 144; ++i) D[i] *= 1.0 + 1e-13 * std::sin(static_cast<double>(i));
  EXPECT_NO_THROW(check(D));
  D.assign(147, 0.0);  // it cannot move at all
  EXPECT_NO_THROW(check(D));
  D[0] = -1e-17;
  D[13] = 1.0;
  EXPECT_NO_THROW(check(D));
}

TEST_F(HostChecksTest, IndefiniteMobilitiesAreRefused) {
  // Every pair of directions looks good, three together do not: its eigenvalue is 1 - 2 * 0.9.
  std::vector<double> D(147, 0.0);
  for (std::size_t i = 0; i < 12; ++i) D[i * 13] = 1.0;
  for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
    D[i * 12 + j] = D[j * 12 + i] = -0.9;
  }
  expect_failure(Kind::broken_numbers, [&] { check(D); });
  D = rigid_mobility();
  D[0 * 12 + 6] = D[6 * 12 + 0] = 1.001e-3;
  expect_failure(Kind::broken_numbers, [&] { check(D); });
  D = rigid_mobility();
  D[1] = 1e-8;  // ten times what rounding may do beside the largest entry
  expect_failure(Kind::broken_numbers, [&] { check(D); });
}

TEST_F(HostChecksTest, OnlyTheNextJumpMayBeInfinite) {
  double number = std::numeric_limits<double>::infinity();
  gelenk_command command{};
  command.code = GELENK_NEXT_JUMP;
  command.out = &number;
  command.out_count = 1;
  EXPECT_NO_THROW(checks_.check_answer(command, sizes_));
  number = -number;
  expect_failure(Kind::broken_numbers, [&] { checks_.check_answer(command, sizes_); });
  number = std::numeric_limits<double>::quiet_NaN();
  expect_failure(Kind::broken_numbers, [&] { checks_.check_answer(command, sizes_); });
}

TEST_F(HostChecksTest, EveryCodeHasItsSizes) {
  struct Row {
    gelenk_code code;
    std::size_t in, out;
  };
  for (const Row& row :
       {Row{GELENK_RESERVE, 0, 0},    Row{GELENK_START, 0, 0},         Row{GELENK_COPY, 0, 0},
        Row{GELENK_COMBINE, 4, 0},    Row{GELENK_COMBINE_RATES, 2, 0}, Row{GELENK_COMBINE_STAGE, 10, 0},
        Row{GELENK_ERROR_NORM, 2, 2}, Row{GELENK_LOAD, 0, 36},         Row{GELENK_FACTOR, 1, 147},
        Row{GELENK_RIGHT_SIDE, 0, 2}, Row{GELENK_UP, 0, 12},           Row{GELENK_DOWN, 12, 12},
        Row{GELENK_RESIDUAL, 0, 6},   Row{GELENK_TEST_LOAD, 0, 12},    Row{GELENK_FORGET, 0, 0},
        Row{GELENK_TAKE, 0, 0},       Row{GELENK_SETTLE, 0, 0},        Row{GELENK_NEXT_JUMP, 0, 1},
        Row{GELENK_CROSS, 0, 0},      Row{GELENK_SLACKS, 0, 0},        Row{GELENK_FLIP, 0, 0},
        Row{GELENK_OUTPUTS, 0, 2},    Row{GELENK_DRAWN, 0, 184}}) {
    std::vector<double> in(200), out(200);
    gelenk_command command{};
    command.code = row.code;
    command.in = in.data();
    command.in_count = row.in;
    command.out = out.data();
    command.out_count = row.out;
    EXPECT_NO_THROW(checks_.check_request(command, sizes_)) << row.code;
    command.out_count = row.out + 1;
    expect_failure(Kind::wrong_sizes, [&] { checks_.check_request(command, sizes_); });
    command.out_count = row.out;
    command.in_count = row.in + 1;
    expect_failure(Kind::wrong_sizes, [&] { checks_.check_request(command, sizes_); });
  }
  gelenk_command unknown{};
  unknown.code = 15;
  expect_failure(Kind::wrong_sizes, [&] { checks_.check_request(unknown, sizes_); });
}

TEST_F(HostChecksTest, OutcomesAreJudged) {
  EXPECT_TRUE(checks_.check_outcome(GELENK_OK, 3, 3, ""));
  EXPECT_FALSE(checks_.check_outcome(GELENK_NOT_SOLVABLE, 2, 3, ""));
  expect_failure(Kind::wrong_sizes, [&] { checks_.check_outcome(GELENK_NOT_SOLVABLE, 3, 3, ""); });
  expect_failure(Kind::wrong_sizes, [&] { checks_.check_outcome(GELENK_OK, 4, 3, ""); });
  expect_failure(Kind::refused, [&] { checks_.check_outcome(GELENK_UNKNOWN, 0, 3, ""); });
  expect_failure(Kind::failed, [&] { checks_.check_outcome(GELENK_FAILED, 0, 3, ""); });
  expect_failure(Kind::failed, [&] { checks_.check_outcome(5, 0, 3, ""); });
}

TEST_F(HostChecksTest, EveryDifferenceFromTheManifestIsFound) {
  const auto spoiled = [](auto&& spoil) {
    Description description = description_of_two_frames();
    spoil(description);
    return description;
  };
  for (const Description& description : {
           spoiled([](Description& d) { d.ports.pop_back(); }),
           spoiled([](Description& d) { d.ports[1].name = "c"; }),
           spoiled([](Description& d) { d.ports[1].width = 5; }),
           spoiled([](Description& d) { d.ports[1].kind = 9; }),
           spoiled([](Description& d) { d.parameters[0].unit = "g"; }),
           spoiled([](Description& d) { d.parameters[0].default_value = 2.0; }),
           spoiled([](Description& d) { d.parameters[0].max = 5.0; }),
           spoiled([](Description& d) {
             d.outputs.push_back({"x", "m"});
           }),
           spoiled([](Description& d) { d.input_size = 1; }),
           spoiled([](Description& d) { d.signal_size = 1; }),
       }) {
    expect_failure(Kind::wrong_sizes, [&] { checks_.check_description(description); });
  }
  for (const Description& description : {
           spoiled([](Description& d) { d.length = 0.0; }),
           spoiled([](Description& d) { d.length = 0.3; }),
           spoiled([](Description& d) { d.length = -1.0; }),
           spoiled([](Description& d) { d.length = std::numeric_limits<double>::infinity(); }),
           spoiled([](Description& d) { d.ports[0].position[1] = std::nan(""); }),
           spoiled([](Description& d) { d.ports[0].rotation[1] = 1e-8; }),
           spoiled([](Description& d) { d.ports[0].rotation[8] = -1.0; }),
           spoiled([](Description& d) { d.ports[1].rotation[0] = std::nan(""); }),
       }) {
    expect_failure(Kind::broken_numbers, [&] { checks_.check_description(description); });
  }
}

TEST_F(HostChecksTest, MountingChangesNothingButSwitches) {
  const Description before = description_of_two_frames();
  Description after = before;
  after.switch_count = 7;
  EXPECT_EQ(checks_.check_mounted(before, after).switches, 7u);
  after.switch_count = 0x7FFFFFFF;
  expect_failure(Kind::wrong_sizes, [&] { checks_.check_mounted(before, after); });
  after = before;
  after.ports[1].position[0] = 2.0;
  expect_failure(Kind::wrong_sizes, [&] { checks_.check_mounted(before, after); });
}

TEST_F(HostChecksTest, TheMobilityAsDrawnIsLookedAtToo) {
  std::vector<double> answer(184, 0.0);
  gelenk_command command{};
  command.code = GELENK_DRAWN;
  command.out = answer.data();
  command.out_count = answer.size();
  EXPECT_NO_THROW(checks_.check_answer(command, sizes_));
  answer[40] = -1.0;
  expect_failure(Kind::broken_numbers, [&] { checks_.check_answer(command, sizes_); });
}

TEST_F(HostChecksTest, SignalsMayBeLeftOutButNotHalfOfThem) {
  ComponentSizes sizes = sizes_;
  sizes.inputs = 2;
  const double in[2] = {};
  gelenk_command command{};
  command.code = GELENK_LOAD;
  EXPECT_NO_THROW(checks_.check_request(command, sizes));
  command.in = in;
  command.in_count = 2;
  EXPECT_NO_THROW(checks_.check_request(command, sizes));
  command.in_count = 1;
  expect_failure(Kind::wrong_sizes, [&] { checks_.check_request(command, sizes); });
}

TEST(Description, ComesBackFromItsBytesAndFromNoOthers) {
  const std::string bytes = encode(description_of_two_frames());
  Description description;
  ASSERT_TRUE(decode(bytes, description));
  EXPECT_EQ(encode(description), bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode(std::string_view(bytes).substr(0, size), description)) << size;
  }
  EXPECT_FALSE(decode(bytes + "x", description));
}

}  // namespace
}  // namespace gelenk::component::host_checks_test
