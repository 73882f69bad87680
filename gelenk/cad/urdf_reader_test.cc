#include "gelenk/cad/urdf_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "gelenk/cad/folder_test_support.h"

namespace gelenk::cad::urdf_reader_test {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr double kRounding = 1e-12;

class UrdfReader : public InFolder {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  formats::ImportedModel read(const std::string& inside, const UrdfOptions& options = {}) const {
    std::string error;
    std::optional<formats::ImportedModel> model = read_urdf(
        write("robot.urdf", "<robot name=\"Test Robot\">" + inside + "</robot>"), options, [](std::string_view) {},
        error);
    EXPECT_EQ(error, "");
    return model ? *std::move(model) : formats::ImportedModel{};
  }
  std::string error_of(const std::string& text, const UrdfOptions& options = {}) const {
    std::string error;
    EXPECT_FALSE(read_urdf(
        write("robot.urdf", text), options, [](std::string_view) {}, error));
    return error;
  }
};

std::string inertial(double mass, const std::string& origin = "0 0 0") {
  const std::string moment = std::to_string(0.01 * mass);
  return "<inertial><origin xyz=\"" + origin + "\" rpy=\"0 0 0\"/><mass value=\"" + std::to_string(mass) +
         "\"/><inertia ixx=\"" + moment + "\" ixy=\"0\" ixz=\"0\" iyy=\"" + moment + "\" iyz=\"0\" izz=\"" + moment +
         "\"/></inertial>";
}

std::string link(const std::string& name, const std::string& content) {
  return "<link name=\"" + name + "\">" + content + "</link>";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& more = "", const std::string& origin = "xyz=\"0 0 0\" rpy=\"0 0 0\"") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/><origin " + origin + "/>" + more + "</joint>";
}

const std::string kLimits = "<limit lower=\"-1\" upper=\"2\" effort=\"30\" velocity=\"4\"/>";

TEST_F(UrdfReader, JointsHaveTheirAxesLimitsAndPlaces) {
  const formats::ImportedModel model =
      read(link("base", inertial(5)) + link("Upper Arm", inertial(2, "0 0 0.1")) + link("slide", inertial(1)) +
           joint("shoulder", "revolute", "base", "Upper Arm",
                 "<axis xyz=\"0 1 0\"/><dynamics damping=\"0.1\" friction=\"0.2\"/>" + kLimits,
                 "xyz=\"0 0 0.5\" rpy=\"0 0 1.5707963267948966\"") +
           joint("lift", "prismatic", "Upper Arm", "slide", "<axis xyz=\"1 0 0\"/>" + kLimits,
                 "xyz=\"1 0 0\" rpy=\"0 0 0\""));
  ASSERT_EQ(model.parts.size(), 3u);
  EXPECT_EQ(model.assemblies.front().children[1].name, "upper_arm");
  ASSERT_EQ(model.joints.size(), 2u);
  const formats::ImportedJoint& shoulder = model.joints[0];
  EXPECT_EQ(shoulder.type, "revolute");
  ASSERT_EQ(shoulder.limits.size(), 1u);
  EXPECT_EQ(shoulder.limits[0].coordinate, "angle");
  EXPECT_EQ(*shoulder.limits[0].min, -1.0);
  EXPECT_EQ(*shoulder.limits[0].max, 2.0);
  // Turned by 90° about z, the axis y of the joint is -x of the base.
  EXPECT_LE((shoulder.ends[0].frame.rotation.col(2) - Vector3(-1, 0, 0)).norm(), kRounding);
  EXPECT_LE((shoulder.ends[1].frame.rotation.col(2) - Vector3(0, 1, 0)).norm(), kRounding);
  EXPECT_THAT(shoulder.details, Contains(testing::Pair("damping", "0.1 N*m*s/rad")));
  EXPECT_THAT(shoulder.details, Contains(testing::Pair("friction", "0.2 N*m")));
  EXPECT_THAT(shoulder.details, Contains(testing::Pair("most_effort", "30 N*m")));
  const std::vector<formats::ImportedLeaf> placed = leaves(model);
  EXPECT_LE((placed[2].X_WP.position - Vector3(0, 1, 0.5)).norm(), kRounding);
  // Both sides of every joint are at one place as drawn.
  for (const formats::ImportedJoint& one : model.joints) {
    const Pose a = placed[one.ends[0].path.front()].X_WP * one.ends[0].frame;
    const Pose b = placed[one.ends[1].path.front()].X_WP * one.ends[1].frame;
    EXPECT_LE((a.position - b.position).norm(), kRounding);
    EXPECT_LE((a.rotation - b.rotation).norm(), kRounding);
  }
}

TEST_F(UrdfReader, FixedLinksBecomeOnePart) {
  const formats::ImportedModel model = read(
      link("base", inertial(1)) + link("plate", inertial(3, "0 0 1")) + link("camera", "") + link("dot", inertial(0)) +
      joint("a", "fixed", "base", "plate", "", "xyz=\"2 0 0\" rpy=\"1.5707963267948966 0 0\"") +
      joint("b", "fixed", "plate", "camera") + joint("c", "fixed", "base", "dot"));
  ASSERT_EQ(model.parts.size(), 1u);
  EXPECT_NEAR(model.parts[0].mass.mass, 4.0, kRounding);
  // The plate's center: turned by 90° about x, its z is -y.
  EXPECT_LE((model.parts[0].mass.center - 0.75 * Vector3(2, -1, 0)).norm(), kRounding);
  const Matrix3 expected = Matrix3::Identity() * 0.04 + point_inertia(0.75, Vector3(2, -1, 0));
  EXPECT_LE((model.parts[0].mass.inertia - expected).norm(), kRounding);
  EXPECT_EQ(model.notes.size(), 1u);
  EXPECT_THAT(model.notes, Contains(HasSubstr("'dot' has mass 0")));
}

TEST_F(UrdfReader, AnImpossibleInertiaIsTold) {
  const std::string odd =
      "<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"9\"/></inertial>";
  EXPECT_THAT(read(link("base", odd)).notes, Contains(HasSubstr("'base' has an inertia that no body can have")));
}

TEST_F(UrdfReader, AMovingLinkWithoutAMassGetsOneAndABaseDoesNotUnlessItMoves) {
  const std::string robot = link("world", "") + link("arm", inertial(1)) +
                            joint("hinge", "continuous", "world", "arm", "<axis xyz=\"0 0 1\"/>");
  EXPECT_THAT(read(robot).notes, Contains(HasSubstr("link 'world', has no mass")));
  EXPECT_TRUE(read(robot).joints[0].limits.empty()) << "it turns without end";
  EXPECT_THAT(
      read(robot, {{}, false}).notes,
      Contains("link 'world' moves but has no mass: 0.001 kg is assumed, because nothing of it is drawn (--mass "
               "'world=MASS')"));
  const std::string box = "<visual><geometry><box size=\"0.1 0.2 0.3\"/></geometry></visual>";
  const formats::ImportedModel drawn =
      read(link("base", inertial(1)) + link("arm", box) + joint("hinge", "revolute", "base", "arm", kLimits));
  EXPECT_NEAR(drawn.parts[1].mass.mass, 6.0, kRounding);
  EXPECT_NEAR(drawn.parts[1].mass.inertia(0, 0), 6.0 * (0.04 + 0.09) / 12.0, kRounding);
  EXPECT_THAT(drawn.notes, Contains(HasSubstr("6 kg is assumed, its shape at 1000 kg/m^3")));
}

TEST_F(UrdfReader, AnInertiaOfZeroBecomesThatOfTheShape) {
  const std::string point =
      "<inertial><mass value=\"2\"/><inertia ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" izz=\"0\"/></inertial>";
  const std::string box = "<visual><geometry><box size=\"0.1 0.2 0.3\"/></geometry></visual>";
  const formats::ImportedModel model = read(link("base", point + box));
  EXPECT_NEAR(model.parts[0].mass.mass, 2.0, kRounding);
  EXPECT_NEAR(model.parts[0].mass.inertia(2, 2), 2.0 * (0.01 + 0.04) / 12.0, kRounding);
  EXPECT_THAT(model.notes, Contains("part 'base': its inertia is assumed to be that of its shape"));
  // Nothing drawn: a ball of 1000 kg/m³.
  const double radius = std::cbrt(0.75 * 2.0 / (std::numbers::pi * 1000.0));
  EXPECT_NEAR(read(link("base", point)).parts[0].mass.inertia(0, 0), 0.8 * radius * radius, kRounding);
}

// What other programs read as well.
TEST_F(UrdfReader, OddDescriptionsAreMended) {
  const auto visual = [](const std::string& material) {
    return "<visual><geometry><box size=\"1 1 1\"/></geometry>" + material + "</visual>";
  };
  const formats::ImportedModel model = read(
      "<material name=\"red\"><color rgba=\"1 0 0 1\"/></material><material name=\"red\"><color rgba=\"1 0 0 "
      "1\"/></material>" +
      link("base", inertial(1) + visual("<material><color rgba=\"0 1 0 1\"/></material>") +
                       visual("<material name=\"nowhere\"/>") + visual("<material name=\"red\"/>") +
                       "<visual><geometry/></visual>") +
      link("arm", "<inertial><origin xyz=\"0 0 0\"/></inertial>" + visual("")) +
      link("hand", "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>") +
      joint("hinge", "revolute", "base", "arm", "<axis xyz=\"0 0 1\"/>") +
      joint("slide", "prismatic", "arm", "hand", "<axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\"/>"));
  ASSERT_EQ(model.joints.size(), 2u);
  EXPECT_TRUE(model.joints[0].limits.empty());
  EXPECT_EQ(*model.joints[1].limits[0].max, 1.0);
  ASSERT_TRUE(model.parts[0].color);
  EXPECT_EQ((*model.parts[0].color)[1], 1.0);
  EXPECT_NEAR(model.parts[1].mass.mass, 1000.0, 1e-9);
  for (const char* note :
       {"joint 'hinge' has no limits: it moves freely", "link 'arm' has an <inertial> without a mass",
        "link 'base' has a <visual> without a shape"}) {
    EXPECT_THAT(model.notes, Contains(note));
  }
}

TEST_F(UrdfReader, NumbersAndLimitsAsPeopleWriteThem) {
  const formats::ImportedModel model =
      read(link("base", inertial(1) + "<visual><geometry><capsule radius=\"0.1\" length=\"1.\"/></geometry></visual>") +
           link("arm", inertial(1)) +
           joint("slide", "prismatic", "base", "arm", "<axis xyz=\"0, 0, 1.\"/><limit lower=\"1\" upper=\"-2.\"/>"));
  EXPECT_EQ(*model.joints[0].limits[0].min, -2.0);
  EXPECT_EQ(*model.joints[0].limits[0].max, 1.0);
  EXPECT_NEAR(geometry::bounds(model.parts[0].mesh).upper.z(), 0.5, kRounding);
  EXPECT_THAT(model.notes, testing::ElementsAre("a capsule of link 'base' is drawn as a cylinder",
                                                "the limits of joint 'slide' are reversed: they are exchanged"));
}

TEST_F(UrdfReader, XacroIsToBeExpandedFirst) {
  EXPECT_THAT(read("<xacro:macro name=\"m\"><link name=\"${n}\"/></xacro:macro>" + link("a", inertial(1))).parts.size(),
              testing::Eq(1u))
      << "what is only defined does nothing";
  EXPECT_THAT(error_of("<robot name=\"r\"><link name=\"${n}\"/></robot>"), HasSubstr("is written in xacro"));
  EXPECT_THAT(error_of("<robot name=\"r\" xmlns:xacro=\"x\"><link name=\"a\"><xacro:box/></link></robot>"),
              HasSubstr("is written in xacro: expand it first, with `xacro FILE > robot.urdf`"));
}

TEST_F(UrdfReader, FollowersAreKept) {
  const formats::ImportedModel model =
      read(link("hand", inertial(1)) + link("left", inertial(1)) + link("right", inertial(1)) +
           joint("finger_1", "prismatic", "hand", "left", "<axis xyz=\"0 1 0\"/>" + kLimits) +
           joint("finger_2", "prismatic", "hand", "right",
                 "<axis xyz=\"0 -1 0\"/><mimic joint=\"finger_1\" multiplier=\"0.5\" offset=\"0.01\"/>" + kLimits));
  ASSERT_EQ(model.couplers.size(), 1u);
  EXPECT_EQ(model.couplers[0].first, "finger_1.travel");
  EXPECT_EQ(model.couplers[0].second, "finger_2.travel");
  EXPECT_EQ(model.couplers[0].ratio, 0.5);
  EXPECT_EQ(model.couplers[0].offset, 0.01);
}

TEST_F(UrdfReader, ShapesAndMeshesAreDrawn) {
  const std::string stl =
      "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1000 0 0\nvertex 0 1000 "
      "0\nendloop\nendfacet\nendsolid t\n";
  write("meshes/part.stl", stl);
  write("my_robot/meshes/far.stl", stl);
  const auto visual = [](const std::string& shape) { return "<visual><geometry>" + shape + "</geometry></visual>"; };
  const std::string mesh = "<mesh filename=\"meshes/part.stl\" scale=\"0.001 0.001 0.001\"/>";
  const std::string packaged = "<mesh filename=\"package://my_robot/meshes/far.stl\"/>";
  const std::string missing = "<mesh filename=\"package://nowhere/x.stl\"/>";
  const formats::ImportedModel model =
      read(link("base", inertial(1) + visual("<cylinder radius=\"0.1\" length=\"2\"/>")) + link("b", visual(mesh)) +
           link("c", visual(packaged)) + link("d", visual(missing)) + joint("j", "fixed", "base", "b") +
           joint("k", "fixed", "base", "c") + joint("l", "fixed", "base", "d"));
  const geometry::Bounds box = geometry::bounds(model.parts[0].mesh);
  EXPECT_NEAR(box.lower.z(), -1.0, kRounding) << "a cylinder around its middle";
  EXPECT_NEAR(box.upper.x(), 1000.0, 1e-4) << "the mesh of the package, in its own unit";
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_THAT(model.notes[0], HasSubstr("1 mesh is not found and not drawn, the first is 'package://nowhere/x.stl'"));

  const std::string there = write("elsewhere/x.stl", stl);
  const formats::ImportedModel named = read(link("base", inertial(1) + visual(missing)),
                                            {{{"nowhere", std::filesystem::path(there).parent_path().string()}}, true});
  EXPECT_TRUE(named.notes.empty());
  EXPECT_EQ(named.parts[0].mesh.triangles.size(), 1u);
}

TEST_F(UrdfReader, SaysWhatIsWrong) {
  std::string error;
  EXPECT_FALSE(read_urdf((folder() / "none.urdf").string(), {}, [](std::string_view) {}, error));
  EXPECT_THAT(error, HasSubstr("cannot be read"));
  EXPECT_THAT(error_of(""), HasSubstr("is not a robot description"));
  EXPECT_THAT(error_of("<robot name=\"r\"><link name=\"a\">"), HasSubstr("is not a robot description"));
  EXPECT_THAT(error_of("<robot name=\"r\"></robot>"), HasSubstr("is not a robot description"));
  EXPECT_THAT(error_of("<robot name=\"r\">" + link("a", inertial(1)) + link("a", inertial(1)) + "</robot>"),
              HasSubstr("not unique"));
  EXPECT_THAT(error_of("<robot name=\"r\">" + link("a", inertial(1)) + link("b", inertial(1)) +
                       joint("j", "revolute", "a", "b", "<axis xyz=\"0 0 0\"/>" + kLimits) + "</robot>"),
              HasSubstr("joint 'j' has no axis"));
}

}  // namespace
}  // namespace gelenk::cad::urdf_reader_test
