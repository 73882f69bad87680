#include "gelenk/export/scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gelenk/base/json_reader.h"
#include "gelenk/export/scene_shapes.h"
#include "gelenk/export/scene_test_support.h"
#include "gelenk/geometry/glb_writer.h"
#include "gelenk/geometry/tessellate.h"

namespace gelenk::exporting::scene_test {
namespace {

using Kind = SceneShape::Kind;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;
using testing::Pair;

constexpr double kClose = 1e-12;

// The end of a rod along z of its shape, in part axes.
Vector3 end_of(const SceneShape& rod, double sign) { return rod.X_PS * Vector3(0.0, 0.0, 0.5 * sign * rod.length); }

// S3-35: shapes.
TEST(Scene, ShapesOfThePartsComeCentered) {
  const DrawnScene drawing = drawn(R"(parts:
  rod: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, shape: {cylinder: {radius: 0.1, from: [1, 0, 0], to: [3, 0, 0]}}}
  ball: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, shape: {sphere: {radius: 0.2, at: [0, 5, 0]}}}
  pin:
    mass: 1
    inertia: {xx: 1, yy: 1, zz: 1}
    shape: [{cone: {radius: 0.2, end_radius: 0.1, length: 0.5}}, {capsule: {radius: 0.1, length: 0.5}}, {box: {size: [1, 2, 3]}}]
)");
  const SceneShape& rod = drawing.part("rod").shapes.at(0);
  EXPECT_EQ(rod.kind, Kind::cylinder);
  EXPECT_NEAR((rod.X_PS.position - Vector3(2, 0, 0)).norm(), 0.0, kClose);
  EXPECT_NEAR((end_of(rod, 1.0) - Vector3(3, 0, 0)).norm(), 0.0, kClose);
  EXPECT_EQ(drawing.part("ball").shapes.at(0).X_PS.position, Vector3(0, 5, 0));
  const std::vector<SceneShape>& pin = drawing.part("pin").shapes;
  ASSERT_EQ(pin.size(), 3U);
  EXPECT_EQ(pin[0].kind, Kind::cone);
  EXPECT_EQ(pin[0].top, 0.1);
  EXPECT_EQ(pin[1].X_PS.position, Vector3(0, 0, 0.25));
  EXPECT_EQ(pin[2].size, Vector3(1, 2, 3));
  for (const ScenePart& part : drawing.scene.parts) EXPECT_FALSE(part.has_default_shape);
}

TEST(Scene, ABoreThroughACylinderIsSeenOtherHolesAreTold) {
  const DrawnScene drawing = drawn(R"(parts:
  bush:
    material: steel
    shape:
      - cylinder: {radius: 0.2, length: 1}
      - cylinder: {radius: 0.1, from: [0, 0, 1.1], to: [0, 0, -0.1], hole: true}
  block: {material: steel, shape: [{box: {size: [1, 1, 1]}}, {cylinder: {radius: 0.1, from: [0, 0, -1], to: [0, 0, 1], hole: true}}]}
  blind: {material: steel, shape: [{cylinder: {radius: 0.2, length: 1}}, {cylinder: {radius: 0.1, length: 0.5, hole: true}}]}
)");
  const SceneShape& bush = drawing.part("bush").shapes.at(0);
  ASSERT_EQ(bush.kind, Kind::mesh);
  const geometry::TriangleMesh& tube = *drawing.scene.meshes.at(bush.mesh).mesh;
  const double full = volume(geometry::Tube{0.2, 0.1, 1.0});
  EXPECT_NEAR(volume(tube), full, 0.01 * full);
  EXPECT_EQ(drawing.part("block").shapes.size(), 1U);
  EXPECT_THAT(drawing.part("block").data, Contains(Pair("holes", "1 not shown")));
  EXPECT_THAT(drawing.scene.notes, ElementsAre(HasSubstr("'block' has a hole"), HasSubstr("'blind' has a hole")));
}

TEST(Scene, AShapeMayHaveAColorOfItsOwn) {
  const DrawnScene drawing = drawn(R"(parts:
  wheel:
    mass: 1
    inertia: {xx: 1, yy: 1, zz: 1}
    shape:
      - {cylinder: {radius: 0.2, length: 1, color: "#336699"}}
      - {cylinder: {radius: 0.1, length: 1, hole: true, color: "#000000"}}
      - {sphere: {radius: 0.1}}
ground: {shape: {box: {size: [1, 1, 1], color: "#ff0000"}}}
)");
  const ScenePart& wheel = drawing.part("wheel");
  ASSERT_EQ(wheel.shapes.size(), 2U);
  EXPECT_THAT(wheel.shapes[0].color, Optional(Color{0.2, 0.4, 0.6})) << "that of the solid, not of the hole";
  EXPECT_EQ(wheel.shapes[1].color, std::nullopt);
  ASSERT_EQ(drawing.scene.ground_shapes.size(), 1U);
  EXPECT_THAT(drawing.scene.ground_shapes[0].color, Optional(Color{1.0, 0.0, 0.0}));
}

// S3-05: parts are shown though nobody drew them.
TEST(Scene, ARodStandsInBetweenTwoJoints) {
  const DrawnScene drawing = drawn(R"(parts:
  link: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, frames: {far: {at: [2, 0, 0]}}}
  end: {at: [2, 0, 0], mass: 1, center_of_mass: [0, 0, -0.5], inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}
joints:
  near: {type: revolute, between: [ground, link], axis: y}
  far: {type: revolute, between: [link.far, end], axis: y}
)");
  const ScenePart& link = drawing.part("link");
  ASSERT_EQ(link.shapes.size(), 1U);
  EXPECT_TRUE(link.has_default_shape);
  EXPECT_EQ(link.shapes[0].kind, Kind::capsule);
  EXPECT_NEAR((end_of(link.shapes[0], -1.0) - Vector3(2, 0, 0)).norm(), 0.0, kClose) << "named frames first";
  EXPECT_NEAR(end_of(link.shapes[0], 1.0).norm(), 0.0, kClose);
  EXPECT_GT(link.shapes[0].radius, 0.0);
  // Held at one point with its mass elsewhere: a body there, and a rod to it.
  const ScenePart& end = drawing.part("end");
  ASSERT_EQ(end.shapes.size(), 2U);
  EXPECT_EQ(end.shapes[0].kind, Kind::box);
  EXPECT_EQ(end.shapes[0].X_PS.position, Vector3(0, 0, -0.5));
  EXPECT_NEAR(end.shapes[1].length, 0.5, kClose);
  EXPECT_NE(link.color, end.color);
}

TEST(Scene, MorePointsAreAStarOrOneRod) {
  const char* frames =
      "  bar: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, frames: {a: {at: [0, 0, 0]}, b: {at: [1, 0, 0]}, c: {at: ";
  const DrawnScene line = drawn(std::string("parts:\n") + frames + "[3, 0, 0]}}}\n");
  ASSERT_EQ(line.part("bar").shapes.size(), 1U);
  EXPECT_NEAR(line.part("bar").shapes[0].length, 3.0, kClose);
  const DrawnScene plate = drawn(std::string("parts:\n") + frames + "[0, 2, 0]}}}\n");
  ASSERT_EQ(plate.part("bar").shapes.size(), 3U);
  for (const SceneShape& rod : plate.part("bar").shapes) {
    EXPECT_NEAR((end_of(rod, -1.0) - Vector3(1.0 / 3.0, 2.0 / 3.0, 0)).norm(), 0.0, kClose) << "from the middle";
  }
}

TEST(Scene, ABodyAloneLooksLikeItsInertia) {
  const DrawnScene disc = drawn("parts:\n  wheel: {mass: 2, inertia: {xx: 0.0104, yy: 0.02, zz: 0.0104}}\n");
  const SceneShape& wheel = disc.part("wheel").shapes.at(0);
  ASSERT_EQ(wheel.kind, Kind::cylinder);
  EXPECT_NEAR(std::abs(wheel.X_PS.rotation(1, 2)), 1.0, kClose) << "its axis is y";
  EXPECT_GT(wheel.radius, wheel.length);
  EXPECT_GT(disc.scene.size, 0.0);
  // A box of 1 x 2 x 3 with mass 12: J = m (b² + c²) / 12
  const Vector3 edges = inertia_box({12.0, Vector3::Zero(), Vector3(13.0, 10.0, 5.0).asDiagonal()});
  EXPECT_NEAR((edges - Vector3(1, 2, 3)).norm(), 0.0, kClose);
  // Never nothing, whatever the numbers are.
  const DrawnScene point = drawn("parts:\n  dot: {mass: 1, inertia: {xx: 1e-30, yy: 1e-30, zz: 1e-30}}\n");
  EXPECT_GT(point.part("dot").shapes.at(0).size.minCoeff(), 0.0);
  EXPECT_GT(point.scene.size, 0.0);
}

class Pictures : public testing::Test {
 protected:
  static std::string picture() {
    const geometry::TriangleMesh box =
        geometry::tessellate({geometry::Box{{1, 1, 1}}, Pose{Matrix3::Identity(), {2, 0, 0}}, false}, 8);
    return geometry::write_glb({&box, 1}, Color{0.25, 0.5, 0.75});
  }
  static constexpr const char* kPart = "{mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, meta: {shape: a.glb";
};

TEST_F(Pictures, AreReadOnceAndMirrored) {
  const DrawnScene drawing = drawn(std::string("definitions:\n  side:\n    parts:\n      arm: ") + kPart + "}}\n" +
                                       "      leg: " + kPart + ", color: \"#336699\"}}\n" +
                                       "assemblies:\n  left: {use: side}\n  right: {mirror_of: left, plane: yz}\n",
                                   {{"a.glb", picture()}});
  EXPECT_TRUE(drawing.scene.notes.empty()) << drawing.scene.notes.front();
  ASSERT_EQ(drawing.scene.meshes.size(), 2U) << "one as it is, one mirrored";
  const ScenePart& left = drawing.part("left.arm");
  const ScenePart& right = drawing.part("right.arm");
  EXPECT_FALSE(left.has_default_shape);
  EXPECT_NEAR(bounds_of(left.shapes.at(0), drawing.scene.meshes, {}).center().x(), 2.0, 1e-6);
  EXPECT_NEAR(bounds_of(right.shapes.at(0), drawing.scene.meshes, {}).center().x(), -2.0, 1e-6);
  EXPECT_GT(volume(*drawing.scene.meshes.at(right.shapes[0].mesh).mesh), 0.0) << "still faces outwards";
  EXPECT_EQ(left.shapes[0].mesh, drawing.part("left.leg").shapes.at(0).mesh);
  EXPECT_NEAR(left.color[1], 0.5, kClose) << "of the picture";
  EXPECT_NEAR(drawing.part("left.leg").color[0], 0.2, kClose) << "of the model";
}

// A copy looks like what it is made of, a mirror image like its mirror image, also in an assembly that is mirrored
// again.
TEST_F(Pictures, AreThoseOfCopiesToo) {
  const DrawnScene drawing =
      drawn(std::string("definitions:\n  side:\n    parts:\n      far: {copy_of: near, at: [0, 5, 0]}\n") +
                "      near: {copy_of: arm, at: [0, 1, 0]}\n      arm: " + kPart + ", color: \"#336699\"}}\n" +
                "      image: {mirror_of: arm, plane: yz}\n"
                "      plain: {copy_of: arm, meta: {color: \"#996633\"}}\n"
                "assemblies:\n  left: {use: side}\n  right: {mirror_of: left, plane: yz}\n",
            {{"a.glb", picture()}});
  EXPECT_TRUE(drawing.scene.notes.empty()) << drawing.scene.notes.front();
  const auto middle = [&](const char* path) {
    const ScenePart& part = drawing.part(path);
    EXPECT_FALSE(part.has_default_shape) << path;
    EXPECT_NEAR(part.color[0], 0.2, kClose) << path;
    EXPECT_GT(volume(*drawing.scene.meshes.at(part.shapes.at(0).mesh).mesh), 0.0) << path;
    return bounds_of(part.shapes.at(0), drawing.scene.meshes, {}).center().x();
  };
  EXPECT_NEAR(middle("left.near"), 2.0, 1e-6);
  EXPECT_NEAR(middle("left.far"), 2.0, 1e-6);
  EXPECT_NEAR(middle("left.image"), -2.0, 1e-6);
  EXPECT_NEAR(middle("right.far"), -2.0, 1e-6);
  EXPECT_NEAR(middle("right.image"), 2.0, 1e-6);
  EXPECT_EQ(drawing.scene.meshes.size(), 2U);
  EXPECT_TRUE(drawing.part("left.plain").has_default_shape) << "`meta` of its own has no picture";
  EXPECT_NEAR(drawing.part("left.plain").color[0], 0.6, kClose);
}

TEST(Scene, CopiesHaveTheColorOfTheirPart) {
  const DrawnScene drawing = drawn(
      "parts:\n  arm: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}\n  other: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}\n"
      "  copy: {copy_of: arm, at: [1, 0, 0]}\n  image: {mirror_of: copy, plane: xy}\n");
  EXPECT_EQ(drawing.part("copy").color, drawing.part("arm").color);
  EXPECT_EQ(drawing.part("image").color, drawing.part("arm").color);
  EXPECT_NE(drawing.part("other").color, drawing.part("arm").color);
}

TEST_F(Pictures, ThatCannotBeReadAreTold) {
  const DrawnScene none = drawn(std::string("parts:\n  arm: ") + kPart + "}}\n");
  EXPECT_TRUE(none.part("arm").has_default_shape);
  EXPECT_THAT(none.scene.notes, ElementsAre(HasSubstr("No such file")));
  const DrawnScene damaged =
      drawn(std::string("parts:\n  arm: ") + kPart + "}}\n", {{"a.glb", picture().substr(0, 300)}});
  EXPECT_FALSE(damaged.part("arm").shapes.empty());
  EXPECT_THAT(damaged.scene.notes, ElementsAre(HasSubstr("cut off")));
}

void expect_numbers(const JsonValue* list, const std::vector<double>& expected) {
  ASSERT_NE(list, nullptr);
  ASSERT_EQ(list->items.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(list->items[i].number, expected[i], kClose) << i;
}

TEST(SceneJson, NamesCouplingsAndWhatTheyKeep) {
  const DrawnScene drawing = drawn(R"(display: {length: mm}
parts:
  wheel: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  pinion: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  bar: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  a: {type: revolute, between: [ground, wheel], axis: x}
  b: {type: revolute, between: [ground, pinion], axis: x}
  rail: {type: screw, between: [ground, bar], axis: y, pitch: 2 mm}
  mesh: {type: gear, couples: [a.angle, b.angle], ratio: 2.5}
  teeth: {type: rack, couples: [b.angle, rail.travel], radius: 27 mm}
)");
  const std::vector<SceneCoupling>& couplings = drawing.scene.couplings;
  ASSERT_EQ(couplings.size(), 2u) << "a screw is a joint already";
  EXPECT_EQ(couplings[0].type, "gear");
  EXPECT_THAT(couplings[0].data, Contains(Pair("keeps constant", "a.angle + 2.5 × b.angle")));
  EXPECT_THAT(couplings[1].data, Contains(Pair("keeps constant", "-27 mm × b.angle + rail.travel")));
  std::string error;
  const std::optional<JsonValue> json = read_json(scene_json(drawing.scene), error);
  ASSERT_TRUE(json) << error;
  const JsonValue& teeth = json->find("couplings")->items.at(1);
  EXPECT_EQ(teeth.text_or("path", ""), "teeth");
  EXPECT_EQ(teeth.find("couples")->items.at(1).text, "rail.travel");
}

TEST(SceneJson, SaysHowArrowsStand) {
  DrawnScene drawing = drawn(R"(parts:
  arm: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  hinge: {type: revolute, between: [arm, ground], axis: x}
forces:
  motor: {type: actuator, drives: hinge.angle, value: 2 N*m}
  wind: {type: force, applied_to: arm, axes_of: ground, along: -y, value: 3 N}
drivers:
  lead: {drives: hinge.angle, rate: 1 rad/s}
)");
  add_free_motions(drawing.machine, drawing.scene);
  std::string error;
  const std::optional<JsonValue> json = read_json(scene_json(drawing.scene), error);
  ASSERT_TRUE(json) << error;
  const JsonValue& hinge = json->find("joints")->items.at(0);
  expect_numbers(hinge.find("reactionAxes"), {1, 0, 0, 0});
  EXPECT_NE(hinge.find("frames")->items.at(0).items.at(3).number, 1.0) << "the joint frame has other axes";
  const JsonValue& motor = json->find("forces")->items.at(0);
  EXPECT_EQ(motor.text_or("drives", ""), "hinge.angle");
  expect_numbers(motor.find("direction"), {1, 0, 0});
  EXPECT_EQ(motor.number_or("directionPart", -2), 0) << "the first part";
  const JsonValue& wind = json->find("forces")->items.at(1);
  expect_numbers(wind.find("direction"), {0, -1, 0});
  EXPECT_EQ(wind.number_or("directionPart", -2), kGroundPart);
  EXPECT_EQ(wind.find("drives"), nullptr);
  EXPECT_EQ(json->find("drivers")->items.at(0).number_or("directionPart", -2), 0);
  const JsonValue& motion = json->find("motions")->items.at(0);
  EXPECT_EQ(motion.text_or("name", ""), "arm turns (hinge.angle)");
  // The ground, which is the second part, turns by +1 against it.
  expect_numbers(&motion.find("twists")->items.at(0), {0, 0, 0, -1, 0, 0});
  EXPECT_EQ(json->find("motions")->items.size(), 1U);
}

TEST(SceneJson, AxesAtAPortAreKnownOnlyWhereTheJointHoldsThem) {
  DrawnScene drawing = drawn(R"(parts:
  arm: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  slide: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  hinge: {type: revolute, between: [ground, arm], axis: [1, 2, 0]}
  track: {type: prismatic, between: [ground, slide], axis: [1, 2, 0]}
)");
  model::SealedNode component;
  component.path = "box";
  component.assembly = model::AssemblyId(0);
  component.ports.emplace_back();
  drawing.machine.sealed.push_back(component);
  for (model::JointNode& joint : drawing.machine.joints) joint.a.port = {0, 0};
  Scene scene = make_scene({.machine = drawing.machine, .model = drawing.loaded.model, .poses = drawing.poses});
  add_free_motions(drawing.machine, scene);
  EXPECT_TRUE(scene.motions.empty());
  EXPECT_THAT(scene.notes, ElementsAre(HasSubstr("sealed component")));
  std::string error;
  const std::optional<JsonValue> json = read_json(scene_json(scene), error);
  ASSERT_TRUE(json) << error;
  const std::vector<JsonValue>& joints = json->find("joints")->items;
  EXPECT_EQ(joints.at(0).find("reactionAxes")->kind, JsonValue::Kind::null) << "turns against the arm";
  expect_numbers(joints.at(1).find("reactionAxes"), {1, 0, 0, 0});
}

TEST(SceneJson, HasWhatViewersNeed) {
  const DrawnScene drawing = drawn(R"(display: {length: mm, angle: deg}
up: y
ground: {shape: {box: {size: [1, 1, 1]}}, frames: {foot: {at: [0, 1, 0]}}}
parts:
  crank: {mass: 1.5, center_of_mass: [0.1, 0, 0], inertia: {xx: 1, yy: 1, zz: 1}, frames: {pin: {at: [0.2, 0, 0]}}}
joints:
  hinge: {type: revolute, between: [ground.foot, crank], axis: x, start: {angle: 90 deg}}
forces:
  spring: {type: spring_damper, between: [ground.foot, crank.pin], stiffness: 2 kN/m}
drivers:
  motor: {drives: hinge.angle, rate: 2 rad/s}
)");
  std::string error;
  const std::optional<JsonValue> json = read_json(scene_json(drawing.scene), error);
  ASSERT_TRUE(json) << error;
  EXPECT_EQ(json->number_or("format", 0), 1);
  const JsonValue& crank = json->find("parts")->items.at(0);
  EXPECT_EQ(crank.text_or("path", ""), "crank");
  EXPECT_EQ(crank.find("at")->items.size(), 7U);
  EXPECT_EQ(crank.find("inertia")->items.size(), 6U);
  EXPECT_TRUE(crank.truth_or("isDefaultShape", false));
  EXPECT_EQ(crank.text_or("file", ""), "model.yaml");
  EXPECT_EQ(crank.number_or("line", 0), 7);
  EXPECT_EQ(crank.find("frames")->items.at(0).text_or("name", ""), "pin");
  EXPECT_THAT(scene_json(drawing.scene), HasSubstr(R"(["center of mass","100, 0, 0 mm"])"));
  const JsonValue& hinge = json->find("joints")->items.at(0);
  EXPECT_EQ(hinge.find("parts")->items.at(0).number, -1);
  EXPECT_EQ(hinge.find("axis")->items.size(), 3U);
  EXPECT_THAT(drawing.scene.joints.at(0).data, Contains(Pair("start angle", "90 deg")));
  EXPECT_THAT(drawing.scene.forces.at(0).data, Contains(Pair("stiffness", "2000 N/m")));
  EXPECT_THAT(drawing.scene.drivers.at(0).data, Contains(Pair("rate", "2 rad/s")));
  EXPECT_EQ(json->find("drivers")->items.at(0).text_or("drives", ""), "hinge.angle");
  EXPECT_EQ(json->find("forces")->items.at(0).find("ends")->items.size(), 2U);
  EXPECT_EQ(json->find("forces")->items.at(0).find("direction"), nullptr) << "along the line of its ends";
  EXPECT_EQ(json->find("frames")->items.at(0).text_or("path", ""), "ground.foot");
  EXPECT_EQ(json->find("ground")->find("shapes")->items.size(), 1U);
  EXPECT_NEAR(json->number_or("symbol", 0), 0.04 * json->number_or("size", 0), kClose);
}

}  // namespace
}  // namespace gelenk::exporting::scene_test
