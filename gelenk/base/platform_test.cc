#include "gelenk/base/platform.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace gelenk::platform_test {
namespace {

constexpr std::size_t kEnough = 1u << 20;

class Platform : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "gelenk-platform-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string content(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void put(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  mode_t mode(const std::string& name) const {
    struct stat status {};
    EXPECT_EQ(::stat(path(name).c_str(), &status), 0);
    return status.st_mode & 07777;
  }
  std::size_t file_count() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()));
  }

  std::filesystem::path folder_;
};

TEST_F(Platform, ReadsAFileWhole) {
  const std::string text = std::string(200'000, 'x') + std::string("\0end", 4);
  put("a", text);
  const ReadResult result = read_file(path("a"), kEnough);
  ASSERT_TRUE(result.text);
  EXPECT_EQ(*result.text, text);
  EXPECT_EQ(result.code, Code::none);
}

TEST_F(Platform, ReadsUpToTheLimit) {
  put("a", "12345");
  EXPECT_EQ(read_file(path("a"), 5).text, "12345");
  EXPECT_EQ(read_file(path("a"), 4).code, Code::file_too_large);
  put("empty", "");
  EXPECT_EQ(read_file(path("empty"), 0).text, "");
}

TEST_F(Platform, LimitsFilesThatHideTheirSize) {
  // Files of /proc say that they are empty.
  EXPECT_EQ(read_file("/proc/self/status", 10).code, Code::file_too_large);
  EXPECT_TRUE(read_file("/proc/self/status", kEnough).text.value_or("").starts_with("Name:"));
}

TEST_F(Platform, SaysWhyAFileCannotBeRead) {
  put("a", "");
  EXPECT_EQ(read_file(path("missing"), kEnough).code, Code::file_not_found);
  EXPECT_EQ(read_file(path("a/b"), kEnough).code, Code::file_not_found);
  EXPECT_EQ(read_file(folder_.string(), kEnough).code, Code::file_unreadable);
  EXPECT_EQ(read_file("/dev/zero", kEnough).code, Code::file_unreadable);
  EXPECT_FALSE(read_file(path("missing"), kEnough).reason.empty());
}

TEST_F(Platform, DoesNotWaitForAPipe) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_file(path("pipe"), kEnough).code, Code::file_unreadable);
}

TEST_F(Platform, WritesAndReplaces) {
  EXPECT_EQ(write_file_atomically(path("a"), "one"), "");
  EXPECT_EQ(content("a"), "one");
  EXPECT_EQ(write_file_atomically(path("a"), "two"), "");
  EXPECT_EQ(content("a"), "two");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(Platform, KeepsPermissionsAndLinks) {
  put("real", "old");
  ASSERT_EQ(::chmod(path("real").c_str(), 0640), 0);
  std::filesystem::create_symlink("real", path("link"));
  EXPECT_EQ(write_file_atomically(path("link"), "new"), "");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(content("real"), "new");
  EXPECT_EQ(mode("real"), 0640u);
}

TEST_F(Platform, WritesThroughALinkToNothing) {
  std::filesystem::create_symlink("later", path("link"));
  EXPECT_EQ(write_file_atomically(path("link"), "new"), "");
  EXPECT_EQ(content("later"), "new");
}

TEST_F(Platform, LeavesNothingBehindWhenWritingFails) {
  EXPECT_NE(write_file_atomically(folder_.string(), "x"), "");
  EXPECT_NE(write_file_atomically(path("missing/a"), "x"), "");
  std::filesystem::create_symlink("loop", path("loop"));
  EXPECT_NE(write_file_atomically(path("loop"), "x"), "");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(Platform, PrivateFilesAreForTheUserOnly) {
  EXPECT_EQ(create_private_file(path("key"), "secret"), "");
  EXPECT_EQ(content("key"), "secret");
  EXPECT_EQ(mode("key"), 0600u);
  EXPECT_EQ(create_private_file(path("key"), "another"), "File exists");
  EXPECT_EQ(content("key"), "secret");
  EXPECT_NE(create_private_file(path("missing/key"), "secret"), "");

  EXPECT_EQ(write_private_file_atomically(path("store"), "one"), "");
  EXPECT_EQ(mode("store"), 0600u);
  EXPECT_EQ(write_private_file_atomically(path("store"), "two"), "");
  EXPECT_EQ(content("store"), "two");
  EXPECT_EQ(mode("store"), 0600u);
  EXPECT_EQ(file_count(), 2u);
}

TEST_F(Platform, KnowsWhatLiesInsideAFolder) {
  std::filesystem::create_directories(folder_ / "in" / "deep");
  std::filesystem::create_directories(folder_ / "inside_not");
  std::filesystem::create_symlink(folder_ / "inside_not", folder_ / "in" / "way_out");
  EXPECT_TRUE(is_inside(path("in"), path("in")));
  EXPECT_TRUE(is_inside(path("in/deep/new.yaml"), path("in")));
  EXPECT_TRUE(is_inside(path("inside_not/../in/deep"), path("in")));
  EXPECT_FALSE(is_inside(path("inside_not/a"), path("in")));
  EXPECT_FALSE(is_inside(path("in/../a"), path("in")));
  EXPECT_FALSE(is_inside(path("in/way_out/a"), path("in")));
  EXPECT_FALSE(is_inside(path("in"), path("missing")));
}

TEST_F(Platform, FindsRealPaths) {
  put("a", "");
  std::filesystem::create_symlink("a", path("link"));
  EXPECT_EQ(real_path(path("./link")), real_path(path("a")));
  EXPECT_FALSE(real_path(path("missing")));
}

TEST_F(Platform, KnowsAPipeIsNoTerminal) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_FALSE(is_terminal(ends[0]));
  EXPECT_FALSE(terminal_width(ends[0]));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(Platform, FindsTheRunningProgram) {
  const std::optional<std::string> program = executable_path();
  ASSERT_TRUE(program);
  EXPECT_NE(program->find("test"), std::string::npos);
}

TEST_F(Platform, FollowsTheUsersSettings) {
  const char* before = std::getenv("XDG_CONFIG_HOME");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("XDG_CONFIG_HOME", "/somewhere", 1);
  EXPECT_EQ(user_config_dir(), "/somewhere/gelenk");
  ::setenv("XDG_CONFIG_HOME", "relative", 1);
  EXPECT_NE(user_config_dir(), "relative/gelenk");
  before == nullptr ? ::unsetenv("XDG_CONFIG_HOME") : ::setenv("XDG_CONFIG_HOME", kept.c_str(), 1);
}

}  // namespace
}  // namespace gelenk::platform_test
