#include "gelenk/base/child_process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "gelenk/base/platform.h"
#include "gelenk/base/private_folder.h"

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

TEST(ChildProcess, WhatItPrintsGoesToAFileOfTheUser) {
  const PrivateFolder folder;
  ChildCall call;
  call.arguments = {"-c", "echo heard; echo lost >&2"};
  call.output = folder.path() + "/output";
  std::string error;
  const auto child = ChildProcess::start("/bin/sh", {}, error, call);
  ASSERT_NE(child, nullptr) << error;
  ASSERT_TRUE(wait_for_end(*child));
  EXPECT_EQ(read_file(call.output, 100).text, "heard\n");
  EXPECT_EQ(ChildProcess::start("/bin/true", {}, error, call), nullptr) << "a file that exists stays as it is";
}

TEST(ChildProcess, AMissingProgramIsAReason) {
  std::string error;
  EXPECT_EQ(ChildProcess::start("/no/such/program", {}, error), nullptr);
  EXPECT_EQ(error, "No such file or directory");
}

}  // namespace
}  // namespace gelenk::child_process_test
