#include "gelenk/base/new_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "gelenk/base/private_folder.h"

namespace gelenk::new_file_test {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class NewFileTest : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::ptrdiff_t count_files() const {
    return std::distance(std::filesystem::directory_iterator(folder_.path()), std::filesystem::directory_iterator());
  }

  const PrivateFolder folder_;
};

TEST_F(NewFileTest, HasANameOnlyWhenItIsComplete) {
  {
    NewFile file(path("a"));
    EXPECT_TRUE(file.write("some"));
    EXPECT_EQ(count_files(), 0) << "a kill would leave nothing";
    EXPECT_TRUE(file.write("thing"));
    EXPECT_EQ(file.put_in_place(), "");
  }
  EXPECT_EQ(text_of(path("a")), "something");
  EXPECT_EQ(count_files(), 1);
}

TEST_F(NewFileTest, WhatIsNotPutInPlaceIsGone) {
  std::ofstream(path("a")) << "old";
  { EXPECT_TRUE(NewFile(path("a")).write("new")); }
  EXPECT_EQ(text_of(path("a")), "old");
  EXPECT_EQ(count_files(), 1);
}

TEST_F(NewFileTest, ReplacesOnlyWhenTold) {
  NewFile late(path("a"));
  late.write("late");
  NewFile early(path("a"));
  early.write("early");
  EXPECT_EQ(early.put_in_place(Existing::stays), "");
  EXPECT_EQ(late.put_in_place(Existing::stays), "File exists");
  EXPECT_EQ(text_of(path("a")), "early");
  NewFile third(path("a"));
  third.write("third");
  EXPECT_EQ(third.put_in_place(Existing::is_replaced), "");
  EXPECT_EQ(text_of(path("a")), "third");
  EXPECT_EQ(count_files(), 1);
}

TEST_F(NewFileTest, SaysWhatIsWrongWithThePlace) {
  EXPECT_THAT(NewFile(path("no/such/folder")).error(), testing::HasSubstr("there is no folder '"));
  EXPECT_EQ(NewFile(folder_.path()).error(), "Is a directory");
  EXPECT_EQ(NewFile("/dev/null").error(), "it is not an ordinary file");
  NewFile nowhere(path("no/such"));
  EXPECT_FALSE(nowhere.write("x"));
  EXPECT_THAT(nowhere.put_in_place(), testing::HasSubstr("there is no folder '"));
}

}  // namespace
}  // namespace gelenk::new_file_test
