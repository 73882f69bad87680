// What must hold for every joint and every driver. A new joint is here by being in model::JointData.
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/coordinates.h"
#include "gelenk/mechanics/machine_test_support.h"
#include "gelenk/mechanics/row_derivatives.h"

namespace gelenk::mechanics::joint_conformance_test {
namespace {

using model::Coordinate;
using model::ObjectType;
using Level = model::DriverNode::Level;

// Central differences of numbers of size one with this step are wrong by about h² = 1e-10 and rounding / h = 1e-11.
constexpr double kStep = 1e-5;
constexpr double kDifference = 1e-8;
// A dozen operations on numbers of size one, in another order.
constexpr double kRounding = 1e-12;
constexpr int kTries = 20;

// A joint type, driven at one coordinate or not.
struct Case {
  const ObjectType* type = nullptr;
  int coordinate = -1;
  Level level = Level::position;

  std::string name() const {
    std::string text(type->name);
    if (type == &model::kRollingThatSlips) text += "_that_slips";
    if (coordinate < 0) return text;
    constexpr const char* kLevels[] = {"position", "rate", "acceleration"};
    return text + "_" + std::string(type->coordinates[static_cast<std::size_t>(coordinate)].name) + "_by_" +
           kLevels[static_cast<int>(level)];
  }
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.name(); }

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const ObjectType* type : model::Descriptors<model::JointData>::kAll) {
    if (type->primitives.empty()) continue;
    cases.push_back({type});
    if (type == &model::kRolling) cases.push_back({&model::kRollingThatSlips});
    for (std::size_t c = 0; c < type->coordinates.size(); ++c) {
      if (type->coordinates[c].motion == Coordinate::Motion::orientation) continue;
      for (const Level level : {Level::position, Level::rate, Level::acceleration}) {
        cases.push_back({type, static_cast<int>(c), level});
      }
    }
  }
  return cases;
}

void add_driver(model::Machine& machine, const Case& one) {
  if (one.coordinate < 0) return;
  model::DriverNode driver;
  driver.path = "driver";
  driver.drives = {model::JointId(0), static_cast<std::size_t>(one.coordinate)};
  driver.level = one.level;
  // A rate may read positions as well: its acceleration then needs the velocities.
  driver.law = one.level == Level::rate
                   ? test::signal("0.7*sin(2*time) + x*x",
                                  {{"x", test::component(model::ChannelUse::Element::part, 0, "position", 0)}})
                   : test::signal("0.7*sin(2*time) + 0.3*time^2");
  machine.drivers.push_back(std::move(driver));
}

class JointConformance : public testing::TestWithParam<Case> {
 protected:
  test::Rig make(bool with_ground) {
    model::Machine machine = test::empty_machine();
    test::add_parts(machine, 2, dice_);
    const Pose X_A = dice_.pose();
    const Pose X_B = dice_.pose();
    test::add_joint(machine, *GetParam().type, with_ground ? test::on_ground(X_A) : test::on_part(0, X_A),
                    test::on_part(1, X_B));
    add_driver(machine, GetParam());
    test::Rig rig = test::make_rig(std::move(machine));
    EXPECT_EQ(rig.errors, "");
    do {
      test::scatter(rig, dice_);
    } while (is_flat(rig));
    return rig;
  }

  // A disk whose axis is this near to the normal: derivatives grow with a power of one over the sine.
  static bool is_flat(const test::Rig& rig) {
    if (rig.system.rows.empty() || rig.system.rows.front().kind != system::RowKind::rim_gap) return false;
    Workspace workspace(rig.system);
    test::evaluate(rig.context(), workspace);
    return lean_of<double>(workspace.frames[0], workspace.frames[1]).s < 0.6;
  }

  static std::vector<double> values(const test::Rig& rig, const system::State& state) {
    Workspace workspace(rig.system);
    const Context context{rig.system, rig.params, state};
    test::evaluate(context, workspace);
    std::vector<double> result(rig.system.rows.size());
    row_values(context, workspace, result);
    return result;
  }
  static std::vector<double> rates(const test::Rig& rig, const system::State& state) {
    Workspace workspace(rig.system);
    const Context context{rig.system, rig.params, state};
    test::evaluate(context, workspace);
    std::vector<double> result(rig.system.rows.size());
    row_rates(context, workspace, result);
    return result;
  }

  // G v of one row for six numbers per body
  static double product(const test::Rig& rig, const Workspace& workspace, std::size_t row,
                        const std::vector<double>& v) {
    double sum = 0.0;
    const RowBodies& bodies = rig.system.row_bodies[row];
    for (std::size_t k = 0; k < 6; ++k) {
      if (bodies.a >= 0) sum += workspace.blocks[row].a[k] * v[6 * at(bodies.a) + k];
      if (bodies.b >= 0) sum += workspace.blocks[row].b[k] * v[6 * at(bodies.b) + k];
    }
    return sum;
  }

  test::Dice dice_{20240607};
};

INSTANTIATE_TEST_SUITE_P(All, JointConformance, testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.name(); });

TEST_P(JointConformance, HasTheRowsOfItsPrimitives) {
  const test::Rig rig = make(false);
  int expected = GetParam().coordinate < 0 ? 0 : 1;
  for (const model::Primitive primitive : GetParam().type->primitives) expected += model::row_count(primitive);
  EXPECT_EQ(rig.system.rows.size(), static_cast<std::size_t>(expected));
  EXPECT_TRUE(expected > 0 || GetParam().type == &model::kFree);
}

// S1-04: holonomic constraints; rows of velocity are those of rolling and of a blade.
TEST_P(JointConformance, RateIsTheDerivativeOfTheValueOffTheManifold) {
  for (int i = 0; i < kTries; ++i) {
    const test::Rig rig = make(i % 2 == 1);
    const std::vector<double> none(12, 0.0);
    const std::vector<double> after = values(rig, test::later(rig, none, kStep));
    const std::vector<double> before = values(rig, test::later(rig, none, -kStep));
    const std::vector<double> rate = rates(rig, rig.state);
    for (std::size_t r = 0; r < rate.size(); ++r) {
      if (rig.system.rows[r].is_of_velocity()) {
        EXPECT_EQ(after[r], 0.0) << "row " << r;
        continue;
      }
      EXPECT_NEAR(rate[r], (after[r] - before[r]) / (2.0 * kStep), kDifference) << "row " << r;
    }
  }
}

TEST_P(JointConformance, AccelerationOfTheValueIsJacobianTimesAccelerationLessBias) {
  for (int i = 0; i < kTries; ++i) {
    const test::Rig rig = make(i % 2 == 1);
    std::vector<double> accelerations(12);
    for (double& a : accelerations) a = dice_.number();
    const std::vector<double> after = rates(rig, test::later(rig, accelerations, kStep));
    const std::vector<double> before = rates(rig, test::later(rig, accelerations, -kStep));
    Workspace workspace(rig.system);
    test::evaluate(rig.context(), workspace);
    std::vector<double> bias(rig.system.rows.size());
    row_biases(rig.context(), workspace, bias);
    for (std::size_t r = 0; r < bias.size(); ++r) {
      // A product of two angular velocities of up to three frames is ten times the size of a rate.
      EXPECT_NEAR(product(rig, workspace, r, accelerations) - bias[r], (after[r] - before[r]) / (2.0 * kStep),
                  10.0 * kDifference)
          << "row " << r;
    }
  }
}

// G v is the rate less what drivers prescribe: the blocks of the bodies and the rates of the frames are computed apart.
// S1-14: rows are multiplied with velocities and angular velocities in world axes, not with rates of Euler parameters.
TEST_P(JointConformance, BlocksOfTheBodiesGiveTheRate) {
  for (int i = 0; i < kTries; ++i) {
    const test::Rig rig = make(i % 2 == 1);
    Workspace workspace(rig.system);
    test::evaluate(rig.context(), workspace);
    const std::vector<double> rate = rates(rig, rig.state);
    for (std::size_t r = 0; r < rate.size(); ++r) {
      const system::Row& row = rig.system.rows[r];
      const Prescribed<double> motion = row.driver < 0 ? Prescribed<double>{} : workspace.drivers[at(row.driver)];
      const double by_time =
          row_time_rate<double>(row, workspace.frames[at(row.frame_a)], workspace.frames[at(row.frame_b)], motion);
      EXPECT_NEAR(product(rig, workspace, r, rig.state.velocity) + by_time, rate[r], kRounding) << "row " << r;
    }
  }
}

// Σ λ Gᵀ of all rows, six per body.
std::vector<double> constraint_forces(const Context& context, const std::vector<double>& multipliers) {
  Workspace workspace(context.system);
  test::evaluate(context, workspace);
  std::vector<double> sums(6 * context.system.bodies.size(), 0.0);
  for (std::size_t r = 0; r < multipliers.size(); ++r) {
    const RowBodies& bodies = context.system.row_bodies[r];
    for (std::size_t k = 0; k < 6; ++k) {
      if (bodies.a >= 0) sums[6 * at(bodies.a) + k] += multipliers[r] * workspace.blocks[r].a[k];
      if (bodies.b >= 0) sums[6 * at(bodies.b) + k] += multipliers[r] * workspace.blocks[r].b[k];
    }
  }
  return sums;
}

TEST_P(JointConformance, DerivativesOfTheConstraintForcesAreExact) {
  for (int i = 0; i < kTries; ++i) {
    const test::Rig rig = make(i % 2 == 1);
    std::vector<double> multipliers(rig.system.rows.size());
    for (double& multiplier : multipliers) multiplier = dice_.number();
    Workspace workspace(rig.system);
    test::evaluate(rig.context(), workspace);
    std::vector<ForceBlock> blocks;
    for (std::size_t row = 0; row < rig.system.rows.size();) {
      row = append_joint_derivatives(rig.context(), workspace, row, multipliers, blocks);
    }
    const auto sums = [&](std::size_t body, std::size_t direction, double h) {
      system::State state = rig.state;
      test::nudge(state, body, direction, h);
      return constraint_forces({rig.system, rig.params, state}, multipliers);
    };
    test::expect_differences(blocks, rig.system.bodies.size(), 6, sums, kStep, kDifference);
  }
}

TEST_P(JointConformance, DerivativesOfTheRatesAreExact) {
  for (int i = 0; i < kTries; ++i) {
    const test::Rig rig = make(i % 2 == 1);
    Workspace workspace(rig.system);
    test::evaluate(rig.context(), workspace);
    for (std::size_t r = 0; r < rig.system.rows.size(); ++r) {
      if (rig.system.rows[r].driver >= 0) continue;  // given for rows without a law
      const RowBlock exact = rate_derivatives(rig.context(), workspace, r);
      for (const bool is_b : {false, true}) {
        const std::int32_t body = is_b ? rig.system.row_bodies[r].b : rig.system.row_bodies[r].a;
        if (body < 0) continue;
        for (std::size_t k = 0; k < 6; ++k) {
          system::State after = rig.state;
          system::State before = rig.state;
          test::nudge(after, at(body), k, kStep);
          test::nudge(before, at(body), k, -kStep);
          const double difference = (rates(rig, after)[r] - rates(rig, before)[r]) / (2.0 * kStep);
          EXPECT_NEAR((is_b ? exact.b : exact.a)[k], difference, 10.0 * kDifference) << "row " << r << " by " << k;
        }
      }
    }
  }
}

// A rim that moves without slip: the point that touches has the velocity of the plane there, and so has the point of a
// blade along its axis.
TEST_P(JointConformance, RowsOfVelocityAreTheSlipOfTheTouchingPoint) {
  for (int i = 0; i < kTries; ++i) {
    const test::Rig rig = make(i % 2 == 1);
    Workspace workspace(rig.system);
    test::evaluate(rig.context(), workspace);
    const std::vector<double> rate = rates(rig, rig.state);
    const FrameMotion& A = workspace.frames[0];
    const FrameMotion& B = workspace.frames[1];
    const Vector3 n = A.R.col(2);
    // The lowest of all points of the rim, found by looking at the height of each.
    const Vector3 x = B.R.col(0);
    const Vector3 y = B.R.col(1);
    const double angle = std::atan2(-n.dot(y), -n.dot(x));
    for (std::size_t r = 0; r < rate.size(); ++r) {
      const system::Row& row = rig.system.rows[r];
      if (!is_touch(row.kind)) continue;
      const bool is_blade = row.kind == system::RowKind::blade_slip;
      const Vector3 lowest = is_blade ? B.p : Vector3(B.p + x * std::cos(angle) + y * std::sin(angle));
      const Vector3 slip = B.v + B.w.cross(lowest - B.p) - A.v - A.w.cross(lowest - A.p);
      const Vector3 along = B.R.col(2).cross(n).normalized();
      const Vector3 direction = is_blade                               ? Vector3(B.R.col(2))
                                : row.kind == system::RowKind::rim_gap ? n
                                : row.axis_a == 0                      ? along
                                                                       : Vector3(n.cross(along));
      EXPECT_NEAR(rate[r], direction.dot(slip), kRounding) << "row " << r;
    }
  }
}

}  // namespace
}  // namespace gelenk::mechanics::joint_conformance_test
