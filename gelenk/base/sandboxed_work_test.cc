#include "gelenk/base/sandboxed_work.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "gelenk/base/hash.h"
#include "gelenk/base/platform.h"

namespace gelenk::sandboxed_work_test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;  // crashes and memory are the sanitizer's business
#else
constexpr bool kIsSanitized = false;
#endif

using testing::HasSubstr;
constexpr std::size_t kMegabytes = std::size_t{1} << 20;

class SandboxedWorkTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("gelenk-sandboxed-" + random_id());
    std::filesystem::create_directories(folder_ / "open");
    std::filesystem::create_directories(folder_ / "closed");
    std::ofstream(folder_ / "open/file") << "open text";
    std::ofstream(folder_ / "closed/file") << "secret";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  SandboxedEnd run(const std::function<std::string(const Whereabouts&)>& work) const {
    return run_sandboxed({{path("open")}, 500 * kMegabytes}, work);
  }
  std::string path(const char* name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

TEST_F(SandboxedWorkTest, TheResultComesBackWhole) {
  const std::string large(3 * kMegabytes + 7, 'x');
  const SandboxedEnd end = run([&](const Whereabouts&) { return large; });
  EXPECT_TRUE(end.result == large);
  EXPECT_EQ(end.missing, "");
}

TEST_F(SandboxedWorkTest, WhatIsGivenCanBeReadAndNothingElse) {
  const SandboxedEnd end = run([&](const Whereabouts&) {
    return read_file(path("open/file"), 100).text.value_or("none") + ", " +
           read_file(path("closed/file"), 100).text.value_or("none");
  });
  if (end.missing.empty()) {
    EXPECT_EQ(end.result, "open text, none");
  }
}

TEST_F(SandboxedWorkTest, NothingIsWritten) {
  const SandboxedEnd end = run([&](const Whereabouts&) {
    std::string done;
    for (const char* name : {"open/new", "closed/new", "open/file"}) {
      if (!write_file_atomically(path(name), "x").empty()) continue;
      done += name;
    }
    if (::open(path("open/file").c_str(), O_WRONLY) >= 0) done += "opened";
    if (::truncate(path("open/file").c_str(), 0) == 0) done += "truncated";
    if (::unlink(path("open/file").c_str()) == 0) done += "removed";
    if (::rename(path("open/file").c_str(), path("open/other").c_str()) == 0) done += "renamed";
    if (::symlink("file", path("open/link").c_str()) == 0) done += "linked";
    if (::mkdir(path("open/folder").c_str(), 0700) == 0) done += "made";
    return done;
  });
  EXPECT_EQ(end.result, "");
  EXPECT_EQ(read_file(path("open/file"), 100).text, "open text");
  EXPECT_EQ(std::distance(std::filesystem::recursive_directory_iterator(folder_), {}), 4);
}

TEST_F(SandboxedWorkTest, NoNetworkNoProgramNoProcess) {
  EXPECT_EQ(run([](const Whereabouts&) { return std::to_string(::socket(AF_INET, SOCK_STREAM, 0)); }).end.signal,
            SIGSYS);
  EXPECT_EQ(run([](const Whereabouts&) { return std::to_string(::execl("/bin/true", "true", nullptr)); }).end.signal,
            SIGSYS);
  EXPECT_EQ(run([](const Whereabouts&) { return std::to_string(::fork()); }).result, "-1");
  EXPECT_EQ(run([](const Whereabouts&) { return std::to_string(::kill(::getppid(), SIGTERM)); }).result, "-1");
}

TEST_F(SandboxedWorkTest, ACrashTellsWhereItWas) {
  if (kIsSanitized) GTEST_SKIP() << "sanitizers report crashes and lack of memory in their own way";
  const SandboxedEnd end = run([](const Whereabouts& where) -> std::string {
    where.be_at("#1 = POINT");
    where.be_at("#843 = ADVANCED_FACE");
    ::raise(SIGSEGV);
    return "";
  });
  EXPECT_FALSE(end.result);
  EXPECT_EQ(end.end.signal, SIGSEGV);
  EXPECT_EQ(end.place, "#843 = ADVANCED_FACE");
  EXPECT_FALSE(end.lacked_memory);
}

TEST_F(SandboxedWorkTest, FilesThatAreOpenCanBeKept) {
  const int file = ::open(path("closed/file").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  const auto work = [&](const Whereabouts&) {
    std::string text(6, '?');
    return ::pread(file, text.data(), text.size(), 0) < 0 ? "closed" : text;
  };
  SandboxedOrder order{{path("open")}, 0};
  order.keeps_files = true;
  EXPECT_EQ(run_sandboxed(order, work).result, "secret");
  EXPECT_NE(run(work).result, "secret");
  ::close(file);
}

TEST_F(SandboxedWorkTest, NothingIsHeardOfASilentOne) {
  if (kIsSanitized) GTEST_SKIP() << "sanitizers report crashes and lack of memory in their own way";
  SandboxedOrder order;
  order.is_silent = true;
  testing::internal::CaptureStderr();
  const SandboxedEnd end = run_sandboxed(order, [](const Whereabouts&) -> std::string {
    static_cast<void>(!::write(STDERR_FILENO, "noise", 5));
    std::abort();
  });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(end.end.signal, SIGABRT);
}

TEST_F(SandboxedWorkTest, PlacesAreCutAndMadePrintable) {
  const SandboxedEnd end = run([](const Whereabouts& where) {
    where.be_at("\x1b[2J" + std::string(1000, 'x'));
    return std::string();
  });
  EXPECT_LT(end.place.size(), Whereabouts::kMostBytes);
  EXPECT_THAT(end.place, HasSubstr("?[2Jxxx"));
}

TEST_F(SandboxedWorkTest, MemoryIsLimited) {
  if (kIsSanitized) GTEST_SKIP() << "sanitizers report crashes and lack of memory in their own way";
  const SandboxedEnd end = run([](const Whereabouts&) { return std::string(600 * kMegabytes, 'x'); });
  EXPECT_FALSE(end.result);
  EXPECT_TRUE(end.lacked_memory);
}

TEST_F(SandboxedWorkTest, OneThatGoesRoundInCirclesIsEnded) {
  SandboxedOrder order;
  order.seconds = 1.0;
  const SandboxedEnd end = run_sandboxed(order, [](const Whereabouts& where) {
    where.be_at("a circle");
    const volatile bool is_circle = true;
    while (is_circle) {
    }
    return std::string();
  });
  EXPECT_FALSE(end.result);
  EXPECT_TRUE(end.ran_out_of_time);
  EXPECT_EQ(end.end.signal, SIGXCPU);
  EXPECT_EQ(end.place, "a circle");
}

TEST_F(SandboxedWorkTest, ExceptionsAreNoResult) {
  const SandboxedEnd end = run([](const Whereabouts&) -> std::string { throw std::runtime_error("no luck"); });
  EXPECT_FALSE(end.result);
  EXPECT_GT(end.end.exit_code, 0);
  EXPECT_EQ(end.place, "no luck");
}

}  // namespace
}  // namespace gelenk::sandboxed_work_test
