#include "gelenk/base/child_process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace gelenk::child_process_test {
namespace {

std::optional<ProcessEnd> wait_for_end(ChildProcess& child) {
  for (int i = 0; i < 10'000; ++i) {
    if (const auto end = child.end()) return end;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return std::nullopt;
}

TEST(ChildProcess, TellsHowItEnded) {
  std::string error;
  const auto child = ChildProcess::start("/bin/false", {}, error);
  ASSERT_NE(child, nullptr) << error;
  const auto end = wait_for_end(*child);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->exit_code, 1);
  EXPECT_EQ(end->signal, 0);
}

TEST(ChildProcess, TellsWhichSignalEndedIt) {
  std::string error;
  const auto child = ChildProcess::start("/usr/bin/yes", {}, error);
  ASSERT_NE(child, nullptr) << error;
  EXPECT_FALSE(child->end());
  child->kill();
  const auto end = wait_for_end(*child);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->signal, SIGKILL);
  EXPECT_EQ(signal_name(end->signal), "SIGKILL");
}

TEST(ChildProcess, AMissingProgramIsAReason) {
  std::string error;
  EXPECT_EQ(ChildProcess::start("/no/such/program", {}, error), nullptr);
  EXPECT_EQ(error, "No such file or directory");
}

}  // namespace
}  // namespace gelenk::child_process_test
