#include "gelenk/base/private_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace gelenk::private_folder_test {
namespace {

namespace fs = std::filesystem;

TEST(PrivateFolder, IsForOneUserAndGoesWithItsFiles) {
  std::string path;
  {
    const PrivateFolder folder, other;
    path = folder.path();
    ASSERT_FALSE(path.empty()) << folder.error();
    EXPECT_NE(path, other.path());
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    fs::create_directory(fs::path(path) / "inside");
    std::ofstream(fs::path(path) / "inside" / "file") << "text";
  }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace gelenk::private_folder_test
