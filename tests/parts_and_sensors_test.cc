// Point masses, copies and mirror images of parts; energies and running values as formulas read them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/support/run_text.h"

namespace gelenk::parts_and_sensors_test {
namespace {

constexpr double kRounding = 1e-12;

test::Assembled ready(const std::string& text) {
  test::Assembled model = test::assemble_text(text);
  EXPECT_TRUE(model.is_ready()) << model.messages();
  return model;
}

// What the machine keeps of the file is the file's, not that of the copies, which are gone after expansion.
TEST(PartCopies, LeaveTheMachineWithThePlacesOfItsFile) {
  const test::Checked checked = test::check_text(R"yaml(
parameters: {length: {value: 1 m, doc: of both}}
inputs: {push: {value: 2 N}}
parts:
  a: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  b: {copy_of: a, at: [=length, 0, 0]}
)yaml");
  ASSERT_FALSE(checked.machine.assemblies.empty()) << checked.messages();
  const model::AssemblyNode& root = checked.machine.assemblies.front();
  ASSERT_EQ(root.parameters.size(), 1U);
  EXPECT_EQ(root.parameters.front().source, &root.definition->object.section("parameters").front());
  ASSERT_EQ(checked.machine.inputs.size(), 1U);
  EXPECT_EQ(checked.machine.inputs.front().source, &root.definition->object.section("inputs").front());
}

// A dumbbell of two points has their masses at their places: beside a given mass, and alone with a third and a fourth.
TEST(PointMasses, AddUpWithTheirPlaces) {
  const test::Checked checked = test::check_text(R"(
parts:
  rod:
    mass: 2 kg
    inertia: {xx: 0.1, yy: 0.2, zz: 0.25}
    frames: {tip: [0.5, 0, 0]}
    point_masses: {ballast: {mass: 1 kg, at: tip}, bolt: {mass: 1 kg, at: [-0.5, 0, 0]}, core: 1 kg}
  jack: {point_masses: {a: {mass: 1 kg, at: [1, 0, 0]}, b: {mass: 1 kg, at: [-1, 0, 0]}, c: {mass: 1 kg, at: [0, 1, 0]}, d: {mass: 1 kg, at: [0, -1, 0]}}}
)");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  const MassProperties& rod = checked.part("rod").mass_properties;
  EXPECT_NEAR(rod.mass, 5.0, kRounding);
  EXPECT_LT(rod.center.norm(), kRounding);
  EXPECT_LT((rod.inertia - Matrix3(Vector3(0.1, 0.7, 0.75).asDiagonal())).norm(), kRounding);
  const MassProperties& jack = checked.part("jack").mass_properties;
  EXPECT_NEAR(jack.mass, 4.0, kRounding);
  EXPECT_LT((jack.inertia - Matrix3(Vector3(2.0, 2.0, 4.0).asDiagonal())).norm(), kRounding);
}

// S2-11, S2-12: an angle is two boxes, also mirrored and turned, and its surface is known.
TEST(Extrusions, HaveTheMassPropertiesOfTheirBoxes) {
  const test::Checked checked = test::check_text(R"(
parts:
  angle:
    density: 1000
    shape: {extrusion: {x: [0, 0.8, 0.8, 0.2, 0.2, 0], y: [0, 0, 0.2, 0.2, 0.6, 0.6], height: 0.1,
                        at: {position: [1, 2, 3], orientation: {axis: [1, 2, 3], angle: 50 deg}}}}
  boxes:
    density: 1000
    frames: {there: {at: {position: [1, 2, 3], orientation: {axis: [1, 2, 3], angle: 50 deg}}}}
    shape:
      - {box: {size: [0.8, 0.2, 0.1], at: {position: [0.4, 0.1, 0.05], relative_to: there}}}
      - {box: {size: [0.2, 0.4, 0.1], at: {position: [0.1, 0.4, 0.05], relative_to: there}}}
  other: {mirror_of: angle, plane: xz}
)");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  const MassProperties& angle = checked.part("angle").mass_properties;
  const MassProperties& boxes = checked.part("boxes").mass_properties;
  EXPECT_NEAR(angle.mass, boxes.mass, kRounding);
  EXPECT_LT((angle.center - boxes.center).norm(), kRounding);
  EXPECT_LT((angle.inertia - boxes.inertia).norm(), kRounding);
  EXPECT_NEAR(geometry::surface_area(checked.part("angle").shapes).value_or(0.0), 2.0 * 0.24 + 2.8 * 0.1, kRounding);
  EXPECT_LT((checked.part("other").mass_properties.center - Vector3(1, -1, 1).cwiseProduct(angle.center)).norm(),
            kRounding);
}

const char* const kArm = R"(
  arm:
    at: {position: [0.4, 0.3, 0.2], orientation: {axis: [1, 2, 0.5], angle: 40 deg}}
    material: steel
    shape: [{box: {size: [0.2, 0.1, 0.05], at: [0.1, 0.02, 0]}}, {cylinder: {radius: 0.01, from: [0, 0, 0], to: tip}}]
    frames: {tip: [0.3, 0.05, 0.02], eye: {at: {position: [0, 0, 0.1], relative_to: tip}}}
)";

// A copy is the part at another place; whatever it gives itself counts.
TEST(PartCopies, HaveWhatTheyDoNotGiveThemselves) {
  const test::Checked checked = test::check_text("parts:" + std::string(kArm) +
                                                 "  copy: {copy_of: arm, at: [1, 1, 1], frames: {own: [0, 0, 1]}}\n"
                                                 "  wood: {copy_of: copy, density: 600 kg/m^3, enabled: true}\n");
  // `material` of the source and `density` of the copy cannot be combined
  EXPECT_TRUE(checked.has(Code::conflicting_keys)) << checked.messages();
  const model::PartNode& arm = checked.part("arm");
  const model::PartNode& copy = checked.part("copy");
  EXPECT_EQ(copy.mass_properties.mass, arm.mass_properties.mass);
  EXPECT_EQ(copy.mass_properties.inertia, arm.mass_properties.inertia);
  EXPECT_EQ(copy.shapes.size(), 2U);
  EXPECT_EQ(copy.X_WP.position, Vector3(1.0, 1.0, 1.0));
  int frames = 0;
  for (const model::NamedFrame& frame : checked.machine.frames) frames += frame.path.starts_with("copy.") ? 1 : 0;
  EXPECT_EQ(frames, 3);
}

// S2-06, S2-18: every point of a mirror image, its center of mass and its inertia are where the mirror puts them.
TEST(PartCopies, MirrorImageIsWhereTheMirrorPutsIt) {
  const test::Checked checked = test::check_text("parts:" + std::string(kArm) +
                                                 "  image: {mirror_of: arm, plane: xz, start: {velocity: [1, 2, 3]}}\n"
                                                 "  back: {mirror_of: image, plane: xz}\n");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  const Matrix3 S = Vector3(1.0, -1.0, 1.0).asDiagonal();
  const auto world = [&](const model::PartNode& part, const Vector3& p) {
    return Vector3(part.X_WP.position + part.X_WP.rotation * p);
  };
  const model::PartNode& arm = checked.part("arm");
  const model::PartNode& image = checked.part("image");
  EXPECT_LT((world(image, image.mass_properties.center) - S * world(arm, arm.mass_properties.center)).norm(),
            kRounding);
  const auto inertia = [](const model::PartNode& part) {
    return Matrix3(part.X_WP.rotation * part.mass_properties.inertia * part.X_WP.rotation.transpose());
  };
  EXPECT_LT((inertia(image) - S * inertia(arm) * S).norm(), kRounding);
  EXPECT_EQ(image.start_velocity, Vector3(1.0, 2.0, 3.0));
  const auto place = [&](const std::string& path) {
    for (const model::NamedFrame& frame : checked.machine.frames) {
      if (frame.path != path) continue;
      return world(checked.machine.parts[frame.frame.part.index()], frame.frame.X_PF.position);
    }
    return Vector3(Vector3::Constant(std::nan("")));
  };
  EXPECT_LT((place("image.eye") - S * place("arm.eye")).norm(), kRounding);
  EXPECT_LT((place("back.eye") - place("arm.eye")).norm(), kRounding);
  ASSERT_EQ(image.shapes.size(), 2U);
  EXPECT_LT((checked.part("back").mass_properties.center - arm.mass_properties.center).norm(), kRounding);
}

// Velocities that an image has from its source are mirrored with it, those of its own are as written. `start` is in
// world axes, `plane` in those of the assembly.
TEST(PartCopies, MirrorImageStartsAsTheMirrorImage) {
  const test::Checked checked = test::check_text(R"(
definitions:
  pair:
    parts:
      left: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}, start: {velocity: [1, 2, 3], angular_velocity: [4, 5, 6]}}
      right: {mirror_of: left, plane: xz}
      back: {mirror_of: right, plane: yz}
      other: {copy_of: left, at: [1, 1, 1]}
      image_of_copy: {mirror_of: other, plane: xy}
      own: {mirror_of: left, plane: xz, start: {velocity: [1, 2, 3]}}
      image_of_own: {mirror_of: own, plane: xz}
assemblies:
  straight: {use: pair}
  turned: {use: pair, at: {orientation: {axis: [1, 2, 0.5], angle: 40 deg}}}
  image: {mirror_of: turned, plane: xy}
)");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  const auto expect = [&](const std::string& path, const Vector3& velocity, const Vector3& angular_velocity) {
    const model::PartNode& part = checked.part(path);
    EXPECT_LT((part.start_velocity - velocity).norm(), kRounding) << path;
    EXPECT_LT((part.start_angular_velocity - angular_velocity).norm(), kRounding) << path;
  };
  expect("straight.right", {1.0, -2.0, 3.0}, {-4.0, 5.0, -6.0});
  expect("straight.back", {-1.0, -2.0, 3.0}, {-4.0, -5.0, 6.0});
  expect("straight.other", {1.0, 2.0, 3.0}, {4.0, 5.0, 6.0});
  expect("straight.image_of_copy", {1.0, 2.0, -3.0}, {-4.0, -5.0, 6.0});
  expect("straight.own", {1.0, 2.0, 3.0}, Vector3::Zero());
  expect("straight.image_of_own", {1.0, -2.0, 3.0}, Vector3::Zero());
  // In the axes of the turned pair its image moves as the pair would.
  const std::size_t turned = test::index_of_path(checked.machine.assemblies, "turned");
  ASSERT_LT(turned, checked.machine.assemblies.size());
  const Matrix3 R = checked.machine.assemblies[turned].X_WA.rotation;
  const Vector3 v = R.transpose() * Vector3(1.0, 2.0, 3.0);
  const Vector3 w = R.transpose() * Vector3(4.0, 5.0, 6.0);
  const Vector3 v_right = R * Vector3(v.x(), -v.y(), v.z());
  const Vector3 w_right = R * Vector3(-w.x(), w.y(), -w.z());
  expect("turned.right", v_right, w_right);
  expect("turned.own", {1.0, 2.0, 3.0}, Vector3::Zero());
  expect("image.right", {v_right.x(), v_right.y(), -v_right.z()}, {-w_right.x(), -w_right.y(), w_right.z()});
  expect("image.own", {1.0, 2.0, -3.0}, Vector3::Zero());
}

// Two pendulums, one the mirror image of the other, in a mirrored assembly: symmetric for all time.
TEST(PartCopies, MirrorImageMovesAsTheMirrorImage) {
  const test::Assembled model = ready(
      "definitions:\n  pair:\n    parts:\n      left: {mass: 2 kg, center_of_mass: [0.3, 0.2, 0.1], inertia: {xx: 0.2, "
      "yy: "
      "0.3, zz: 0.4, xy: 0.01}, at: [0, 0.5, 0], frames: {eye: [0.1, 0, 0]}}\n"
      "      right: {mirror_of: left, plane: xz}\n"
      "    joints: {a: {type: spherical, between: [ground, left.eye], at: left.eye}, b: {type: spherical, between: "
      "[ground, right.eye], at: right.eye}}\n"
      "assemblies: {one: {use: pair}, two: {mirror_of: one, plane: yz}}\n");
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::rk4(1e-3));
  ASSERT_TRUE(motion.advance_to(0.4));
  const Vector3 left = motion.probe().part("one.left").p;
  const Vector3 right = motion.probe().part("one.right").p;
  const Vector3 other = motion.probe().part("two.right").p;
  EXPECT_LT((right - Vector3(left.x(), -left.y(), left.z())).norm(), 1e-11);
  EXPECT_LT((other - Vector3(-right.x(), right.y(), right.z())).norm(), 1e-11);
  EXPECT_GT((left - Vector3(0.0, 0.5, 0.0)).norm(), 0.01);
}

double output_of(const test::Assembled& model, const system::State& state, const std::string& name) {
  const system::System& system = *model.system;
  const std::size_t number = test::index_of_path(system.outputs, name);
  if (number == system.outputs.size()) return std::nan("");
  const mechanics::Context context{system, model.params, state};
  mechanics::Workspace workspace(system);
  mechanics::update_positions(context, workspace);
  mechanics::update_velocities(context, workspace);
  return mechanics::view(context, workspace).signal(system.outputs[number].value);
}

const char* const kSwing = R"(
gravity: [0, 0, -9.81]
definitions:
  swing:
    ground: {frames: {hook: [0.4, 0.3, 0.6]}}
    parts:
      arm: {mass: 2 kg, center_of_mass: [0.3, 0.2, 0.1], inertia: {xx: 0.2, yy: 0.3, zz: 0.4, xy: 0.01}, start: {angular_velocity: [1, 2, 3]}}
      bob: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, at: [0.5, 0, 0]}
    joints: {pivot: {type: spherical, between: [ground, arm]}, tip: {type: fixed, between: [arm, bob], at: bob}}
    forces:
      spring: {type: spring_damper, between: [ground.hook, bob], stiffness: 40 N/m, damping: 2 N*s/m, free_length: 0.2 m}
assemblies: {one: {use: swing}}
outputs:
  kinetic: =kinetic_energy
  potential: =one.potential_energy
  power: {value: =one.spring.power, running: integral}
  mean_power: {value: =one.spring.power, running: mean}
  rms_power: {value: =one.spring.power, running: rms}
  stored: =one.spring.energy
  rest: =one.kinetic_energy - one.arm.kinetic_energy - one.bob.kinetic_energy
  clock: {value: =time, running: rms}
)";

// S4-25: energies as they are in the books; the work of the spring is what the sum of all energies but its own gains.
TEST(Energies, AreThoseOfTheBooks) {
  const test::Assembled model = ready(kSwing);
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::dopri5(1e-11));
  const auto sum = [&](const char* name) { return output_of(model, motion.state(), name); };
  EXPECT_EQ(sum("mean_power"), sum("rms_power") * (sum("mean_power") < 0.0 ? -1.0 : 1.0));
  const double gravity_at_start = sum("potential") - sum("stored");
  const double kinetic_at_start = sum("kinetic");
  ASSERT_TRUE(motion.advance_to(0.7));
  const mechanics::Energy books = motion.probe().energy();
  EXPECT_NEAR(sum("kinetic"), books.kinetic, 1e-12 * 100.0);
  EXPECT_NEAR(sum("potential"), books.potential, 1e-12 * 100.0);
  EXPECT_NEAR(sum("stored"), books.elastic, 1e-12 * 100.0);
  EXPECT_NEAR(sum("rest"), 0.0, 1e-13);
  const double gained = sum("kinetic") + sum("potential") - sum("stored") - kinetic_at_start - gravity_at_start;
  EXPECT_NEAR(sum("power"), gained, 1e-8);
  EXPECT_NEAR(sum("mean_power"), gained / 0.7, 1e-8);
  EXPECT_GT(std::abs(gained), 0.1);
  EXPECT_NEAR(sum("clock"), 0.7 / std::sqrt(3.0), 1e-9);
  EXPECT_GE(sum("rms_power"), std::abs(sum("mean_power")));
}

// A run may start at any time: what is made of `value` is made of it from there on.
TEST(Running, LooksBackToTheStartOfTheRun) {
  const test::Assembled model = test::assemble_text(R"(
parts: {block: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
gravity: none
joints: {rail: {type: prismatic, between: [ground, block], axis: x}}
drivers: {push: {drives: rail.travel, position: =1 (m/s) * time}}
outputs:
  mean: {value: =time, running: mean}
  rms: {value: =2 m, running: rms}
  sum: {value: =2 m, running: integral}
)",
                                                    {}, 3.0);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, test::dopri5(1e-10));
  EXPECT_EQ(output_of(model, motion.state(), "mean"), 3.0);
  EXPECT_EQ(output_of(model, motion.state(), "rms"), 2.0);
  ASSERT_TRUE(motion.advance_to(5.0));
  EXPECT_NEAR(output_of(model, motion.state(), "mean"), 4.0, 1e-9);
  EXPECT_NEAR(output_of(model, motion.state(), "rms"), 2.0, 1e-12);
  EXPECT_NEAR(output_of(model, motion.state(), "sum"), 4.0, 1e-12);
}

// What a force makes of a mean is smooth from the first step on, whenever that is.
TEST(Running, MayBeReadByForces) {
  const auto speed = [](double start, const integrate::Method method) {
    const test::Assembled model = test::assemble_text(R"(
gravity: none
parts: {block: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {rail: {type: prismatic, between: [ground, block], axis: x, start: {speed: 3}}}
forces: {brake: {type: actuator, drives: rail.travel, value: =-2 (N*s/m) * mean}}
outputs: {mean: {value: =rail.speed, running: mean}}
)",
                                                      {}, start);
    EXPECT_TRUE(model.is_ready()) << model.messages();
    integrate::Options options;
    options.method = method;
    options.tolerance = 1e-9;
    test::Motion motion(model, options);
    EXPECT_TRUE(motion.advance_to(start + 1.0));
    return motion.probe().rate("rail", "travel");
  };
  const double expected = speed(0.0, integrate::Method::dopri5);
  EXPECT_LT(expected, 2.0);
  EXPECT_NEAR(speed(7.0, integrate::Method::dopri5), expected, 1e-7);
  EXPECT_NEAR(speed(7.0, integrate::Method::bdf), expected, 1e-6);
}

// Energy and power may be read by laws, too, with all their derivatives: what brakes by its own power is a friction.
TEST(Energies, AreKnownToLaws) {
  const test::Assembled model = ready(R"(
gravity: none
parts: {block: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {rail: {type: prismatic, between: [ground, block], axis: x, start: {speed: 3}}}
forces: {brake: {type: actuator, drives: rail.travel, value: =-0.5 (1/m) * block.kinetic_energy}}
)");
  ASSERT_TRUE(model.is_ready());
  for (const integrate::Method method : {integrate::Method::dopri5, integrate::Method::bdf}) {
    integrate::Options options;
    options.method = method;
    options.tolerance = 1e-9;
    test::Motion motion(model, options);
    ASSERT_TRUE(motion.advance_to(1.0));
    // 2 v' = -0.5 v²: v = v₀ / (1 + v₀ t / 4)
    EXPECT_NEAR(motion.probe().rate("rail", "travel"), 3.0 / 1.75, 1e-6);
  }
}

}  // namespace
}  // namespace gelenk::parts_and_sensors_test
