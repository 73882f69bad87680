// A subsystem that is written in C++ and is no machine: a housing in which a mass slides on a rail, seven coordinates
// behind one port. It moves as the same machine does with the mass as a part of its own.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/analysis/sealed_assembly.h"
#include "gelenk/base/bytes.h"
#include "gelenk/math/rotation.h"
#include "gelenk/subsystem/body_leaf.h"
#include "tests/support/load_example.h"
#include "tests/support/run_text.h"

namespace gelenk::leaf_subsystem_test {
namespace {

using integrate::Integrator;
using subsystem::LeafState;

constexpr int kCurrent = Integrator::kCurrentState;
const Vector3 kGravity(0.0, 0.0, -9.81);
constexpr double kHousing = 1.5, kSlider = 0.4;  // kg
constexpr double kStiffness = 90.0, kDamping = 0.3;
const Vector3 kInertia(0.004, 0.012, 0.011);  // of both together, about the center of the housing; kg m²
const Vector3 kEye(-0.2, 0.0, 0.05);          // where the arm holds it
constexpr double kStart = 0.03;               // m, of the slider

class SlidingMass final : public subsystem::LeafEquations {
 public:
  std::size_t coordinate_count() const override { return 1; }
  void evaluate(const LeafState& s, Eigen::MatrixXd& M, Eigen::VectorXd& f) const override {
    const Matrix3 R = s.orientation.toRotationMatrix();
    const Matrix3 J = R * kInertia.asDiagonal() * R.transpose();
    const Vector3 w = Vector3::Map(&s.velocity[3]);
    const Vector3 rail = R.col(0);
    const Vector3 arm = rail * s.q[0];
    // Acceleration of the slider: G x + bias.
    Eigen::Matrix<double, 3, 7> G;
    G << Matrix3::Identity(), -skew<double>(arm), rail;
    const Vector3 bias = w.cross(w.cross(arm)) + 2.0 * s.q_rate[0] * w.cross(rail);
    M = kSlider * G.transpose() * G;
    M.block<3, 3>(0, 0) += kHousing * Matrix3::Identity();
    M.block<3, 3>(3, 3) += J;
    f = kSlider * G.transpose() * (kGravity - bias);
    f.head<3>() += kHousing * kGravity;
    f.segment<3>(3) -= w.cross(J * w);
    f(6) -= kStiffness * s.q[0] + kDamping * s.q_rate[0];
  }
  double energy(const LeafState& s) const override {
    const Matrix3 R = s.orientation.toRotationMatrix();
    const Vector3 v = Vector3::Map(s.velocity.data());
    const Vector3 w = Vector3::Map(&s.velocity[3]);
    const Vector3 spin = R.transpose() * w;
    const Vector3 arm = R.col(0) * s.q[0];
    const Vector3 slider = v + w.cross(arm) + R.col(0) * s.q_rate[0];
    return 0.5 * (kHousing * v.squaredNorm() + spin.dot(kInertia.cwiseProduct(spin)) + kSlider * slider.squaredNorm()) +
           0.5 * kStiffness * s.q[0] * s.q[0] - kGravity.dot(kHousing * s.position + kSlider * (s.position + arm));
  }
  double power(const LeafState& s) const override { return -kDamping * s.q_rate[0] * s.q_rate[0]; }
};

const std::string kOwner = R"(
name: boom
gravity: [0, 0, -9.81 m/s^2]
parts:
  arm:
    mass: 2 kg
    center_of_mass: [0.5 m, 0, 0]
    inertia: {xx: 0.01, yy: 0.2, zz: 0.2}
    frames: {tip: [1 m, 0, 0]}
joints:
  pivot: {type: revolute, between: [ground, arm], axis: y}
)";

// The center of the housing is drawn where its eye is at the tip.
const std::string kOpen = R"(
  rail: {type: prismatic, between: [housing, slider], axis: x, start: {travel: 0.03 m}}
  eye: {type: spherical, between: [arm.tip, housing.eye]}
forces:
  spring:
    type: actuator
    drives: rail.travel
    value: =-90 (N/m) * rail.travel - 0.3 (N*s/m) * rail.speed
)";
std::string open_text() {
  std::string text = kOwner + kOpen;
  const std::string parts = R"(  housing:
    at: [1.2 m, 0, -0.05 m]
    mass: 1.5 kg
    center_of_mass: [0, 0, 0]
    inertia: {xx: 0.003, yy: 0.01, zz: 0.009}
    frames: {eye: [-0.2 m, 0, 0.05 m]}
  slider:
    at: [1.2 m, 0, -0.05 m]
    mass: 0.4 kg
    center_of_mass: [0, 0, 0]
    inertia: {xx: 0.001, yy: 0.002, zz: 0.002}
)";
  return text.insert(text.find("joints:"), parts);
}

// The owner, and the housing as a subsystem in the place of a sealed component.
struct WithLeaf {
  test::Example example;
  std::optional<system::System> system;
  system::Params params;
  std::unique_ptr<subsystem::Subsystem> leaf;
  std::vector<subsystem::Subsystem*> all;
  std::optional<analysis::Assembly> assembly;
  std::unique_ptr<analysis::MachineProblem> problem;

  explicit WithLeaf(const integrate::Options& options) {
    std::string text = "gelenk: 1" + kOwner + "  eye: {type: spherical, between: [arm.tip, housing.eye]}\n";
    text.insert(text.find("joints:"), "assemblies:\n  housing: {use: housing.gkc, at: [1.2 m, 0, -0.05 m]}\n");
    formats::LoadOptions load;
    load.read = [&](const std::string& /*file*/, std::size_t /*limit*/) { return ReadResult{text, Code::none, ""}; };
    load.read_sealed = [](const std::string& /*file*/) {
      return ReadResult{"gelenk: 1\nname: housing\nports: {eye: eye}\n", Code::none, ""};
    };
    example.loaded = formats::load_model("boom.yaml", load, example.diagnostics);
    model::ExpandOptions expand;
    expand.draw_sealed = [](const model::SealedNode& /*node*/) {
      model::SealedDrawing drawing;
      drawing.ports.emplace_back().position = kEye;
      return drawing;
    };
    example.machine = model::expand(example.loaded.model, expand, example.diagnostics);
    if (example.diagnostics.has_errors()) return;
    system = system::compile(example.machine, {}, example.diagnostics);
    params = system::make_params(*system, example.machine);
    subsystem::LeafSettings settings;
    settings.ports.emplace_back().position = kEye;
    settings.start.position = Vector3(1.2, 0.0, -0.05);
    settings.start.q = {kStart};
    settings.start.q_rate = {0.0};
    settings.mass = kHousing + kSlider;
    settings.inertia = kInertia.mean();
    settings.length = params.length;
    settings.tolerance = options.tolerance;
    leaf = make_leaf(std::make_unique<SlidingMass>(), settings);
    all = {leaf.get()};
    assembly = analysis::assemble_with_sealed(*system, params, example.machine, {.tolerance = options.tolerance}, all,
                                              example.diagnostics);
    if (!assembly) return;
    problem = std::make_unique<analysis::MachineProblem>(
        *system, params, options.tolerance,
        analysis::DynamicsOptions{.rank_tolerance = assembly->rank_tolerance,
                                  .refuses_singular_stages = options.method != integrate::Method::rk4},
        all);
    problem->set_state(kCurrent, assembly->state, assembly->sealed_states);
    problem->project(kCurrent);
  }
  // Axes, origin, velocity and angular velocity of the eye.
  std::vector<double> eye() {
    std::vector<double> shown(leaf->shape().shown());
    leaf->evaluation().load(kCurrent, 0, {}, shown);
    return shown;
  }
  // Its joints; the first coordinate is that of the pivot.
  mechanics::View<double> pivot() {
    mechanics::Workspace& workspace = problem->dynamics().place(kCurrent);
    return mechanics::view({*system, params, problem->state(kCurrent)}, workspace);
  }
  double slider() {
    double value = 0.0;
    leaf->outputs().read(kCurrent, {&value, 1});
    return value;
  }
};

bool advance(Integrator& integrator, double end) {
  while (integrator.time() < end) {
    if (integrator.advance(end) == integrate::Outcome::failed) return false;
  }
  return true;
}

integrate::Options options_of(integrate::Method method) {
  integrate::Options options;
  options.method = method;
  options.tolerance = 1e-11;
  options.step = 2e-4;
  return options;
}

class LeafSubsystem : public testing::TestWithParam<integrate::Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, LeafSubsystem,
                         testing::Values(integrate::Method::dopri5, integrate::Method::rk4, integrate::Method::adams,
                                         integrate::Method::bdf));
// With limits that explicit methods keep.
class LeafBooks : public testing::TestWithParam<integrate::Method> {};
INSTANTIATE_TEST_SUITE_P(ExplicitMethods, LeafBooks,
                         testing::Values(integrate::Method::dopri5, integrate::Method::rk4, integrate::Method::adams));

TEST_P(LeafSubsystem, MovesAsTheMachineOfItsParts) {
  constexpr double kEnd = 0.8;
  // m, rad: tolerance of the steps, over the time of the motion. Both machines take the same steps of
  // generalized_alpha, whose error is the same in both but for the iteration; bdf chooses its steps by norms of
  // different numbers.
  const double kSame = GetParam() == integrate::Method::bdf ? 1e-6 : 2e-8;
  const integrate::Options options = options_of(GetParam());
  const test::Assembled open = test::assemble_text(open_text());
  ASSERT_TRUE(open.is_ready()) << open.messages();
  test::Motion motion(open, options);
  ASSERT_TRUE(motion.advance_to(kEnd));
  test::Probe probe = motion.probe();

  WithLeaf sealed(options);
  ASSERT_TRUE(sealed.problem) << sealed.example.complaints();
  Integrator integrator(*sealed.problem, options, 0.0);
  ASSERT_TRUE(advance(integrator, kEnd));
  EXPECT_NEAR(sealed.pivot().coordinate(0), probe.coordinate("pivot", "angle"), kSame);
  EXPECT_NEAR(sealed.pivot().rate(0), probe.rate("pivot", "angle"), 50.0 * kSame);
  EXPECT_NEAR(sealed.slider(), probe.coordinate("rail", "travel"), kSame);
  EXPECT_GT(std::abs(sealed.slider() - kStart), 0.01) << "the slider has moved";
  const mechanics::Motion<double> housing = probe.part("housing");
  const std::vector<double> eye = sealed.eye();
  const Vector3 expected = housing.p + housing.R * kEye;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(eye[9 + i], expected[static_cast<int>(i)], kSame);
}

TEST_P(LeafBooks, KeepsItsBooksAndGoesOnFromBytes) {
  const integrate::Options options = options_of(GetParam());
  WithLeaf first(options);
  ASSERT_TRUE(first.problem) << first.example.complaints();
  Integrator integrator(*first.problem, options, 0.0);
  ASSERT_TRUE(advance(integrator, 0.3));
  std::vector<double> slider(1);
  const subsystem::Books books = first.leaf->outputs().read(kCurrent, slider);
  EXPECT_GT(std::abs(books.received), 0.1) << "J: the arm has worked on it";
  EXPECT_LT(std::abs(books.error), 1e-7);

  ByteWriter out;
  integrator.save(out);
  WithLeaf second(options);
  Integrator other(*second.problem, options, 0.0);
  ByteReader in(out.bytes());
  other.load(in);
  ASSERT_TRUE(in.is_complete());
  EXPECT_EQ(second.eye(), first.eye());
  ASSERT_TRUE(advance(integrator, 0.5) && advance(other, 0.5));
  EXPECT_EQ(second.eye(), first.eye()) << "bit for bit";
  const std::string bytes = second.leaf->states().read(subsystem::States::Kept::state, kCurrent);
  EXPECT_FALSE(
      second.leaf->states().write(subsystem::States::Kept::state, kCurrent, bytes.substr(0, bytes.size() - 3)));
}

}  // namespace
}  // namespace gelenk::leaf_subsystem_test
