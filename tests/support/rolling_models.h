#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

// Machines that roll or slide on a blade, for tests.
namespace gelenk::test {

// Chaplygin's sleigh: a plate on ice with a blade under its frame `tip`, its center of mass a before the blade. It
// starts with the angular velocity V/k about the tip, k² = I_tip/m, and then
//   v = V tanh τ along the blade,  ω = V/k sech τ,  heading k/a gd τ,  τ = a V t / k².
struct Sleigh {
  double mass = 2.0, inertia = 0.3, a = 0.4, speed = 1.5;  // about the center of mass; V

  double k() const { return std::sqrt(inertia / mass + a * a); }
  double tau(double t) const { return a * speed * t / (k() * k()); }
  double velocity(double t) const { return speed * std::tanh(tau(t)); }
  double rate(double t) const { return speed / k() / std::cosh(tau(t)); }
  double heading(double t) const { return k() / a * 2.0 * std::atan(std::tanh(0.5 * tau(t))); }
  // Of the ice on the blade, to the left: m times the acceleration of the center of mass across the blade.
  double side_force(double t) const { return inertia / (k() * k()) * velocity(t) * rate(t); }

  std::string text() const {
    return fmt::format(R"(up: z
parts:
  sleigh:
    mass: {}
    center_of_mass: [{}, 0, 0]
    inertia: {{xx: 0.2, yy: 0.2, zz: {}}}
joints:
  ice: {{type: planar, between: [ground, sleigh], axis: z, start: {{rate: {} rad/s, speed_x: 0, speed_y: 0}}}}
  blade: {{type: knife_edge, between: [ground, sleigh], axis: y}}
)",
                       mass, a, inertia, rate(0.0));
  }
};

// A disk that leans by a steady angle θ between its axis and the vertical, and rolls in a circle: precession Ω about
// the vertical, ω₃ about its axis,
//   (C + m R²) ω₃ Ω sin θ - A Ω² sin θ cos θ + m g R cos θ = 0.
struct SteadyDisk {
  double mass = 3.0, radius = 0.25, axial = 0.11, transverse = 0.06;  // C, A
  double lean = 1.2, precession = 1.7, gravity = 9.80665;

  double spin() const {
    const double c = std::cos(lean), s = std::sin(lean), W = precession;
    return (transverse * W * W * s * c - mass * gravity * radius * c) / ((axial + mass * radius * radius) * W * s);
  }
  // The center goes with R ω₃ along t, which turns: a circle of this radius.
  double circle() const { return radius * spin() / precession; }

  std::string text() const {
    const double c = std::cos(lean), s = std::sin(lean);
    const double along = spin() - precession * c;  // about the axis, beside the precession
    return fmt::format(R"(up: z
parts:
  disk:
    at: {{position: [0, 0, {0}], orientation: {{axis: y, angle: {1} rad}}}}
    mass: {2}
    inertia: {{xx: {3}, yy: {3}, zz: {4}}}
    start: {{velocity: [0, {5}, 0], angular_velocity: [{6}, 0, {7}]}}
joints:
  rim: {{type: rolling, between: [ground, disk], radius: {8}, axis: z}}
)",
                       radius * s, lean, mass, transverse, axial, -radius * spin(), along * s, precession + along * c,
                       radius);
  }
};

// Two wheels on an axle with a weight that swings, on a table that slides: all in components of their own, so that rows
// are on ports. A blade trails behind. `slip`: of the second wheel; with `none` both hold the axle sideways.
inline std::string wheels_on_a_table(const std::string& slip, const std::string& more = "") {
  return fmt::format(R"(up: z
definitions:
  wheel:
    parts:
      rim: {{mass: 1.5, center_of_mass: [0.02, 0, 0.01], inertia: {{xx: 0.04, yy: 0.07, zz: 0.04}}, frames: {{center: [0, 0, 0]}}}}
    ports: {{hub: rim.center}}
  table:
    parts:
      plate: {{mass: 6, center_of_mass: [0.1, 0.2, -0.1], inertia: {{xx: 0.5, yy: 0.6, zz: 0.7}}, frames: {{top: [0.3, 0, 0]}}}}
      ballast: {{at: [0, 0, -0.5], mass: 1, center_of_mass: [0, 0, -0.2], inertia: {{xx: 0.02, yy: 0.02, zz: 0.02}}}}
    joints:
      swing: {{type: revolute, between: [plate, ballast], at: [0, 0, -0.5], axis: x}}
    ports: {{top: plate.top, base: plate}}
parts:
  axle:
    at: [0, 0, 0.3]
    mass: 2
    center_of_mass: [-0.1, 0.05, 0]
    inertia: {{xx: 0.2, yy: 0.05, zz: 0.2}}
    frames: {{left: [0, 0.4, 0], right: [0, -0.4, 0], tail: [-0.5, 0, -0.3]}}
  weight: {{at: [0, 0, 0.3], mass: 1, center_of_mass: [0.05, 0, -0.15], inertia: {{xx: 0.02, yy: 0.02, zz: 0.02}}}}
assemblies:
  left: {{use: wheel, at: [0, 0.4, 0.3]}}
  right: {{use: wheel, at: [0, -0.4, 0.3]}}
  table: {{use: table}}
joints:
  slide: {{type: prismatic, between: [ground, table.base], axis: [1, 1, 0]}}
  hub_left: {{type: revolute, between: [axle.left, left.hub], axis: y, start: {{rate: 4 rad/s}}}}
  hub_right: {{type: revolute, between: [axle.right, right.hub], axis: y, start: {{rate: 3 rad/s}}}}
  roll_left: {{type: rolling, between: [table.top, left.hub], radius: 0.3, axis: y}}
  roll_right: {{type: rolling, between: [table.top, right.hub], radius: 0.3, axis: y, slip: {}}}
  hang: {{type: revolute, between: [axle, weight], axis: y}}
forces:
  hold: {{type: spring_damper, between: [ground, table.top], stiffness: 400, damping: 5, free_length: 0.2}}
  brake: {{type: rotational_spring_damper, drives: hang.angle, damping: 0.2}}
{})",
                     slip, more);
}

}  // namespace gelenk::test
