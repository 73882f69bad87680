#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "gelenk/base/private_folder.h"

namespace gelenk::cad {

// A test with a folder of its own, which goes with it.
class InFolder : public testing::Test {
 protected:
  const std::filesystem::path& folder() const { return folder_; }

 private:
  const PrivateFolder owned_;
  const std::filesystem::path folder_ = owned_.path();
};

}  // namespace gelenk::cad
