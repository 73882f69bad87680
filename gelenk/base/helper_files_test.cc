#include "gelenk/base/helper_files.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "gelenk/base/platform.h"

namespace gelenk::helper_files_test {
namespace {

using testing::HasSubstr;

constexpr HelperFile kHelper{"gelenk-of-this-test", "is made by a test", "nothing"};

TEST(HelperFiles, BesideTheProgramOrInLibexec) {
  const std::filesystem::path folder = std::filesystem::path(*executable_path()).parent_path();
  EXPECT_EQ(installed_places("x"),
            (std::vector<std::string>{(folder / "x").string(), (folder.parent_path() / "libexec" / "x").string()}));
}

TEST(HelperFiles, WhatIsMissingIsToldWithItsPlaces) {
  EXPECT_EQ(installed_file(std::string(kHelper.name)), "");
  const MissingHelper missing = missing_helper(kHelper);
  EXPECT_THAT(missing.message, HasSubstr("gelenk-of-this-test, which is made by a test, is missing"));
  for (const std::string& place : installed_places(kHelper.name)) {
    EXPECT_THAT(missing.message, HasSubstr("'" + place + "'"));
  }
  EXPECT_THAT(missing.hint, HasSubstr("./dev build"));
  EXPECT_THAT(missing.hint, HasSubstr("gelenk doctor"));
}

TEST(HelperFiles, TheFirstPlaceIsFound) {
  const std::string place = installed_places(kHelper.name).front();
  std::ofstream(place) << "x";
  EXPECT_EQ(installed_file(std::string(kHelper.name)), place);
  std::filesystem::remove(place);
}

}  // namespace
}  // namespace gelenk::helper_files_test
