// A mirror image must be one: places, axes, inertia, joint chirality and force geometry.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "gelenk/model/mobility.h"
#include "tests/support/load_text.h"

namespace gelenk::mirror_test {
namespace {

using model::Coordinate;
using model::JointNode;
using test::check_text;
using test::Checked;

// Products of a few orthogonal matrices and sums of numbers of order one.
constexpr double kRounding = 1e-14;

// Every joint type and force type, skew in space, with nothing symmetric by accident.
const std::string kLimb = R"yaml(
definitions:
  limb:
    parameters: {k: 3 kN/m}
    ports: {mount: base.mount}
    frames: {spot: {at: {position: [0.3, 0.1, -0.2], orientation: {axis: [1, 2, 3], angle: 0.7}}}}
    parts:
      base:
        at: {position: [0.1, 0.2, 0.3], orientation: {angles: [10 deg, 20 deg, 30 deg], sequence: zyx}}
        mass: 2
        center_of_mass: [0.01, 0.02, 0.03]
        inertia: {xx: 0.04, yy: 0.05, zz: 0.06, xy: 0.001, xz: -0.002, yz: 0.003}
        frames:
          mount: {at: {position: [0.0, 0.1, 0.05], orientation: {quaternion: [0.9, 0.1, -0.2, 0.3]}}}
          a: {at: {position: [0.2, 0.0, 0.1], orientation: {axis: [3, -1, 2], angle: 1.1}}}
        start: {velocity: [1, 2, 3], angular_velocity: [4, 5, 6]}
      tip:
        at: {position: [0.5, -0.1, 0.2], orientation: {axis: [0, 1, 1], angle: -0.4}}
        material: steel
        shape: [{box: {size: [0.1, 0.2, 0.3], at: {position: [0.02, 0.03, 0.04], orientation: {axis: [1, 1, 0], angle: 0.3}}}},
                {cylinder: {radius: 0.02, from: [0, 0.01, 0], to: [0.05, 0.02, 0.1], hole: true}}]
        frames: {b: {at: {position: [-0.1, 0.05, 0.02], orientation: {axis: [1, 0, 2], angle: 0.5}}}}
    joints:
      hinge: {type: revolute, between: [base.a, tip.b], axis: [1, 2, -1], start: {angle: 0.3}}
      slider: {type: prismatic, between: [base.a, tip.b], axis: [1, 2, -1], start: {travel: 0.3}, limits: {travel: {min: -1, max: 2}}}
      sleeve: {type: cylindrical, between: [base.a, tip.b], axis: [1, 2, -1], start: {angle: 0.3, travel: 0.2}, limits: {angle: {min: -1, max: 2}}}
      ball: {type: spherical, between: [base.a, tip.b], start: {orientation: {axis: [1, 1, 2], angle: 0.6}}}
      cross: {type: universal, between: [base.a, tip.b], axis: [1, 2, 0], second_axis: [2, -1, 3], start: {angle_1: 0.3, angle_2: 0.5}}
      table: {type: planar, between: [base.a, tip.b], axis: [1, 2, -1], start: {x: 0.1, y: 0.2, angle: 0.3}}
      weld: {type: fixed, between: [base.a, tip.b]}
      rod: {type: distance, between: [base.a, tip.b]}
      drawn: {type: cylindrical, between: [base, tip], at: {position: [0.1, 0.3, 0.2], orientation: {axis: z, angle: 0.3}}, axis: [1, 1, 1]}
    drivers: {motor: {drives: sleeve.angle, position: "=0.1*sin(time/(1 s))"
}
}
    forces:
      push: {type: force, applied_to: tip.b, along: [1, 2, 3], value: "=2 N * hinge.angle"}
      twist: {type: torque, between: [base.a, tip], about: [1, 2, 3], value: 5 N*m}
      spring: {type: spring_damper, between: [base.a, tip.b], stiffness: =k}
      mount: {type: bushing, between: [spot, tip.b], stiffness: [1, 2, 3], preload_force: [4, 5, 6], preload_moment: [7, 8, 9]}
      coil: {type: rotational_spring_damper, drives: sleeve.angle, stiffness: 1, free_angle: 0.4}
      reader: {type: force, applied_to: tip, along: x, value: "=1 (N/m) * tip.position.y + 1 (N*s) * tip.angular_velocity.z"}
)yaml";

const Matrix3 kMirrorY = Vector3(1, -1, 1).asDiagonal();

Checked pair_of(const std::string& plane, const std::string& extra = "") {
  return check_text(
      kLimb +
      "assemblies:\n  left: {use: limb, at: {position: [1, 2, 3], orientation: {axis: [1, -1, 1], angle: 0.2}}}\n" +
      "  right: {mirror_of: left, plane: " + plane + "}\n" + extra);
}

double distance(const Pose& a, const Pose& b) {
  return std::max((a.rotation - b.rotation).cwiseAbs().maxCoeff(), (a.position - b.position).cwiseAbs().maxCoeff());
}

// Joint frame B from joint frame A at given coordinates.
Pose joint_motion(const JointNode& joint, const std::vector<double>& values) {
  Pose pose;
  for (std::size_t i = 0; i < joint.type->coordinates.size(); ++i) {
    const Coordinate& c = joint.type->coordinates[i];
    const Vector3 axis = Vector3::Unit(c.axis);
    if (c.motion == Coordinate::Motion::translation) pose.position += values[i] * axis;
    if (c.motion == Coordinate::Motion::rotation) {
      pose.rotation = pose.rotation * *rotation_from_axis_angle(axis, values[i]);
    }
  }
  return pose;
}

// World pose of the joint's second part when the first is as drawn and the coordinates have these values.
Pose moved_part(const Checked& checked, const JointNode& joint, const std::vector<double>& values) {
  const Pose A = model::drawn_frame(checked.machine, joint.a);
  return A * joint_motion(joint, values) * joint.b.X_PF.inverse();
}

// One value for each coordinate; zero where none is given.
std::vector<double> start_values(const JointNode& joint) {
  std::vector<double> values(joint.type->coordinates.size(), 0.0);
  for (const auto& start : joint.start) values[start.coordinate] = start.value[0];
  return values;
}

TEST(Mirror, ModelIsSound) {
  const Checked checked = pair_of("xz");
  EXPECT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  EXPECT_TRUE(checked.assembly("right").is_mirrored);
}

TEST(Mirror, PartsFramesAndInertia) {
  const Checked checked = pair_of("xz");
  for (const std::string name : {"base", "tip"}) {
    const auto& left = checked.part("left." + name);
    const auto& right = checked.part("right." + name);
    EXPECT_LT(distance(right.X_WP, mirrored(left.X_WP, kMirrorY)), kRounding) << name;
    const MassProperties left_W = left.mass_properties.in_frame(left.X_WP);
    const MassProperties right_W = right.mass_properties.in_frame(right.X_WP);
    EXPECT_NEAR(left_W.mass, right_W.mass, kRounding * left_W.mass);
    EXPECT_LT((kMirrorY * left_W.center - right_W.center).norm(), kRounding);
    EXPECT_LT((kMirrorY * left_W.inertia * kMirrorY - right_W.inertia).cwiseAbs().maxCoeff(),
              kRounding * std::max(1.0, left_W.inertia.norm()));
  }
  EXPECT_LT((kMirrorY * checked.part("left.base").start_velocity - checked.part("right.base").start_velocity).norm(),
            kRounding);
  EXPECT_LT(
      (-kMirrorY * checked.part("left.base").start_angular_velocity - checked.part("right.base").start_angular_velocity)
          .norm(),
      kRounding);
}

// The second part, moved by its start coordinates, must be the mirror image of the moved original: this is what
// "same coordinates, same machine" means, and it fails for any wrong sign or axis.
TEST(Mirror, JointsMoveAsMirrorImages) {
  const Checked checked = pair_of("xz");
  for (const std::string name : {"hinge", "slider", "sleeve", "cross", "table", "weld", "drawn"}) {
    const JointNode& left = checked.joint("left." + name);
    const JointNode& right = checked.joint("right." + name);
    ASSERT_NE(right.type, nullptr) << name;
    const Pose expected = mirrored(moved_part(checked, left, start_values(left)), kMirrorY);
    EXPECT_LT(distance(moved_part(checked, right, start_values(right)), expected), 10 * kRounding) << name;
  }
  // A ball joint's start orientation is the same rotation in mirrored axes.
  const JointNode& left = checked.joint("left.ball");
  const JointNode& right = checked.joint("right.ball");
  const auto turned = [&](const JointNode& joint) {
    const auto& q = joint.start.front().value;
    const Pose turn{*rotation_from_quaternion(Quaternion(q[0], q[1], q[2], q[3])), Vector3::Zero()};
    return model::drawn_frame(checked.machine, joint.a) * turn * joint.b.X_PF.inverse();
  };
  EXPECT_LT(distance(turned(right), mirrored(turned(left), kMirrorY)), 10 * kRounding);
}

TEST(Mirror, CylindricalAngleChangesSignTravelDoesNot) {
  const Checked checked = pair_of("xz");
  const JointNode& right = checked.joint("right.sleeve");
  ASSERT_EQ(right.start.size(), 2u);
  EXPECT_DOUBLE_EQ(right.start[0].value[0], -0.3);
  EXPECT_DOUBLE_EQ(right.start[1].value[0], 0.2);
  EXPECT_DOUBLE_EQ(*right.limits.front().min, -2.0);
  EXPECT_DOUBLE_EQ(*right.limits.front().max, 1.0);
  EXPECT_DOUBLE_EQ(checked.driver("right.motor").law.factor, -1.0);
  EXPECT_DOUBLE_EQ(checked.driver("left.motor").law.factor, 1.0);
  EXPECT_DOUBLE_EQ(std::get<model::RotationalSpringDamper>(checked.force("right.coil").data).free_angle, -0.4);
  EXPECT_DOUBLE_EQ(checked.joint("right.hinge").start.front().value[0], 0.3);
}

TEST(Mirror, ForcesPushAsMirrorImages) {
  const Checked checked = pair_of("xz");
  const auto direction = [&](const std::string& path) {
    const auto& force = checked.force(path);
    return Vector3(model::drawn_frame(checked.machine, force.axes).rotation * force.direction);
  };
  EXPECT_LT((kMirrorY * direction("left.push") - direction("right.push")).norm(), kRounding);
  EXPECT_LT((-kMirrorY * direction("left.twist") - direction("right.twist")).norm(), kRounding);
  const auto frame = [&](const std::string& path) {
    return model::drawn_frame(checked.machine, *checked.force(path).b);
  };
  for (const std::string name : {"push", "twist", "spring", "mount"}) {
    EXPECT_LT(distance(frame("right." + name), mirrored(frame("left." + name), kMirrorY)), kRounding) << name;
  }
  // Preloads: the force in the world is mirrored, the moment is mirrored as an axial vector.
  const auto& left = checked.force("left.mount");
  const auto& right = checked.force("right.mount");
  const auto& left_data = std::get<model::Bushing>(left.data);
  const auto& right_data = std::get<model::Bushing>(right.data);
  const Matrix3 R_left = model::drawn_frame(checked.machine, *left.a).rotation;
  const Matrix3 R_right = model::drawn_frame(checked.machine, *right.a).rotation;
  EXPECT_LT((kMirrorY * (R_left * left_data.preload_force) - R_right * right_data.preload_force).norm(),
            10 * kRounding);
  EXPECT_LT((-kMirrorY * (R_left * left_data.preload_moment) - R_right * right_data.preload_moment).norm(),
            10 * kRounding);
  const auto free_length = [&](const std::string& path) {
    return std::get<model::SpringDamper>(checked.force(path).data).free_length;
  };
  EXPECT_DOUBLE_EQ(free_length("left.spring"), free_length("right.spring"));
}

// A law inside a mirrored assembly reads what the original would read.
TEST(Mirror, ChannelsReadAsTheOriginal) {
  const Checked checked = pair_of("xz");
  const auto& law = checked.force("right.reader").value;
  ASSERT_EQ(law.symbols.size(), 2u);
  EXPECT_LT((Vector3(law.symbols[0].channel.weights.data()) - Vector3(0, -1, 0)).norm(), kRounding);  // position.y
  EXPECT_LT((Vector3(law.symbols[1].channel.weights.data()) - Vector3(0, 0, -1)).norm(), kRounding);  // axial
}

// Reactions and bushing forces are given in axes of the first frame, which is mirrored with its part.
TEST(Mirror, ForcesInFrameAxesReadAsTheOriginal) {
  std::string limb = kLimb;
  const std::string reader = "reader: {type: force, applied_to: tip, along: x, value: ";
  limb.replace(limb.find(reader), reader.size(),
               "sums: {type: force, applied_to: tip, along: x, value: \"=hinge.reaction.force.y + mount.force.y + "
               "1 (1/m) * hinge.reaction.moment.z\"}\n      " +
                   reader);
  const Checked checked = check_text(limb +
                                     "assemblies:\n  left: {use: limb, at: {position: [1, 2, 3], orientation: {axis: "
                                     "[1, -1, 1], angle: 0.2}}}\n  right: {mirror_of: left, plane: xz}\n");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  const auto& law = checked.force("right.sums").value;
  ASSERT_EQ(law.symbols.size(), 3u);
  EXPECT_EQ(law.symbols[0].channel.weights, (std::array<double, 3>{0, -1, 0}));
  EXPECT_EQ(law.symbols[1].channel.weights, (std::array<double, 3>{0, -1, 0}));
  EXPECT_EQ(law.symbols[2].channel.weights, (std::array<double, 3>{0, 0, -1}));
  // R_FJ leads from the first frame as named to the joint frame, on both sides.
  for (const std::string side : {"left", "right"}) {
    for (const auto& frame : checked.machine.frames) {
      if (frame.path != side + ".base.a") continue;
      const Matrix3 R_WF = model::drawn_frame(checked.machine, frame.frame).rotation;
      for (const std::string name : {"hinge", "slider", "cross", "table"}) {
        const JointNode& joint = checked.joint(side + "." + name);
        const Matrix3 R_WJ = model::drawn_frame(checked.machine, joint.a).rotation;
        EXPECT_LT((R_WF * joint.R_FJ - R_WJ).cwiseAbs().maxCoeff(), kRounding) << side << "." << name;
      }
    }
  }
}

TEST(Mirror, TwiceInTheSamePlaneIsTheOriginal) {
  const Checked checked = pair_of("xz", "  again: {mirror_of: right, plane: xz}\n");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  EXPECT_FALSE(checked.assembly("again").is_mirrored);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string name = i == 0 ? "base" : "tip";
    EXPECT_LT(distance(checked.part("again." + name).X_WP, checked.part("left." + name).X_WP), kRounding);
  }
  const JointNode& left = checked.joint("left.cross");
  const JointNode& again = checked.joint("again.cross");
  EXPECT_LT(distance(left.a.X_PF, again.a.X_PF), kRounding);
  EXPECT_LT(distance(left.b.X_PF, again.b.X_PF), kRounding);
}

// A mirror image inside a mirrored assembly, in another plane: a half turn, made of two mirrors.
TEST(Mirror, NestedMirrors) {
  const Checked checked = check_text(kLimb + R"yaml(
  pair:
    assemblies:
      one: {use: limb, at: [0.5, 0.6, 0.7]}
      two: {mirror_of: one, plane: yz}
assemblies:
  left: {use: pair, at: {position: [1, 2, 3], orientation: {axis: y, angle: 0.4}}}
  right: {mirror_of: left, plane: xz}
)yaml");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  EXPECT_FALSE(checked.assembly("right.two").is_mirrored);
  for (const std::string name : {"hinge", "sleeve", "cross", "table"}) {
    const JointNode& left = checked.joint("left.two." + name);
    const JointNode& right = checked.joint("right.two." + name);
    const Pose expected = mirrored(moved_part(checked, left, start_values(left)), kMirrorY);
    EXPECT_LT(distance(moved_part(checked, right, start_values(right)), expected), 10 * kRounding) << name;
  }
}

// Attachments are mirrored with the instance, also to a frame of the owner that is not on the plane.
TEST(Mirror, Attachments) {
  const Checked checked = check_text(kLimb + R"yaml(
parts:
  body:
    at: {position: [0.2, 0, 0.1], orientation: {axis: y, angle: 0.3}}
    mass: 10
    inertia: {xx: 1, yy: 1, zz: 1}
    frames: {seat: {at: {position: [0.1, 0.7, 0.2], orientation: {axis: [1, 2, 2], angle: 0.8}}}}
assemblies:
  left: {use: limb, at: [1, 2, 3], attach: {mount: {type: cylindrical, to: body, axis: [1, 2, 3], start: {angle: 0.2, travel: 0.1}}}}
  right: {mirror_of: left, plane: xz}
  fore: {use: limb, at: [2, 1, 0], attach: {mount: {type: universal, to: body.seat, axis: x, second_axis: y, start: {angle_1: 0.2, angle_2: 0.1}}}}
  fore_right: {mirror_of: fore, plane: xz}
)yaml");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  const std::pair<std::string, std::string> pairs[] = {{"left", "right"}, {"fore", "fore_right"}};
  for (const auto& [one, other] : pairs) {
    const JointNode& left = checked.joint(one + ".mount");
    const JointNode& right = checked.joint(other + ".mount");
    ASSERT_NE(right.type, nullptr);
    EXPECT_EQ(left.a.part, right.a.part);
    std::vector<double> left_values, right_values;
    for (const auto& start : left.start) left_values.push_back(start.value[0]);
    for (const auto& start : right.start) right_values.push_back(start.value[0]);
    // The body itself lies across the plane and is not mirrored; its joint frames are.
    const Pose expected = mirrored(moved_part(checked, left, left_values), kMirrorY);
    EXPECT_LT(distance(moved_part(checked, right, right_values), expected), 10 * kRounding) << one;
  }
}

}  // namespace
}  // namespace gelenk::mirror_test
