// Tires on a plane: load, rolling, the Magic Formula, and a car that changes its lane.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/support/assemble_example.h"
#include "tests/support/run_text.h"

namespace gelenk::tire_test {
namespace {

constexpr double kRadius = 0.3;
constexpr double kWeight = 400.0 * 10.0;

test::Assembled ready(const std::string& text) {
  test::Assembled model = test::assemble_text(text);
  EXPECT_TRUE(model.is_ready()) << model.messages();
  return model;
}

mechanics::ForceResult<double> force_of(const test::Assembled& model, const system::State& state,
                                        std::int32_t number = 0) {
  const mechanics::Context context{*model.system, model.params, state};
  mechanics::Workspace workspace(*model.system);
  mechanics::update_positions(context, workspace);
  mechanics::update_velocities(context, workspace);
  return mechanics::view(context, workspace).force(number);
}

double channel_of(const test::Assembled& model, const system::State& state, std::size_t channel) {
  return force_of(model, state).channels[channel];
}

// A wheel alone in the air over its tire, at these velocities.
test::Assembled free_wheel(const std::string& start, const std::string& tire = "", const std::string& at = "0, 0, 0.28",
                           const std::string& axis = "y") {
  return ready("gravity: [0, 0, -10]\nparts:\n  wheel: {mass: 400 kg, inertia: {xx: 9, yy: 9, zz: 9}, at: [" + at +
               "], start: {" + start + "}}\nforces:\n  tire: {type: tire, between: [ground, wheel], axis: " + axis +
               ", radius: 0.3 m, "
               "stiffness: 200 kN/m, low_speed: 0.001 m/s" +
               tire + "}\n");
}

double magic(double slip, double stiffness, double friction, double shape, double curvature) {
  const double x = slip * stiffness / (shape * friction);
  return friction * std::sin(shape * std::atan(x - curvature * (x - std::atan(x))));
}

// Along and across alone it is the formula; 20 m/s, rolling radius 0.3 - 0.02 / 3.
TEST(Tire, GripsByTheMagicFormula) {
  const double rolling_radius = kRadius - 0.02 / 3.0;
  for (const double slip : {-0.5, -0.05, 0.01, 0.1, 0.7}) {
    const double spin = 20.0 * (1.0 + slip) / rolling_radius;
    const test::Assembled model =
        free_wheel("velocity: [20, 0, 0], angular_velocity: [0, " + std::to_string(spin) + ", 0]",
                   ", friction: 0.9, slip_stiffness: 22, shape: 1.65, curvature: -0.4");
    ASSERT_TRUE(model.is_ready());
    EXPECT_NEAR(channel_of(model, model.state(), 1), kWeight, 1e-8);
    EXPECT_NEAR(channel_of(model, model.state(), 2), kWeight * magic(slip, 22.0, 0.9, 1.65, -0.4), 0.02);
    EXPECT_NEAR(channel_of(model, model.state(), 4), slip, 1e-6);
  }
  for (const double tangent : {-0.3, 0.02, 0.2}) {
    const double spin = 20.0 / rolling_radius;
    const test::Assembled model = free_wheel("velocity: [20, " + std::to_string(20.0 * tangent) +
                                                 ", 0], angular_velocity: [0, " + std::to_string(spin) + ", 0]",
                                             ", lateral_friction: 0.8, cornering_stiffness: 12");
    ASSERT_TRUE(model.is_ready());
    EXPECT_NEAR(channel_of(model, model.state(), 3), -kWeight * magic(tangent, 12.0, 0.8, 1.3, 0.0), 0.05);
    EXPECT_NEAR(channel_of(model, model.state(), 5), std::atan(tangent), 1e-6);
  }
}

// Braked to a stop while it drifts: never more than the friction of both directions together.
TEST(Tire, NeverGripsMoreThanTheRoad) {
  for (const double spin : {0.0, 30.0, 66.0, 90.0}) {
    for (const double drift : {0.1, 1.0, 8.0}) {
      const test::Assembled model = free_wheel("velocity: [20, " + std::to_string(drift) +
                                               ", 0], angular_velocity: [0, " + std::to_string(spin) + ", 0]");
      ASSERT_TRUE(model.is_ready());
      const double along = channel_of(model, model.state(), 2);
      const double across = channel_of(model, model.state(), 3);
      EXPECT_LE(std::hypot(along, across), kWeight * (1.0 + 1e-9));
      EXPECT_LT(across, 0.0);
    }
  }
}

// Off the road there is nothing.
TEST(Tire, HasNoGripInTheAir) {
  const test::Assembled model = free_wheel("velocity: [20, 1, 0]", "", "0, 0, 0.3001");
  ASSERT_TRUE(model.is_ready());
  for (const std::size_t channel : {1U, 2U, 3U}) EXPECT_EQ(channel_of(model, model.state(), channel), 0.0);
}

// Turned around, the axis turns slip and forces along and across it, and changes nothing.
TEST(Tire, AxisPointsToEitherSide) {
  const std::string start = "velocity: [20, 1, -0.1], angular_velocity: [0.3, 80, 0.2]";
  const std::string more = ", damping: 500 N*s/m, rolling_resistance: 0.02";
  const test::Assembled to_left = free_wheel(start, more);
  const test::Assembled to_right = free_wheel(start, more, "0, 0, 0.28", "-y");
  ASSERT_TRUE(to_left.is_ready() && to_right.is_ready());
  const mechanics::ForceResult<double> a = force_of(to_left, to_left.state());
  const mechanics::ForceResult<double> b = force_of(to_right, to_right.state());
  EXPECT_GT(a.channels[1], 1000.0);
  EXPECT_GT(std::abs(a.channels[2]), 100.0);
  EXPECT_GT(std::abs(a.channels[3]), 100.0);
  EXPECT_LT((a.on_b.force - b.on_b.force).norm(), 1e-9);
  EXPECT_LT((a.on_b.moment - b.on_b.moment).norm(), 1e-9);
  EXPECT_LT((a.on_a.moment - b.on_a.moment).norm(), 1e-9);
  for (const std::size_t same : {0U, 1U}) EXPECT_NEAR(a.channels[same], b.channels[same], 1e-9);
  for (const std::size_t turned : {2U, 3U, 4U, 5U}) EXPECT_NEAR(a.channels[turned], -b.channels[turned], 1e-9);
}

// The corner of a car and its mirror images, one of them upside down under the road: all channels are those of the
// original, a driven wheel has positive slip, and the wheels move as mirror images.
TEST(Tire, MirrorImageIsOnTheMirroredRoad) {
  const test::Assembled model = ready(R"(
gravity: none
definitions:
  corner:
    ground: {frames: {road: {at: {position: [0, 0, 0.01], orientation: {axis: x, angle: 2 deg}}}}}
    parts:
      wheel: {mass: 40 kg, inertia: {xx: 0.9, yy: 1.5, zz: 0.9}, at: [0, 0.7, 0.31], start: {velocity: [20, 0.6, 0], angular_velocity: [0.1, 75, 0]}}
    forces:
      tire: {type: tire, between: [ground.road, wheel], axis: y, radius: 0.3 m, stiffness: 200 kN/m, damping: 500 N*s/m, rolling_resistance: 0.02}
assemblies:
  left: {use: corner, at: {position: [0.2, 0.1, 0.05], orientation: {axis: [1, 0.3, -0.2], angle: 3 deg}}}
  right: {mirror_of: left, plane: xz}
  ahead: {mirror_of: left, plane: yz}
  below: {mirror_of: left, plane: xy}
  across: {mirror_of: below, plane: xz}
)");
  ASSERT_TRUE(model.is_ready());
  const mechanics::ForceResult<double> left = force_of(model, model.state());
  EXPECT_GT(left.channels[1], 500.0);
  EXPECT_GT(left.channels[2], 100.0) << "it drives";
  EXPECT_LT(left.channels[3], -10.0);
  EXPECT_GT(left.channels[4], 0.01) << "it drives";
  for (std::int32_t number = 1; number < 5; ++number) {
    const mechanics::ForceResult<double> image = force_of(model, model.state(), number);
    for (std::size_t c = 0; c < 6; ++c) EXPECT_NEAR(image.channels[c], left.channels[c], 1e-8) << number << ": " << c;
  }
  test::Motion motion(model, test::rk4(1e-3));
  ASSERT_TRUE(motion.advance_to(0.02));
  const Vector3 v = motion.probe().part("left.wheel").v;
  EXPECT_GT(v.x(), 20.01);
  const auto expect = [&](const std::string& path, const Vector3& signs) {
    EXPECT_LT((motion.probe().part(path).v - Vector3(signs.cwiseProduct(v))).norm(), 1e-9) << path;
  };
  expect("right.wheel", {1.0, -1.0, 1.0});
  expect("ahead.wheel", {-1.0, 1.0, 1.0});
  expect("below.wheel", {1.0, 1.0, -1.0});
  expect("across.wheel", {1.0, -1.0, -1.0});
}

// A spinning wheel that is set down on the road: it gives its spin to the way, J Δω = -r m Δv, until it rolls.
TEST(Tire, WheelThatIsSetDownEndsRolling) {
  const test::Assembled model = ready(R"(
gravity: [0, 0, -10]
parts:
  wheel: {mass: 400 kg, inertia: {xx: 9, yy: 9, zz: 9}, at: [0, 0, 0.28], start: {angular_velocity: [0, 60, 0]}}
joints: {upright: {type: planar, between: [ground, wheel], at: [0, 0, 0.28], axis: y}}
forces: {tire: {type: tire, between: [ground, wheel], axis: y, radius: 0.3 m, stiffness: 200 kN/m}}
)");
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::dopri5(1e-9));
  ASSERT_TRUE(motion.advance_to(3.0));
  const mechanics::Motion<double> end = motion.probe().part("wheel");
  const double rolling_radius = kRadius - 0.02 / 3.0;
  EXPECT_NEAR(end.v.x(), end.w.y() * rolling_radius, 1e-6);
  // The force acts at the loaded radius.
  EXPECT_NEAR(9.0 * (60.0 - end.w.y()), 0.28 * 400.0 * end.v.x(), 1e-5);
}

// With rolling resistance f, loaded radius h and rolling radius r: m a = F, J a / r = -h F - r f m g, with the speed of
// the rim larger than the way by the slip of F, m g B C D κ = F. Without inertia of the wheel a = -f g r / h.
TEST(Tire, RollingResistanceSlowsDown) {
  const test::Assembled model = ready(R"(
gravity: [0, 0, -10]
parts:
  wheel: {mass: 400 kg, inertia: {xx: 9, yy: 9, zz: 9}, at: [0, 0, 0.28], start: {velocity: [20, 0, 0], angular_velocity: [0, 68.1818, 0]}}
joints: {upright: {type: planar, between: [ground, wheel], at: [0, 0, 0.28], axis: y}}
forces: {tire: {type: tire, between: [ground, wheel], axis: y, radius: 0.3 m, stiffness: 200 kN/m, rolling_resistance: 0.02, low_speed: 0.001 m/s}}
)");
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::dopri5(1e-9));
  ASSERT_TRUE(motion.advance_to(0.5));
  const double before = motion.probe().part("wheel").v.x();
  ASSERT_TRUE(motion.advance_to(1.0));
  const double r = kRadius - 0.02 / 3.0, h = 0.28, m = 400.0, J = 9.0;
  double a = -0.02 * 10.0;
  for (int i = 0; i < 20; ++i) a = -0.02 * 10.0 * m * r / (J * (1.0 + a / (10.0 * 20.0)) / r + m * h);
  EXPECT_NEAR((motion.probe().part("wheel").v.x() - before) / 0.5, a, 1e-5);
}

// The lane change of the example against the single-track model, v = side speed and r = yaw rate in axes of the car:
// m (v' + u r) = F_front + F_rear, I r' = a F_front - b F_rear, F = -K (slope of the way at the axle - steering).
struct SingleTrack {
  double aside = 0.0, yaw = 0.0, v = 0.0, r = 0.0;
};
SingleTrack single_track(double end) {
  const double u = 25.0;
  const double m = 1340.0;
  const double I = 1900.0 + 4.0 * (1.3 * 1.3 + 0.75 * 0.75) * 35.0 + 4.0 * 1.1;
  const double K = 15.0 * m * 9.80665 / 2.0;
  const auto rates = [&](double t, const SingleTrack& s) {
    const double sine = std::sin(3.14159265358979 * (t - 1.0));
    const double steering = t > 1.0 && t < 3.0 ? 1.2 / 57.29577951308232 * sine * sine * sine : 0.0;
    const double front = -K * ((s.v + 1.3 * s.r) / u - steering);
    const double rear = -K * (s.v - 1.3 * s.r) / u;
    return SingleTrack{u * s.yaw + s.v, s.r, (front + rear) / m - u * s.r, 1.3 * (front - rear) / I};
  };
  const auto along = [](const SingleTrack& s, double h, const SingleTrack& d) {
    return SingleTrack{s.aside + h * d.aside, s.yaw + h * d.yaw, s.v + h * d.v, s.r + h * d.r};
  };
  SingleTrack s;
  const double h = 1e-3;
  for (double t = 0.0; t < end - 0.5 * h; t += h) {
    const SingleTrack k = rates(t + 0.5 * h, along(s, 0.5 * h, rates(t, s)));
    s = along(s, h, k);
  }
  return s;
}

TEST(Tire, CarChangesItsLaneAsTheSingleTrackModel) {
  const test::Assembled model = test::assemble_example("gallery/lane_change.yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, test::dopri5(1e-5));
  for (const double time : {1.5, 2.0, 2.5, 3.2}) {
    ASSERT_TRUE(motion.advance_to(time));
    const mechanics::Motion<double> body = motion.probe().part("body");
    const SingleTrack expected = single_track(time);
    // the formula bends, the body leans and pitches: some percent of the 2 m
    EXPECT_NEAR(body.p.y(), expected.aside, 0.1) << time;
    EXPECT_NEAR(body.w.z(), expected.r, 0.02) << time;
    EXPECT_NEAR(body.v.x(), 25.0, 0.1);
  }
  EXPECT_GT(motion.probe().part("body").p.y(), 1.0);
}

}  // namespace
}  // namespace gelenk::tire_test
