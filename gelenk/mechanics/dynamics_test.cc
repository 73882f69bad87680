// The short way of dynamics.h against the rows and frames of evaluate.h: all joint types, with and without drivers.
#include "gelenk/mechanics/dynamics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "gelenk/base/allocation_count_test_support.h"
#include "gelenk/base/index.h"
#include "gelenk/mechanics/angles.h"
#include "gelenk/mechanics/machine_test_support.h"

namespace gelenk::mechanics::dynamics_test {
namespace {

using model::Coordinate;
using model::ObjectType;
using Level = model::DriverNode::Level;

// Some dozen operations on numbers of size one, in another order.
constexpr double kRounding = 1e-13;
// Second derivatives: sums of products of four numbers up to three.
constexpr double kBiasRounding = 1e-12;
constexpr std::size_t kParts = 9;
constexpr int kTries = 10;

const ObjectType& revolute() { return model::descriptor(static_cast<model::Revolute*>(nullptr)); }

void drive(model::Machine& machine, std::size_t coordinate, Level level) {
  model::DriverNode driver;
  driver.path = "driver_" + std::to_string(machine.drivers.size());
  driver.drives = {model::JointId(machine.joints.size() - 1), coordinate};
  driver.level = level;
  driver.law = level == Level::rate
                   ? test::signal("0.7*sin(2*time) + x*x",
                                  {{"x", test::component(model::ChannelUse::Element::part, 0, "position", 0)}})
                   : test::signal("0.7*sin(2*time) + 0.3*time^2");
  machine.drivers.push_back(std::move(driver));
}

class Dynamics : public testing::Test {
 protected:
  // From the ground, to the ground, on one part, or between two.
  void add_joint(model::Machine& machine, const ObjectType& type) {
    const std::size_t number = machine.joints.size();
    const Pose X_A = dice_.pose();
    const Pose X_B = dice_.pose();
    const std::size_t a = number % kParts;
    const std::size_t b = number % 11 == 7 ? a : (number * 5 + 1) % kParts;
    test::add_joint(machine, type, number % 5 == 3 ? test::on_ground(X_A) : test::on_part(a, X_A),
                    number % 7 == 4 ? test::on_ground(X_B) : test::on_part(b, X_B));
  }

  // Every joint type without drivers, with each coordinate driven in each way, and with all of them driven.
  model::Machine machine() {
    model::Machine result = test::empty_machine();
    test::add_parts(result, kParts, dice_);
    for (const ObjectType* type : model::Descriptors<model::JointData>::kAll) {
      if (type->primitives.empty()) continue;
      // Numbers of joints that leave the last pair unfilled.
      for (int i = 0; i < 5; ++i) add_joint(result, *type);
      for (std::size_t c = 0; c < type->coordinates.size(); ++c) {
        if (type->coordinates[c].motion == Coordinate::Motion::orientation) continue;
        for (const Level level : {Level::position, Level::rate, Level::acceleration}) {
          add_joint(result, *type);
          drive(result, c, level);
        }
      }
      add_joint(result, *type);
      for (std::size_t c = 0; c < type->coordinates.size(); ++c) {
        if (type->coordinates[c].motion != Coordinate::Motion::orientation) drive(result, c, Level::position);
      }
    }
    return result;
  }

  // Off all constraints, moving anyhow.
  test::Rig make() {
    test::Rig rig = test::make_rig(machine());
    EXPECT_EQ(rig.errors, "");
    test::scatter(rig, dice_);
    return rig;
  }

  test::Dice dice_{314159};
};

// Both ways, each in its own workspace.
struct Both {
  explicit Both(const test::Rig& rig)
      : full(rig.system), lean(rig.system), biases(rig.system.rows.size()), expected_biases(rig.system.rows.size()) {
    const Context context = rig.context();
    test::evaluate(context, full);
    row_biases(context, full, expected_biases);
    update_bodies(context, lean);
    update_drivers(context, lean);
    update_joints(context, lean, biases);
  }
  Workspace full, lean;
  std::vector<double> biases, expected_biases;
};

// Equations (1), (2), (3) of joint_rows.h written as a block of one row.
RowBlock expanded(const JointRows& joint, std::size_t index, const std::vector<double>& values) {
  RowBlock block;
  const double* const from = &values[row_place(joint, index)];
  for (std::size_t k = 0; k < 3; ++k) {
    switch (row_form(joint, index)) {
      case RowForm::point: {
        const Vector3 axis = Vector3::Unit(static_cast<Eigen::Index>(index));
        const auto i = static_cast<Eigen::Index>(k);
        block.a[k] = -axis(i);
        block.b[k] = axis(i);
        block.a[3 + k] = -Vector3::Map(from).cross(axis)(i);
        block.b[3 + k] = Vector3::Map(from + 3).cross(axis)(i);
        break;
      }
      case RowForm::turn:
        block.a[3 + k] = -from[k];
        block.b[3 + k] = from[k];
        break;
      case RowForm::line:
        block.a[k] = -from[k];
        block.b[k] = from[k];
        block.a[3 + k] = from[3 + k];
        block.b[3 + k] = from[6 + k];
        break;
    }
  }
  return block;
}

void expect_near(std::span<const double> one, std::span<const double> other, double tolerance) {
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], tolerance) << "number " << i;
}

void expect_same_rows(const test::Rig& rig, const Workspace& full, const Workspace& lean) {
  for (const JointRows& joint : lean.joints.layout.joints) {
    const std::span<const std::int32_t> rows = lean.joints.layout.rows_of(joint);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const RowBlock block = expanded(joint, i, lean.joint_values);
      const RowBodies& bodies = rig.system.row_bodies[at(rows[i])];
      EXPECT_EQ(joint.a, bodies.a);
      EXPECT_EQ(joint.b, bodies.b);
      SCOPED_TRACE(rows[i]);
      if (joint.a >= 0) expect_near(block.a, full.blocks[at(rows[i])].a, kRounding);
      if (joint.b >= 0) expect_near(block.b, full.blocks[at(rows[i])].b, kRounding);
    }
  }
}

TEST_F(Dynamics, LayoutHoldsEveryRowOnceWithTheJointItBelongsTo) {
  const test::Rig rig = make();
  const JointRowLayout layout = make_joint_row_layout(rig.system);
  std::vector<std::int32_t> joints_with_rows;
  for (std::size_t j = 0; j < rig.system.joints.size(); ++j) {
    const auto is_its = [&](const system::Row& row) { return row.joint == static_cast<std::int32_t>(j); };
    if (std::any_of(rig.system.rows.begin(), rig.system.rows.end(), is_its)) {
      joints_with_rows.push_back(static_cast<std::int32_t>(j));
    }
  }
  ASSERT_EQ(layout.joints.size(), joints_with_rows.size());
  std::vector<int> seen(rig.system.rows.size(), 0);
  std::size_t values = 0;
  for (std::size_t j = 0; j < layout.joints.size(); ++j) {
    EXPECT_EQ(layout.joints[j].first_value, static_cast<std::int32_t>(values));
    values += layout.joints[j].value_count();
    for (const std::int32_t row : layout.rows_of(layout.joints[j])) {
      ++seen[at(row)];
      EXPECT_EQ(rig.system.rows[at(row)].joint, joints_with_rows[j]);
    }
  }
  EXPECT_EQ(layout.value_count, values);
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(seen.size()));
}

// A joint that is computed row by row would still be right, but slow: only rare ones are.
TEST_F(Dynamics, OnlyRowsOfDriversAndOfRareJointsAreComputedOneByOne) {
  const test::Rig rig = make();
  const JointPlan plan = make_joint_plan(rig.system);
  constexpr std::array kCommon{&model::kRevolute,  &model::kPrismatic, &model::kCylindrical,
                               &model::kSpherical, &model::kUniversal, &model::kPlanar,
                               &model::kFixed,     &model::kDistance,  &model::kScrew};
  const auto has_kernel = [&](const system::Row& row) {
    const model::ObjectType* type = rig.system.joints[at(row.joint)].type;
    return row.primitive == model::Primitive::point || std::find(kCommon.begin(), kCommon.end(), type) != kCommon.end();
  };
  std::size_t alone = 0;
  for (const system::Row& row : rig.system.rows) alone += row.driver >= 0 || !has_kernel(row) ? 1U : 0U;
  EXPECT_GT(alone, rig.system.drivers.size());
  EXPECT_EQ(plan.single_rows.size(), alone);
  for (const SingleRow& single : plan.single_rows) {
    const system::Row& row = rig.system.rows[at(single.row)];
    EXPECT_TRUE(row.driver >= 0 || !has_kernel(row));
  }
}

TEST_F(Dynamics, BodiesMoveAsTheirStateSays) {
  const test::Rig rig = make();
  Both both(rig);
  for (std::size_t b = 0; b < rig.system.bodies.size(); ++b) {
    const Motion<double>& one = both.lean.bodies[b];
    const Motion<double>& other = both.full.bodies[b];
    EXPECT_EQ(one.p, other.p);
    EXPECT_EQ(one.R, other.R);  // the same operations in the same order
    EXPECT_EQ(one.v, other.v);
    EXPECT_EQ(one.w, other.w);
  }
}

TEST_F(Dynamics, MassesAreTurnedWithTheirBodies) {
  const test::Rig rig = make();
  const Both both(rig);
  for (std::size_t b = 0; b < rig.system.bodies.size(); ++b) {
    const system::BodyParams& body = rig.params.bodies[b];
    const Matrix3 R = rig.state.orientation[b].toRotationMatrix();
    const Matrix3 J = R * body.inertia() * R.transpose();
    const BodyMass& mass = both.lean.masses[b];
    EXPECT_EQ(mass.mass, body.mass);
    EXPECT_EQ(mass.mean_inverse_inertia, body.mean_inverse_inertia);
    expect_near(mass.inertia, std::array{J(0, 0), J(0, 1), J(0, 2), J(1, 1), J(1, 2), J(2, 2)}, kRounding);
  }
}

TEST_F(Dynamics, PackedRowsAreTheRowsOfTheFrames) {
  for (int i = 0; i < kTries; ++i) {
    const test::Rig rig = make();
    Both both(rig);
    expect_same_rows(rig, both.full, both.lean);
    std::vector<double> with_biases = both.lean.joint_values;
    std::fill(both.lean.joint_values.begin(), both.lean.joint_values.end(), 0.0);
    update_joints(rig.context(), both.lean);
    EXPECT_EQ(both.lean.joint_values, with_biases);
  }
}

TEST_F(Dynamics, ArmsAndMomentsOnTheGroundAreZero) {
  const test::Rig rig = make();
  const Both both(rig);
  int on_ground = 0;
  for (const JointRows& joint : both.lean.joints.layout.joints) {
    for (std::size_t i = 0; i < joint.row_count(); ++i) {
      const RowForm form = row_form(joint, i);
      if (form == RowForm::turn) continue;
      const double* const on_a = &both.lean.joint_values[row_place(joint, i)] + (form == RowForm::line ? 3 : 0);
      for (const double* const one : {joint.a < 0 ? on_a : nullptr, joint.b < 0 ? on_a + 3 : nullptr}) {
        if (one == nullptr) continue;
        ++on_ground;
        EXPECT_EQ(Vector3::Map(one), Vector3::Zero());
      }
    }
  }
  EXPECT_GT(on_ground, 0);
}

TEST_F(Dynamics, BiasesAreThoseOfTheRows) {
  for (int i = 0; i < kTries; ++i) {
    const Both both(make());
    expect_near(both.biases, both.expected_biases, kBiasRounding);
  }
}

TEST_F(Dynamics, ResidualsAreThoseOfTheRows) {
  for (int i = 0; i < kTries; ++i) {
    const test::Rig rig = make();
    Both both(rig);
    std::vector<double> expected(rig.system.rows.size());
    std::vector<double> residuals(rig.system.rows.size());
    row_values(rig.context(), both.full, expected);
    joint_residuals(rig.context(), both.lean, residuals);
    expect_near(residuals, expected, kRounding);
  }
}

TEST_F(Dynamics, RatesAreThoseOfTheRows) {
  for (int i = 0; i < kTries; ++i) {
    test::Rig rig = make();
    Both both(rig);
    // Other velocities at the same pose, as a projection makes them.
    for (double& v : rig.state.velocity) v = dice_.number();
    update_velocities(rig.context(), both.full);
    update_body_velocities(rig.context(), both.lean);
    std::vector<double> expected(rig.system.rows.size());
    std::vector<double> rates(rig.system.rows.size());
    row_rates(rig.context(), both.full, expected);
    joint_rates(rig.context(), both.lean, rates);
    expect_near(rates, expected, kRounding);
    for (std::size_t b = 0; b < rig.system.bodies.size(); ++b) {
      EXPECT_EQ(both.lean.bodies[b].v, both.full.bodies[b].v);
      EXPECT_EQ(both.lean.bodies[b].w, both.full.bodies[b].w);
    }
  }
}

// Rows that no joint type writes: an orientation held by a frame of its own (the assembly has them), single rows of a
// point, a row of no joint, two points in one joint.
TEST_F(Dynamics, RowsOfAnyOriginAreCovered) {
  for (int i = 0; i < kTries; ++i) {
    test::Rig rig = make();
    system::System& s = rig.system;
    const auto add = [&](const system::Row& row) {
      s.rows.push_back(row);
      s.row_bodies.push_back({s.frames[at(row.frame_a)].body, s.frames[at(row.frame_b)].body});
      rig.params.row_constants.push_back(dice_.size());
    };
    const auto joint_of = [&](std::int32_t j) {
      return system::Row{system::RowKind::dot, 0, 0, s.joints[at(j)].frame_a, s.joints[at(j)].frame_b, j, -1};
    };
    for (const std::int32_t j : {0, 3, 20, static_cast<std::int32_t>(s.joints.size()) - 1}) {
      system::Row row = joint_of(j);
      const auto held = static_cast<std::int32_t>(s.frames.size());
      s.frames.push_back(s.frames[at(row.frame_a)]);
      rig.params.frames.push_back(dice_.pose());
      rig.params.first_equal_frame.push_back(held);
      for (std::uint8_t k = 0; k < 3; ++k) {
        row.frame_a = held;
        row.axis_a = k;
        row.axis_b = static_cast<std::uint8_t>((k + 1) % 3);
        row.driver = 0;
        add(row);
      }
      row = joint_of(j);
      row.kind = system::RowKind::world_axis;
      row.axis_a = 1;
      add(row);
      for (std::uint8_t k = 0; k < 3; ++k) {
        row.axis_a = k;
        add(row);
      }
      row.joint = -1;
      for (const system::RowKind kind : {system::RowKind::frame_axis, system::RowKind::distance, system::RowKind::dot,
                                         system::RowKind::world_axis, system::RowKind::world_axis}) {
        row.kind = kind;
        add(row);
      }
    }
    Both both(rig);
    expect_same_rows(rig, both.full, both.lean);
    expect_near(both.biases, both.expected_biases, kBiasRounding);
    std::vector<double> expected(s.rows.size());
    std::vector<double> numbers(s.rows.size());
    row_values(rig.context(), both.full, expected);
    joint_residuals(rig.context(), both.lean, numbers);
    expect_near(numbers, expected, kRounding);
    row_rates(rig.context(), both.full, expected);
    joint_rates(rig.context(), both.lean, numbers);
    expect_near(numbers, expected, kRounding);
  }
}

TEST_F(Dynamics, FramesThatElementsReadAreThoseOfTheirBodies) {
  const test::Rig rig = make();
  Both both(rig);
  const View<double> now = view(rig.context(), both.lean);
  EXPECT_TRUE(both.lean.frames.empty());
  for (std::size_t f = 0; f < rig.system.frames.size(); ++f) {
    const Motion<double> one = now.frame(static_cast<std::int32_t>(f));
    const FrameMotion& other = both.full.frames[f];
    EXPECT_LT((one.p - other.p).norm(), kRounding);
    EXPECT_LT((one.R - other.R).norm(), kRounding);
    EXPECT_LT((one.v - other.v).norm(), kRounding);
    EXPECT_LT((one.w - other.w).norm(), kRounding);
  }
}

TEST_F(Dynamics, ForcesAreTheSameInEveryField) {
  const std::vector<model::Gravity> fields{model::UniformGravity{Vector3(1.0, -2.0, -9.8)},
                                           model::PointGravity{Vector3(3.0, 4.0, 5.0), 7.0}, model::NoGravity{}};
  for (const model::Gravity& field : fields) {
    model::Machine with_springs = machine();
    for (std::size_t part = 0; part < 3; ++part) {
      model::ForceNode force;
      force.path = "spring_" + std::to_string(part);
      force.type = &model::descriptor(static_cast<model::SpringDamper*>(nullptr));
      force.data = model::make_data<model::ForceData>(force.type);
      for (const model::Field& one : force.type->fields) {
        if (one.store != nullptr) one.store(model::data_pointer(force.data), dice_.size());
      }
      force.a = part == 0 ? test::on_ground(dice_.pose()) : test::on_part(part, dice_.pose());
      force.b = test::on_part(part + 1, dice_.pose());
      with_springs.forces.push_back(std::move(force));
    }
    test::Rig rig = test::make_rig(std::move(with_springs));
    ASSERT_EQ(rig.errors, "");
    rig.params.gravity = field;
    test::scatter(rig, dice_);
    Both both(rig);
    update_forces(rig.context(), both.full);
    sum_forces(rig.context(), both.lean);
    // Springs and gyroscopic moments are up to about ten.
    expect_near(both.lean.forces, both.full.forces, 10.0 * kRounding);
    const auto [least, most] = std::minmax_element(both.lean.forces.begin(), both.lean.forces.end());
    EXPECT_GT(std::max(-*least, *most), 0.1);  // there are some
  }
}

TEST_F(Dynamics, TrackedAnglesAreThoseOfTheFrames) {
  const test::Rig rig = make();
  Both both(rig);
  system::State one = rig.state;
  system::State other = rig.state;
  settle_angles(rig.params, both.lean, one);
  settle_angles(rig.system, rig.params, both.full, other);
  expect_near(one.extra, other.extra, kRounding);
  std::vector<double> rates(rig.system.extra.size(), 0.0);
  angle_rates(rig.context(), both.lean, rates);
  for (std::size_t c = 0; c < rig.system.coordinates.size(); ++c) {
    const std::int32_t tracked = rig.system.coordinates[c].tracked;
    if (tracked < 0) continue;
    EXPECT_NEAR(rates[at(tracked)], view(rig.context(), both.full).rate(static_cast<std::int32_t>(c)), kRounding);
  }
}

// More bodies than a block has, with joints between any two of them.
TEST_F(Dynamics, BlocksOfBodiesGiveTheSameBits) {
  model::Machine large = test::empty_machine();
  const std::size_t parts = 3 * JointPlan::kBlock + 7;
  test::add_parts(large, parts, dice_);
  for (std::size_t i = 0; i < 2 * parts; ++i) {
    const auto& types = model::Descriptors<model::JointData>::kAll;
    const ObjectType& type = *types[i % types.size()];
    if (type.primitives.empty()) continue;
    const Pose X_A = dice_.pose();
    const Pose X_B = dice_.pose();
    test::add_joint(large, type, i % 5 == 3 ? test::on_ground(X_A) : test::on_part((i * 37) % parts, X_A),
                    test::on_part((i * 101 + 5) % parts, X_B));
    if (i % 4 == 0 && !type.coordinates.empty() && type.coordinates.front().motion != Coordinate::Motion::orientation) {
      drive(large, 0, Level::rate);
    }
  }
  test::Rig rig = test::make_rig(std::move(large));
  ASSERT_EQ(rig.errors, "");
  test::scatter(rig, dice_);
  Both both(rig);
  sum_forces(rig.context(), both.lean);
  Workspace blocks(rig.system);
  std::vector<double> biases(rig.system.rows.size());
  update_all(rig.context(), blocks, biases);
  EXPECT_EQ(biases, both.biases);
  EXPECT_EQ(blocks.joint_values, both.lean.joint_values);
  EXPECT_EQ(blocks.forces, both.lean.forces);
  for (std::size_t b = 0; b < parts; ++b) {
    EXPECT_EQ(blocks.bodies[b].R, both.lean.bodies[b].R);
    EXPECT_EQ(blocks.masses[b].inertia, both.lean.masses[b].inertia);
  }
  expect_same_rows(rig, both.full, blocks);
}

TEST_F(Dynamics, NothingIsAllocated) {
  const test::Rig rig = make();
  Both both(rig);
  const Context context = rig.context();
  sum_forces(context, both.lean);
  const long before = gelenk::test::allocation_count;
  update_bodies(context, both.lean);
  update_drivers(context, both.lean);
  update_joints(context, both.lean);
  update_joints(context, both.lean, both.biases);
  joint_residuals(context, both.lean, both.biases);
  joint_rates(context, both.lean, both.biases);
  sum_forces(context, both.lean);
  update_all(context, both.lean, both.biases);
  EXPECT_EQ(gelenk::test::allocation_count, before);
  EXPECT_GT(before, 0);
}

TEST_F(Dynamics, OneBodyIsEnough) {
  model::Machine single = test::empty_machine();
  test::add_parts(single, 1, dice_);
  test::add_joint(single, revolute(), test::on_ground(dice_.pose()), test::on_part(0, dice_.pose()));
  test::Rig rig = test::make_rig(std::move(single));
  test::scatter(rig, dice_);
  const Both both(rig);
  expect_same_rows(rig, both.full, both.lean);
  expect_near(both.biases, both.expected_biases, kBiasRounding);
}

TEST_F(Dynamics, GroundAloneIsEnough) {
  model::Machine empty = test::empty_machine();
  test::add_joint(empty, revolute(), test::on_ground(dice_.pose()), test::on_ground(dice_.pose()));
  test::Rig rig = test::make_rig(std::move(empty));
  ASSERT_EQ(rig.system.rows.size(), 5U);
  Workspace full(rig.system);
  test::evaluate(rig.context(), full);
  std::vector<double> expected(5);
  row_values(rig.context(), full, expected);
  Workspace lean(rig.system);
  std::vector<double> numbers(5, 1.0);
  update_all(rig.context(), lean, numbers);
  expect_near(numbers, std::vector<double>(5, 0.0), 0.0);
  joint_residuals(rig.context(), lean, numbers);
  expect_near(numbers, expected, kRounding);
}

}  // namespace
}  // namespace gelenk::mechanics::dynamics_test
