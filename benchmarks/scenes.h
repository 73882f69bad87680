#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>

// Machines whose speed is compared, as texts for the loader. Tests and benchmarks share them; docs/performance.md says
// where each of them comes from. Lengths in m, masses in kg, angles in rad.
namespace gelenk::scenes {

// P1: links of 1 m, 1 kg and 0.05 m radius in a row, drawn along x, hinged about z; gravity along -y. It starts at
// rest; bend_chain() of loaded_scene.h gives it another pose.
inline std::string chain(std::size_t links) {
  constexpr double kRadius = 0.05;
  constexpr double kAlong = 0.5 * kRadius * kRadius;
  constexpr double kAcross = (3.0 * kRadius * kRadius + 1.0) / 12.0;
  return fmt::format(R"yaml(gelenk: 1
name: chain
gravity: [0, -9.81, 0]
definitions:
  link:
    parts:
      bar:
        mass: 1
        center_of_mass: [0.5, 0, 0]
        inertia: {{xx: {:.17g}, yy: {:.17g}, zz: {:.17g}}}
        frames: {{end: [1, 0, 0]}}
    ports: {{root: bar, tip: bar.end}}
assemblies:
  link:
    use: link
    repeat: {}
    at: ["=index * 1 m", 0, 0]
    attach: {{root: {{type: revolute, to: previous.tip, first_to: ground, axis: z}}}}
)yaml",
                     kAlong, kAcross, kAcross, links);
}

// P2, benchmark A02 of the IFToMM library: `bays` parallelograms of rods of 1 m and 1 kg in a row, upright at the
// start, the upper corners with 1 m/s along x. Full three-dimensional hinges: three redundant rows a loop.
inline std::string four_bars(std::size_t bays) {
  return fmt::format(R"yaml(gelenk: 1
name: four_bars
gravity: [0, -9.81, 0]
parameters: {{across: {:.17g} kg*m^2, along: 0.01 kg*m^2}}
parts:
  first_upright:
    at: [0, 1, 0]
    mass: 1
    center_of_mass: [0, -0.5, 0]
    inertia: {{xx: =across, yy: =along, zz: =across}}
    frames: {{foot: [0, -1, 0]}}
definitions:
  bay:
    parameters: {{across: 1 kg*m^2, along: 1 kg*m^2}}
    parts:
      beam:
        at: [0, 1, 0]
        mass: 1
        center_of_mass: [0.5, 0, 0]
        inertia: {{xx: =along, yy: =across, zz: =across}}
        frames: {{right: [1, 0, 0]}}
      upright:
        at: [1, 1, 0]
        mass: 1
        center_of_mass: [0, -0.5, 0]
        inertia: {{xx: =across, yy: =along, zz: =across}}
        frames: {{foot: [0, -1, 0]}}
    frames: {{bearing: [1, 0, 0]}}
    joints:
      foot: {{type: revolute, between: [bearing, upright.foot], axis: z}}
      corner: {{type: revolute, between: [beam.right, upright], axis: z}}
    ports: {{left: beam, top: upright}}
joints:
  first_foot: {{type: revolute, between: [ground, first_upright.foot], axis: z, start: {{rate: -1}}}}
assemblies:
  bay:
    use: bay
    repeat: {}
    at: ["=index * 1 m", 0, 0]
    set: {{across: =across, along: =along}}
    attach: {{left: {{type: revolute, to: previous.top, first_to: first_upright, axis: z}}}}
)yaml",
                     1.0 / 12.0, bays);
}

// P5b: numbers of the V6. Two rows of cylinders at ±30° from z, the crank turns about x. Crank angle θ: pin i is at
// (y, z) = R (sin, cos)(θ + phase_i), so that θ counts against the right-hand rule about x.
struct EngineV6 {
  static constexpr int kCylinders = 6;
  static constexpr double kCrankRadius = 0.04, kRodLength = 0.14, kRodCenter = 0.05;  // center: from the crank pin
  static constexpr double kCrankMass = 10.0, kRodMass = 0.6, kPistonMass = 0.5;
  static constexpr double kCrankInertia = 0.05, kRodInertia = 0.002, kRodInertiaAlong = 0.0004, kPistonInertia = 1e-3;
  static constexpr double kSpeed = 50.0;  // rad/s at the start
  static constexpr double kGravity = 9.81;

  static double phase(int i) {
    const int throw_index = i / 2;  // opposite cylinders share a throw
    return 2.0 * std::numbers::pi / 3.0 * throw_index;
  }
  static double bank(int i) { return (i % 2 == 0 ? 1.0 : -1.0) * std::numbers::pi / 6.0; }
  static double place(int i) { return -0.15 + 0.06 * i; }

  // Pin, rod and piston of a cylinder in its plane y, z at a crank angle.
  struct Cylinder {
    double pin_y, pin_z;
    double bore_y, bore_z;  // direction of the bore
    double height;          // of the piston along the bore
    double rod_y, rod_z;    // direction of the rod, from crank pin to piston
  };
  static Cylinder cylinder(int i, double angle) {
    Cylinder c{};
    c.pin_y = kCrankRadius * std::sin(angle + phase(i));
    c.pin_z = kCrankRadius * std::cos(angle + phase(i));
    c.bore_y = std::sin(bank(i));
    c.bore_z = std::cos(bank(i));
    const double along = c.pin_y * c.bore_y + c.pin_z * c.bore_z;
    c.height = along + std::sqrt(kRodLength * kRodLength - kCrankRadius * kCrankRadius + along * along);
    c.rod_y = (c.height * c.bore_y - c.pin_y) / kRodLength;
    c.rod_z = (c.height * c.bore_z - c.pin_z) / kRodLength;
    return c;
  }

  // Derivatives by the crank angle.
  struct Rates {
    double pin_y, pin_z;
    double height;
    double rod_y, rod_z;
    double turn;  // of the rod about x
  };
  // The rod has constant length: r·(ṡ b - ṗ) = 0 gives the rate ṡ of the piston, with r along the rod, b along the
  // bore, p the crank pin.
  static Rates rates(const Cylinder& c) {
    Rates d{};
    d.pin_y = c.pin_z;
    d.pin_z = -c.pin_y;
    d.height = (c.rod_y * d.pin_y + c.rod_z * d.pin_z) / (c.rod_y * c.bore_y + c.rod_z * c.bore_z);
    d.rod_y = (d.height * c.bore_y - d.pin_y) / kRodLength;
    d.rod_z = (d.height * c.bore_z - d.pin_z) / kRodLength;
    d.turn = c.rod_y * d.rod_z - c.rod_z * d.rod_y;
    return d;
  }
};

// P5b: the V6 with plain three-dimensional joints: 13 bodies, 95 rows, 18 of them redundant. It spins freely.
inline std::string engine_v6() {
  using V6 = EngineV6;
  std::string parts =
      fmt::format("parts:\n  crank:\n    mass: {}\n    inertia: {{xx: {}, yy: {}, zz: {}}}\n    frames:\n",
                  V6::kCrankMass, V6::kCrankInertia, V6::kCrankInertia, V6::kCrankInertia);
  std::string others;
  std::string joints = fmt::format(
      "joints:\n  main_bearing: {{type: revolute, between: [ground, crank], axis: x, start: {{rate: {}}}}}\n",
      -V6::kSpeed);
  for (int i = 0; i < V6::kCylinders; ++i) {
    const V6::Cylinder c = V6::cylinder(i, 0.0);
    parts += fmt::format("      pin_{}: [{:.17g}, {:.17g}, {:.17g}]\n", i, V6::place(i), c.pin_y, c.pin_z);
    // The rod has its origin at the crank pin and z along itself.
    others += fmt::format(
        "  rod_{}:\n    at: {{position: [{:.17g}, {:.17g}, {:.17g}], orientation: {{axis: x, angle: {:.17g}}}}}\n"
        "    mass: {}\n    center_of_mass: [0, 0, {}]\n    inertia: {{xx: {}, yy: {}, zz: {}}}\n"
        "    frames: {{small_end: [0, 0, {}]}}\n",
        i, V6::place(i), c.pin_y, c.pin_z, std::atan2(-c.rod_y, c.rod_z), V6::kRodMass, V6::kRodCenter, V6::kRodInertia,
        V6::kRodInertia, V6::kRodInertiaAlong, V6::kRodLength);
    others += fmt::format(
        "  piston_{}:\n    at: [{:.17g}, {:.17g}, {:.17g}]\n    mass: {}\n    inertia: {{xx: {}, yy: {}, zz: {}}}\n", i,
        V6::place(i), c.height * c.bore_y, c.height * c.bore_z, V6::kPistonMass, V6::kPistonInertia, V6::kPistonInertia,
        V6::kPistonInertia);
    joints += fmt::format(
        "  bore_{0}: {{type: prismatic, between: [ground, piston_{0}], at: [{1:.17g}, 0, 0], axis: [0, {2:.17g}, "
        "{3:.17g}]}}\n  wrist_{0}: {{type: revolute, between: [piston_{0}, rod_{0}.small_end], axis: x}}\n"
        "  pin_{0}: {{type: revolute, between: [crank.pin_{0}, rod_{0}], axis: x}}\n",
        i, V6::place(i), c.bore_y, c.bore_z);
  }
  return "gelenk: 1\nname: engine_v6\ngravity: [0, 0, -9.81]\n" + parts + others + joints;
}

// Rails and rungs hinged about y: each cell adds a left rail, a right rail and the rung above them, one free motion and
// three redundant rows. The cells lean to the left and to the right in turn, which keeps the start pose regular;
// gravity along x lets the ladder fall over.
inline std::string ladder(std::size_t cells) {
  constexpr double kWidth = 0.4, kRail = 0.3, kLean = 0.3;
  return fmt::format(R"yaml(gelenk: 1
name: ladder
gravity: [9.81, 0, 0]
definitions:
  cell:
    parameters: {{lean: 0 rad}}
    parts:
      left:
        at: {{position: [0, 0, 0], orientation: {{axis: y, angle: =lean}}}}
        mass: 1
        center_of_mass: [0, 0, {half_rail}]
        inertia: {{xx: 0.01, yy: 0.01, zz: 0.002}}
        frames: {{top: [0, 0, {rail}]}}
      right:
        at: {{position: [{width}, 0, 0], orientation: {{axis: y, angle: =lean}}}}
        mass: 1
        center_of_mass: [0, 0, {half_rail}]
        inertia: {{xx: 0.01, yy: 0.01, zz: 0.002}}
        frames: {{top: [0, 0, {rail}]}}
      rung:
        at: ["={rail} m * sin(lean)", 0, "={rail} m * cos(lean)"]
        mass: 0.8
        center_of_mass: [{half_width}, 0, 0]
        inertia: {{xx: 0.002, yy: 0.012, zz: 0.01}}
        frames: {{right: [{width}, 0, 0]}}
    joints:
      left_top: {{type: revolute, between: [left.top, rung], axis: y}}
      right_top: {{type: revolute, between: [right.top, rung.right], axis: y}}
    ports: {{left_foot: left, right_foot: right, left_top: left.top, right_top: right.top}}
assemblies:
  cell:
    use: cell
    repeat: {cells}
    at: ["={shift} m * (1 - cos(pi * index)) / 2", 0, "={rise} m * index"]
    set: {{lean: "={lean} rad * cos(pi * index)"}}
    attach:
      left_foot: {{type: revolute, to: previous.left_top, first_to: ground, axis: y}}
      right_foot: {{type: revolute, to: previous.right_top, first_to: ground, axis: y}}
)yaml",
                     fmt::arg("cells", cells), fmt::arg("width", kWidth), fmt::arg("half_width", kWidth / 2),
                     fmt::arg("rail", kRail), fmt::arg("half_rail", kRail / 2), fmt::arg("lean", kLean),
                     fmt::arg("shift", kRail * std::sin(kLean)), fmt::arg("rise", kRail * std::cos(kLean)));
}

// A net: side x side blocks, neighbors joined by massless rods with ball ends, the blocks of the first row by one more
// rod each to the ground. Gravity along -z. Its graph is a plane grid, which no order of elimination makes cheap.
inline std::string grid(std::size_t side) {
  constexpr double kPitch = 0.1;
  const auto name = [](std::size_t i, std::size_t j) { return fmt::format("block_{}_{}", i, j); };
  std::string parts = "parts:\n";
  std::string joints = "joints:\n";
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < side; ++j) {
      const auto x = static_cast<double>(i);
      const auto y = static_cast<double>(j);
      parts += fmt::format(
          "  {}: {{at: [{:.17g}, {:.17g}, {:.17g}], mass: 1, inertia: {{xx: 0.01, yy: 0.01, zz: 0.01}}, frames: "
          "{{east: "
          "[0.02, 0, 0.01], west: [-0.02, 0, 0.012], north: [0, 0.02, 0.01], south: [0, -0.02, 0.013]}}}}\n",
          name(i, j), kPitch * x, kPitch * y, 0.01 * std::sin(3.0 * x + 5.0 * y));
      if (i == 0) {
        joints += fmt::format("  hanger_{0}: {{type: distance, between: [anchor_{0}, {1}.west]}}\n", j, name(i, j));
      } else {
        joints += fmt::format("  rod_x_{}_{}: {{type: distance, between: [{}.east, {}.west]}}\n", i, j, name(i - 1, j),
                              name(i, j));
      }
      if (j > 0) {
        joints += fmt::format("  rod_y_{}_{}: {{type: distance, between: [{}.north, {}.south]}}\n", i, j,
                              name(i, j - 1), name(i, j));
      }
    }
  }
  std::string frames = "frames:\n";
  for (std::size_t j = 0; j < side; ++j) {
    frames += fmt::format("  anchor_{}: [{}, {:.17g}, 0.05]\n", j, -kPitch, kPitch * static_cast<double>(j));
  }
  return "gelenk: 1\nname: grid\ngravity: [0, 0, -9.81]\n" + frames + parts + joints;
}

}  // namespace gelenk::scenes
