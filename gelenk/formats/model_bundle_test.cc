#include "gelenk/formats/model_bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "gelenk/base/diagnostic_printer.h"
#include "gelenk/base/private_folder.h"

namespace gelenk::formats::model_bundle_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class ModelBundle : public testing::Test {
 protected:
  std::string write(const std::string& path, const std::string& text) const {
    fs::create_directories((folder_ / path).parent_path());
    std::ofstream(folder_ / path, std::ios::binary) << text;
    return (folder_ / path).string();
  }

  std::vector<BundledFile> bundle(const std::string& root) {
    loaded_ = load_model(root, {}, diagnostics_);
    EXPECT_FALSE(diagnostics_.has_errors()) << print_diagnostics(diagnostics_, loaded_.sources, {});
    return bundle_model(loaded_, diagnostics_);
  }
  std::string complaints() const { return print_diagnostics(diagnostics_, loaded_.sources, {}); }

  const PrivateFolder owned_;
  const fs::path folder_ = owned_.path();
  LoadedModel loaded_;
  Diagnostics diagnostics_;
};

constexpr const char* kCorner =
    "gelenk: 1\nparts: {arm: {mass: 1 kg, shape: {mesh: {file: ../shapes/arm.stl}}}}  # secret price\n";

TEST_F(ModelBundle, HasEveryFileOnceAndNoComment) {
  const std::string root =
      write("car.yaml",
            "# what the customer must not read\ngelenk: 1\nassemblies:\n  a: {use: parts/corner.yaml}\n"
            "  b: {use: parts/corner.yaml, modify: {parts.arm: {mass: 2 kg}}}\n"
            "  c: {use: parts/../parts/corner.yaml}\n");
  write("parts/corner.yaml", kCorner);
  write("shapes/arm.stl", "a mesh # as it is");
  const std::vector<BundledFile> files = bundle(root);
  ASSERT_EQ(complaints(), "");
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[0].path, "car.yaml");
  EXPECT_EQ(files[1].path, "parts/corner.yaml");
  EXPECT_EQ(files[2].path, "shapes/arm.stl");
  EXPECT_THAT(files[0].content, Not(HasSubstr("customer")));
  EXPECT_THAT(files[1].content, Not(HasSubstr("secret")));
  EXPECT_EQ(files[2].content, "a mesh # as it is");
  EXPECT_EQ(find_bundled(files, "parts/../shapes/./arm.stl"), &files[2]);
  EXPECT_EQ(find_bundled(files, "arm.stl"), nullptr);
}

TEST_F(ModelBundle, RefusesMeshesFromElsewhere) {
  write("shapes/arm.stl", "a mesh");
  const std::string root = write("parts/corner.yaml", kCorner);
  bundle(root);
  EXPECT_THAT(complaints(), HasSubstr("'../shapes/arm.stl' is outside the folder of the model"));
}

TEST_F(ModelBundle, RefusesAbsolutePathsAlsoIntoItsOwnFolder) {
  const std::string corner = write("corner.yaml", "gelenk: 1\nparts: {arm: {mass: 1 kg}}\n");
  const std::string root = write("car.yaml", "gelenk: 1\nassemblies: {a: {use: " + corner + "}}\n");
  bundle(root);
  EXPECT_THAT(complaints(), HasSubstr("from the folder of the model alone, there is no file"));
}

TEST_F(ModelBundle, RefusesTheWayAroundThroughAFolderAbove) {
  write("car/corner.yaml", "gelenk: 1\nparts: {arm: {mass: 1 kg}}\n");
  const std::string root = write("car/car.yaml", "gelenk: 1\nassemblies: {a: {use: ../car/corner.yaml}}\n");
  bundle(root);
  EXPECT_THAT(complaints(), HasSubstr("../car/corner.yaml"));
}

}  // namespace
}  // namespace gelenk::formats::model_bundle_test
