#include "gelenk/base/file_watch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "gelenk/base/private_folder.h"

namespace gelenk::file_watch_test {
namespace {

namespace fs = std::filesystem;

class FileWatchTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  void put(const std::string& name, const std::string& text) const {
    // Clocks of files tick every few milliseconds: what is written at once after a look has the same time.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::ofstream(path(name)) << text;
  }
  // The first look sees the change, the second one that it is over.
  bool has_come_to_rest() {
    EXPECT_FALSE(watch_.has_changed());
    return watch_.has_changed();
  }

  PrivateFolder folder_;
  FileWatch watch_;
};

TEST_F(FileWatchTest, NothingHappensToFilesThatNobodyTouches) {
  put("a", "one");
  watch_.add(path("a"));
  watch_.add(path("missing"));
  for (int look = 0; look < 3; ++look) EXPECT_FALSE(watch_.has_changed());
}

TEST_F(FileWatchTest, AnotherTextOfTheSameLengthIsSeen) {
  put("a", "one");
  watch_.add(path("a"));
  put("a", "two");
  EXPECT_TRUE(has_come_to_rest());
  EXPECT_TRUE(watch_.has_changed()) << "until it is read again";
}

TEST_F(FileWatchTest, AFileThatTakesTheNameOfTheOldOneIsSeen) {
  put("a", "one");
  put("new", "two");
  fs::last_write_time(path("new"), fs::last_write_time(path("a")));
  watch_.add(path("a"));
  fs::rename(path("new"), path("a"));
  EXPECT_TRUE(has_come_to_rest());
}

TEST_F(FileWatchTest, AFileThatGoesIsSeenAndSoIsItsReturn) {
  put("a", "one");
  watch_.add(path("a"));
  fs::remove(path("a"));
  EXPECT_TRUE(has_come_to_rest());
  watch_ = {};
  watch_.add(path("a"));
  EXPECT_FALSE(watch_.has_changed());
  put("a", "one");
  EXPECT_TRUE(has_come_to_rest());
}

TEST_F(FileWatchTest, AFileThatIsBeingWrittenIsWaitedFor) {
  put("a", "one");
  put("b", "one");
  watch_.add(path("a"));
  watch_.add(path("b"));
  for (const char* text : {"o", "on", "one more"}) {
    put("b", text);
    EXPECT_FALSE(watch_.has_changed());
  }
  EXPECT_TRUE(watch_.has_changed());
}

TEST_F(FileWatchTest, AFileThatIsReadTwiceCountsFromTheFirstTime) {
  put("a", "one");
  watch_.add(path("a"));
  put("a", "other");
  watch_.add(path("a"));
  EXPECT_EQ(watch_.size(), 1U);
  EXPECT_TRUE(has_come_to_rest());
}

}  // namespace
}  // namespace gelenk::file_watch_test
