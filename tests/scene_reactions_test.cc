// What a scene says about the axes of reactions: recorded numbers and these axes give the weights that joints carry.
#include <gtest/gtest.h>

#include "gelenk/export/scene.h"
#include "tests/support/run_text.h"

namespace gelenk::scene_reactions_test {
namespace {

// Of weights of up to 40 N and moments of up to 40 N m.
constexpr double kRounding = 1e-9;
constexpr double kGravity = 9.81;

// Parts that rest in any pose: each has its center of mass where it is held, but the beam, which is welded. Axes of the
// stand, of the frames and of the joints all differ, and so do those of the mirror image.
constexpr const char* kResting = R"yaml(
gravity: [0, 0, -9.81]
definitions:
  side:
    ground: {frames: {foot: {at: {position: [0.3, 1, 0], orientation: {axis: [1, 2, -1], angle: 35 deg}}}}}
    parts:
      stand:
        at: ground.foot
        mass: 3 kg
        inertia: {xx: 1, yy: 1, zz: 1}
        frames:
          left: {at: {position: [0.1, 0.2, 0.4], orientation: {axis: [0, 1, 3], angle: 70 deg}}}
          right: {at: {position: [-0.3, 0.2, 0.5], orientation: {angles: [20 deg, 40 deg, -10 deg], sequence: zyx}}}
      hinged: {at: stand.left, mass: 1 kg, inertia: {xx: 1, yy: 2, zz: 2}}
      crossed: {at: stand.right, mass: 2 kg, inertia: {xx: 1, yy: 2, zz: 2}}
      ball: {at: {position: [0.3, 0.2, 0.1], orientation: {axis: x, angle: 30 deg}, relative_to: stand}, mass: 4 kg, inertia: {xx: 1, yy: 1, zz: 1}}
      beam:
        at: stand.left
        mass: 1.5 kg
        center_of_mass: [0.7, -0.2, 0.4]
        inertia: {xx: 1, yy: 1, zz: 1}
        frames: {end: {at: {position: [0.1, 0, 0.2], orientation: {axis: [1, 1, 0], angle: 50 deg}}}}
      slider: {at: stand.right, mass: 0.5 kg, inertia: {xx: 1, yy: 1, zz: 1}}
    joints:
      foot: {type: fixed, between: [ground.foot, stand]}
      hinge: {type: revolute, between: [stand.left, hinged], axis: [1, 2, 3], start: {angle: 25 deg}}
      cross: {type: universal, between: [stand.right, crossed], axis: [0, 1, 1], second_axis: x, start: {angle_1: 30 deg, angle_2: -50 deg}}
      socket: {type: spherical, between: [ball, stand], at: {position: [0, 0, 0], orientation: {axis: y, angle: 15 deg}, relative_to: ball}}
      weld: {type: fixed, between: [stand.left, beam.end]}
      track: {type: prismatic, between: [stand, slider], at: [0.4, 1.2, 0.6], axis: [2, 1, 5]}
    drivers: {stop: {drives: track.travel, position: 0.2 m}}
assemblies:
  plain: {use: side, at: {position: [0, 0.5, 0], orientation: {axis: [1, 0, 1], angle: 12 deg}}}
  image: {mirror_of: plain, plane: xz}
)yaml";

class RestingScene : public testing::Test {
 protected:
  RestingScene() : model_(test::assemble_text(kResting)) {
    if (!model_.is_ready()) return;
    for (std::size_t p = 0; p < model_.machine().parts.size(); ++p) {
      poses_.push_back(analysis::part_pose(*model_.system, model_.params, model_.state(), p));
    }
    scene_ =
        exporting::make_scene({.machine = model_.machine(), .model = model_.checked.loaded.model, .poses = poses_});
    reactions_ = test::Motion(model_, test::rk4(1e-3)).instant().reactions;
  }

  struct Reaction {
    Vector3 force, moment;  // on the second part at the origin of its joint frame, world axes
  };
  // From the recorded numbers, as a viewer would.
  Reaction seen(const std::string& path) const {
    const std::size_t j = test::index_of_path(scene_.joints, path);
    const exporting::SceneJoint& joint = scene_.joints.at(j);
    const Matrix3 R = pose_of(joint.parts[0]).rotation * joint.reaction_axes.value();
    return {R * Vector3::Map(&reactions_[6 * j]), R * Vector3::Map(&reactions_[6 * j + 3])};
  }
  Pose pose_of(int part) const {
    return part == exporting::kGroundPart ? Pose{} : scene_.parts.at(static_cast<std::size_t>(part)).X_WP;
  }

  test::Assembled model_;
  std::vector<Pose> poses_;
  exporting::Scene scene_;
  std::vector<double> reactions_;
};

// S3-34: forces and moments in joints.
TEST_F(RestingScene, JointsCarryTheWeightOfWhatTheyHold) {
  ASSERT_TRUE(model_.is_ready()) << model_.messages();
  for (const std::string side : {"plain.", "image."}) {
    const auto expect_up = [&](const char* joint, double force) {
      const Vector3 difference = seen(side + joint).force - Vector3(0, 0, force);
      EXPECT_LT(difference.norm(), kRounding) << side << joint << " " << seen(side + joint).force.transpose();
    };
    expect_up("hinge", 1.0 * kGravity);
    expect_up("cross", 2.0 * kGravity);
    expect_up("socket", -4.0 * kGravity);  // the ball is its first part
    expect_up("weld", 1.5 * kGravity);
    expect_up("foot", 12.0 * kGravity);
  }
}

TEST_F(RestingScene, AWeldHoldsTheMomentOfItsBeam) {
  ASSERT_TRUE(model_.is_ready()) << model_.messages();
  for (const std::string side : {"plain.", "image."}) {
    const exporting::SceneJoint& weld = scene_.joints.at(test::index_of_path(scene_.joints, side + "weld"));
    const exporting::ScenePart& beam = scene_.parts.at(test::index_of_path(scene_.parts, side + "beam"));
    const Vector3 arm = beam.X_WP * beam.mass_properties.center - pose_of(weld.parts[1]) * weld.frames[1].position;
    const Vector3 moment = arm.cross(Vector3(0, 0, 1.5 * kGravity));
    EXPECT_GT(moment.norm(), 1.0);
    EXPECT_LT((seen(side + "weld").moment - moment).norm(), kRounding) << side;
  }
}

// Along its axis the driver holds the slider, and the joint does nothing.
TEST_F(RestingScene, ASlideCarriesWhatIsAcrossItsAxis) {
  ASSERT_TRUE(model_.is_ready()) << model_.messages();
  for (const std::string side : {"plain.", "image."}) {
    const exporting::SceneJoint& track = scene_.joints.at(test::index_of_path(scene_.joints, side + "track"));
    const Vector3 axis = pose_of(track.parts[0]).rotation * track.frames[0].rotation * track.axis.value();
    const Vector3 weight(0, 0, 0.5 * kGravity);
    EXPECT_LT((seen(side + "track").force - (weight - axis * axis.dot(weight))).norm(), kRounding) << side;
  }
}

}  // namespace
}  // namespace gelenk::scene_reactions_test
