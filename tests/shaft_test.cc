// Shafts: ports of width 1 of subsystems that are written in C++, tied to joints of a machine by its couplings. A drive
// line that is nothing but an inertia and a spring, against closed forms; a rotor in a housing that is carried around,
// against the machine of the same parts.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/analysis/sealed_assembly.h"
#include "gelenk/base/bytes.h"
#include "gelenk/math/rotation.h"
#include "gelenk/mechanics/couplings.h"
#include "gelenk/subsystem/body_leaf.h"
#include "tests/support/load_example.h"
#include "tests/support/run_text.h"
#include "tests/support/ways.h"

namespace gelenk::shaft_test {
namespace {

using integrate::Integrator;
using integrate::Method;
using subsystem::LeafState;
using test::Way;

constexpr int kCurrent = Integrator::kCurrentState;

// One inertia on a spring to the ground, and nothing else.
class DriveLine final : public subsystem::LeafEquations {
 public:
  DriveLine(double inertia, double stiffness) : inertia_(inertia), stiffness_(stiffness) {}
  std::size_t coordinate_count() const override { return 1; }
  void evaluate(const LeafState& s, Eigen::MatrixXd& M, Eigen::VectorXd& f) const override {
    M.setIdentity();
    M(6, 6) = inertia_;
    f(6) = -stiffness_ * s.q[0];
  }
  double energy(const LeafState& s) const override {
    return 0.5 * (inertia_ * s.q_rate[0] * s.q_rate[0] + stiffness_ * s.q[0] * s.q[0]);
  }

 private:
  double inertia_, stiffness_;
};

const Vector3 kGravity(0.0, 0.0, -9.81);
constexpr double kMass = 1.5, kAxial = 0.004, kBrake = 0.002;  // kg; kg m² of the rotor; N m s
const Vector3 kInertia(0.010, 0.012, 0.011);  // of housing and rotor, about their common center; kg m²
const Vector3 kEye(-0.2, 0.0, 0.05);          // where the arm holds it
const Vector3 kPlace(1.2, 0.0, -0.05);

// A rotor about x of a housing, with a brake between them.
class HousedRotor final : public subsystem::LeafEquations {
 public:
  std::size_t coordinate_count() const override { return 1; }
  void evaluate(const LeafState& s, Eigen::MatrixXd& M, Eigen::VectorXd& f) const override {
    const Matrix3 R = s.orientation.toRotationMatrix();
    const Matrix3 J = R * kInertia.asDiagonal() * R.transpose();
    const Vector3 w = Vector3::Map(&s.velocity[3]);
    const Vector3 axis = R.col(0);
    M.block<3, 3>(0, 0) = kMass * Matrix3::Identity();
    M.block<3, 3>(3, 3) = J;
    M.block<3, 1>(3, 6) = kAxial * axis;
    M.block<1, 3>(6, 3) = kAxial * axis.transpose();
    M(6, 6) = kAxial;
    f.head<3>() = kMass * kGravity;
    f.segment<3>(3) = -w.cross(J * w) - kAxial * s.q_rate[0] * w.cross(axis);
    f(6) = -kBrake * s.q_rate[0];
  }
  double energy(const LeafState& s) const override {
    const Matrix3 R = s.orientation.toRotationMatrix();
    const Vector3 v = Vector3::Map(s.velocity.data());
    const Vector3 spin = R.transpose() * Vector3::Map(&s.velocity[3]);
    return 0.5 * (kMass * v.squaredNorm() + spin.dot(kInertia.cwiseProduct(spin))) +
           kAxial * s.q_rate[0] * (spin.x() + 0.5 * s.q_rate[0]) - kMass * kGravity.dot(s.position);
  }
  double power(const LeafState& s) const override { return -kBrake * s.q_rate[0] * s.q_rate[0]; }
};

// What stands for a sealed component in the text of its owner.
struct Stub {
  std::string name;
  std::string text;
  model::SealedDrawing drawing;
};
Stub drive_line() {
  Stub stub{"drive", "gelenk: 1\nname: drive\n", {}};
  stub.drawing.shafts = {{"out", false, 0}};
  return stub;
}
Stub housed_rotor() {
  Stub stub{"housing", "gelenk: 1\nname: housing\nports: {eye: eye}\n", {}};
  stub.drawing.ports.emplace_back().position = kEye;
  stub.drawing.shafts = {{"spin", false, 1}};
  return stub;
}

test::Example owner(const std::string& text, const Stub& stub) {
  test::Example example;
  formats::LoadOptions load;
  load.read = [&](const std::string& /*file*/, std::size_t /*limit*/) {
    return ReadResult{"gelenk: 1\n" + text, Code::none, ""};
  };
  load.read_sealed = [&](const std::string& /*file*/) { return ReadResult{stub.text, Code::none, ""}; };
  example.loaded = formats::load_model("owner.yaml", load, example.diagnostics);
  model::ExpandOptions expand;
  expand.draw_sealed = [&](const model::SealedNode& /*node*/) { return stub.drawing; };
  example.machine = model::expand(example.loaded.model, expand, example.diagnostics);
  return example;
}

// An owner with a leaf in the place of its sealed component.
struct WithLeaf {
  test::Example example;
  std::optional<system::System> system;
  system::Params params;
  std::unique_ptr<subsystem::Subsystem> leaf;
  std::vector<subsystem::Subsystem*> all;
  std::optional<analysis::Assembly> assembly;
  std::unique_ptr<analysis::MachineProblem> problem;

  WithLeaf(const std::string& text, const Stub& stub, std::unique_ptr<subsystem::LeafEquations> equations,
           const integrate::Options& options)
      : example(owner(text, stub)) {
    if (example.diagnostics.has_errors()) return;
    system = system::compile(example.machine, {}, example.diagnostics);
    if (!system) return;
    params = system::make_params(*system, example.machine);
    subsystem::LeafSettings settings;
    settings.ports = stub.drawing.ports;
    settings.shafts = {0};
    if (!settings.ports.empty()) settings.start.position = kPlace;
    settings.start.q = {0.0};
    settings.start.q_rate = {0.0};
    settings.mass = kMass;
    settings.inertia = kInertia.mean();
    settings.length = params.length;
    settings.tolerance = options.tolerance;
    leaf = make_leaf(std::move(equations), settings);
    all = {leaf.get()};
    assembly = analysis::assemble_with_sealed(*system, params, example.machine, {.tolerance = options.tolerance}, all,
                                              example.diagnostics);
    if (!assembly) return;
    problem = std::make_unique<analysis::MachineProblem>(
        *system, params, options.tolerance,
        analysis::DynamicsOptions{.rank_tolerance = assembly->rank_tolerance,
                                  .refuses_singular_stages = options.method != Method::rk4},
        all);
    problem->set_state(kCurrent, assembly->state, assembly->sealed_states);
    problem->project(kCurrent);
  }
  mechanics::View<double> joints() {
    mechanics::Workspace& workspace = problem->dynamics().place(kCurrent);
    return mechanics::view({*system, params, problem->state(kCurrent)}, workspace);
  }
  // How far the shaft has turned, and how fast it does.
  std::pair<double, double> shaft() {
    std::vector<double> shown(leaf->shape().shown());
    leaf->evaluation().load(kCurrent, 0, {}, shown);
    return {shown[shown.size() - 2], shown.back()};
  }
  subsystem::Books books() {
    double value = 0.0;
    return leaf->outputs().read(kCurrent, {&value, 1});
  }
  // Of the first coupling, on its first coordinate.
  double effort() {
    std::vector<double> accelerations(6 * system->bodies.size()), multipliers(system->row_count()), efforts(1);
    EXPECT_TRUE(problem->dynamics().accelerations(kCurrent, accelerations, multipliers));
    mechanics::coupling_efforts(*system, params, multipliers, efforts);
    return efforts[0];
  }
};

bool advance(Integrator& integrator, double end) {
  while (integrator.time() < end) {
    if (integrator.advance(end) == integrate::Outcome::failed) return false;
  }
  return true;
}

const Way kWays[] = {
    {"dopri5", Method::dopri5, 1e-11, 1e-8},
    {"rk4", Method::rk4, 1e-3, 1e-8},
    {"adams", Method::adams, 1e-10, 1e-6},
    {"bdf", Method::bdf, 1e-9, 1e-5},
    {"generalized_alpha", Method::generalized_alpha, 2e-4, 1e-4},
};
class Shafts : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Methods, Shafts, testing::ValuesIn(kWays),
                         [](const auto& one) { return std::string(one.param.name); });

// A rotor of 0.3 kg m² with a torque on it, and a shaft: angle + ratio × shaft = 0.
constexpr double kRotor = 0.3, kShaft = 0.7, kRatio = 3.0, kTorque = 2.0;
std::string rotor(const std::string& torque, const std::string& start = "") {
  return R"(
name: geared
gravity: none
parts: {rotor: {mass: 1 kg, inertia: {xx: 0.2, yy: 0.2, zz: 0.3}}}
assemblies: {drive: {use: drive.gkc}}
joints:
  hinge: {type: revolute, between: [ground, rotor], axis: z)" +
         start + R"(}
  mesh: {type: gear, couples: [hinge.angle, drive.out], ratio: 3}
forces: {motor: {type: actuator, drives: hinge.angle, value: )" +
         torque + "}}\n";
}

// (J + J_s / i²) q̈ = T, through many turns; the gear takes what turns the shaft.
TEST_P(Shafts, AnInertiaBehindAGearIsFelt) {
  const integrate::Options options = options_of(GetParam());
  WithLeaf machine(rotor("2"), drive_line(), std::make_unique<DriveLine>(kShaft, 0.0), options);
  ASSERT_TRUE(machine.problem) << machine.example.complaints();
  const double acceleration = kTorque / (kRotor + kShaft / (kRatio * kRatio));
  EXPECT_NEAR(machine.effort(), -kShaft / (kRatio * kRatio) * acceleration, 1e-13);
  Integrator integrator(*machine.problem, options, 0.0);
  constexpr double kEnd = 3.0;
  ASSERT_TRUE(advance(integrator, kEnd));
  const double angle = 0.5 * acceleration * kEnd * kEnd;
  EXPECT_GT(angle, 2.0 * 2.0 * std::numbers::pi);
  EXPECT_NEAR(machine.joints().coordinate(0), angle, 10.0 * GetParam().error);
  EXPECT_NEAR(machine.joints().rate(0), acceleration * kEnd, 10.0 * GetParam().error);
  const auto [turned, rate] = machine.shaft();
  EXPECT_NEAR(machine.joints().coordinate(0) + kRatio * turned, 0.0, 1e-11);
  EXPECT_NEAR(machine.joints().rate(0) + kRatio * rate, 0.0, 1e-11);
  EXPECT_NEAR(machine.books().received, 0.5 * kShaft * rate * rate, 100.0 * GetParam().error);
  EXPECT_LT(std::abs(machine.books().error), 100.0 * GetParam().error);
}

// ω² = (c / i²) / (J + J_s / i²), from a start value of the hinge, which the shaft follows.
TEST_P(Shafts, ASpringBehindAGearSwings) {
  constexpr double kStiffness = 40.0, kStart = 0.4;
  const integrate::Options options = options_of(GetParam());
  WithLeaf machine(rotor("0", ", start: {angle: 0.4 rad}"), drive_line(),
                   std::make_unique<DriveLine>(kShaft, kStiffness), options);
  ASSERT_TRUE(machine.problem) << machine.example.complaints();
  EXPECT_NEAR(machine.shaft().first, -kStart / kRatio, 1e-12);
  const double omega = std::sqrt(kStiffness / (kRatio * kRatio) / (kRotor + kShaft / (kRatio * kRatio)));
  EXPECT_NEAR(omega, 3.43, 0.01);
  Integrator integrator(*machine.problem, options, 0.0);
  constexpr double kEnd = 2.0;
  ASSERT_TRUE(advance(integrator, kEnd));
  EXPECT_NEAR(machine.joints().coordinate(0), kStart * std::cos(omega * kEnd), 10.0 * GetParam().error);
  EXPECT_NEAR(machine.joints().rate(0), -kStart * omega * std::sin(omega * kEnd), 10.0 * GetParam().error);
  EXPECT_NEAR(machine.joints().coordinate(0) + kRatio * machine.shaft().first, 0.0, 1e-11);
}

TEST(ShaftStarts, ARateOfTheJointIsTakenByTheShaft) {
  const integrate::Options options = options_of(kWays[0]);
  WithLeaf machine(rotor("0", ", start: {rate: 6 rad/s}"), drive_line(), std::make_unique<DriveLine>(kShaft, 0.0),
                   options);
  ASSERT_TRUE(machine.problem) << machine.example.complaints();
  EXPECT_NEAR(machine.joints().rate(0), 6.0, 1e-12);
  EXPECT_NEAR(machine.shaft().second, -2.0, 1e-12);
}

// The housing hangs at an arm. `couplings`: of the pivot of the arm, a wheel on the ground and the shaft.
std::string arm(const std::string& parts, const std::string& joints) {
  return R"(
name: boom
gravity: [0, 0, -9.81 m/s^2]
parts:
  arm:
    mass: 2 kg
    center_of_mass: [0.5 m, 0, 0]
    inertia: {xx: 0.01, yy: 0.2, zz: 0.2}
    frames: {tip: [1 m, 0, 0]}
  wheel: {mass: 1 kg, at: [0, 1 m, 0], inertia: {xx: 0.1, yy: 0.2, zz: 0.1}}
)" + parts +
         R"(
joints:
  pivot: {type: revolute, between: [ground, arm], axis: y}
  axle: {type: revolute, between: [ground, wheel], at: [0, 1 m, 0], axis: y}
  eye: {type: spherical, between: [arm.tip, housing.eye]}
)" + joints;
}
const char* const kSealed = "assemblies: {housing: {use: housing.gkc, at: [1.2 m, 0, -0.05 m]}}";
const char* const kOpenParts = R"(
  housing:
    at: [1.2 m, 0, -0.05 m]
    mass: 1 kg
    center_of_mass: [0, 0, 0]
    inertia: {xx: 0.006, yy: 0.009, zz: 0.008}
    frames: {eye: [-0.2 m, 0, 0.05 m]}
  core:
    at: [1.2 m, 0, -0.05 m]
    mass: 0.5 kg
    center_of_mass: [0, 0, 0]
    inertia: {xx: 0.004, yy: 0.003, zz: 0.003}
)";
const char* const kOpenJoints = R"(
  spin: {type: revolute, between: [housing, core], axis: x}
)";
const char* const kBrakeForce =
    "forces: {brake: {type: rotational_spring_damper, drives: spin.angle, damping: 0.002 N*m*s/rad}}\n";

// The same motion as that of the machine of all parts, with these couplings of both.
void compare_with_open(const Way& way, const std::string& couplings) {
  constexpr double kEnd = 0.6;
  const integrate::Options options = options_of(way);
  std::string open_couplings = couplings;
  const std::size_t shaft = open_couplings.find("housing.spin");
  if (shaft != std::string::npos) open_couplings.replace(shaft, 12, "spin.angle");
  const test::Assembled open = test::assemble_text(arm(kOpenParts, kOpenJoints + open_couplings + kBrakeForce));
  ASSERT_TRUE(open.is_ready()) << open.messages();
  test::Motion motion(open, options);
  ASSERT_TRUE(motion.advance_to(kEnd));
  test::Probe probe = motion.probe();

  WithLeaf sealed(arm(kSealed, couplings), housed_rotor(), std::make_unique<HousedRotor>(), options);
  ASSERT_TRUE(sealed.problem) << sealed.example.complaints();
  Integrator integrator(*sealed.problem, options, 0.0);
  ASSERT_TRUE(advance(integrator, kEnd));
  // Both machines take the same steps with fixed ones, others by norms of different numbers.
  const double same = way.method == Method::bdf ? 1e-5 : 1e-7;
  EXPECT_NEAR(sealed.joints().coordinate(0), probe.coordinate("pivot", "angle"), same);
  EXPECT_NEAR(sealed.joints().rate(0), probe.rate("pivot", "angle"), 50.0 * same);
  EXPECT_NEAR(sealed.joints().coordinate(1), probe.coordinate("axle", "angle"), same);
  EXPECT_NEAR(sealed.shaft().first, probe.coordinate("spin", "angle"), 10.0 * same);
  EXPECT_NEAR(sealed.shaft().second, probe.rate("spin", "angle"), 100.0 * same);
  EXPECT_GT(std::abs(probe.coordinate("pivot", "angle")), 0.5) << "the arm has fallen";
}

TEST_P(Shafts, ARotorInACarriedHousingMovesAsInTheMachineOfItsParts) {
  compare_with_open(GetParam(), "  mesh: {type: gear, couples: [pivot.angle, housing.spin], ratio: 0.2}\n");
}

// The sum of three: the pivot, the wheel and the shaft.
TEST_P(Shafts, ADifferentialWithAShaftMovesAsInTheMachineOfItsParts) {
  compare_with_open(GetParam(),
                    "  split: {type: differential, input: pivot.angle, left: axle.angle, right: housing.spin}\n");
}

// Gears of the machine beside a component whose shaft is free: what they do is felt inside.
TEST_P(Shafts, AGearBesideAComponentMovesAsInTheMachineOfItsParts) {
  compare_with_open(GetParam(), "  mesh: {type: gear, couples: [pivot.angle, axle.angle], ratio: 0.5}\n");
}

TEST(ShaftBytes, ARunContinuesBitForBit) {
  const integrate::Options options = options_of(kWays[0]);
  const std::string text = arm(kSealed, "  mesh: {type: gear, couples: [pivot.angle, housing.spin], ratio: 0.2}\n");
  WithLeaf first(text, housed_rotor(), std::make_unique<HousedRotor>(), options);
  ASSERT_TRUE(first.problem) << first.example.complaints();
  Integrator integrator(*first.problem, options, 0.0);
  ASSERT_TRUE(advance(integrator, 0.3));
  EXPECT_LT(std::abs(first.books().error), 1e-8);
  EXPECT_GT(std::abs(first.books().received), 0.1);
  ByteWriter out;
  integrator.save(out);
  WithLeaf second(text, housed_rotor(), std::make_unique<HousedRotor>(), options);
  Integrator other(*second.problem, options, 0.0);
  ByteReader in(out.bytes());
  other.load(in);
  ASSERT_TRUE(in.is_complete());
  ASSERT_TRUE(advance(integrator, 0.5) && advance(other, 0.5));
  EXPECT_EQ(second.shaft(), first.shaft());
  EXPECT_EQ(second.joints().coordinate(0), first.joints().coordinate(0));
}

// Two gears to one shaft with other ratios lock both wheels; two with the same are redundant.
TEST(ShaftRanks, GearsThatContradictLock) {
  const auto text = [](const char* second) {
    return std::string(R"(
name: locked
gravity: none
parts: {rotor: {mass: 1 kg, inertia: {xx: 0.2, yy: 0.2, zz: 0.3}}}
assemblies: {drive: {use: drive.gkc}}
joints:
  hinge: {type: revolute, between: [ground, rotor], axis: z}
  one: {type: gear, couples: [hinge.angle, drive.out], ratio: 3}
  two: {type: gear, couples: [hinge.angle, drive.out], ratio: )") +
           second + "}\nforces: {motor: {type: actuator, drives: hinge.angle, value: 2}}\n";
  };
  const integrate::Options options = options_of(kWays[0]);
  for (const auto& [second, angle] : {std::pair{"2", 0.0}, {"3", 0.5 * kTorque / (kRotor + kShaft / 9.0)}}) {
    WithLeaf machine(text(second), drive_line(), std::make_unique<DriveLine>(kShaft, 0.0), options);
    ASSERT_TRUE(machine.problem) << machine.example.complaints();
    Integrator integrator(*machine.problem, options, 0.0);
    ASSERT_TRUE(advance(integrator, 1.0));
    EXPECT_NEAR(machine.joints().coordinate(0), angle, 1e-9) << second;
  }
}

std::string complaint(const std::string& coupling) {
  std::string text = rotor("0");
  const std::size_t first = text.find("  mesh:");
  text.replace(first, text.find('\n', first) - first, "  mesh: " + coupling);
  return owner(text, drive_line()).complaints();
}

TEST(ShaftMessages, NamesAndPlacesOfShafts) {
  EXPECT_NE(complaint("{type: gear, couples: [hinge.angle, drive.oot], ratio: 3}")
                .find("the sealed component 'drive' has no shaft 'oot'"),
            std::string::npos);
  EXPECT_NE(complaint("{type: gear, couples: [drive.out, hinge.angle], ratio: 3}")
                .find("'drive.out' is a shaft, and the first coordinate of a gear must be one of a joint"),
            std::string::npos);
  EXPECT_NE(complaint("{type: rack, couples: [hinge.angle, drive.out], radius: 3}")
                .find("a rack couples an angle with a travel, and both of these are angles"),
            std::string::npos);
  EXPECT_EQ(complaint("{type: coupler, couples: [hinge.angle, drive.out], ratio: 3, offset: 10 deg}"), "");
}

}  // namespace
}  // namespace gelenk::shaft_test
