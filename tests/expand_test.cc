// From text to machine: parameters, places, ports, repetition, modification, masses, signals.
#include "gelenk/model/expand.h"

#include <gtest/gtest.h>

#include <numbers>
#include <string>

#include "gelenk/expression/evaluate.h"
#include "gelenk/model/mobility.h"
#include "tests/support/load_text.h"

namespace gelenk::expand_test {
namespace {

using test::check_files;
using test::check_text;
using test::Checked;

constexpr double kRounding = 1e-14;
const std::string kBody = "mass: 1, inertia: {xx: 1, yy: 1, zz: 1}";

double parameter(const Checked& checked, const std::string& assembly, const std::string& name) {
  for (const auto& value : checked.assembly(assembly).parameters) {
    if (value.name == name) return value.value;
  }
  ADD_FAILURE() << "no parameter " << name;
  return 0.0;
}

TEST(Parameters, ThroughTheHierarchy) {
  const Checked checked = check_text(R"yaml(
parameters:
  spring: 40 kN/m
  twice: =2*spring
  read_down: "=left.inner.k + left.k"
definitions:
  part_with_k: {parameters: {k: {value: 1, unit: N/m, min: 0, max: 1 MN/m}}, parts: {p: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}}
  corner:
    parameters: {k: 10 kN/m, share: 0.5}
    assemblies: {inner: {use: part_with_k, set: {k: =k*share}}}
assemblies:
  left: {use: corner, set: {k: =twice}}
  right: {copy_of: left, set: {share: 0.25}}
)yaml");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  EXPECT_DOUBLE_EQ(parameter(checked, "left", "k"), 80e3);
  EXPECT_DOUBLE_EQ(parameter(checked, "left.inner", "k"), 40e3);
  EXPECT_DOUBLE_EQ(parameter(checked, "right.inner", "k"), 20e3);
  EXPECT_DOUBLE_EQ(parameter(checked, "", "read_down"), 120e3);
}

TEST(Parameters, SetFromOutside) {
  const std::string text = "gelenk: 1\nparameters: {a: 1 m, b: =2*a}\nparts: {p: {" + kBody + ", at: [=b, 0, 0]}}\n";
  model::ExpandOptions options;
  model::ParameterSetting setting{"a", {}};
  setting.value.data = expression::Expression::constant(3.0, Dimension(0, 1, 0));
  options.settings.push_back(setting);
  const Checked checked = check_files({{"m.yaml", text}}, "m.yaml", options);
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  EXPECT_DOUBLE_EQ(checked.part("p").X_WP.position.x(), 6.0);
}

TEST(Parameters, AnAssemblyDoesNotSeeItsOwners) {
  const Checked checked = check_text(R"yaml(
parameters: {k: 1 N/m}
definitions: {d: {parameters: {c: =k}, parts: {p: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}}}
assemblies: {one: {use: d}}
)yaml");
  EXPECT_TRUE(checked.has(Code::unknown_name)) << checked.messages();
}

TEST(Parameters, CyclesThroughTheHierarchyAreFound) {
  const Checked checked = check_text(R"yaml(
parameters: {a: "=one.c"}
definitions: {d: {parameters: {c: 1}, parts: {p: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}}}
assemblies: {one: {use: d, set: {c: =a}}}
)yaml");
  EXPECT_TRUE(checked.has(Code::parameter_cycle)) << checked.messages();
}

// S1-10: no order of bodies.
TEST(Placement, RelativeToFramesInAnyOrder) {
  const Checked checked = check_text(R"yaml(
parts:
  second: {at: first.tip, mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, frames: {tip: {at: {position: [1, 0, 0], relative_to: mid}}, mid: {at: [0, 1, 0]}}}
  first: {at: {position: [1, 2, 3], orientation: {axis: z, angle: 90 deg}}, mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, frames: {tip: {at: [2, 0, 0]}}}
  third: {at: {position: [0, 0, 1], relative_to: second.tip}, mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
)yaml");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  // first.tip = (1, 2, 3) + Rz(90°)(2, 0, 0) = (1, 4, 3); second.tip = there + Rz(90°)(1, 1, 0) = (0, 5, 3).
  EXPECT_LT((checked.part("second").X_WP.position - Vector3(1, 4, 3)).norm(), kRounding);
  EXPECT_LT((checked.part("third").X_WP.position - Vector3(0, 5, 4)).norm(), kRounding);
}

TEST(Placement, CirclesAreFound) {
  EXPECT_TRUE(check_text("parts: {a: {at: b, " + kBody + "}, b: {at: a, " + kBody + "}}").has(Code::placement_cycle));
  EXPECT_TRUE(
      check_text("parts: {a: {" + kBody +
                 ", frames: {f: {at: {relative_to: g}}, g: {at: {relative_to: f}}}}}\njoints: {j: {type: fixed, "
                 "between: [ground, a.f]}}")
          .has(Code::placement_cycle));
  EXPECT_TRUE(check_text("ground: {frames: {f: {at: ground.g}, g: {at: ground.f}}}\nparts: {a: {" + kBody + "}}")
                  .has(Code::placement_cycle));
}

TEST(Placement, FormsOfOrientationAgree) {
  const Checked checked = check_text(R"yaml(
parts:
  a: {at: {orientation: {axis: z, angle: 90 deg}}, mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  b: {at: {orientation: {quaternion: [1, 0, 0, 1]}}, mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  c: {at: {orientation: {angles: [90 deg, 0, 0]}}, mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  d: {at: {orientation: {x: y, z: z}}, mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  e: {at: {orientation: {y: -x, z: [0, 0, 2]}}, mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
)yaml");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  Matrix3 expected;
  expected << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  for (const auto& part : checked.machine.parts) {
    EXPECT_LT((part.X_WP.rotation - expected).cwiseAbs().maxCoeff(), kRounding) << part.path;
  }
}

TEST(Joints, AtADrawnPlaceIsClosedAsDrawn) {
  const Checked checked = check_text(R"yaml(
parts:
  a: {at: {position: [1, 0, 0], orientation: {axis: [1, 2, 3], angle: 1}}, mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
joints: {j: {type: revolute, between: [ground, a], at: [2, 3, 4], axis: [1, 1, 0]}}
)yaml");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  const auto& joint = checked.joint("j");
  const Pose B = model::drawn_frame(checked.machine, joint.b);
  EXPECT_LT((B.position - Vector3(2, 3, 4)).norm(), kRounding);
  EXPECT_LT((Vector3(B.rotation.col(2)) - Vector3(1, 1, 0).normalized()).norm(), kRounding);
  const model::JointGap gap = model::drawn_gap(checked.machine, joint);
  EXPECT_LT(gap.distance, kRounding);
  EXPECT_LT(gap.angle, 1e-7);  // the angle of two equal directions is known to √ε only
}

TEST(Assemblies, RepeatWithPrevious) {
  const Checked checked = check_text(R"yaml(
definitions:
  link:
    ports: {head: bar, tail: bar.end}
    parts: {bar: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, frames: {end: {at: [0.1, 0, 0]}}}}
assemblies:
  link: {use: link, repeat: 5, at: ["=index*0.1 m", 0, 0], attach: {head: {type: revolute, to: previous.tail, first_to: ground, axis: z}}}
outputs: {tip: link.4.bar.position.x}
)yaml");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  ASSERT_EQ(checked.machine.joints.size(), 5u);
  EXPECT_NEAR(checked.part("link.3.bar").X_WP.position.x(), 0.3, kRounding);
  EXPECT_FALSE(checked.joint("link.0.head").a.part.is_set());
  EXPECT_EQ(checked.machine.parts[checked.joint("link.3.head").a.part.index()].path, "link.2.bar");
  const model::MobilityReport mobility = model::expected_mobility(checked.machine);
  EXPECT_EQ(mobility.free_motions, 5u);
  EXPECT_EQ(mobility.redundant(), 0u);
}

TEST(Assemblies, ModifyReachesInside) {
  const Checked checked =
      check_files({{"base.yaml", R"yaml(gelenk: 1
parameters: {length: 1 m}
parts: {bar: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [=length, 0, 0]}}
joints:
  hinge: {type: revolute, between: [ground, bar], axis: z}
  pivot: {type: revolute, between: [ground, bar], axis: z}
assemblies: {sub: {use: sub.yaml, at: [5, 0, 0]}, other: {use: sub.yaml}}
)yaml"},
                   {"sub.yaml", "gelenk: 1\nparts: {ball: {" + kBody +
                                    "}}\njoints: {pin: {type: spherical, between: [ground, ball]}}\n"},
                   {"user.yaml", R"yaml(gelenk: 1
use: base.yaml
modify:
  joints.hinge: {type: cylindrical}
  joints.pivot: {type: spherical, axis: ~}
  parameters.length: {value: 2 m, max: 3 m}
  assemblies.sub.joints.pin: {type: fixed}
  assemblies.other.joints.pin: {note: ~}
  assemblies.sub: {at: [6, 0, 0]}
parts: {extra: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}
)yaml"}},
                  "user.yaml");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  EXPECT_EQ(checked.joint("hinge").type, &model::kCylindrical);
  EXPECT_EQ(checked.joint("pivot").type, &model::kSpherical);
  EXPECT_EQ(checked.joint("sub.pin").type, &model::kFixed);
  EXPECT_EQ(checked.joint("other.pin").type, &model::kSpherical);
  EXPECT_DOUBLE_EQ(checked.part("bar").X_WP.position.x(), 2.0);
  EXPECT_DOUBLE_EQ(checked.part("sub.ball").X_WP.position.x(), 6.0);
  EXPECT_EQ(checked.machine.parts.size(), 4u);
}

TEST(Parts, GivenMassWinsOverShape) {
  const Checked checked = check_text(R"yaml(
parts:
  a: {mass: 2 kg, material: steel, shape: {box: {size: [0.1, 0.1, 0.1]}}}
  b: {material: steel, shape: [{box: {size: [0.1, 0.1, 0.1]}}, {box: {size: [0.1, 0.1, 0.05], at: [0, 0, 0.025], hole: true}}]}
  c: {shape: {sphere: {radius: 0.1}}}
)yaml");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  const auto& a = checked.part("a").mass_properties;
  EXPECT_DOUBLE_EQ(a.mass, 2.0);
  EXPECT_NEAR(a.inertia(0, 0), 2.0 * (0.01 + 0.01) / 12.0, kRounding);
  EXPECT_TRUE(checked.has(Code::given_differs_from_shape));
  const auto& b = checked.part("b").mass_properties;
  EXPECT_NEAR(b.mass, 7850 * 0.0005, 1e-12);
  EXPECT_NEAR(b.center.z(), -0.025, kRounding);
  EXPECT_EQ(checked.part("c").mass_source, model::MassSource::shape_with_assumed_density);
  EXPECT_TRUE(checked.has(Code::assumed_density));
}

TEST(Signals, SymbolsAreBound) {
  const Checked checked = check_text(R"yaml(
parameters: {c: 2 N*m*s/rad}
parts: {a: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {hinge: {type: revolute, between: [ground, a], axis: z}}
forces:
  brake: {type: actuator, drives: hinge.angle, value: "=-c*rate + 1 (N*m)*sin(coordinate)*step(time - 1 s)"}
  push: {type: force, applied_to: a, along: x, value: {table: {of: time, x: [0 s, 100 ms], y: [0, 5 kN], interpolation: akima}}}
outputs: {height: a.position.z, speed: "=hinge.rate * 2"}
)yaml");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  const model::Signal& law = checked.force("brake").value;
  std::vector<double> values;
  for (std::size_t i = 0; i < law.symbols.size(); ++i) {
    const auto& use = law.symbols[i];
    if (use.kind == model::SymbolUse::Kind::constant) values.push_back(use.value);
    if (use.kind == model::SymbolUse::Kind::time) values.push_back(3.0);
    if (use.kind == model::SymbolUse::Kind::channel)
      values.push_back(use.channel.quantity == "rate" ? 0.5 : std::numbers::pi / 2);
  }
  EXPECT_NEAR(expression::evaluate(law.formula, values), -2.0 * 0.5 + 1.0, kRounding);
  const model::Signal& table = checked.force("push").value;
  EXPECT_NEAR(expression::evaluate(table.formula, std::vector<double>{0.05}), 2500.0, 1e-9);
  EXPECT_EQ(checked.machine.outputs.size(), 2u);
}

// S3-09: gravity none, uniform or of a point; uniform when nothing is said.
TEST(World, GravityAndUp) {
  const auto gravity = [](const std::string& header) {
    const Checked checked = check_text(header + "parts: {a: {" + kBody + "}}\n");
    EXPECT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
    return checked.machine.gravity;
  };
  EXPECT_LT((std::get<model::UniformGravity>(gravity("")).acceleration - Vector3(0, 0, -9.80665)).norm(), kRounding);
  EXPECT_LT((std::get<model::UniformGravity>(gravity("up: -y\n")).acceleration - Vector3(0, 9.80665, 0)).norm(),
            kRounding);
  EXPECT_LT(
      (std::get<model::UniformGravity>(gravity("gravity: [1, 2, -9.81 m/s^2]\n")).acceleration - Vector3(1, 2, -9.81))
          .norm(),
      kRounding);
  EXPECT_TRUE(std::holds_alternative<model::NoGravity>(gravity("gravity: none\n")));
  EXPECT_LT((std::get<model::UniformGravity>(gravity("up: x\ngravity: earth\n")).acceleration - Vector3(-9.80665, 0, 0))
                .norm(),
            kRounding);
  EXPECT_DOUBLE_EQ(std::get<model::PointGravity>(gravity("gravity: {point: {strength: 4e14}}\n")).strength, 4e14);
}

TEST(Mobility, RedundantPlanarLoop) {
  // Four-bar in the xz plane: 3 parts, 4 revolutes: 20 rows of which 3 are redundant, one free motion.
  const Checked checked = check_text(R"yaml(
parts:
  crank: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  coupler: {at: [0.1, 0, 0.3], mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  rocker: {at: [0.8, 0, 0.5], mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  o: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: y}
  a: {type: revolute, between: [crank, coupler], at: [0.1, 0, 0.3], axis: y}
  b: {type: revolute, between: [coupler, rocker], at: [0.8, 0, 0.5], axis: y}
  c: {type: revolute, between: [rocker, ground], at: [0.7, 0, 0], axis: y}
drivers: {motor: {drives: o.angle, rate: 1 rad/s}}
)yaml");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  const model::MobilityReport mobility = model::expected_mobility(checked.machine);
  EXPECT_EQ(mobility.rows, 20u);
  EXPECT_EQ(mobility.rank, 17u);
  EXPECT_EQ(mobility.free_motions, 1u);
  EXPECT_EQ(mobility.driven_motions, 1u);
  ASSERT_EQ(mobility.independent.size(), 1u);
  EXPECT_EQ(checked.machine.joints[mobility.independent[0].joint.index()].path, "o");
}

// Each joint type holds what its primitives say: free motions of one part on the ground.
// S1-11, S2-21: revolute, translational, ball, fixed and more.
TEST(Mobility, EveryJointType) {
  const std::pair<std::string, std::size_t> cases[] = {
      {"revolute, axis: [1, 2, 3]", 1},
      {"prismatic, axis: [1, 2, 3]", 1},
      {"cylindrical, axis: [1, 2, 3]", 2},
      {"spherical", 3},
      {"planar, axis: [1, 2, 3]", 3},
      {"fixed", 0},
      {"universal, axis: x, second_axis: y", 2},
  };
  for (const auto& [joint, expected] : cases) {
    const Checked checked = check_text("parts: {a: {at: [1, 2, 3], " + kBody + "}}\njoints: {j: {type: " + joint +
                                       ", between: [ground, a], at: [4, 5, 6]}}\n");
    ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
    EXPECT_EQ(model::expected_mobility(checked.machine).free_motions, expected) << joint;
  }
  const Checked rod =
      check_text("parts: {a: {at: [1, 2, 3], " + kBody + "}}\njoints: {j: {type: distance, between: [ground, a]}}\n");
  EXPECT_EQ(model::expected_mobility(rod.machine).free_motions, 5u);
}

}  // namespace
}  // namespace gelenk::expand_test
