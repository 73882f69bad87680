#include "gelenk/cad/readable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "gelenk/cad/folder_test_support.h"

namespace gelenk::cad::readable_test {
namespace {

using testing::UnorderedElementsAre;

class Readable : public InFolder {
 protected:
  std::string path(const std::string& name, const std::string& text = "x") const {
    const std::filesystem::path whole = std::filesystem::canonical(folder()) / name;
    std::filesystem::create_directories(whole.parent_path());
    if (!std::filesystem::exists(whole)) std::ofstream(whole) << text;
    return whole.string();
  }
  static formats::ImportRequest request(const std::string& file) {
    formats::ImportRequest result;
    result.file = file;
    return result;
  }
  std::string in(const char* name) const { return (std::filesystem::canonical(folder()) / name).string(); }
};

TEST_F(Readable, TheFolderOfADrawing) {
  EXPECT_THAT(readable_for(request(path("a/drawing.step"))), UnorderedElementsAre(in("a")));
}

TEST_F(Readable, TheFolderThatALinkLeadsTo) {
  const std::string file = path("far/drawing.step");
  std::filesystem::create_directories(in("a"));
  std::filesystem::create_symlink(file, in("a/link.step"));
  EXPECT_THAT(readable_for(request(in("a/link.step"))), UnorderedElementsAre(in("a"), in("far")));
}

TEST_F(Readable, WhatTheUserNamed) {
  formats::ImportRequest asked = request(path("a/drawing.step"));
  asked.joints_file = path("b/joints.yaml");
  asked.packages = {{"arm", in("c")}};
  EXPECT_THAT(readable_for(asked), UnorderedElementsAre(in("a"), in("b/joints.yaml"), in("c")));
}

TEST_F(Readable, MeshesOfARobotAndNoOtherFiles) {
  const std::string far = path("far/x.stl"), cloud = path("cloud/x.gltf");
  path("arm/meshes/y.stl");
  path("far/secret");
  const std::string robot = path("robots/arm.urdf", "<robot><mesh filename=\"file://" + far +
                                                        "\"/><mesh filename='package://arm/meshes/y.stl'/>"
                                                        "<mesh filename=\"file://" +
                                                        cloud + "\"/><mesh filename=\"none.stl\"/><mesh filename=\"");
  EXPECT_THAT(readable_for(request(robot)),
              UnorderedElementsAre(in("robots"), far, in("arm/meshes/y.stl"), in("cloud")));
}

TEST_F(Readable, DrawingsThatPartsAreTakenFrom) {
  formats::StepRequest asked;
  asked.root.children.resize(2);
  asked.root.children[0].shape.emplace().source = path("a/one.step");
  asked.root.children[1].children.resize(1);
  asked.root.children[1].children[0].shape.emplace().source = path("b/two.step");
  EXPECT_THAT(readable_for(asked), UnorderedElementsAre(in("a"), in("b")));
}

}  // namespace
}  // namespace gelenk::cad::readable_test
