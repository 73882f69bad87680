#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "gelenk/component/code_host.h"
#include "tests/hosts/hosts_test_support.h"

// Code of an open model (law_code.c), in this process and in a sandboxed one.
namespace gelenk::component::test::code_host_test {
namespace {

using Kind = ComponentFailure::Kind;
using system::CodeOutcome;
using testing::Each;
using testing::HasSubstr;
using testing::Truly;

std::unique_ptr<CodeHost> make_code(Place place, const std::string& name,
                                    const WorkerLimits& limits = worker_limits()) {
  const std::string bytes = test::library(name);
  return place == Place::in_process ? code_in_process(bytes) : code_in_worker(bytes, limits);
}

// A call with numbers that are all different.
struct Numbers {
  std::vector<double> parameters, motions, states, inputs, wrenches, rates, outputs;

  explicit Numbers(double input)
      : parameters(3), motions(36), states(2), inputs{input}, wrenches(12), rates(2), outputs(1) {
    std::iota(parameters.begin(), parameters.end(), 0.25);
    std::iota(motions.begin(), motions.end(), 10.125);
    std::iota(states.begin(), states.end(), 100.5);
    for (std::vector<double>* const answer : {&wrenches, &rates, &outputs}) {
      std::fill(answer->begin(), answer->end(), std::numeric_limits<double>::quiet_NaN());
    }
  }
  CodeOutcome call(CodeHost& host) {
    return host.evaluate({0.75, parameters, motions, states, inputs, wrenches, rates, outputs});
  }
};

class CodeHosts : public testing::TestWithParam<Place> {};
INSTANTIATE_TEST_SUITE_P(Places, CodeHosts, testing::Values(Place::in_process, Place::worker),
                         [](const auto& test) { return test.param == Place::worker ? "worker" : "in_process"; });

TEST_P(CodeHosts, AnswerTheSame) {
  const auto code = make_code(GetParam(), "law_code");
  EXPECT_EQ(code->counts().frames, 2U);
  EXPECT_EQ(code->counts().parameters, 3U);
  for (int again = 0; again < 2; ++again) {
    Numbers numbers(0.0);
    ASSERT_EQ(numbers.call(*code), CodeOutcome::good);
    for (std::size_t f = 0; f < 2; ++f) {
      const double* const m = &numbers.motions[18 * f];
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(numbers.wrenches[6 * f + i], m[9 + i] + m[3 * i]);
        EXPECT_EQ(numbers.wrenches[6 * f + 3 + i], m[12 + i] - m[15 + i]);
      }
    }
    EXPECT_EQ(numbers.rates[0], 0.75);
    EXPECT_EQ(numbers.rates[1], -1.0);
    EXPECT_EQ(numbers.outputs[0], 0.25 * 2.25);
  }
}

TEST_P(CodeHosts, WithoutAResultOrWithAnEmptyOne) {
  const auto code = make_code(GetParam(), "law_code");
  EXPECT_EQ(Numbers(3.0).call(*code), CodeOutcome::no_answer);
  Numbers nothing(4.0);
  EXPECT_EQ(nothing.call(*code), CodeOutcome::good);
  EXPECT_THAT(nothing.wrenches, Each(Truly([](double x) { return std::isnan(x); })));
  EXPECT_EQ(Numbers(0.0).call(*code), CodeOutcome::good);
}

TEST_P(CodeHosts, MustBeCode) {
  for (const auto& [name, text] : {std::pair("free_body", "without a function gelenk_code_get_api"),
                                   std::pair("newer_code", "does not support version 1 of gelenk_code.h")}) {
    try {
      make_code(GetParam(), name);
      FAIL() << "nobody noticed";
    } catch (const ComponentFailure& failure) {
      EXPECT_EQ(failure.kind(), Kind::not_loaded);
      EXPECT_THAT(failure.what(), HasSubstr(text));
    }
  }
}

void expect_failure(CodeHost& code, double input, Kind kind, const char* text) {
  try {
    Numbers(input).call(code);
    FAIL() << "nobody noticed";
  } catch (const ComponentFailure& failure) {
    EXPECT_EQ(failure.kind(), kind);
    EXPECT_THAT(failure.what(), HasSubstr(text));
  }
}

TEST(CodeInAWorker, CrashesAlone) {
  const auto code = make_code(Place::worker, "law_code");
  expect_failure(*code, 1.0, Kind::crashed, "crashed (SIGABRT)");
  expect_failure(*code, 0.0, Kind::crashed, "crashed (SIGABRT)");  // it is gone
  EXPECT_EQ(Numbers(0.0).call(*make_code(Place::worker, "law_code")), CodeOutcome::good);
}

TEST(CodeInAWorker, HasADeadline) {
  WorkerLimits limits = worker_limits();
  limits.call_seconds = 0.2;
  const auto code = make_code(Place::worker, "law_code", limits);
  const auto before = std::chrono::steady_clock::now();
  expect_failure(*code, 2.0, Kind::late, "does not answer");
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
}

TEST(CodeInAWorker, IsInTheSandboxWhileItIsLoaded) {
  EXPECT_THROW(make_code(Place::worker, "forking_body"), ComponentFailure);
}

}  // namespace
}  // namespace gelenk::component::test::code_host_test
