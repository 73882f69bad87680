// Joints that hold velocities: a blade and a disk that rolls, against closed forms, with all kinds of methods, whole
// and divided.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/analysis/failure.h"
#include "gelenk/analysis/implicit_equations.h"
#include "gelenk/math/rotation.h"
#include "gelenk/model/mobility.h"
#include "gelenk/model/summary.h"
#include "tests/support/rolling_models.h"
#include "tests/support/run_text.h"
#include "tests/support/ways.h"

namespace gelenk::rolling_test {
namespace {

using analysis::Partitioning;
using integrate::Method;
using test::options_of;
using test::Sleigh;
using test::SteadyDisk;
using test::Way;

// Errors of a local tolerance add up over hundreds of steps. The step of generalized-α is squared.
const Way kWays[] = {
    {"dopri5", Method::dopri5, 1e-10, 1e-8}, {"rk4", Method::rk4, 2e-3, 1e-8},
    {"adams", Method::adams, 1e-9, 1e-6},    {"bdf", Method::bdf, 1e-9, 3e-6},
    {"cvode", Method::cvode, 1e-9, 3e-6},    {"generalized_alpha", Method::generalized_alpha, 5e-4, 3e-5},
};

class EveryMethod : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Rolling, EveryMethod, testing::ValuesIn(kWays),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_P(EveryMethod, SleighFollowsItsClosedForm) {
  const Sleigh sleigh;
  const test::Assembled model = test::assemble_text(sleigh.text());
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, options_of(GetParam()));
  const double start = motion.probe().energy().total();
  for (const double t : {0.5, 1.0, 2.0, 3.0}) {
    ASSERT_TRUE(motion.advance_to(t));
    test::Probe now = motion.probe();
    const mechanics::Motion<double> at = now.part("sleigh");
    EXPECT_NEAR(at.v.dot(at.R.col(0)), sleigh.velocity(t), GetParam().error) << t;
    EXPECT_NEAR(at.v.dot(at.R.col(1)), 0.0, 1e-12) << t;
    EXPECT_NEAR(at.w.z(), sleigh.rate(t), GetParam().error) << t;
    EXPECT_NEAR(now.coordinate("ice", "angle"), sleigh.heading(t), GetParam().error) << t;
    EXPECT_NEAR(now.energy().total(), start, GetParam().error) << t;
    EXPECT_LT(now.largest_row_value(), 1e-12);
    EXPECT_LT(now.largest_row_rate(), 1e-12);
    // The ice pushes across the blade; in axes of the ground.
    const test::Instant instant = motion.instant();
    const Vector3 force = Vector3::Map(&instant.reactions[6]);
    EXPECT_LT((force - at.R.col(1) * sleigh.side_force(t)).norm(), 10.0 * GetParam().error) << t;
    EXPECT_LT(Vector3::Map(&instant.reactions[9]).norm(), 1e-10);
  }
}

TEST_P(EveryMethod, LeaningDiskRollsInACircle) {
  const SteadyDisk disk;
  const test::Assembled model = test::assemble_text(disk.text());
  ASSERT_TRUE(model.is_ready()) << model.messages();
  // The start velocities obey the closed form to the digits of the text.
  EXPECT_LT(test::Probe(model).largest_row_rate(), 1e-14);
  test::Motion motion(model, options_of(GetParam()));
  const double start = motion.probe().energy().total();
  const double W = disk.precession;
  for (const double t : {0.5, 1.0, 2.0}) {
    ASSERT_TRUE(motion.advance_to(t));
    test::Probe now = motion.probe();
    const mechanics::Motion<double> at = now.part("disk");
    const Vector3 axis = at.R.col(2);
    const Vector3 wanted(std::sin(disk.lean) * std::cos(W * t), std::sin(disk.lean) * std::sin(W * t),
                         std::cos(disk.lean));
    EXPECT_LT((axis - wanted).norm(), GetParam().error) << t;
    EXPECT_NEAR(at.w.dot(axis), disk.spin(), 10.0 * GetParam().error) << t;
    // t = (sin Ωt, -cos Ωt, 0), and the center has the velocity R ω₃ t.
    const Vector3 place(disk.circle() * (1.0 - std::cos(W * t)), -disk.circle() * std::sin(W * t),
                        disk.radius * std::sin(disk.lean));
    EXPECT_LT((at.p - place).norm(), GetParam().error) << t;
    EXPECT_NEAR(now.energy().total(), start, 10.0 * GetParam().error) << t;
    EXPECT_LT(now.largest_row_value(), 1e-12);
    EXPECT_LT(now.largest_row_rate(), 1e-12);
    // F = m (R ω₃ Ω l + g n) at the lowest point, l = (a - cos θ n) / sin θ; its moment about the center.
    const Vector3 n = Vector3::UnitZ();
    const Vector3 l = (axis - std::cos(disk.lean) * n) / std::sin(disk.lean);
    const Vector3 force = disk.mass * (disk.radius * disk.spin() * W * l + disk.gravity * n);
    const Vector3 arm = disk.radius * (std::cos(disk.lean) * axis - n) / std::sin(disk.lean);
    const test::Instant instant = motion.instant();
    EXPECT_LT((Vector3::Map(&instant.reactions[0]) - force).norm(), 100.0 * GetParam().error) << t;
    EXPECT_LT((Vector3::Map(&instant.reactions[3]) - arm.cross(force)).norm(), 100.0 * GetParam().error) << t;
  }
}

// Down an incline: a = g sin α / (1 + I / m R²), held back by m (g sin α - a).
TEST(Rolling, WheelOnAnIncline) {
  const test::Assembled model = test::assemble_text(R"yaml(
gravity: [3 m/s^2, 0, -9 m/s^2]
parts:
  wheel: {at: [0, 0, 0.5], mass: 2, inertia: {xx: 0.2, yy: 0.3, zz: 0.2}}
joints:
  rim: {type: rolling, between: [ground, wheel], radius: 0.5, axis: y}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, test::dopri5(1e-10));
  ASSERT_TRUE(motion.advance_to(2.0));
  const double a = 3.0 / (1.0 + 0.3 / (2.0 * 0.25));
  const mechanics::Motion<double> at = motion.probe().part("wheel");
  EXPECT_NEAR(at.p.x(), 0.5 * a * 4.0, 1e-9);
  EXPECT_NEAR(at.v.x(), 2.0 * a, 1e-9);
  EXPECT_NEAR(at.w.y(), 2.0 * a / 0.5, 1e-9);
  EXPECT_NEAR(at.p.z(), 0.5, 1e-12);
  const test::Instant instant = motion.instant();
  EXPECT_NEAR(instant.reactions[0], -2.0 * (3.0 - a), 1e-9);
  EXPECT_NEAR(instant.reactions[1], 0.0, 1e-9);
  EXPECT_NEAR(instant.reactions[2], 18.0, 1e-9);
  // The force acts at the lowest point, half a meter below the center: its moment turns the wheel.
  EXPECT_NEAR(instant.reactions[4], 0.5 * 2.0 * (3.0 - a), 1e-9);
}

// Rollers on the rim let it go sideways without a force, while it rolls.
TEST(Rolling, SidewaysSlipIsFree) {
  const test::Assembled model = test::assemble_text(R"yaml(
up: z
parts:
  wheel:
    at: [0, 0, 0.5]
    mass: 2
    inertia: {xx: 0.2, yy: 0.3, zz: 0.2}
    start: {velocity: [1, 0.7, 0], angular_velocity: [0, 2, 0]}
joints:
  rim: {type: rolling, between: [ground, wheel], radius: 0.5, axis: y, slip: sideways}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  EXPECT_EQ(model.system->rows.size(), 2u);
  test::Motion motion(model, test::dopri5(1e-10));
  ASSERT_TRUE(motion.advance_to(2.0));
  const mechanics::Motion<double> at = motion.probe().part("wheel");
  EXPECT_LT((at.p - Vector3(2.0, 1.4, 0.5)).norm(), 1e-9);
  EXPECT_NEAR(at.w.y(), 2.0, 1e-9);
}

TEST(Rolling, StartVelocitiesObeyTheRows) {
  // From how fast it spins, the wheel finds how fast it goes.
  const test::Assembled model = test::assemble_text(R"yaml(
up: z
parts:
  wheel: {at: [0, 0, 0.5], mass: 2, inertia: {xx: 0.2, yy: 0.3, zz: 0.2}, start: {angular_velocity: [0, 4, 0]}}
joints:
  rim: {type: rolling, between: [ground, wheel], radius: 0.5, axis: y}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  EXPECT_LT((test::Probe(model).part("wheel").v - Vector3(2.0, 0.0, 0.0)).norm(), 1e-14);
  const test::Assembled slipping = test::assemble_text(R"yaml(
up: z
parts:
  wheel:
    at: [0, 0, 0.5]
    mass: 2
    inertia: {xx: 0.2, yy: 0.3, zz: 0.2}
    start: {velocity: [1, 0, 0], angular_velocity: [0, 4, 0]}
joints:
  rim: {type: rolling, between: [ground, wheel], radius: 0.5, axis: y}
)yaml");
  EXPECT_FALSE(slipping.is_ready());
  EXPECT_NE(slipping.find(Code::start_not_possible), nullptr) << slipping.messages();
}

// A wheel may be put anywhere on its plane: what it cannot do in motion does not keep it from being put there.
TEST(Rolling, AssemblyClosesPositionsAlone) {
  const test::Assembled model = test::assemble_text(R"yaml(
up: z
parts:
  carriage: {mass: 1, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
  wheel: {at: [0, 0, 0.52], mass: 2, inertia: {xx: 0.2, yy: 0.3, zz: 0.2}}
joints:
  rail: {type: prismatic, between: [ground, carriage], axis: y, start: {travel: 0.8}}
  rim: {type: rolling, between: [ground, wheel], radius: 0.5, axis: y}
  hub: {type: planar, between: [carriage, wheel], axis: y}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Probe now(model);
  EXPECT_NEAR(now.part("wheel").p.y(), 0.8, 1e-12);
  EXPECT_NEAR(now.part("wheel").p.z(), 0.5, 1e-12);
  EXPECT_LT(now.largest_row_value(), 1e-12);
}

TEST(Rolling, FreedomsOfPositionAndOfVelocityAreCounted) {
  const SteadyDisk disk;
  const test::Checked rolling = test::check_text(disk.text());
  const model::MobilityReport of_disk = model::expected_mobility(rolling.machine);
  EXPECT_EQ(of_disk.rows, 3u);
  EXPECT_EQ(of_disk.velocity_rows, 2u);
  EXPECT_EQ(of_disk.free_motions, 3u);
  EXPECT_EQ(of_disk.position_freedoms(), 5u);
  EXPECT_NE(model::motion_text(rolling.machine, of_disk)
                .find("'rim' rolls without slip: 5 freedoms of position, 3 of velocity"),
            std::string::npos)
      << model::motion_text(rolling.machine, of_disk);
  const test::Checked sliding = test::check_text(Sleigh().text());
  const model::MobilityReport of_sleigh = model::expected_mobility(sliding.machine);
  EXPECT_EQ(of_sleigh.free_motions, 2u);
  EXPECT_EQ(of_sleigh.position_freedoms(), 3u);
}

double distance(const system::State& a, const system::State& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    largest = std::max(largest, (a.position[i] - b.position[i]).norm());
    largest = std::max(largest, a.orientation[i].angularDistance(b.orientation[i]));
  }
  return largest;
}

const std::string kTail = "  tail: {type: force, applied_to: axle.tail, axes_of: ground, along: x, value: 3 N}\n";

// With `none` both wheels hold the axle sideways, and one row is redundant. In one program and in components it is a
// row of positions, which is then kept by its rate alone (ADR 0047); the flat solver drops a row of velocities.
TEST(Rolling, DividedMachinesMoveAsWholeOnes) {
  constexpr double kClosed = 1e-11;
  constexpr double kKeptByItsRate = 1e-7;  // error of the steps
  for (const char* const slip : {"sideways", "none"}) {
    const bool is_redundant = slip == std::string_view("none");
    const test::Assembled model = test::assemble_text(test::wheels_on_a_table(slip, kTail));
    ASSERT_TRUE(model.is_ready()) << model.messages();
    for (const Way& way : {Way{"dopri5", Method::dopri5, 1e-11, 1e-8}, Way{"bdf", Method::bdf, 1e-8, 1e-5},
                           Way{"generalized_alpha", Method::generalized_alpha, 2e-3, 1e-9}}) {
      SCOPED_TRACE(std::string(slip) + " " + way.name);
      test::Motion divided(model, options_of(way), Partitioning::model);
      test::Motion whole(model, options_of(way), is_redundant ? Partitioning::automatic : Partitioning::none);
      ASSERT_TRUE(divided.advance_to(0.8));
      ASSERT_TRUE(whole.advance_to(0.8));
      EXPECT_LT(distance(divided.state(), whole.state()), way.error);
      EXPECT_GT(distance(divided.state(), model.state()), 0.5);
      EXPECT_LT(divided.probe().largest_row_rate(), 1e-11);
      EXPECT_LT(divided.probe().largest_row_value(), is_redundant ? kKeptByItsRate : kClosed);
      if (way.method != Method::generalized_alpha) continue;
      const double steps = static_cast<double>(divided.integrator().counters().accepted);
      EXPECT_LT(static_cast<double>(divided.integrator().counters().newton_iterations) / steps, 4.0);
    }
  }
}

// Before they are projected, steps slip by their error: of fifth order with rk4, whose local error that is.
// S0-23: what projections take away is of the order of the step's error.
TEST(Rolling, SlipOfStepsIsWatched) {
  const test::Assembled model = test::assemble_text(SteadyDisk().text());
  ASSERT_TRUE(model.is_ready()) << model.messages();
  double previous = 0.0;
  for (const double step : {2e-2, 1e-2, 5e-3}) {
    test::Motion motion(model, test::rk4(step));
    ASSERT_TRUE(motion.advance_to(1.0));
    const double slip = motion.problem().dynamics().statistics().largest_slip;
    EXPECT_GT(slip, 1e-13);
    if (previous > 0.0) {
      EXPECT_GT(std::log2(previous / slip), 4.0) << step;
    }
    previous = slip;
  }
}

// A stage of an implicit method somewhere in a step, with all that it demands of its end.
class Stage {
 public:
  static constexpr double kVelocityGain = 0.02, kPositionGain = 3e-4;

  explicit Stage(const test::Assembled& model) : model_(model), base_(model.state()), rows_(model.system->rows.size()) {
    const auto number = [](std::size_t i, double size) { return size * (static_cast<double>(i * 7 % 11) - 5.0); };
    const std::size_t bodies = model.system->bodies.size();
    for (std::size_t i = 0; i < 6 * bodies; ++i) {
      base_.velocity[i] += number(i, 0.2);
      known_.push_back(number(i + 3, 0.02));
      a_.push_back(number(i + 1, 2.0));
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i] = static_cast<std::int32_t>(i);
      l_.push_back(number(i + 4, 3.0));
    }
  }

  std::size_t size() const { return a_.size() + l_.size(); }

  // Its end for accelerations a + x, and the turns on the way.
  system::State end(const std::vector<double>& x, std::vector<double>* turns = nullptr) const {
    system::State state = base_;
    for (std::size_t b = 0; b < state.position.size(); ++b) {
      Vector3 d[2];
      for (std::size_t k = 0; k < 6; ++k) {
        const double a = a_[6 * b + k] + x[6 * b + k];
        d[k / 3](static_cast<int>(k % 3)) = known_[6 * b + k] + kPositionGain * a;
        state.velocity[6 * b + k] += kVelocityGain * a;
      }
      state.position[b] += d[0];
      state.orientation[b] = turned(state.orientation[b], d[1]);
      if (turns != nullptr) turns->insert(turns->end(), {d[1].x(), d[1].y(), d[1].z()});
    }
    return state;
  }

  // F + Gᵀλ - M a on the bodies, then -g per position gain or -ġ per velocity gain of the rows.
  std::vector<double> residual(const std::vector<double>& x) const {
    const system::State state = end(x);
    mechanics::Workspace workspace(*model_.system);
    const mechanics::Context context{*model_.system, model_.params, state};
    mechanics::update_positions(context, workspace);
    mechanics::update_velocities(context, workspace);
    mechanics::update_drivers(context, workspace);
    mechanics::update_rows(context, workspace);
    mechanics::update_forces(context, workspace);
    std::vector<double> r = workspace.forces;
    for (std::size_t b = 0; b < state.position.size(); ++b) {
      const auto a = [&](std::size_t k) { return a_[6 * b + k] + x[6 * b + k]; };
      const Matrix3& R = workspace.bodies[b].R;
      const Vector3 moment = R * model_.params.bodies[b].inertia() * R.transpose() * Vector3(a(3), a(4), a(5));
      for (std::size_t k = 0; k < 3; ++k) {
        r[6 * b + k] -= model_.params.bodies[b].mass * a(k);
        r[6 * b + 3 + k] -= moment(static_cast<int>(k));
      }
    }
    std::vector<double> values(rows_.size()), rates(rows_.size());
    mechanics::row_values(context, workspace, values);
    mechanics::row_rates(context, workspace, rates);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const RowBodies& ends = model_.system->row_bodies[i];
      const double l = l_[i] + x[a_.size() + i];
      for (std::size_t k = 0; k < 6; ++k) {
        if (ends.a >= 0) r[6 * static_cast<std::size_t>(ends.a) + k] += l * workspace.blocks[i].a[k];
        if (ends.b >= 0) r[6 * static_cast<std::size_t>(ends.b) + k] += l * workspace.blocks[i].b[k];
      }
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      r.push_back(model_.system->rows[i].is_of_velocity() ? -rates[i] / kVelocityGain : -values[i] / kPositionGain);
    }
    return r;
  }

  // What the Newton matrix at this stage makes of a residual.
  std::vector<double> newton(std::vector<double> r, Partitioning partitioning, bool is_divided) const {
    std::vector<double> turns;
    const system::State state = end(std::vector<double>(size(), 0.0), &turns);
    analysis::Equations equations(*model_.system, model_.params, partitioning);
    equations.load_rows(state);
    mechanics::Workspace& workspace = equations.workspace();
    mechanics::update_forces({*model_.system, model_.params, state}, workspace);
    analysis::ImplicitEquations implicit(*model_.system, model_.params, workspace.ports,
                                         is_divided ? equations.plan() : nullptr);
    EXPECT_TRUE(implicit.factor({state, workspace, a_, l_, rows_, turns, {}, subsystem::Newton::At::stage},
                                kVelocityGain, kPositionGain));
    std::vector<double> l(r.begin() + static_cast<std::ptrdiff_t>(a_.size()), r.end());
    r.resize(a_.size());
    r.resize(workspace.forces.size(), 0.0);
    implicit.solve(r, l);
    r.resize(a_.size());
    r.insert(r.end(), l.begin(), l.end());
    return r;
  }

 private:
  const test::Assembled& model_;
  system::State base_;
  std::vector<double> known_, a_, l_;
  std::vector<std::int32_t> rows_;
};

// The matrix takes the change of the residual along any direction back to that direction: it is the derivative.
void expect_exact_newton_matrix(const std::string& text, bool has_components) {
  const test::Assembled model = test::assemble_text(text);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const Stage stage(model);
  constexpr double kStep = 1e-4;
  for (std::size_t k = 0; k < stage.size(); ++k) {
    std::vector<double> after(stage.size(), 0.0), before = after;
    after[k] = kStep;
    before[k] = -kStep;
    const std::vector<double> plus = stage.residual(after), minus = stage.residual(before);
    std::vector<double> change(stage.size());
    for (std::size_t i = 0; i < change.size(); ++i) change[i] = -(plus[i] - minus[i]) / (2.0 * kStep);
    const auto check = [&](Partitioning partitioning, bool is_divided) {
      const std::vector<double> x = stage.newton(change, partitioning, is_divided);
      for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_NEAR(x[i], i == k ? 1.0 : 0.0, 1e-6) << "unknown " << i << " by " << k << (is_divided ? " divided" : "");
      }
    };
    check(Partitioning::none, false);
    if (!has_components) continue;
    check(Partitioning::model, false);
    check(Partitioning::model, true);
  }
}

TEST(Rolling, NewtonMatrixOfASleighIsExact) { expect_exact_newton_matrix(Sleigh().text(), false); }
TEST(Rolling, NewtonMatrixOfALeaningDiskIsExact) { expect_exact_newton_matrix(SteadyDisk().text(), false); }
TEST(Rolling, NewtonMatrixOfADividedMachineIsExact) {
  expect_exact_newton_matrix(test::wheels_on_a_table("sideways", kTail), true);
}

TEST(Rolling, GeneralizedAlphaIsOfSecondOrder) {
  const Sleigh sleigh;
  const test::Assembled model = test::assemble_text(sleigh.text());
  double previous = 0.0;
  for (const double step : {8e-3, 4e-3, 2e-3}) {
    test::Motion motion(model, options_of({"", Method::generalized_alpha, step, 0.0}));
    ASSERT_TRUE(motion.advance_to(1.6));
    const double error = std::abs(motion.probe().coordinate("ice", "angle") - sleigh.heading(1.6));
    if (previous > 0.0) {
      EXPECT_GE(std::log2(previous / error), 1.9) << step;
    }
    previous = error;
  }
}

// A disk without spin falls over, and the run says so.
TEST(Rolling, DiskThatFallsFlatEndsTheRun) {
  const test::Assembled model = test::assemble_text(R"yaml(
up: z
parts:
  coin: {at: {position: [0, 0, 0.0997], orientation: {axis: y, angle: 86 deg}}, mass: 1, inertia: {xx: 2.5e-3, yy: 2.5e-3, zz: 5e-3}}
joints:
  rim: {type: rolling, between: [ground, coin], radius: 0.1, axis: z}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  for (const Way& way :
       {Way{"dopri5", Method::dopri5, 1e-6, 0.0}, Way{"rk4", Method::rk4, 1e-3, 0.0},
        Way{"bdf", Method::bdf, 1e-6, 0.0}, Way{"generalized_alpha", Method::generalized_alpha, 1e-3, 0.0}}) {
    SCOPED_TRACE(way.name);
    test::Motion motion(model, options_of(way));
    EXPECT_FALSE(motion.advance_to(2.0));
    const Diagnostic why = analysis::explain_failure(*model.system, model.params, motion.problem(),
                                                     motion.integrator().failure(), motion.integrator().time(), {});
    EXPECT_EQ(why.code, Code::disk_lies_flat) << why.message;
    EXPECT_EQ(why.element, "rim");
    EXPECT_LT(motion.integrator().time(), 0.5);
  }
}

// Mirror images roll as their originals do.
TEST(Rolling, MirrorImages) {
  const std::string cart = R"yaml(
up: z
definitions:
  side:
    parts:
      wheel:
        at: {position: [0, 0.5, 0.28], orientation: {axis: x, angle: -20 deg}}
        mass: 2
        inertia: {xx: 0.2, yy: 0.3, zz: 0.2}
        start: {angular_velocity: [0, 4, 1]}
    joints:
      rim: {type: rolling, between: [ground, wheel], radius: 0.3, axis: y}
assemblies:
  left: {use: side}
  right: {mirror_of: left, plane: xz}
)yaml";
  const test::Assembled model = test::assemble_text(cart);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, test::dopri5(1e-11));
  ASSERT_TRUE(motion.advance_to(0.7));
  const mechanics::Motion<double> left = motion.probe().part("left.wheel"), right = motion.probe().part("right.wheel");
  EXPECT_LT((left.p - Vector3(right.p.x(), -right.p.y(), right.p.z())).norm(), 1e-12);
  EXPECT_LT((left.w - Vector3(-right.w.x(), right.w.y(), -right.w.z())).norm(), 1e-11);
  EXPECT_GT((left.p - test::Probe(model).part("left.wheel").p).norm(), 0.1);
}

}  // namespace
}  // namespace gelenk::rolling_test
