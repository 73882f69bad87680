// Joints along curves against the one equation of a bead on a wire, with all kinds of methods, mirrored and divided.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "gelenk/math/curve.h"
#include "gelenk/model/mobility.h"
#include "gelenk/model/summary.h"
#include "tests/support/run_text.h"
#include "tests/support/ways.h"

namespace gelenk::curve_joints_test {
namespace {

using analysis::Partitioning;
using integrate::Method;
using test::Way;

constexpr double kGravity = 9.80665;

test::Assembled ready(const std::string& text) {
  test::Assembled model = test::assemble_text(text);
  EXPECT_TRUE(model.is_ready()) << model.messages();
  return model;
}

// A closed track in space.
std::vector<Vector3> track_points() {
  return {{0, 0, 0}, {1, 0.2, 0.3}, {2, 0.9, 0.1}, {1.6, 2, -0.3}, {0.4, 2.1, 0.2}, {-0.6, 1.1, 0.4}};
}
Curve track(bool is_closed) {
  std::string error;
  return *Curve::make(track_points(), is_closed, &error);
}
std::string track_text(bool is_closed) {
  std::array<std::string, 3> lists;
  for (const Vector3& point : track_points()) {
    for (int i = 0; i < 3; ++i) {
      std::string& list = lists[static_cast<std::size_t>(i)];
      list += fmt::format("{}{} m", list.empty() ? "" : ", ", point(i));
    }
  }
  return fmt::format("x: [{}], y: [{}], z: [{}], closed: {}", lists[0], lists[1], lists[2], is_closed);
}

// A car of 2 kg on the track, its center of mass beside it.
const std::string kCar =
    "{mass: 2 kg, center_of_mass: [0.05, -0.1, 0.2], inertia: {xx: 0.05, yy: 0.08, zz: 0.06, xy: 0.01}}";
std::string car_on_track(bool is_closed, const std::string& more = "") {
  return "parts: {car: " + kCar + "}\njoints: {rail: {type: path, between: [ground, car], " + track_text(is_closed) +
         ", start: {travel: 0.4 m, speed: 5 m/s}}}\n" + more;
}

// The same with one unknown: the kinetic energy is ½ M(s) ṡ², the height of the center of mass h(s).
struct OneUnknown {
  Curve curve;
  Matrix3 inertia = (Matrix3() << 0.05, 0.01, 0.0, 0.01, 0.08, 0.0, 0.0, 0.0, 0.06).finished();
  Vector3 center{0.05, -0.1, 0.2};
  double mass = 2.0;

  struct Place {
    Matrix3 R;
    Vector3 p, center;
  };
  Place place(double s) const {
    const CurvePoint<double> C = curve.at(curve.parameter(s));
    const Matrix3 R = axes_of(curve, C).directions;
    return {R, C.position, C.position + R * center};
  }
  // By differences alone.
  double M(double s) const {
    constexpr double h = 1e-4;
    const Place after = place(s + h), before = place(s - h);
    const Vector3 v = (after.center - before.center) / (2.0 * h);
    const Matrix3 turn = before.R.transpose() * after.R;
    const Vector3 w = Vector3(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1)) / (4.0 * h);
    return mass * v.dot(v) + w.dot(inertia * w);
  }
  double potential(double s) const { return mass * kGravity * place(s).center.z(); }
  static double slope(const auto& f, double s) { return (f(s + 1e-4) - f(s - 1e-4)) / 2e-4; }
  // The force along the curve that gives this acceleration.
  double effort(double s, double speed, double acceleration) const {
    const double M_slope = slope([&](double x) { return M(x); }, s);
    return M(s) * acceleration + 0.5 * M_slope * speed * speed + slope([&](double x) { return potential(x); }, s);
  }
};

// Accelerations have kinks where pieces of a curve meet: fixed steps go over them.
const Way kWays[] = {
    {"dopri5", Method::dopri5, 1e-10, 1e-7}, {"rk4", Method::rk4, 2e-3, 2e-5},
    {"adams", Method::adams, 1e-9, 1e-6},    {"bdf", Method::bdf, 1e-9, 1e-5},
    {"cvode", Method::cvode, 1e-9, 1e-5},    {"generalized_alpha", Method::generalized_alpha, 2e-3, 3e-3},
};
class CurveMethods : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(CurveJoints, CurveMethods, testing::ValuesIn(kWays),
                         [](const auto& one) { return std::string(one.param.name); });

// S3-17, S4-20: motion along a given path. The energy of the one unknown is what the machine keeps.
TEST_P(CurveMethods, CarOnATrackKeepsTheEnergyOfItsOneUnknown) {
  const test::Assembled model = ready(car_on_track(true));
  ASSERT_TRUE(model.is_ready());
  const OneUnknown known{track(true)};
  test::Motion motion(model, options_of(GetParam()));
  const double start = 0.5 * known.M(0.4) * 25.0 + known.potential(0.4);
  for (const double time : {0.3, 1.0, 2.0}) {
    ASSERT_TRUE(motion.advance_to(time));
    test::Probe now = motion.probe();
    const double s = now.coordinate("rail", "travel");
    const double speed = now.rate("rail", "travel");
    EXPECT_NEAR(0.5 * known.M(s) * speed * speed + known.potential(s), start, 20.0 * GetParam().error) << time;
    const mechanics::Motion<double> car = now.part("car");
    EXPECT_LT((car.p - known.place(s).p).norm(), 1e-11) << time;
    EXPECT_LT((car.R - known.place(s).R).norm(), 1e-11) << time;
    EXPECT_LT(now.largest_row_value(), 1e-11);
    EXPECT_LT(now.largest_row_rate(), 1e-10);
  }
  // More than once around: the travel is counted.
  EXPECT_GT(motion.probe().coordinate("rail", "travel"), known.curve.length());
}

// The time it takes is an integral: dt = ds / ṡ, and ṡ follows from the energy. Simpson's rule does not mind the kinks
// of M where pieces of the curve meet.
TEST(Path, CarTakesTheTimeThatItsEnergySays) {
  for (const bool is_closed : {true, false}) {
    const test::Assembled model = ready(car_on_track(is_closed));
    ASSERT_TRUE(model.is_ready());
    const OneUnknown known{track(is_closed)};
    test::Motion motion(model, test::dopri5(1e-9));
    ASSERT_TRUE(motion.advance_to(0.8));
    const double end = motion.probe().coordinate("rail", "travel");
    EXPECT_GT(end, 3.0);
    const double energy = 0.5 * known.M(0.4) * 25.0 + known.potential(0.4);
    const auto pace = [&](double s) { return std::sqrt(known.M(s) / (2.0 * (energy - known.potential(s)))); };
    constexpr int kIntervals = 1000;
    const double h = (end - 0.4) / kIntervals;
    double time = pace(0.4) + pace(end);
    for (int i = 1; i < kIntervals; ++i) time += (i % 2 == 1 ? 4.0 : 2.0) * pace(0.4 + i * h);
    EXPECT_NEAR(time * h / 3.0, 0.8, 1e-6);
  }
}

// S4-20: a driver of the travel imposes the motion of a frame along a curve; its effort is that of the one equation,
// and the energy books balance.
TEST(Path, DriverImposesTheMotion) {
  const test::Assembled model =
      ready("parts: {car: " + kCar + "}\njoints: {rail: {type: path, between: [ground, car], " + track_text(true) +
            "}}\ndrivers: {pull: {drives: rail.travel, position: "
            "'=0.4 m + 2 (m/s)*time + 0.3 m*sin(3 (rad/s)*time)'}}\n");
  ASSERT_TRUE(model.is_ready());
  const OneUnknown known{track(true)};
  test::Motion motion(model, test::dopri5(1e-9));
  for (const double time : {0.0, 0.5, 1.7, 3.1, 5.0}) {
    ASSERT_TRUE(motion.advance_to(time));
    const double s = 0.4 + 2.0 * time + 0.3 * std::sin(3.0 * time);
    test::Probe now = motion.probe();
    EXPECT_NEAR(now.coordinate("rail", "travel"), s, 1e-10);
    EXPECT_LT((now.part("car").p - known.place(s).p).norm(), 1e-10);
    EXPECT_LT((now.part("car").R - known.place(s).R).norm(), 1e-10);
    const double speed = 2.0 + 0.9 * std::cos(3.0 * time);
    const double effort = known.effort(s, speed, -2.7 * std::sin(3.0 * time));
    EXPECT_NEAR(motion.instant().efforts[0], effort, 1e-4 * (1.0 + std::abs(effort))) << time;
    EXPECT_NEAR(motion.instant().efforts[1], effort * speed, 1e-3 * (1.0 + std::abs(effort))) << time;
  }
}

// On a circle the rail pushes with m v² / R towards its middle and carries the weight, at the place of the car.
TEST(Path, ReactionOnACircleIsCentripetal) {
  std::string x, y;
  for (int i = 0; i < 60; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / 60.0;
    x += fmt::format("{}{:.17g} m", i == 0 ? "" : ", ", 2.0 * std::cos(angle));
    y += fmt::format("{}{:.17g} m", i == 0 ? "" : ", ", 2.0 * std::sin(angle));
  }
  for (const char* type : {"path", "point_on_curve"}) {
    const test::Assembled model = ready(
        fmt::format("parts: {{car: {{at: [2 m, 0, 0], mass: 3 kg, inertia: {{xx: 0.1, yy: 0.1, zz: 0.1}}}}}}\njoints: "
                    "{{rail: {{type: {}, between: [ground, car], x: [{}], y: [{}], closed: true, start: {{speed: 4 "
                    "m/s}}}}}}\n",
                    type, x, y));
    ASSERT_TRUE(model.is_ready());
    test::Motion motion(model, test::dopri5(1e-9));
    for (const double time : {0.0, 0.6}) {
      ASSERT_TRUE(motion.advance_to(time));
      const std::vector<double> reactions = motion.instant().reactions;
      const Vector3 out = motion.probe().part("car").p.normalized();
      const Vector3 expected = -3.0 * 16.0 / 2.0 * out + 3.0 * kGravity * Vector3::UnitZ();
      EXPECT_LT((Vector3::Map(reactions.data()) - expected).norm(), 0.03) << type;  // of the spline: (h/R)² / 12
      EXPECT_LT(Vector3::Map(&reactions[3]).norm(), 0.03) << type;
    }
  }
}

// A straight curve is a line.
TEST(PointOnCurve, OnAStraightCurveMovesAsOnALine) {
  const std::string body =
      "gravity: [1 m/s^2, 2 m/s^2, -9.81 m/s^2]\n"
      "parts: {a: {mass: 2 kg, center_of_mass: [0.2, 0.1, 0.3], inertia: {xx: 0.3, yy: 0.25, zz: 0.2, xy: 0.02}}}\n"
      "joints: {p: {between: [ground, a], ";
  const test::Assembled one = ready(body + "type: point_on_curve, x: [0 m, 1 m, 2 m], z: [0 m, 1 m, 2 m]}}\n");
  const test::Assembled other = ready(body + "type: point_on_line, axis: [1, 0, 1]}}\n");
  ASSERT_TRUE(one.is_ready() && other.is_ready());
  test::Motion motion(one, test::rk4(1e-3));
  test::Motion known(other, test::rk4(1e-3));
  for (const double time : {0.3, 0.9}) {
    ASSERT_TRUE(motion.advance_to(time) && known.advance_to(time));
    EXPECT_LT((motion.probe().part("a").p - known.probe().part("a").p).norm(), 1e-11);
    EXPECT_LT((motion.probe().part("a").R - known.probe().part("a").R).norm(), 1e-10);
    EXPECT_NEAR(motion.probe().coordinate("p", "travel"), known.probe().coordinate("p", "travel"), 1e-11);
  }
  EXPECT_LT(motion.probe().coordinate("p", "travel"), -1.0);  // before the first point
}

// A pin in a groove of a turning disk: its height follows the groove, forces and friction along it act on the travel.
const std::string kGroove = R"yaml(
gravity: none
parts:
  disk: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
  bar: {at: [0.2 m, 0, 0], mass: 0.5 kg, inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}
joints:
  shaft: {type: revolute, between: [ground, disk], axis: z, start: {rate: 3 rad/s}}
  guide: {type: prismatic, between: [ground, bar], axis: x}
  groove: {type: point_on_curve, between: [disk, bar], x: [0.2 m, 0.05 m, -0.16 m, -0.05 m], y: [0 m, 0.18 m, 0 m, -0.14 m], closed: true}
forces:
  drag: {type: coordinate_spring, drives: groove.travel, stiffness: 2 N/m, damping: 0.1 N*s/m}
)yaml";

TEST(PointOnCurve, GrooveLeadsABarWithAllMethodsAlike) {
  const test::Assembled model = ready(kGroove);
  ASSERT_TRUE(model.is_ready());
  test::Motion known(model, test::dopri5(1e-11));
  ASSERT_TRUE(known.advance_to(0.8));
  const mechanics::Motion<double> at = known.probe().part("bar");
  EXPECT_GT(std::abs(at.p.x() - 0.2), 0.02);
  const auto in_disk = [](test::Probe probe) {
    const mechanics::Motion<double> disk = probe.part("disk");
    return Vector3(disk.R.transpose() * (probe.part("bar").p - disk.p));
  };
  std::string error;
  const Curve groove = *Curve::make({{0.2, 0, 0}, {0.05, 0.18, 0}, {-0.16, 0, 0}, {-0.05, -0.14, 0}}, true, &error);
  const Vector3 place = in_disk(known.probe());
  EXPECT_LT((groove.at(groove.nearest(place)).position - place).norm(), 1e-12);
  for (const Way& way : kWays) {
    test::Motion motion(model, options_of(way));
    ASSERT_TRUE(motion.advance_to(0.8)) << way.name;
    EXPECT_LT((motion.probe().part("bar").p - at.p).norm(), way.error) << way.name;
    EXPECT_NEAR(motion.probe().coordinate("groove", "travel"), known.probe().coordinate("groove", "travel"), way.error)
        << way.name;
  }
}

TEST(PointOnCurve, DividedMachinesMoveAsWholeOnes) {
  const test::Assembled model = ready(R"yaml(
definitions:
  cart:
    parts: {cart: {mass: 2 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}, bob: {at: [0, 0, -0.5 m], mass: 1 kg, inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}}
    joints: {hook: {type: spherical, between: [cart, bob], at: cart}}
    ports: {wheel: cart}
assemblies:
  one:
    use: cart
    attach: {wheel: {type: path, to: ground.rail, x: [0 m, 1 m, 2 m, 3 m], z: [0.5 m, 0 m, 0.2 m, 1 m], start: {travel: 0.1 m}}}
  two:
    use: cart
    attach: {wheel: {type: point_on_curve, to: one.wheel, x: [0 m, -0.5 m, -1 m], y: [0 m, 0.3 m, 0 m], start: {travel: 0.3 m}}}
ground: {frames: {rail: {at: [0, 0.1, 0]}}}
)yaml");
  ASSERT_TRUE(model.is_ready());
  for (const Method method : {Method::dopri5, Method::bdf}) {
    const Way way{"", method, 1e-10, 1e-7};
    test::Motion divided(model, options_of(way), Partitioning::model);
    test::Motion whole(model, options_of(way), Partitioning::none);
    ASSERT_TRUE(divided.advance_to(0.6) && whole.advance_to(0.6));
    for (const char* part : {"one.cart", "one.bob", "two.cart", "two.bob"}) {
      EXPECT_LT((divided.probe().part(part).p - whole.probe().part(part).p).norm(), way.error) << part;
    }
    EXPECT_LT(divided.probe().largest_row_value(), 1e-10);
  }
}

// S1-10: a mirrored machine under symmetric load moves symmetrically.
TEST(CurveJoints, MirrorImagesMoveAsMirrorImages) {
  const std::string rail = track_text(true);
  const test::Assembled model =
      ready("definitions:\n  side:\n    parts: {car: " + kCar +
            ", pin: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.2, zz: 0.15}}}\n" +
            "    joints:\n      rail: {type: path, between: [ground, car], " + rail +
            ", start: {travel: 0.4 m, speed: 2 m/s}}\n      wire: {type: point_on_curve, between: [car, pin], " + rail +
            ", start: {travel: 1.2 m, speed: -1 m/s}}\n"
            "    drivers: {}\n"
            "assemblies:\n  left: {use: side, at: [0, 3 m, 0]}\n  right: {mirror_of: left, plane: xz}\n");
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::dopri5(1e-10));
  for (const double time : {0.0, 0.7}) {
    ASSERT_TRUE(motion.advance_to(time));
    test::Probe now = motion.probe();
    for (const char* part : {"car", "pin"}) {
      const mechanics::Motion<double> left = now.part(std::string("left.") + part);
      const mechanics::Motion<double> right = now.part(std::string("right.") + part);
      const Vector3 signs(1.0, -1.0, 1.0);
      EXPECT_LT((right.p - signs.cwiseProduct(left.p)).norm(), 1e-9) << part;
      EXPECT_LT((right.v - signs.cwiseProduct(left.v)).norm(), 1e-8) << part;
      EXPECT_LT((right.w + signs.cwiseProduct(left.w)).norm(), 1e-8) << part;
    }
    for (const char* joint : {"rail", "wire"}) {
      EXPECT_NEAR(now.coordinate(std::string("right.") + joint, "travel"),
                  now.coordinate(std::string("left.") + joint, "travel"), 1e-9);
    }
  }
}

TEST(CurveJoints, CheckCountsTheirFreedoms) {
  const test::Checked car = test::check_text(car_on_track(false));
  const model::MobilityReport report = model::expected_mobility(car.machine);
  EXPECT_EQ(report.rows, 5u);
  EXPECT_EQ(report.free_motions, 1u);
  EXPECT_EQ(model::motion_text(car.machine, report), "1 free motion: car slides (rail.travel)");
}

}  // namespace
}  // namespace gelenk::curve_joints_test
