#include "gelenk/base/memory_guard.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <thread>

namespace gelenk::memory_guard_test {
namespace {

constexpr const char* kSentence = "not enough memory: needs (about|more than) [0-9]+ MB, has [0-9]+ MB";

TEST(MemoryGuardDeathTest, TheEndHasACodeAndASentence) {
  EXPECT_EXIT(end_without_memory(1000), testing::ExitedWithCode(kMemoryExitCode), kSentence);
  EXPECT_EXIT(end_without_memory(std::size_t{1} << 45), testing::ExitedWithCode(kMemoryExitCode),
              "needs about [0-9]+ MB");
}

TEST(MemoryGuardDeathTest, AnExceptionThatNobodyCatchesEndsTheSameWay) {
  const auto throw_in_thread = [] {
    guard_memory();
    std::thread([] { throw std::bad_alloc(); }).join();
  };
  EXPECT_EXIT(throw_in_thread(), testing::ExitedWithCode(kMemoryExitCode), kSentence);
}

TEST(MemoryGuardDeathTest, LowMeansThatTheReserveIsGone) {
  const auto fail_once = [] {
    guard_memory();
    if (is_memory_low()) std::_Exit(1);
    note_failed_allocation(1);
    std::_Exit(is_memory_low() ? 0 : 2);
  };
  EXPECT_EXIT(fail_once(), testing::ExitedWithCode(0), "");
}

TEST(MemoryGuardDeathTest, TheLastWordsAreInTheFile) {
  const std::string path = ::testing::TempDir() + "memory_guard_test.txt";
  std::ofstream(path) << std::string(100, '.');
  const auto end = [&] {
    LastWords words;
    words.arm(path, {10, 8}, "failed", {20, 70});
    end_without_memory(1);
  };
  EXPECT_EXIT(end(), testing::ExitedWithCode(kMemoryExitCode), "");
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(text.substr(0, 10), "..........");
  EXPECT_EQ(text.substr(10, 8), std::string("failed\0\0", 8));
  EXPECT_EQ(text.substr(18, 27), "..not enough memory: needs ");
  EXPECT_EQ(text.substr(90), "..........");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace gelenk::memory_guard_test
