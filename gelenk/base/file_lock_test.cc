#include "gelenk/base/file_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "gelenk/base/private_folder.h"

namespace gelenk::file_lock_test {
namespace {

class FileLockTest : public ::testing::Test {
 protected:
  FileLockTest() { std::ofstream(path_) << "text"; }

  // Of its own: tests of one fixture run at the same time.
  const PrivateFolder folder_;
  const std::string path_ = folder_.path() + "/file.txt";
};

TEST_F(FileLockTest, HeldByOneOrSeveralUntilTheLastLetsGo) {
  EXPECT_EQ(overwrite_obstacle(path_), "");
  auto first = std::make_unique<SharedFileLock>(path_);
  auto second = std::make_unique<SharedFileLock>(path_);
  EXPECT_EQ(overwrite_obstacle(path_), "another program has it open");
  first.reset();
  EXPECT_EQ(overwrite_obstacle(path_), "another program has it open");
  second.reset();
  EXPECT_EQ(overwrite_obstacle(path_), "");
}

TEST_F(FileLockTest, OnlyOneMayWrite) {
  WriterLock first;
  ASSERT_EQ(first.take(path_, false), "");
  EXPECT_EQ(overwrite_obstacle(path_), "another program has it open");
  EXPECT_FALSE(is_file_in_use(path_));
  {
    const SharedFileLock reader(path_);
    EXPECT_TRUE(is_file_in_use(path_)) << "readers are not kept out";
  }
  WriterLock second;
  EXPECT_EQ(second.take(path_, true), "another program has it open");
  first.release();
  {
    const SharedFileLock reader(path_);
    EXPECT_EQ(second.take(path_, true), "another program has it open");
  }
  EXPECT_EQ(second.take(path_, true), "");
}

TEST_F(FileLockTest, AWriterMayCreateItsFile) {
  const std::string fresh = path_ + ".new";
  WriterLock lock;
  EXPECT_EQ(lock.take(fresh, false), "No such file or directory");
  EXPECT_EQ(lock.take(fresh, true), "");
  EXPECT_TRUE(std::filesystem::is_empty(fresh));
  std::filesystem::remove(fresh);
  WriterLock other;
  EXPECT_EQ(other.take(fresh, true), "") << "another file of that name";
  std::filesystem::remove(fresh);
}

TEST_F(FileLockTest, InUseMeansThisLockOnly) {
  EXPECT_FALSE(is_file_in_use(path_));
  {
    const SharedFileLock lock(path_);
    EXPECT_TRUE(is_file_in_use(path_));
    EXPECT_TRUE(is_file_in_use(path_)) << "asking lets nothing go";
  }
  EXPECT_FALSE(is_file_in_use(path_));
  const int other = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(other, LOCK_SH | LOCK_NB), 0);
  EXPECT_FALSE(is_file_in_use(path_));
  EXPECT_NE(overwrite_obstacle(path_), "");
  ::close(other);
  EXPECT_FALSE(is_file_in_use(path_ + ".none"));
}

TEST_F(FileLockTest, AskingChangesNothing) {
  EXPECT_EQ(overwrite_obstacle(path_), "");
  std::ifstream file(path_);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(text, "text");
}

TEST_F(FileLockTest, WhatTheSystemSays) {
  EXPECT_EQ(overwrite_obstacle(path_ + ".none"), "No such file or directory");
  EXPECT_EQ(overwrite_obstacle(folder_.path()), "Is a directory");
  const SharedFileLock nothing(path_ + ".none");
  EXPECT_FALSE(std::filesystem::exists(path_ + ".none"));
}

}  // namespace
}  // namespace gelenk::file_lock_test
