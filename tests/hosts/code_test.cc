#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/hosts/hosts_test_support.h"

// A second library beside the first, with functions that the first one calls.
namespace gelenk::component::test::code_test {
namespace {

using Kind = ComponentFailure::Kind;
using testing::HasSubstr;

HostSettings with_code(const std::string& name, double mass = 3.0) {
  HostSettings settings = free_body_settings();
  settings.parameters = {mass};
  settings.code = library(name);
  return settings;
}

class Code : public testing::TestWithParam<Place> {};
INSTANTIATE_TEST_SUITE_P(Hosts, Code, testing::Values(Place::in_process, Place::worker),
                         [](const auto& test) { return test.param == Place::worker ? "worker" : "in_process"; });

void expect_failure(Place place, const HostSettings& settings, Kind kind, const char* text) {
  try {
    make(place, "free_body", settings);
    FAIL() << "nobody noticed";
  } catch (const ComponentFailure& failure) {
    EXPECT_EQ(static_cast<int>(failure.kind()), static_cast<int>(kind)) << failure.what();
    EXPECT_THAT(failure.what(), HasSubstr(text));
    EXPECT_THAT(failure.what(), HasSubstr("'ball'"));
  }
}

TEST_P(Code, IsHandedToTheFirstLibrary) {
  for (const auto& [settings, mass] :
       {std::pair(with_code("double_code"), 6.0), std::pair(free_body_settings(), 3.0)}) {
    const auto ball = mount(GetParam(), "free_body", settings);
    ASSERT_TRUE(start(*ball));
    Batch batch;
    batch.add(GELENK_LOAD, 0, 0, {0.0}, kLoadNumbers);
    batch.add(GELENK_FACTOR, 0, 0, {kRankTolerance}, kFactorNumbers);
    ASSERT_TRUE(ball->perform(batch.commands()));
    EXPECT_EQ(batch.out(1)[0], 1.0 / mass);
  }
}

TEST_P(Code, MayHaveNoAnswer) {
  expect_failure(GetParam(), with_code("double_code", 60.0), Kind::failed, "its code returned no result");
}

TEST_P(Code, MustBeCode) {
  expect_failure(GetParam(), with_code("free_body"), Kind::not_loaded, "has code without a function");
  expect_failure(GetParam(), with_code("newer_code"), Kind::not_loaded, "does not support version 1 of gelenk_code.h");
  HostSettings settings = with_code("double_code");
  settings.code.resize(100);
  expect_failure(GetParam(), settings, Kind::not_loaded, "has code that cannot be loaded");
}

TEST(CodeInItsSandbox, CrashesAlone) {
  expect_failure(Place::worker, with_code("crashing_code"), Kind::crashed, "crashed (SIGABRT)");
}

// Constructors of the second library run in the sandbox, too.
TEST(CodeInItsSandbox, HasNoWayOutWhileItIsLoaded) {
  expect_failure(Place::worker, with_code("forking_body"), Kind::crashed, "SIGSYS");
}

}  // namespace
}  // namespace gelenk::component::test::code_test
