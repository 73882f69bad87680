// What a scene says about the direction of forces and efforts, against what the equations of motion do with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gelenk/export/scene.h"
#include "tests/support/run_text.h"

namespace gelenk::scene_forces_test {
namespace {

// Of forces and torques of up to 100 N and N m.
constexpr double kRounding = 1e-12;

// Every type of force, and a coordinate of every kind; the mirror image of each as well.
constexpr const char* kLoaded = R"yaml(
gravity: none
definitions:
  side:
    ground: {frames: {anchor: {at: {position: [1, 1, 1], orientation: {axis: [1, 1, 2], angle: 25 deg}}}}}
    parts:
      hub: {mass: 2 kg, inertia: {xx: 0.1, yy: 0.2, zz: 0.15}, frames: {end: {at: {position: [0.4, 0.3, 0.1], orientation: {axis: x, angle: 20 deg}}}}}
      arm: {at: hub.end, mass: 1 kg, inertia: {xx: 0.05, yy: 0.06, zz: 0.04}, frames: {end: {at: [0.5, 0.1, 0]}}}
      slider: {at: arm.end, mass: 0.5 kg, inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}
      puck: {mass: 0.5 kg, inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}
    joints:
      root: {type: revolute, between: [ground, hub], axis: [0.2, 0.3, 1], start: {angle: 20 deg}}
      knee: {type: universal, between: [hub.end, arm], axis: x, second_axis: y, start: {angle_1: 50 deg, angle_2: 35 deg}}
      track: {type: cylindrical, between: [arm.end, slider], axis: [1, 1, 0], start: {travel: 0.2 m, angle: 40 deg}}
      table: {type: planar, between: [ground.anchor, puck], axis: [1, 0, 2], start: {x: 0.3 m, y: -0.1 m, angle: 70 deg}}
    drivers:
      turn: {drives: table.angle, rate: 2 rad/s}
      lead: {drives: table.y, rate: 1 m/s}
    forces:
      coil: {type: rotational_spring_damper, drives: knee.angle_2, stiffness: 5 N*m/rad, free_angle: 15 deg}
      servo: {type: actuator, drives: knee.angle_1, value: 8 N*m}
      reel: {type: actuator, drives: track.travel, value: -60 N}
      brake: {type: actuator, drives: track.angle, value: 0.2 N*m}
      shove: {type: actuator, drives: table.x, value: 3 N}
      cord: {type: spring_damper, between: [ground.anchor, arm], stiffness: 10 N/m, free_length: 0.4 m}
      mount: {type: bushing, between: [ground.anchor, arm], stiffness: [1 N/m, 4 N/m, 2 N/m]}
      twist: {type: torque, applied_to: arm.end, about: [1, 2, 0], value: 0.7 N*m}
      push: {type: force, between: [hub.end, slider], along: [0, 1, 1], value: -0.5 N}
      pull: {type: line_force, between: [ground.anchor, arm], value: 3 N}
      strut: {type: gas_spring, between: [ground.anchor, arm], push: 20 N, at_length: 1 m, gas_column: 2 m}
      rope: {type: cable, between: [ground.anchor, arm], free_length: 0.2 m, stiffness: 10 N/m}
      hoist: {type: pulley_cable, between: [ground.anchor, arm], over: [hub.end], free_length: 0.2 m, stiffness: 10 N/m}
      tread: {type: tire, between: [ground, puck], axis: y, radius: 5 m, stiffness: 2 N/m}
      clamp: {type: coordinate_spring, drives: root.angle, preload: 4 N*m, stiffness: 1 N*m/rad}
      bearing: {type: joint_friction, drives: table.angle, coulomb: 2 N*m, stick_rate: 0.1 rad/s}
      block: {type: stop, drives: knee.angle_1, upper: 20 deg, stiffness: 5 N*m/rad}
      attraction: {type: gravitation, between: [hub, slider], constant: 1}
      air: {type: drag, between: [ground, puck], damping: 3 N*s/m}
      wind: {type: force, applied_to: arm.end, axes_of: ground.anchor, along: [3, 1, 1], value: 2 N}
assemblies:
  plain: {use: side, at: {position: [0, 0.5, 0], orientation: {axis: [1, 0, 1], angle: 12 deg}}}
  image: {mirror_of: plain, plane: xz}
)yaml";

class LoadedScene : public testing::Test {
 protected:
  LoadedScene() : model_(test::assemble_text(kLoaded)) {
    if (!model_.is_ready()) return;
    for (std::size_t p = 0; p < model_.machine().parts.size(); ++p) {
      poses_.push_back(analysis::part_pose(*model_.system, model_.params, model_.state(), p));
    }
    scene_ =
        exporting::make_scene({.machine = model_.machine(), .model = model_.checked.loaded.model, .poses = poses_});
  }

  mechanics::Context context() const { return {*model_.system, model_.params, model_.state()}; }
  Pose pose_of(int part) const {
    return part == exporting::kGroundPart ? Pose{} : scene_.parts.at(static_cast<std::size_t>(part)).X_WP;
  }
  // In world axes.
  Vector3 seen(const exporting::SceneDirection& direction) const {
    return pose_of(direction.part).rotation * direction.unit;
  }

  test::Assembled model_;
  std::vector<Pose> poses_;
  exporting::Scene scene_;
};

// S3-35: arrows.
TEST_F(LoadedScene, ArrowsOfOneNumberAreWhatActs) {
  ASSERT_TRUE(model_.is_ready()) << model_.messages();
  mechanics::Workspace workspace(*model_.system);
  mechanics::update_positions(context(), workspace);
  mechanics::update_velocities(context(), workspace);
  const mechanics::View<double> now = mechanics::view(context(), workspace);
  std::set<std::string> types;
  for (std::size_t f = 0; f < scene_.forces.size(); ++f) {
    const exporting::SceneForce& force = scene_.forces[f];
    types.insert(force.type);
    if (!force.direction) continue;
    const mechanics::ForceResult<double> acts = now.force(static_cast<std::int32_t>(f));
    const Vector3 arrow = seen(*force.direction) * acts.channels[0];
    const Vector3 on_second = acts.on_b.force.norm() > 0.0 ? acts.on_b.force : acts.on_b.moment;
    EXPECT_GT(arrow.norm(), 0.1) << force.path;
    EXPECT_LT((arrow - on_second).norm(), kRounding) << force.path << ": " << on_second.transpose();
    if (force.ends.empty()) continue;
    const exporting::SceneForce::End& end = force.ends.back();
    EXPECT_LT((pose_of(end.part) * end.point - now.frame(acts.frame_b).p).norm(), kRounding) << force.path;
  }
  const auto& all = model::Descriptors<model::ForceData>::kAll;
  const auto known =
      std::count_if(all.begin(), all.end(), [](const model::ObjectType* type) { return !type->is_hard; });
  EXPECT_EQ(static_cast<std::ptrdiff_t>(types.size()), known) << "a type of force is not in the model";
}

TEST_F(LoadedScene, DriversPointAlongTheirCoordinate) {
  ASSERT_TRUE(model_.is_ready()) << model_.messages();
  mechanics::Workspace workspace(*model_.system);
  mechanics::update_positions(context(), workspace);
  const mechanics::View<double> now = mechanics::view(context(), workspace);
  for (std::size_t d = 0; d < scene_.drivers.size(); ++d) {
    const model::CoordinateUse& use = model_.machine().drivers[d].drives;
    const system::Joint& joint = model_.system->joints[use.joint.index()];
    const mechanics::RowJacobian<double> J = mechanics::coordinate_jacobian<double>(
        joint.type->coordinates[use.coordinate], now.frame(joint.frame_a), now.frame(joint.frame_b), nullptr);
    const Vector3 unit_effort = J.b_linear + J.b_angular;  // one of the two is zero
    ASSERT_TRUE(scene_.drivers[d].direction);
    EXPECT_LT((seen(*scene_.drivers[d].direction) - unit_effort).norm(), kRounding) << scene_.drivers[d].path;
  }
  EXPECT_EQ(scene_.drivers.size(), 4u);
}

TEST_F(LoadedScene, SaysWhatItKnowsOfEachType) {
  ASSERT_TRUE(model_.is_ready()) << model_.messages();
  struct Expected {
    const char* name;
    const char* drives;
    const char* axes_of;  // "": the ground; null: no direction
    std::size_t ends;
  };
  for (const Expected& expected : std::initializer_list<Expected>{{"coil", "knee.angle_2", "arm", 0},
                                                                  {"servo", "knee.angle_1", "hub", 0},
                                                                  {"reel", "track.travel", "arm", 0},
                                                                  {"brake", "track.angle", "arm", 0},
                                                                  {"shove", "table.x", "", 0},
                                                                  {"cord", "", nullptr, 2},
                                                                  {"mount", "", nullptr, 2},
                                                                  {"twist", "", "arm", 1},
                                                                  {"push", "", "hub", 2},
                                                                  {"wind", "", "", 1}}) {
    for (const std::string side : {"plain.", "image."}) {
      const exporting::SceneForce& force = scene_.forces.at(test::index_of_path(scene_.forces, side + expected.name));
      EXPECT_EQ(force.drives, *expected.drives == '\0' ? "" : side + expected.drives) << force.path;
      EXPECT_EQ(force.ends.size(), expected.ends) << force.path;
      ASSERT_EQ(force.direction.has_value(), expected.axes_of != nullptr) << force.path;
      if (!force.direction) continue;
      const int part = force.direction->part;
      const std::string axes =
          part == exporting::kGroundPart ? "" : scene_.parts.at(static_cast<std::size_t>(part)).path;
      EXPECT_EQ(axes, *expected.axes_of == '\0' ? "" : side + expected.axes_of) << force.path;
    }
  }
}

}  // namespace
}  // namespace gelenk::scene_forces_test
