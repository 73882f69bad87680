#include "gelenk/base/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>

namespace gelenk::process_test {
namespace {

using testing::HasSubstr;

constexpr double kPlenty = 60.0;  // s; never reached unless something hangs

TEST(RunProgram, FeedsInputAndReturnsOutput) {
  const ProgramResult result = run_program({"tr", "a-z", "A-Z"}, "gelenk", kPlenty);
  EXPECT_TRUE(result.is_started);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output, "GELENK");
}

TEST(RunProgram, TellsTimeAndMemory) {
  // Lines without an end: sort keeps all of them.
  const ProgramResult result =
      run_program({"sh", "-c", "head -c 50000000 /dev/zero | sort | wc -c; sleep 0.1"}, "", kPlenty);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_GE(result.seconds, 0.1);
  EXPECT_LT(result.seconds, kPlenty);
  EXPECT_GE(result.peak_memory, std::size_t{50'000'000});
}

TEST(RunProgram, ArgumentsAreNotReadByAShell) {
  const ProgramResult result = run_program({"printf", "%s", "$HOME; `id` 'x'"}, "", kPlenty);
  EXPECT_EQ(result.output, "$HOME; `id` 'x'");
}

TEST(RunProgram, InputLongerThanAnyBufferArrivesWhole) {
  constexpr std::size_t kBytes = 4'000'000;
  const ProgramResult result = run_program({"wc", "-c"}, std::string(kBytes, 'x'), kPlenty);
  EXPECT_THAT(result.output, HasSubstr(std::to_string(kBytes)));
}

TEST(RunProgram, ProgramThatReadsNothingIsNoSignal) {
  const ProgramResult result = run_program({"false"}, std::string(1'000'000, 'x'), kPlenty);
  EXPECT_TRUE(result.is_started);
  EXPECT_EQ(result.exit_code, 1);
}

TEST(RunProgram, OutputIsToldAsItComes) {
  std::string reported;
  const ProgramResult result = run_program({"head", "-c", "200000", "/dev/zero"}, "", kPlenty,
                                           [&](std::string_view piece) { reported += piece; });
  EXPECT_EQ(reported.size(), 200'000u);
  EXPECT_LT(result.output.size(), reported.size());
}

TEST(RunProgram, SaysWhichSignalEndedIt) {
  const ProgramResult result = run_program({"sh", "-c", "kill -SEGV $$"}, "", kPlenty);
  EXPECT_EQ(result.exit_code, -1);
  EXPECT_EQ(result.signal, SIGSEGV);
}

TEST(RunProgram, MessagesOnStderrAreKept) {
  const ProgramResult result = run_program({"ls", "/no/such/file/anywhere"}, "", kPlenty);
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.output, HasSubstr("/no/such/file/anywhere"));
}

TEST(RunProgram, MissingProgramSaysSo) {
  const ProgramResult result = run_program({"no-such-program-of-gelenk"}, "", kPlenty);
  EXPECT_FALSE(result.is_started);
  EXPECT_THAT(result.reason, HasSubstr("No such file"));
}

TEST(RunProgram, KilledWhenItTakesTooLong) {
  const auto begin = std::chrono::steady_clock::now();
  const ProgramResult result = run_program({"sleep", "60"}, "", 0.2);
  EXPECT_EQ(result.exit_code, -1);
  EXPECT_THAT(result.reason, HasSubstr("longer than"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

}  // namespace
}  // namespace gelenk::process_test
