#pragma once

#include <gtest/gtest.h>

#include <filesystem>

namespace gelenk::cad {

// A test with a folder of its own, which goes with it.
class InFolder : public testing::Test {
 protected:
  InFolder()
      : folder_(std::filesystem::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::create_directories(folder_);
  }
  ~InFolder() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace gelenk::cad
