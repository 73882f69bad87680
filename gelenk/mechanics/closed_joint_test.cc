// Every joint closed, with its coordinates anywhere: coordinates, their rates and efforts, and the exchange of frames.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <ostream>

#include "gelenk/base/index.h"
#include "gelenk/math/null_space.h"
#include "gelenk/mechanics/coordinates.h"
#include "gelenk/mechanics/machine_test_support.h"
#include "gelenk/model/mobility_rows.h"
#include "gelenk/model/primitives.h"

namespace gelenk::mechanics::closed_joint_test {
namespace {

using model::Coordinate;
using model::ObjectType;
using model::Primitive;

// Central differences with this step: h² = 1e-10 and rounding / h = 1e-11 for numbers of size one.
constexpr double kStep = 1e-5;
constexpr double kDifference = 1e-8;
// Numbers of size one through a dense solve with a condition of about 1e2.
constexpr double kSolved = 1e-11;
constexpr double kRounding = 1e-12;
constexpr double kAlongCurve = 1e-10;  // two turns of 280 m
constexpr int kTries = 20;

// Any turn of frame B on frame A that a primitive allows.
Matrix3 closed_rotation(Primitive primitive, double angle, test::Dice& dice) {
  const auto turn = [](double by, const Vector3& axis) { return Matrix3(Eigen::AngleAxisd(by, axis)); };
  const double before = 3.0 * dice.number();
  const double after = 3.0 * dice.number();
  if (primitive == Primitive::no_twist) {
    return turn(1.5 * dice.number(), Vector3(std::cos(before), std::sin(before), 0.0));
  }
  if (primitive == Primitive::right_angle) angle = 0.5 * std::numbers::pi;
  if (primitive == Primitive::right_angle || primitive == Primitive::angle) {
    return turn(before, Vector3::UnitZ()) * turn(angle, Vector3::UnitX()) * turn(after, Vector3::UnitZ());
  }
  return dice.rotation();
}

// Pose of frame B on frame A for these coordinates, in the order in which the joint turns and slides.
Pose closed_pose(const ObjectType& type, double length, const std::vector<double>& coordinates, test::Dice& dice) {
  Pose X_AB;
  if (type.coordinates.empty() && type.primitives.front() == Primitive::distance) {
    return {dice.rotation(), length * dice.vector().normalized()};
  }
  if (type.primitives.front() == Primitive::blade) return dice.pose();
  if (type.primitives.front() == Primitive::rim_on_plane) {
    const Matrix3 turn(Eigen::AngleAxisd(3.0 * dice.number(), Vector3::UnitZ()));
    const double lean = 1.5 + 0.5 * dice.number();
    const Matrix3 leaning(Eigen::AngleAxisd(lean, Vector3::UnitX()));
    return {turn * leaning, Vector3(dice.number(), dice.number(), length * std::sin(lean))};
  }
  for (std::size_t c = 0; c < type.coordinates.size(); ++c) {
    const Coordinate& coordinate = type.coordinates[c];
    if (coordinate.motion == Coordinate::Motion::orientation) {
      X_AB.rotation = closed_rotation(type.primitives.back(), length, dice);
    } else if (coordinate.motion == Coordinate::Motion::translation) {
      X_AB.position(coordinate.axis) = coordinates[c];
    } else {
      X_AB.rotation *= Matrix3(Eigen::AngleAxisd(coordinates[c], Vector3::Unit(coordinate.axis)));
    }
  }
  return X_AB;
}

Pose pose_on_curve(const ObjectType& type, const Curve& curve, double travel, test::Dice& dice) {
  const CurvePoint<double> C = curve.at(curve.parameter(travel));
  return {&type == &model::kPath ? axes_of(curve, C).directions : dice.rotation(), C.position};
}

class ClosedJoint : public testing::TestWithParam<const ObjectType*> {
 protected:
  struct Closed {
    test::Rig rig;
    std::vector<double> coordinates;
  };

  // Two free bodies, closed, with velocities that the joint allows.
  Closed make() {
    const ObjectType& type = *GetParam();
    Closed closed;
    model::Machine machine = test::empty_machine();
    test::add_parts(machine, 2, dice_);
    const Pose X_A = dice_.pose();
    const Pose X_B = dice_.pose();
    test::add_joint(machine, type, test::on_part(0, X_A), test::on_part(1, X_B));
    closed.rig = test::make_rig(std::move(machine));
    EXPECT_EQ(closed.rig.errors, "");
    test::scatter(closed.rig, dice_);
    for (std::size_t c = 0; c < type.coordinates.size(); ++c) closed.coordinates.push_back(3.0 * dice_.number());

    test::Rig& rig = closed.rig;
    const Curve* const curve = rig.params.curve(rig.system.rows.empty() ? -1 : rig.system.rows.front().curve);
    const Pose X_AB = curve != nullptr ? pose_on_curve(type, *curve, closed.coordinates.front(), dice_)
                                       : closed_pose(type, rig.params.row_constants.front(), closed.coordinates, dice_);
    const Pose X_WA = Pose{rig.state.orientation[0].toRotationMatrix(), rig.state.position[0]};
    const Pose X_WB = X_WA * rig.params.frames[0] * X_AB * rig.params.frames[1].inverse();
    rig.state.position[1] = X_WB.position;
    rig.state.orientation[1] = quaternion_from_rotation(X_WB.rotation);
    const Eigen::MatrixXd G = jacobian(rig);
    auto v = Eigen::VectorXd::Map(rig.state.velocity.data(), 12);
    v -= (G.transpose() * (G * G.transpose()).fullPivLu().solve(G * v)).eval();
    return closed;
  }

  static Eigen::MatrixXd jacobian(const test::Rig& rig) {
    Workspace workspace(rig.system);
    test::evaluate(rig.context(), workspace);
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rig.system.rows.size()), 12);
    for (std::size_t r = 0; r < rig.system.rows.size(); ++r) {
      const auto row = static_cast<Eigen::Index>(r);
      G.block<1, 6>(row, Eigen::Index{6} * rig.system.row_bodies[r].a) =
          Eigen::RowVectorXd::Map(workspace.blocks[r].a.data(), 6);
      G.block<1, 6>(row, Eigen::Index{6} * rig.system.row_bodies[r].b) =
          Eigen::RowVectorXd::Map(workspace.blocks[r].b.data(), 6);
    }
    return G;
  }

  // M a = f + Gᵀλ, G a = u by dense elimination: the rows of one closed joint are independent.
  static Eigen::VectorXd accelerations(const test::Rig& rig) {
    Workspace workspace(rig.system);
    test::evaluate(rig.context(), workspace);
    update_forces(rig.context(), workspace);
    Eigen::MatrixXd inverse_mass = Eigen::MatrixXd::Zero(12, 12);
    for (Eigen::Index b = 0; b < 2; ++b) {
      const BodyInverseMass& m = workspace.inverse_masses[static_cast<std::size_t>(b)];
      inverse_mass.block<3, 3>(6 * b, 6 * b) = m.inverse_mass * Matrix3::Identity();
      inverse_mass.block<3, 3>(6 * b + 3, 6 * b + 3) = Matrix3::Map(m.inverse_inertia.data());
    }
    const Eigen::VectorXd free = inverse_mass * Eigen::VectorXd::Map(workspace.forces.data(), 12);
    Eigen::VectorXd u(static_cast<Eigen::Index>(rig.system.rows.size()));
    row_biases(rig.context(), workspace, std::span(u.data(), rig.system.rows.size()));
    const Eigen::MatrixXd G = jacobian(rig);
    const Eigen::MatrixXd N = G * inverse_mass * G.transpose();
    return free + inverse_mass * G.transpose() * N.fullPivLu().solve(u - G * free);
  }

  test::Dice dice_{7};
};

std::vector<const ObjectType*> joints_with_equations() {
  std::vector<const ObjectType*> types;
  for (const ObjectType* type : model::Descriptors<model::JointData>::kAll) {
    if (!type->primitives.empty()) types.push_back(type);
  }
  return types;
}
INSTANTIATE_TEST_SUITE_P(All, ClosedJoint, testing::ValuesIn(joints_with_equations()),
                         [](const auto& one) { return std::string(one.param->name); });

TEST_P(ClosedJoint, AllRowsAreZero) {
  for (int i = 0; i < kTries; ++i) {
    const Closed closed = make();
    Workspace workspace(closed.rig.system);
    test::evaluate(closed.rig.context(), workspace);
    std::vector<double> values(closed.rig.system.rows.size());
    row_values(closed.rig.context(), workspace, values);
    for (const double g : values) EXPECT_NEAR(g, 0.0, kRounding);
  }
}

TEST_P(ClosedJoint, CoordinatesAreThoseItWasPlacedBy) {
  for (int i = 0; i < kTries; ++i) {
    Closed closed = make();
    for (std::size_t c = 0; c < closed.coordinates.size(); ++c) {
      const std::int32_t tracked = closed.rig.system.coordinates[c].tracked;
      if (closed.rig.system.coordinates[c].type->motion == Coordinate::Motion::orientation) continue;
      // Two turns and a bit more: the nearest angle is the right one for errors of up to half a turn.
      const Curve* const curve = closed.rig.params.curve(closed.rig.system.coordinates[c].curve);
      const double turns = tracked < 0 ? 0.0 : 2.0 * turn_of(curve);
      if (tracked >= 0) closed.rig.state.extra[at(tracked)] = closed.coordinates[c] + turns + 3.0;
      Workspace workspace(closed.rig.system);
      update_positions(closed.rig.context(), workspace);
      EXPECT_NEAR(view(closed.rig.context(), workspace).coordinate(static_cast<std::int32_t>(c)),
                  closed.coordinates[c] + turns, curve != nullptr ? kAlongCurve : kRounding);
    }
  }
}

TEST_P(ClosedJoint, RateIsTheDerivativeOfTheCoordinate) {
  const std::vector<double> none(12, 0.0);
  for (int i = 0; i < kTries; ++i) {
    const Closed closed = make();
    const auto coordinate = [&](const system::State& state, std::size_t c) {
      Workspace workspace(closed.rig.system);
      const Context context{closed.rig.system, closed.rig.params, state};
      update_positions(context, workspace);
      return view(context, workspace).coordinate(static_cast<std::int32_t>(c));
    };
    Workspace workspace(closed.rig.system);
    test::evaluate(closed.rig.context(), workspace);
    for (std::size_t c = 0; c < closed.coordinates.size(); ++c) {
      const Coordinate& type = *closed.rig.system.coordinates[c].type;
      if (type.motion == Coordinate::Motion::orientation) continue;
      const double rate = view(closed.rig.context(), workspace).rate(static_cast<std::int32_t>(c));
      const double difference =
          coordinate(test::later(closed.rig, none, kStep), c) - coordinate(test::later(closed.rig, none, -kStep), c);
      EXPECT_NEAR(rate, difference / (2.0 * kStep), kDifference) << type.name;
      const RowJacobian<double> J =
          coordinate_jacobian<double>(type, workspace.frames[0], workspace.frames[1],
                                      closed.rig.params.curve(closed.rig.system.coordinates[c].curve));
      EXPECT_NEAR(rate,
                  J.a_linear.dot(workspace.frames[0].v) + J.a_angular.dot(workspace.frames[0].w) +
                      J.b_linear.dot(workspace.frames[1].v) + J.b_angular.dot(workspace.frames[1].w),
                  kRounding)
          << type.name;
    }
  }
}

// A driver pushes the coordinate and nothing else: its multiplier is the torque or force on the coordinate.
TEST_P(ClosedJoint, RowOfADriverThatIsMetIsTheCoordinate) {
  for (int i = 0; i < kTries; ++i) {
    const Closed closed = make();
    Workspace workspace(closed.rig.system);
    test::evaluate(closed.rig.context(), workspace);
    const FrameMotion& A = workspace.frames[0];
    const FrameMotion& B = workspace.frames[1];
    for (std::size_t c = 0; c < closed.coordinates.size(); ++c) {
      const Coordinate& type = *closed.rig.system.coordinates[c].type;
      if (type.motion == Coordinate::Motion::orientation) continue;
      system::Row row{system::RowKind::frame_axis, static_cast<std::uint8_t>(type.axis), 0, 0, 1, 0, 0};
      if (type.motion == Coordinate::Motion::rotation) {
        row.kind = type.axis == 2 ? system::RowKind::angle_at_a : system::RowKind::angle_at_b;
      }
      const Curve* const curve = closed.rig.params.curve(closed.rig.system.coordinates[c].curve);
      if (curve != nullptr) row.kind = system::RowKind::curve_travel;
      const Prescribed<double> motion{closed.coordinates[c], 0.0, 0.0};
      EXPECT_NEAR(row_value<double>(row, A, B, {0.0, curve}, motion), 0.0, curve != nullptr ? kAlongCurve : kRounding);
      const RowJacobian<double> of_row = row_jacobian<double>(row, A, B, {0.0, curve}, motion);
      const RowJacobian<double> of_coordinate = coordinate_jacobian<double>(type, A, B, curve);
      EXPECT_LT((of_row.a_linear - of_coordinate.a_linear).norm(), kRounding) << type.name;
      EXPECT_LT((of_row.a_angular - of_coordinate.a_angular).norm(), kRounding) << type.name;
      EXPECT_LT((of_row.b_linear - of_coordinate.b_linear).norm(), kRounding) << type.name;
      EXPECT_LT((of_row.b_angular - of_coordinate.b_angular).norm(), kRounding) << type.name;
    }
  }
}

// What is counted where a machine is drawn is what its rows hold: motions that these allow are motions that those
// allow, there are as many independent ones, and a closed joint is not open.
TEST_P(ClosedJoint, RowsAsDrawnAreThoseOfTheEquations) {
  for (int i = 0; i < kTries; ++i) {
    const Closed closed = make();
    const test::Rig& rig = closed.rig;
    Pose frames[2];
    Eigen::VectorXd twists(12);  // of the points of both bodies at the world origin
    for (std::size_t b = 0; b < 2; ++b) {
      frames[b] = Pose{rig.state.orientation[b].toRotationMatrix(), rig.state.position[b]} * rig.params.frames[b];
      const Vector3 v = Vector3::Map(&rig.state.velocity[6 * b]);
      const Vector3 w = Vector3::Map(&rig.state.velocity[6 * b + 3]);
      twists.segment<6>(static_cast<Eigen::Index>(6 * b)) << v - w.cross(rig.state.position[b]), w;
    }
    const model::JointNode& joint = rig.machine.joints.front();
    MatrixX rows = MatrixX::Zero(static_cast<Eigen::Index>(rig.system.rows.size()), 12);
    model::RowWriter writer{rows, 0, 0, 6};
    model::write_rows(writer, joint, frames[0], frames[1]);
    EXPECT_EQ(writer.next, rows.rows());
    EXPECT_LT((rows * twists).norm(), kSolved);
    EXPECT_EQ(null_space(rows, kSolved).rank, rows.rows());
    for (const Primitive primitive : GetParam()->primitives) {
      const model::PrimitiveType& type = model::type_of(primitive);
      if (type.gap == nullptr) continue;
      const model::JointGap gap =
          type.gap(frames[0].inverse() * frames[1], rig.params.held(rig.system.rows.front(), 0));
      EXPECT_LT(gap.distance, kRounding);
      EXPECT_LT(gap.angle, kRounding);
    }
  }
}

// Joints that are the same from both sides: a disk is not its plane, a blade not its ice, a point not its line
// or curve.
std::vector<const model::ObjectType*> joints_without_sides() {
  std::vector<const model::ObjectType*> joints = joints_with_equations();
  std::erase_if(joints, [](const model::ObjectType* type) {
    return type->primitives.front() == Primitive::rim_on_plane || type->primitives.front() == Primitive::blade ||
           type == &model::kPointOnLine || type == &model::kPointOnPlane || type == &model::kSlot ||
           type->primitives.front() == Primitive::on_curve;
  });
  return joints;
}

class ClosedJointWithoutSides : public ClosedJoint {};
INSTANTIATE_TEST_SUITE_P(All, ClosedJointWithoutSides, testing::ValuesIn(joints_without_sides()),
                         [](const auto& one) { return std::string(one.param->name); });

// The physics does not know which frame comes first.
// S1-10: no base and no dependent body of a joint.
TEST_P(ClosedJointWithoutSides, ExchangeOfFramesLeavesTheAccelerations) {
  for (int i = 0; i < kTries; ++i) {
    const Closed closed = make();
    model::Machine machine = closed.rig.machine;
    model::JointNode& joint = machine.joints.front();
    std::swap(joint.a, joint.b);
    for (const Primitive primitive : GetParam()->primitives) {
      if (primitive != Primitive::crossed_axes) continue;
      // The crossing axes are z of the first and x of the second frame: they change their names with the frames.
      Matrix3 x_and_z_exchanged;
      x_and_z_exchanged << 0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0;
      joint.a.X_PF.rotation *= x_and_z_exchanged;
      joint.b.X_PF.rotation *= x_and_z_exchanged;
    }
    test::Rig exchanged = test::make_rig(std::move(machine));
    exchanged.state = closed.rig.state;
    exchanged.params.gravity = model::UniformGravity{Vector3(1.0, 2.0, 3.0)};
    test::Rig original = closed.rig;
    original.params.gravity = exchanged.params.gravity;
    const Eigen::VectorXd a = accelerations(original);
    EXPECT_LT((a - accelerations(exchanged)).norm(), kSolved);
    EXPECT_GT(a.norm(), 0.1);
  }
}

}  // namespace
}  // namespace gelenk::mechanics::closed_joint_test
