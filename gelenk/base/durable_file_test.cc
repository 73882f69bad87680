#include "gelenk/base/durable_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gelenk/base/platform.h"

namespace gelenk::durable_file_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::size_t kMostBytes = 1u << 24;

// No file of this process grows beyond the limit as long as this lives: a full disk that needs no disk.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit now = before_;
    now.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~SizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

class DurableFile : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = fs::path(testing::TempDir()) / (name + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const char* name) const { return (folder_ / name).string(); }
  std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(DurableFile, BytesArriveAsTheyAreAndReplaceOldOnes) {
  const std::string bytes("a\0\xff\n", 4);
  EXPECT_EQ(write_durably(file("a"), "before"), "");
  EXPECT_EQ(write_durably(file("a"), bytes), "");
  EXPECT_EQ(read_file(file("a"), kMostBytes).text, bytes);
  EXPECT_EQ(file_count(), 1U);
}

TEST_F(DurableFile, FullDiskLeavesTheOldFileAndNothingElse) {
  constexpr rlim_t kLimit = 100'000;
  ASSERT_EQ(write_durably(file("a"), "before"), "");
  {
    const SizeLimit limit(kLimit);
    EXPECT_THAT(write_durably(file("a"), std::string(2 * kLimit, 'x')),
                testing::AllOf(HasSubstr(file("a")), HasSubstr("File too large")));
  }
  EXPECT_EQ(read_file(file("a"), kMostBytes).text, "before");
  EXPECT_EQ(file_count(), 1U);
}

TEST_F(DurableFile, UnwritablePlacesAreSentences) {
  EXPECT_THAT(write_durably(file("no/such/file"), "x"), HasSubstr("there is no folder"));
  EXPECT_THAT(write_durably(folder_.string(), "x"), HasSubstr("Is a directory"));
}

TEST_F(DurableFile, SyncOfWhatIsThereAndOfWhatIsNot) {
  std::ofstream(file("a")) << "content";
  EXPECT_EQ(sync_file(file("a")), "");
  EXPECT_THAT(sync_file(file("b")), testing::AllOf(HasSubstr("b' cannot be"), HasSubstr("No such file")));
}

}  // namespace
}  // namespace gelenk::durable_file_test
