// What must hold for every force but hard ones, which do not follow from the motion alone. A new one is here by being
// in model::ForceData.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/force_derivatives.h"
#include "gelenk/mechanics/machine_test_support.h"

namespace gelenk::mechanics::force_conformance_test {
namespace {

using model::Field;
using model::FieldKind;
using model::ObjectType;
using Element = model::ChannelUse::Element;

// Central differences with this step: h² = 1e-10 and rounding / h = 1e-11 for numbers of size one. The forces here are
// products of several such numbers, up to about 30.
constexpr double kStep = 1e-5;
constexpr double kDifference = 1e-7;
constexpr double kRounding = 1e-12;
constexpr int kTries = 20;

bool has_field(const ObjectType& type, std::string_view key) {
  return std::any_of(type.fields.begin(), type.fields.end(), [&](const Field& field) { return field.key == key; });
}
bool is_damping(const Field& field) {
  return field.quantity == Quantity::damping || field.quantity == Quantity::rotational_damping ||
         field.key.starts_with("damping_");
}
// Beside the diagonal of a matrix that takes energy away: small.
bool is_beside_diagonal(const Field& field) {
  return field.store_vector != nullptr && (field.key.ends_with("_between") || field.key.ends_with("_x") ||
                                           field.key.ends_with("_y") || field.key.ends_with("_z"));
}

// By its user, or by a formula in its descriptor.
bool has_given_value(const ObjectType& type) { return has_field(type, "value") || !type.law.empty(); }
bool is_along_line(const ObjectType& type) { return model::is_line_law(model::make_data<model::ForceData>(&type)); }
bool has_damping(const ObjectType& type) { return std::any_of(type.fields.begin(), type.fields.end(), is_damping); }
// Takes energy away whatever its numbers are.
bool is_dissipative(const ObjectType& type) { return type.name == "drag" || type.name == "tire"; }

enum class Numbers { all, conservative, damping };

// Numbers of size one in all fields of the data that are wanted, zero in the others.
model::ForceData random_data(const ObjectType& type, Numbers wanted, test::Dice& dice) {
  model::ForceData data = model::make_data<model::ForceData>(&type);
  for (const Field& field : type.fields) {
    const bool is_wanted = wanted == Numbers::all || is_damping(field) == (wanted == Numbers::damping);
    const double size = dice.size();
    const Vector3 sizes = (is_beside_diagonal(field) ? 0.05 : 1.0) * dice.sizes();
    if (field.store != nullptr) field.store(model::data_pointer(data), is_wanted ? size : 0.0);
    if (field.store_vector != nullptr) {
      const Vector3 value = is_wanted ? sizes : Vector3(Vector3::Zero());
      field.store_vector(model::data_pointer(data), std::span<const double, 3>(value.data(), 3));
    }
  }
  // It reaches the road from anywhere, with loads of size one.
  if (auto* const tire = std::get_if<model::Tire>(&data)) {
    tire->radius += 10.0;
    tire->stiffness *= 0.1;
    tire->damping *= 0.1;
  }
  return data;
}

enum class Ends { both_parts, from_ground, one_frame };

class ForceConformance : public testing::TestWithParam<const ObjectType*> {
 protected:
  // Three parts; a hinge between the first two, on whose angle a force may act; the force between the same frames.
  model::Machine machine(Numbers numbers, Ends ends) {
    const ObjectType& type = *GetParam();
    model::Machine result = test::empty_machine();
    test::add_parts(result, 3, dice_);
    const Pose X_A = dice_.pose();
    const Pose X_B = dice_.pose();
    const model::FrameOnPart a = ends == Ends::from_ground ? test::on_ground(X_A) : test::on_part(0, X_A);
    const model::FrameOnPart b = test::on_part(1, X_B);
    test::add_joint(result, model::descriptor(static_cast<model::Revolute*>(nullptr)), a, b);
    model::ForceNode force;
    force.path = "force";
    force.type = &type;
    force.data = random_data(type, numbers, dice_);
    if (has_field(type, "drives")) {
      force.drives = model::CoordinateUse{model::JointId(0), 0};
    } else {
      if (ends != Ends::one_frame || !has_field(type, "applied_to")) force.a = a;
      force.b = b;
      force.axes = a;
      force.direction = dice_.vector().normalized();
    }
    if (has_given_value(type)) force.value = test::signal("2.5");
    result.forces.push_back(std::move(force));
    return result;
  }

  test::Rig make(Numbers numbers, Ends ends = Ends::both_parts) {
    test::Rig rig = test::make_rig(machine(numbers, ends));
    EXPECT_EQ(rig.errors, "");
    test::scatter(rig, dice_);
    return rig;
  }

  // Frame B anywhere, but turned against A about their common z axis only, and turning about it only: as the hinge
  // whose angle a force may act on.
  void turn_about_common_axis(test::Rig& rig) {
    const Pose X_WA = Pose{rig.state.orientation[0].toRotationMatrix(), rig.state.position[0]} * rig.params.frames[0];
    const Pose X_AB{Matrix3(Eigen::AngleAxisd(3.0 * dice_.number(), Vector3::UnitZ())), dice_.vector()};
    const Pose X_WB = X_WA * X_AB * rig.params.frames[1].inverse();
    rig.state.position[1] = X_WB.position;
    rig.state.orientation[1] = quaternion_from_rotation(X_WB.rotation);
    Eigen::Map<Vector3>(&rig.state.velocity[9]) =
        Vector3::Map(&rig.state.velocity[3]) + dice_.number() * X_WA.rotation.col(2);
  }

  static ForceResult<double> result(const test::Rig& rig, const system::State& state, Workspace& workspace) {
    const Context context{rig.system, rig.params, state};
    update_positions(context, workspace);
    update_velocities(context, workspace);
    return view(context, workspace).force(0);
  }

  // Power that the force puts into its two parts, at its frames.
  static double power(const ForceResult<double>& force, const Workspace& workspace) {
    const FrameMotion& A = workspace.frames[0];
    const FrameMotion& B = workspace.frames[1];
    return force.on_a.force.dot(A.v) + force.on_a.moment.dot(A.w) + force.on_b.force.dot(B.v) +
           force.on_b.moment.dot(B.w);
  }

  test::Dice dice_{11};
};

// Those whose size follows from the motion, with a potential and damping; those whose size is given.
class SpringConformance : public ForceConformance {};
class DamperConformance : public ForceConformance {};
class LoadConformance : public ForceConformance {};

std::vector<const ObjectType*> forces_where(bool (*is_wanted)(const ObjectType&)) {
  std::vector<const ObjectType*> types;
  for (const ObjectType* type : model::Descriptors<model::ForceData>::kAll) {
    if (!type->is_hard && is_wanted(*type)) types.push_back(type);
  }
  return types;
}
std::string name_of(const testing::TestParamInfo<const ObjectType*>& one) { return std::string(one.param->name); }

INSTANTIATE_TEST_SUITE_P(All, ForceConformance, testing::ValuesIn(forces_where([](const ObjectType&) { return true; })),
                         name_of);
INSTANTIATE_TEST_SUITE_P(All, SpringConformance, testing::ValuesIn(forces_where([](const ObjectType& type) {
                           return !has_given_value(type) && !is_dissipative(type);
                         })),
                         name_of);
INSTANTIATE_TEST_SUITE_P(All, DamperConformance, testing::ValuesIn(forces_where([](const ObjectType& type) {
                           return !has_given_value(type) && has_damping(type) && type.name != "tire";
                         })),
                         name_of);
INSTANTIATE_TEST_SUITE_P(All, LoadConformance, testing::ValuesIn(forces_where(has_given_value)), name_of);

// S1-11, S2-04: springs, dampers, forces, torques and more, each at its points.
TEST_P(ForceConformance, ForceAndMomentBetweenTwoPartsAddUpToZero) {
  for (int i = 0; i < kTries; ++i) {
    const test::Rig rig = make(Numbers::all);
    Workspace workspace(rig.system);
    const ForceResult<double> force = result(rig, rig.state, workspace);
    EXPECT_GT(force.on_b.force.norm() + force.on_b.moment.norm(), 1e-3);
    EXPECT_LT((force.on_a.force + force.on_b.force).norm(), kRounding);
    const Vector3 about_origin = force.on_a.moment + workspace.frames[0].p.cross(force.on_a.force) + force.on_b.moment +
                                 workspace.frames[1].p.cross(force.on_b.force);
    EXPECT_LT(about_origin.norm(), 10.0 * kRounding);
    // and on the bodies, about their centers of mass
    test::Rig still = rig;
    std::fill(still.state.velocity.begin(), still.state.velocity.end(), 0.0);
    const ForceResult<double> at_rest = result(still, still.state, workspace);
    update_forces(still.context(), workspace);
    const Vector3 on_first = Vector3::Map(&workspace.forces[0]);
    EXPECT_LT((on_first - at_rest.on_a.force).norm(), kRounding);
    const Vector3 moment = Vector3::Map(&workspace.forces[3]) + Vector3::Map(&workspace.forces[9]) +
                           still.state.position[0].cross(on_first) +
                           still.state.position[1].cross(Vector3(Vector3::Map(&workspace.forces[6])));
    EXPECT_LT(moment.norm(), 10.0 * kRounding);
  }
}

// S4-25: elements know their energy.
TEST_P(SpringConformance, PowerIsWhatThePotentialLoses) {
  const std::vector<double> none(18, 0.0);
  for (int i = 0; i < kTries; ++i) {
    test::Rig rig = make(Numbers::conservative);
    if (has_field(*GetParam(), "drives")) turn_about_common_axis(rig);
    Workspace workspace(rig.system);
    const double after = result(rig, test::later(rig, none, kStep), workspace).potential;
    const double before = result(rig, test::later(rig, none, -kStep), workspace).potential;
    const double given = power(result(rig, rig.state, workspace), workspace);
    EXPECT_NEAR(given, -(after - before) / (2.0 * kStep), kDifference);
    EXPECT_GT(std::abs(given), 1e-6);
  }
}

TEST_P(DamperConformance, DampingTakesPowerAway) {
  for (int i = 0; i < kTries; ++i) {
    const test::Rig rig = make(Numbers::damping, i % 2 == 0 ? Ends::both_parts : Ends::from_ground);
    Workspace workspace(rig.system);
    const ForceResult<double> force = result(rig, rig.state, workspace);
    EXPECT_LT(power(force, workspace), 0.0);
    EXPECT_EQ(force.potential, 0.0);
  }
}

// Two parts that move as one: v + w × p everywhere.
TEST_P(DamperConformance, DampingDoesNotFeelACommonMotion) {
  for (int i = 0; i < kTries; ++i) {
    test::Rig rig = make(Numbers::damping);
    const Vector3 v = dice_.vector();
    const Vector3 w = dice_.vector();
    for (std::size_t b = 0; b < 2; ++b) {
      Eigen::Map<Vector3>(&rig.state.velocity[6 * b]) = v + w.cross(rig.state.position[b]);
      Eigen::Map<Vector3>(&rig.state.velocity[6 * b + 3]) = w;
    }
    Workspace workspace(rig.system);
    const ForceResult<double> force = result(rig, rig.state, workspace);
    EXPECT_LT(force.on_b.force.norm() + force.on_b.moment.norm(), 10.0 * kRounding);
  }
}

// effort × rate on a coordinate; -(rate of the length) along a line; F·(velocity of B seen from A); M·(angular velocity
// of B against A). S2-21: a general force or torque.
TEST_P(LoadConformance, PowerOfAGivenValueIsValueTimesRelativeMotion) {
  for (int i = 0; i < kTries; ++i) {
    const test::Rig rig = make(Numbers::all);
    Workspace workspace(rig.system);
    const ForceResult<double> force = result(rig, rig.state, workspace);
    const FrameMotion& A = workspace.frames[0];
    const FrameMotion& B = workspace.frames[1];
    const Vector3 w = B.w - A.w;
    const Vector3 v = B.v - A.v - A.w.cross(B.p - A.p);
    const Vector3 d = A.R * rig.params.force_directions[0];
    const double rate = is_along_line(*GetParam())     ? -(B.p - A.p).normalized().dot(v)
                        : GetParam()->name == "force"  ? d.dot(v)
                        : GetParam()->name == "torque" ? d.dot(w)
                                                       : A.R.col(2).dot(w);
    EXPECT_NEAR(power(force, workspace), 2.5 * rate, 10.0 * kRounding);
  }
}

TEST_P(ForceConformance, IsFiniteWhereItsFramesCoincide) {
  test::Rig rig = make(Numbers::all);
  const Pose X_WA = Pose{rig.state.orientation[0].toRotationMatrix(), rig.state.position[0]} * rig.params.frames[0];
  const Pose X_WB = X_WA * rig.params.frames[1].inverse();
  rig.state.orientation[1] = quaternion_from_rotation(X_WB.rotation);
  rig.state.position[1] = X_WA.position - rig.state.orientation[1].toRotationMatrix() * rig.params.frames[1].position;
  // Rounding leaves the origins apart by the last digit; a frame at the origin of each body leaves nothing.
  for (Pose& frame : rig.params.frames) frame.position.setZero();
  rig.state.position[1] = rig.state.position[0];
  Workspace workspace(rig.system);
  update_positions(rig.context(), workspace);
  update_velocities(rig.context(), workspace);
  update_forces(rig.context(), workspace);
  for (const double f : workspace.forces) EXPECT_TRUE(std::isfinite(f));
  std::vector<ForceBlock> blocks;
  ForceDerivatives(rig.system).evaluate(rig.context(), workspace, 0, blocks);
  EXPECT_FALSE(blocks.empty());
  for (const ForceBlock& block : blocks) {
    for (const double value : block.values) EXPECT_TRUE(std::isfinite(value));
  }
}

// All forces, gravity and gyroscopic moments together: blocks against differences of the sums on all bodies.
void expect_exact_derivatives(const test::Rig& rig) {
  const std::size_t bodies = rig.system.bodies.size();
  Workspace workspace(rig.system);
  update_positions(rig.context(), workspace);
  update_velocities(rig.context(), workspace);
  std::vector<ForceBlock> blocks;
  ForceDerivatives derivatives(rig.system);
  for (std::size_t f = 0; f < rig.system.forces.size(); ++f) {
    derivatives.evaluate(rig.context(), workspace, static_cast<std::int32_t>(f), blocks);
  }
  for (std::size_t b = 0; b < bodies; ++b) {
    blocks.push_back(body_block(rig.context(), workspace, static_cast<std::int32_t>(b)));
  }
  const auto sums = [&](std::size_t body, std::size_t direction, double h) {
    system::State state = rig.state;
    test::nudge(state, body, direction, h);
    const Context context{rig.system, rig.params, state};
    update_positions(context, workspace);
    update_velocities(context, workspace);
    update_forces(context, workspace);
    return workspace.forces;
  };
  test::expect_differences(blocks, bodies, 12, sums, kStep, kDifference);
}

TEST_P(ForceConformance, DerivativeBlocksAreExact) {
  for (const Ends ends : {Ends::both_parts, Ends::from_ground, Ends::one_frame}) {
    for (int i = 0; i < 5; ++i) {
      const test::Rig rig = make(Numbers::all, ends);
      expect_exact_derivatives(rig);
      if (HasFailure()) return;
    }
  }
}

// Values may read anything that is known before the accelerations: other parts, joints, other forces.
TEST_P(LoadConformance, DerivativeBlocksFollowWhatTheValueReads) {
  model::Machine m = machine(Numbers::all, Ends::both_parts);
  model::ForceNode spring;
  spring.path = "spring";
  spring.type = &model::descriptor(static_cast<model::SpringDamper*>(nullptr));
  spring.data = model::SpringDamper{2.0, 0.5, 0.4};
  spring.a = test::on_ground(dice_.pose());
  // The last part is read through the spring only.
  test::add_parts(m, 1, dice_);
  spring.b = test::on_part(3, dice_.pose());
  m.forces.push_back(spring);
  m.forces.front().value = test::signal("1 + x*speed + angle*rate + pull*stretch + q + turning + time",
                                        {{"x", test::component(Element::part, 2, "position", 0)},
                                         {"speed", test::magnitude(Element::part, 2, "velocity")},
                                         {"turning", test::component(Element::part, 0, "angular_velocity", 1)},
                                         {"q", test::component(Element::part, 2, "orientation", 3)},
                                         {"angle", test::channel(Element::joint, 0, "angle")},
                                         {"rate", test::channel(Element::joint, 0, "rate")},
                                         {"pull", test::channel(Element::force, 1, "force")},
                                         {"stretch", test::channel(Element::force, 1, "length")}});
  for (int i = 0; i < 5; ++i) {
    test::Rig rig = test::make_rig(m);
    ASSERT_EQ(rig.errors, "");
    test::scatter(rig, dice_);
    EXPECT_EQ(bodies_read(rig.system, {}, 0), (std::vector<std::int32_t>{0, 1, 2, 3}));
    expect_exact_derivatives(rig);
    if (HasFailure()) return;
  }
}

TEST(GravityConformance, DerivativesAreExactForEveryKind) {
  test::Dice dice(5);
  for (const model::Gravity& gravity :
       {model::Gravity(model::NoGravity{}), model::Gravity(model::UniformGravity{Vector3(1.0, -2.0, 3.0)}),
        model::Gravity(model::PointGravity{Vector3(2.0, 3.0, -2.0), 4.0})}) {
    model::Machine machine = test::empty_machine();
    test::add_parts(machine, 2, dice);
    machine.gravity = gravity;
    test::Rig rig = test::make_rig(std::move(machine));
    test::scatter(rig, dice);
    expect_exact_derivatives(rig);
  }
}

}  // namespace
}  // namespace gelenk::mechanics::force_conformance_test
