// Motions of frames in expressions: against closed forms, built-in elements, mirror images, and far from the origin.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "gelenk/mechanics/view.h"
#include "gelenk/model/measured_quantity.h"
#include "gelenk/model/readable_channels.h"
#include "tests/support/run_text.h"

namespace gelenk::frame_channels_test {
namespace {

using test::assemble_text;
using test::Assembled;
using test::check_text;
using test::Checked;

// Positions of a few meters, after projection onto the joints; derivatives are as exact.
constexpr double kRounding = 1e-12;

// Value of an output at an instant of a run.
class Outputs {
 public:
  Outputs(const Assembled& model, test::Motion& motion)
      : model_(model), instant_(motion.instant()), state_(motion.state()), workspace_(*model.system) {
    mechanics::update_positions(context(), workspace_);
    mechanics::update_velocities(context(), workspace_);
  }

  double operator[](const std::string& path) {
    const std::size_t o = test::index_of_path(model_.system->outputs, path);
    if (o == model_.system->outputs.size()) return std::nan("");
    mechanics::View<double> now = mechanics::view(context(), workspace_);
    now.set_results({instant_.part_accelerations, instant_.reactions, instant_.efforts});
    return now.signal(model_.system->outputs[o].value);
  }

 private:
  mechanics::Context context() const { return {*model_.system, model_.params, state_}; }

  const Assembled& model_;
  test::Instant instant_;
  system::State state_;
  mechanics::Workspace workspace_;
};

// An arm that is led about z at (1, 2, 0); a ball on it, 2 m out, whose frame `top` is 0.5 m further and turned.
const std::string kArm = R"yaml(
gravity: none
ground: {frames: {pivot: [1, 2, 0], mark: {at: {position: [4, 1, 0], orientation: {axis: z, angle: 90 deg}}}}}
frames: {corner: [0, 0, 3]}
parts:
  arm: {at: ground.pivot, mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, frames: {end: [2, 0, 0]}}
  ball:
    at: arm.end
    mass: 1
    inertia: {xx: 1, yy: 1, zz: 1}
    frames: {top: {at: {position: [0.5, 0, 0], orientation: {axis: z, angle: 30 deg}}}, velocity: [0, 1, 0]}
joints:
  hinge: {type: revolute, between: [ground.pivot, arm], axis: z}
  weld: {type: fixed, between: [arm.end, ball]}
drivers: {motor: {drives: hinge.angle, position: "=0.4 + 0.7*sin(3 (rad/s)*time)"}}
outputs:
  x: ball.top.position.x
  y: ball.top.position.y
  vx: ball.top.velocity.x
  vy: ball.top.velocity.y
  speed: ball.top.velocity.magnitude
  ax: ball.top.acceleration.x
  ay: ball.top.acceleration.y
  w: ball.top.angular_velocity.z
  alpha: ball.top.angular_acceleration.z
  qw: ball.top.orientation.w
  qz: ball.top.orientation.z
  gap: distance(ball.top, ground.mark)
  gap_of_parts: distance(ball, arm)
  turn: angle(ball.top, ground.mark)
  turn_back: angle(ground.mark, ball.top)
  mark_x: "relative(ground.mark, ball.top).position.x"
  mark_y: "relative(ground.mark, ball.top).position.y"
  mark_vx: "relative(ground.mark, ball.top).velocity.x"
  mark_vy: "relative(ground.mark, ball.top).velocity.y"
  mark_ax: "relative(ground.mark, ball.top).acceleration.x"
  mark_ay: "relative(ground.mark, ball.top).acceleration.y"
  mark_w: "relative(ground.mark, ball.top).angular_velocity.z"
  mark_alpha: "relative(ground.mark, ball.top).angular_acceleration.z"
  held: relative(ball.top, arm).velocity.magnitude
  held_a: relative(ball.top, arm).acceleration.magnitude
  corner_z: corner.position.z
  still: ground.mark.velocity.magnitude
  still_a: ground.mark.acceleration.magnitude
  part_vx: ball.velocity.x
  frame_x: ball.velocity.position.x
)yaml";

constexpr const char* kNested = R"yaml(
gravity: none
definitions:
  link:
    parts: {bar: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, frames: {end: [1, 0, 0]}}}
    frames: {base: [0, 0, 0.25]}
    ground: {frames: {foot: [0, 0, -1]}}
    ports: {root: bar, tip: bar.end}
  pair:
    assemblies:
      one: {use: link, at: [0, 1, 0]}
      row: {use: link, repeat: 2, at: ["=index * 2 m", 0, 0]}
    ports: {out: one.tip}
    outputs: {inside: one.tip.position.y, between: "distance(one.tip, row.1.tip)"}
assemblies:
  both: {use: pair, at: [10, 0, 0]}
  far: {use: link, at: [0, 0, 7], attach: {root: {type: revolute, to: ground.here, axis: z, start: {rate: 2 rad/s}}}}
ground: {frames: {here: [0, 0, 7]}}
outputs:
  port: both.out.position.x
  deep_port: both.row.1.tip.position.x
  deep_frame: both.one.bar.end.position.y
  foot: both.one.ground.foot.position.z
  base: both.one.base.position.z
  attached: far.root.position.z
  attached_angle: far.root.angle
  attached_rate: far.root.rate
  tip_speed: far.tip.velocity.magnitude
  reach: distance(both.row.0.bar, both.one.bar.end)
)yaml";

constexpr const char* kPair = R"yaml(
gravity: [0.3, 0, -9.81]
definitions:
  limb:
    parts:
      hub: {mass: 2 kg, center_of_mass: [0.1, 0.05, 0], inertia: {xx: 0.1, yy: 0.2, zz: 0.15, xy: 0.01}, frames: {end: {at: [0.4, 0.3, 0.1]}}}
      arm: {at: hub.end, mass: 1 kg, center_of_mass: [0.2, 0.1, 0.05], inertia: {xx: 0.05, yy: 0.06, zz: 0.04}, frames: {end: {at: {position: [0.5, 0.1, 0], orientation: {axis: [1, 2, 3], angle: 40 deg}}}}}
    joints:
      root: {type: revolute, between: [ground.root, hub], axis: [0.2, 0.3, 1], start: {angle: 20 deg, rate: 2 rad/s}}
      knee: {type: spherical, between: [hub.end, arm], start: {angular_velocity: [1, 2, 0.5]}}
    ground: {frames: {root: {at: [0, 0, 0]}, mark: {at: {position: [1, 1, 1], orientation: {axis: [1, -1, 2], angle: 50 deg}}}}}
    forces:
      pull: {type: force, applied_to: arm.end, axes_of: ground.mark, along: [1, 2, 3], value: "=-2 (N*s/m) * arm.end.velocity.y + 3 (N*s) * relative(arm.end, ground.mark).angular_velocity.x"}
      lead: {type: torque, applied_to: arm, about: [1, 2, 0], value: "=0.1 (N) * relative(arm.end, hub).position.y + 0.2 (N*m) * angle(arm, hub)"}
    outputs:
      x: arm.end.position.x
      y: arm.end.position.y
      vy: arm.end.velocity.y
      az: arm.end.acceleration.z
      wx: arm.end.angular_velocity.x
      wy: arm.end.angular_velocity.y
      alpha_y: arm.end.angular_acceleration.y
      px: "relative(arm.end, hub).position.x"
      py: "relative(arm.end, ground.mark).position.y"
      pvz: "relative(arm.end, ground.mark).velocity.z"
      pay: "relative(arm.end, hub.end).acceleration.y"
      pwz: "relative(arm.end, hub.end).angular_velocity.z"
      turn: "angle(arm.end, hub)"
      gap: "distance(arm.end, ground.mark)"
assemblies:
  left: {use: limb, at: {position: [0, 1, 0], orientation: {axis: z, angle: 25 deg}}}
  right: {mirror_of: left, plane: xz}
)yaml";

// S3-34: every motion of a frame, in the world or seen from another one; reactions: scene_reactions_test.cc.
TEST(FrameChannels, FollowTheClosedFormOfALedArm) {
  for (const bool merged : {true, false}) {
    const Assembled model = assemble_text(kArm, {.merge_welded = merged});
    ASSERT_TRUE(model.is_ready()) << model.messages();
    test::Motion motion(model, test::rk4(1e-2));
    for (const double t : {0.0, 0.3, 1.0}) {
      ASSERT_TRUE(motion.advance_to(t));
      SCOPED_TRACE(testing::Message() << "t = " << t << (merged ? ", merged" : ", not merged"));
      Outputs out(model, motion);
      const double angle = 0.4 + 0.7 * std::sin(3.0 * t);
      const double w = 2.1 * std::cos(3.0 * t);
      const double alpha = -6.3 * std::sin(3.0 * t);
      const double r = 2.5;
      const double c = std::cos(angle);
      const double s = std::sin(angle);
      const double x = 1.0 + r * c;
      const double y = 2.0 + r * s;
      const double tolerance = 50.0 * kRounding;
      EXPECT_NEAR(out["x"], x, tolerance);
      EXPECT_NEAR(out["y"], y, tolerance);
      EXPECT_NEAR(out["vx"], -r * w * s, tolerance);
      EXPECT_NEAR(out["vy"], r * w * c, tolerance);
      EXPECT_NEAR(out["speed"], r * std::abs(w), tolerance);
      const double ax = -r * alpha * s - r * w * w * c;
      const double ay = r * alpha * c - r * w * w * s;
      EXPECT_NEAR(out["ax"], ax, tolerance);
      EXPECT_NEAR(out["ay"], ay, tolerance);
      EXPECT_NEAR(out["w"], w, tolerance);
      EXPECT_NEAR(out["alpha"], alpha, tolerance);
      const double turned = angle + M_PI / 6.0;
      EXPECT_NEAR(out["qw"], std::cos(0.5 * turned), tolerance);
      EXPECT_NEAR(out["qz"], std::sin(0.5 * turned), tolerance);
      const double dx = 4.0 - x;
      const double dy = 1.0 - y;
      EXPECT_NEAR(out["gap"], std::hypot(dx, dy), tolerance);
      EXPECT_NEAR(out["gap_of_parts"], 2.0, tolerance);
      EXPECT_NEAR(out["turn"], turned - 0.5 * M_PI, tolerance);
      EXPECT_NEAR(out["turn_back"], 0.5 * M_PI - turned, tolerance);
      // The mark in axes that turn by `turned`: p = R' d, rates by differentiating that.
      const double ct = std::cos(turned);
      const double st = std::sin(turned);
      const double px = ct * dx + st * dy;
      const double py = -st * dx + ct * dy;
      const double dvx = r * w * s;
      const double dvy = -r * w * c;
      const double pvx = ct * dvx + st * dvy + w * py;
      const double pvy = -st * dvx + ct * dvy - w * px;
      EXPECT_NEAR(out["mark_x"], px, tolerance);
      EXPECT_NEAR(out["mark_y"], py, tolerance);
      EXPECT_NEAR(out["mark_vx"], pvx, tolerance);
      EXPECT_NEAR(out["mark_vy"], pvy, tolerance);
      EXPECT_NEAR(out["mark_ax"], -ct * ax - st * ay + w * (-st * dvx + ct * dvy) + alpha * py + w * pvy, tolerance);
      EXPECT_NEAR(out["mark_ay"], st * ax - ct * ay - w * (ct * dvx + st * dvy) - alpha * px - w * pvx, tolerance);
      EXPECT_NEAR(out["mark_w"], -w, tolerance);
      EXPECT_NEAR(out["mark_alpha"], -alpha, tolerance);
      EXPECT_NEAR(out["held"], 0.0, tolerance);
      EXPECT_NEAR(out["held_a"], 0.0, tolerance);
      EXPECT_EQ(out["corner_z"], 3.0);
      EXPECT_EQ(out["still"], 0.0);
      EXPECT_EQ(out["still_a"], 0.0);
      // A frame may be called as a channel is: the channel of the part comes first.
      EXPECT_NEAR(out["part_vx"], -2.0 * w * s, tolerance);
      EXPECT_NEAR(out["frame_x"], 1.0 + 2.0 * c - s, tolerance);
    }
  }
}

TEST(FrameChannels, KnowWhatTheyMeasure) {
  const Checked checked = check_text(kArm);
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  const auto quantity = [&](const std::string& path) {
    return model::measured_quantity(checked.machine.outputs[test::index_of_path(checked.machine.outputs, path)].value);
  };
  EXPECT_EQ(quantity("turn"), Quantity::angle);
  EXPECT_EQ(quantity("gap"), Quantity::length);
  EXPECT_EQ(quantity("mark_vx"), Quantity::speed);
  EXPECT_EQ(quantity("mark_alpha"), Quantity::angular_acceleration);
  EXPECT_EQ(quantity("qw"), Quantity::number);
}

// What is listed can be read: an output for each, of machines with all kinds of elements.
TEST(FrameChannels, EveryListedChannelCanBeRead) {
  const std::string hung =
      std::string(kNested) + "forces: {pull: {type: force, applied_to: far.tip, along: x, value: 1 N}}\n";
  std::string ball = kNested;
  const std::string hinge = "{type: revolute, to: ground.here, axis: z, start: {rate: 2 rad/s}}";
  ball.replace(ball.find(hinge), hinge.size(), "{type: spherical, to: ground.here}");
  for (std::string text : {kArm, std::string(kPair), hung, ball.substr(0, ball.find("outputs:\n  port"))}) {
    const Checked checked = check_text(text);
    ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
    const std::vector<model::ReadableChannel> channels = model::readable_channels(checked.machine);
    EXPECT_GT(channels.size(), 100u);
    if (text.find("\noutputs:") == std::string::npos) text += "outputs:\n";
    const std::size_t place = text.find("\noutputs:\n") + 10;
    std::string outputs;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      outputs += "\n  listed_" + std::to_string(i) + ": " + channels[i].name;
    }
    const Checked read = check_text(text.insert(place - 1, outputs));
    EXPECT_FALSE(read.diagnostics.has_errors()) << read.messages();
    EXPECT_GE(read.machine.outputs.size(), channels.size());
    for (std::size_t i = 0; i < channels.size() && !read.diagnostics.has_errors(); ++i) {
      const std::size_t o = test::index_of_path(read.machine.outputs, "listed_" + std::to_string(i));
      EXPECT_EQ(model::measured_quantity(read.machine.outputs[o].value), channels[i].quantity) << channels[i].name;
    }
  }
}

// Two pendulums in space, one with the built-in damper, one with its formula.
std::string pendulum(const std::string& force) {
  return R"yaml(
parts: {bar: {mass: 2, center_of_mass: [0.4, 0, 0], inertia: {xx: 0.1, yy: 0.3, zz: 0.3}, frames: {tip: [1, 0.1, 0.2]}}}
joints: {pivot: {type: spherical, between: [ground, bar], start: {angular_velocity: [0.5, 1, 2]}}}
forces: {hook: {)yaml" +
         force + "}}\n";
}

// To the last digits: sums in another order.
TEST(FrameChannels, ForcesByFormulaAreThoseOfBuiltInElements) {
  const std::pair<std::string, std::string> pairs[] = {
      {"type: bushing, between: [ground, bar.tip], damping: [0, 0, 0.7 N*s/m]",
       "type: force, applied_to: bar.tip, axes_of: ground, along: z, value: \"=-0.7 (N*s/m) * bar.tip.velocity.z\""},
      {"type: bushing, between: [ground, bar.tip], stiffness: [5 N/m, 0, 0]",
       "type: force, applied_to: bar.tip, axes_of: ground, along: x, value: \"=-5 (N/m) * relative(bar.tip, "
       "ground).position.x\""},
  };
  for (const auto& [built_in, formula] : pairs) {
    for (const integrate::Method method : {integrate::Method::rk4, integrate::Method::generalized_alpha}) {
      integrate::Options options = test::rk4(2e-3);
      options.method = method;
      const Assembled one = assemble_text(pendulum(built_in));
      const Assembled other = assemble_text(pendulum(formula));
      ASSERT_TRUE(one.is_ready()) << one.messages();
      ASSERT_TRUE(other.is_ready()) << other.messages();
      test::Motion first(one, options);
      test::Motion second(other, options);
      ASSERT_TRUE(first.advance_to(1.0));
      ASSERT_TRUE(second.advance_to(1.0));
      const mechanics::Motion<double> a = first.probe().part("bar");
      const mechanics::Motion<double> b = second.probe().part("bar");
      EXPECT_LT((a.R - b.R).norm(), 1e-13) << built_in;
      EXPECT_LT((a.w - b.w).norm(), 1e-12) << built_in;
    }
  }
}

TEST(FrameChannels, LawsOfDriversReadThem) {
  const Assembled model = assemble_text(R"yaml(
gravity: none
parts:
  cart: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, frames: {nose: [0.5, 0, 0]}}
  follower: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  rail: {type: prismatic, between: [ground, cart], axis: x, start: {speed: 2 m/s}}
  other: {type: prismatic, between: [ground, follower], axis: y}
drivers: {follow: {drives: other.travel, rate: "=cart.nose.position.x / 1 s"}}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, test::rk4(1e-3));
  ASSERT_TRUE(motion.advance_to(1.0));
  EXPECT_NEAR(motion.probe().part("follower").p.y(), 0.5 + 1.0, 1e-12);
}

TEST(FrameChannels, AreReadByPath) {
  const Assembled model = assemble_text(kNested);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, test::rk4(1e-2));
  Outputs out(model, motion);
  EXPECT_NEAR(out["port"], 11.0, kRounding);
  EXPECT_NEAR(out["deep_port"], 13.0, kRounding);
  EXPECT_NEAR(out["deep_frame"], 1.0, kRounding);
  EXPECT_NEAR(out["foot"], -1.0, kRounding);
  EXPECT_NEAR(out["base"], 0.25, kRounding);
  EXPECT_NEAR(out["attached"], 7.0, kRounding);
  EXPECT_NEAR(out["attached_rate"], 2.0, kRounding);
  EXPECT_NEAR(out["tip_speed"], 2.0, kRounding);
  EXPECT_NEAR(out["reach"], std::sqrt(2.0), kRounding);
  EXPECT_NEAR(out["both.inside"], 1.0, kRounding);
  EXPECT_NEAR(out["both.between"], std::sqrt(5.0), kRounding);
}

// The same assembly and its mirror image read the same numbers, and move as images of each other.
TEST(FrameChannels, MirrorImagesReadTheSameNumbers) {
  const Assembled model = assemble_text(kPair);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, test::rk4(2e-3));
  const Vector3 mirror(1.0, -1.0, 1.0);
  for (const double t : {0.0, 0.5}) {
    ASSERT_TRUE(motion.advance_to(t));
    const test::Probe probe = motion.probe();
    EXPECT_LT((probe.part("left.arm").p - mirror.cwiseProduct(probe.part("right.arm").p)).norm(), 1e-11);
    Outputs out(model, motion);
    for (const char* name :
         {"x", "y", "vy", "az", "wx", "wy", "alpha_y", "px", "py", "pvz", "pay", "pwz", "turn", "gap"}) {
      const double left = out[std::string("left.") + name];
      EXPECT_NEAR(left, out[std::string("right.") + name], 1e-9 * std::max(1.0, std::abs(left))) << name;
      EXPECT_GT(std::abs(left), t > 0.0 ? 1e-3 : -1.0) << name;
    }
  }
}

// Laws in one component read frames of another: each way to solve gives the same motion, and so does each method.
constexpr const char* kAcross = R"yaml(
definitions:
  swing:
    parts:
      upper: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, frames: {end: [1, 0, 0]}}
      lower: {at: upper.end, mass: 1, center_of_mass: [0.5, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, frames: {end: [1, 0, 0]}}
    joints:
      hinge: {type: revolute, between: [ground, upper], axis: y, start: {angle: 30 deg}}
      knee: {type: revolute, between: [upper.end, lower], axis: y, start: {rate: 1 rad/s}}
    ports: {tip: lower.end}
assemblies:
  one: {use: swing}
  two: {use: swing, at: [0, 2, 0]}
parts: {rider: {at: [1.8, 1, 0], mass: 0.5, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, frames: {side: [0, 0.2, 0]}}}
forces:
  cord: {type: bushing, between: [one.tip, rider], stiffness: [40 N/m, 40 N/m, 40 N/m], damping: [1, 1, 1]}
  lead: {type: force, applied_to: rider.side, axes_of: ground, along: z, value: "=-30 (N/m) * relative(rider.side, two.tip).position.z - 2 (N*s/m) * relative(rider.side, two.lower.end).velocity.x + 9 N * angle(one.tip, two.tip) + 1 (N/m) * distance(one.tip, two.tip)"}
)yaml";

TEST(FrameChannels, AreTheSameWithEveryPartitionAndMethod) {
  const Assembled model = assemble_text(kAcross);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const auto end = [&](integrate::Method method, double step, analysis::Partitioning partitioning) {
    integrate::Options options = test::rk4(step);
    options.method = method;
    options.tolerance = 1e-10;
    test::Motion motion(model, options, partitioning);
    EXPECT_TRUE(motion.advance_to(1.0));
    return motion.probe().part("rider");
  };
  using integrate::Method;
  const mechanics::Motion<double> reference = end(Method::rk4, 1e-3, analysis::Partitioning::none);
  EXPECT_GT(reference.v.norm(), 0.5);
  const auto expect_same = [&](const mechanics::Motion<double>& motion, double tolerance) {
    EXPECT_LT((motion.p - reference.p).norm(), tolerance);
    EXPECT_LT((motion.v - reference.v).norm(), 10.0 * tolerance);
  };
  for (const analysis::Partitioning partitioning : {analysis::Partitioning::model, analysis::Partitioning::none}) {
    SCOPED_TRACE(analysis::partitioning_name(partitioning));
    expect_same(end(Method::rk4, 1e-3, partitioning), 1e-11);
    expect_same(end(Method::dopri5, 1e-3, partitioning), 1e-7);
    expect_same(end(Method::adams, 1e-3, partitioning), 1e-6);
    expect_same(end(Method::bdf, 1e-3, partitioning), 1e-6);
    expect_same(end(Method::generalized_alpha, 1e-3, partitioning), 1e-3);
  }
}

// Bodies that nothing connects have origins of their own when they are far away.
TEST(FrameChannels, FarAwayDistancesKeepTheirDigits) {
  const Assembled model = assemble_text(R"yaml(
gravity: none
ground: {frames: {here: [1e8, 0, 0]}}
parts:
  one: {at: [1e8, 0, 0], mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, frames: {nose: [0.125, 0, 0]}, start: {velocity: [3, 0, 0]}}
  two: {at: [1e8, 4, 0], mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, frames: {nose: [0.125, 0, 0]}}
outputs:
  x: one.nose.position.x
  gap: distance(one.nose, two.nose)
  y: relative(two.nose, one.nose).position.y
  from_ground: relative(one.nose, ground.here).position.x
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, test::rk4(0.5));
  EXPECT_FALSE(motion.state().origin.empty());
  ASSERT_TRUE(motion.advance_to(1.0));
  Outputs out(model, motion);
  EXPECT_EQ(out["x"], 1e8 + 3.125);
  EXPECT_NEAR(out["gap"], 5.0, 1e-12);
  EXPECT_NEAR(out["y"], 4.0, 1e-12);
  EXPECT_NEAR(out["from_ground"], 3.125, 1e-12);
}

const std::string kBar =
    "parts: {bar: {mass: 2, inertia: {xx: 1, yy: 1, zz: 1}, frames: {small_end: [1, 0, 0]}}}\n"
    "joints: {pivot: {type: revolute, between: [ground.base, bar], axis: y}}\n"
    "ground: {frames: {base: [0, 0, 0]}}\n";

void expect_error(const std::string& text, const std::string& words) {
  const Assembled model = assemble_text(kBar + text);
  EXPECT_FALSE(model.is_ready());
  std::string all;
  for (const Diagnostic& d : model.checked.diagnostics.all()) all += d.message + " | " + d.hint + "\n";
  EXPECT_NE(all.find(words), std::string::npos) << all;
}

TEST(FrameChannels, WrongNamesGetAHint) {
  expect_error("outputs: {x: bar.smal_end.position.x}", "did you mean 'small_end'?");
  expect_error("outputs: {x: bar.small_end.positon.x}",
               "'bar.small_end' has no channel 'positon.x' | did you mean 'position'?");
  expect_error("outputs: {x: bar.small_end.position}", "'position' has several components");
  expect_error("outputs: {x: bar.small_end}", "'bar.small_end' is a frame: name one of its channels");
  expect_error("outputs: {x: ground.bas.position.x}", "did you mean 'base'?");
  expect_error("outputs: {x: \"distance(bar.smal_end, ground)\"}", "did you mean 'bar.small_end'?");
  expect_error("outputs: {x: \"relative(bar, ground).angle\"}", "'relative(bar, ground)' has no channel 'angle'");
  expect_error("outputs: {x: \"distance(bar, ground).x\"}", "is a single number");
  expect_error("outputs: {x: \"=distance(bar, ground) + 1 s\"}", "length");
  expect_error("parameters: {d: \"=distance(bar, ground)\"}", "changes during the motion");
}

TEST(FrameChannels, CirclesAreTold) {
  expect_error(
      "forces: {push: {type: force, applied_to: bar, along: x, value: \"=1 kg * bar.small_end.acceleration.x\"}}",
      "push -> bar.small_end.acceleration -> push");
  expect_error("forces: {push: {type: torque, applied_to: bar, about: x, value: \"=pivot.reaction.moment.x\"}}",
               "push -> pivot.reaction.moment -> push");
  expect_error("drivers: {lead: {drives: pivot.angle, acceleration: \"=bar.angular_acceleration.x\"}}",
               "the angular_acceleration of part 'bar', which is known only when all forces are: lead -> "
               "bar.angular_acceleration -> lead");
  expect_error(
      "forces:\n  a: {type: actuator, drives: pivot.angle, value: =b.torque}\n"
      "  b: {type: actuator, drives: pivot.angle, value: =c.torque}\n"
      "  c: {type: actuator, drives: pivot.angle, value: =b.torque}\n",
      "its value depends on itself: b -> c -> b");
}

}  // namespace
}  // namespace gelenk::frame_channels_test
