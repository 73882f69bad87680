// Pinocchio on the scenes of docs/performance.md. It has no integrator: the step of fourth order is written here, on
// its joint coordinates, and drift is held down by its Baumgarte terms. Loops are cut at one joint, which comes back as
// constraints on points: one point (three rows) a loop, or two points on the hinge axis (six rows) for full redundancy.
#include <string>
#include <vector>

#include "benchmarks/peers/measure.h"
#include "benchmarks/scene_references.h"
#include "pinocchio/algorithm/aba.hpp"
#include "pinocchio/algorithm/constrained-dynamics.hpp"
#include "pinocchio/algorithm/energy.hpp"
#include "pinocchio/algorithm/kinematics.hpp"
#include "pinocchio/multibody.hpp"
#if PINOCCHIO_MAJOR_VERSION >= 4
#include "pinocchio/algorithm/loop-constrained-aba.hpp"
#endif

namespace {

namespace pin = pinocchio;
namespace scenes = gelenk::scenes;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kProximal = 1e-8;
constexpr double kBaumgarte = 50.0;  // 1/s, critically damped

struct Machine {
  pin::Model model;
  pin::Data data;
  PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(pin::RigidConstraintModel) closures;
  PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(pin::RigidConstraintData) closure_data;
  pin::ProximalSettings settings{1e-12, kProximal, 10};
  VectorXd q, v, effort;

  pin::JointIndex add(pin::JointIndex parent, const pin::JointModel& joint, const pin::SE3& place, double mass,
                      const Vector3d& center, const Vector3d& inertia) {
    const pin::JointIndex index = model.addJoint(parent, joint, place, "j" + std::to_string(model.njoints));
    model.appendBodyToJoint(index, pin::Inertia(mass, center, inertia.asDiagonal().toDenseMatrix()),
                            pin::SE3::Identity());
    return index;
  }
  void close(pin::JointIndex a, const Vector3d& on_a, pin::JointIndex b, const Vector3d& on_b) {
    pin::RigidConstraintModel closure(pin::CONTACT_3D, model, a, pin::SE3(Eigen::Matrix3d::Identity(), on_a), b,
                                      pin::SE3(Eigen::Matrix3d::Identity(), on_b), pin::LOCAL);
#if PINOCCHIO_MAJOR_VERSION >= 4
    closure.m_baumgarte_parameters.Kp = kBaumgarte * kBaumgarte;
    closure.m_baumgarte_parameters.Kd = 2.0 * kBaumgarte;
#else
    closure.corrector.Kp.setConstant(kBaumgarte * kBaumgarte);
    closure.corrector.Kd.setConstant(2.0 * kBaumgarte);
#endif
    closures.push_back(closure);
  }
  void finish() {
    data = pin::Data(model);
    for (const auto& closure : closures) closure_data.emplace_back(closure);
#if PINOCCHIO_MAJOR_VERSION >= 4
    if (!closures.empty()) {
      pin::initConstraintDynamics(model, data, closures, closure_data);
      pin::computeJointMinimalOrdering(model, data, closures);
    }
#else
    if (!closures.empty()) pin::initConstraintDynamics(model, data, closures);
#endif
    q = VectorXd::Zero(model.nq);
    v = VectorXd::Zero(model.nv);
    effort = VectorXd::Zero(model.nv);
  }
  double energy() {
    pin::forwardKinematics(model, data, q, v);
    return pin::computeKineticEnergy(model, data) + pin::computePotentialEnergy(model, data);
  }
  // Largest gap of a closure, m, at the poses of the last energy().
  double gap() const {
    double largest = 0.0;
    for (const auto& c : closures) {
      const Vector3d a = data.oMi[c.joint1_id].act(c.joint1_placement.translation());
      const Vector3d b = data.oMi[c.joint2_id].act(c.joint2_placement.translation());
      largest = std::max(largest, (a - b).norm());
    }
    return largest;
  }
};

enum class Algorithm { tree_local, tree_world, dense, loop_constrained };

const VectorXd& accelerations(Machine& m, Algorithm algorithm, const VectorXd& q, const VectorXd& v) {
  switch (algorithm) {
    case Algorithm::tree_local:
      return pin::aba(m.model, m.data, q, v, m.effort, pin::Convention::LOCAL);
    case Algorithm::tree_world:
      return pin::aba(m.model, m.data, q, v, m.effort, pin::Convention::WORLD);
    case Algorithm::dense:
      break;
    case Algorithm::loop_constrained:
#if PINOCCHIO_MAJOR_VERSION >= 4
      return pin::lcaba(m.model, m.data, q, v, m.effort, m.closures, m.closure_data, m.settings);
#else
      break;
#endif
  }
  return pin::constraintDynamics(m.model, m.data, q, v, m.effort, m.closures, m.closure_data, m.settings);
}

// All joints have one coordinate: configurations are vectors. Room for the stages is kept.
class ClassicalStep {
 public:
  void operator()(Machine& m, Algorithm algorithm, double h) {
    a1_ = accelerations(m, algorithm, m.q, m.v);
    v2_ = m.v + h / 2 * a1_;
    q_ = m.q + h / 2 * m.v;
    a2_ = accelerations(m, algorithm, q_, v2_);
    v3_ = m.v + h / 2 * a2_;
    q_ = m.q + h / 2 * v2_;
    a3_ = accelerations(m, algorithm, q_, v3_);
    v4_ = m.v + h * a3_;
    q_ = m.q + h * v3_;
    const VectorXd& a4 = accelerations(m, algorithm, q_, v4_);
    m.q += h / 6 * (m.v + 2 * v2_ + 2 * v3_ + v4_);
    m.v += h / 6 * (a1_ + 2 * a2_ + 2 * a3_ + a4);
  }

 private:
  VectorXd a1_, a2_, a3_, v2_, v3_, v4_, q_;
};

pin::SE3 at(const Vector3d& position) { return {Eigen::Matrix3d::Identity(), position}; }

void build_chain(Machine& m, std::size_t links) {
  m.model.gravity.linear() = Vector3d(0.0, -9.81, 0.0);
  constexpr double kAlong = 0.5 * 0.05 * 0.05, kAcross = (3.0 * 0.05 * 0.05 + 1.0) / 12.0;
  pin::JointIndex parent = 0;
  for (std::size_t i = 0; i < links; ++i) {
    parent = m.add(parent, pin::JointModelRZ(), at({i == 0 ? 0.0 : 1.0, 0.0, 0.0}), 1.0, {0.5, 0.0, 0.0},
                   {kAlong, kAcross, kAcross});
  }
  m.finish();
}

void evaluate_chain(std::size_t links) {
  Machine m;
  build_chain(m, links);
  for (std::size_t i = 0; i < links; ++i) {
    m.q[static_cast<Eigen::Index>(i)] = scenes::chain_angle(i);
    m.v[static_cast<Eigen::Index>(i)] = scenes::chain_rate(i);
  }
  for (const auto& [algorithm, how] :
       {std::pair(Algorithm::tree_local, "aba, local"), {Algorithm::tree_world, "aba, world"}}) {
    const VectorXd& a = accelerations(m, algorithm, m.q, m.v);
    double sum = 0.0;
    for (std::size_t i = 0; i < links; ++i) sum += a[static_cast<Eigen::Index>(i)] / static_cast<double>(i + 1);
    const double seconds = peers::best_time([&] { accelerations(m, algorithm, m.q, m.v); });
    peers::report("evaluate_chain/" + std::to_string(links), how, seconds,
                  {{"weighted_error", std::abs(sum - scenes::chain_acceleration(links).value())}});
  }
}

void run_chain() {
  constexpr int kSteps = 2000;
  constexpr double kStep = 1e-3;
  double best = 1e300, error = 0.0, tip_error = 0.0;
  for (int repetition = 0; repetition < 3; ++repetition) {
    Machine m;
    build_chain(m, 10);
    const double start_energy = m.energy();
    ClassicalStep step;
    double seconds = 0.0;
    for (int i = 0; i < kSteps; i += 20) {
      const double before = peers::cpu_time();
      for (int k = 0; k < 20; ++k) step(m, Algorithm::tree_local, kStep);
      seconds += peers::cpu_time() - before;
      error = std::max(error, std::abs(m.energy() - start_energy));
    }
    best = std::min(best, seconds);
    const Vector3d tip = m.data.oMi.back().act(Vector3d(1.0, 0.0, 0.0));
    tip_error = std::hypot(tip.x() - scenes::kChain10TipX, tip.y() - scenes::kChain10TipY);
  }
  peers::report("run_chain", "aba, RK4 1 ms", best, {{"energy_error", error}, {"tip_error", tip_error}});
}

// Uprights stand on the ground, each carries the beam to its right; the right end of a beam is cut.
void build_four_bars(Machine& m, std::size_t bays) {
  m.model.gravity.linear() = Vector3d(0.0, -9.81, 0.0);
  const Vector3d upright_inertia(1.0 / 12, 0.01, 1.0 / 12), beam_inertia(0.01, 1.0 / 12, 1.0 / 12);
  std::vector<pin::JointIndex> uprights, beams;
  for (std::size_t i = 0; i <= bays; ++i) {
    uprights.push_back(
        m.add(0, pin::JointModelRZ(), at({static_cast<double>(i), 0.0, 0.0}), 1.0, {0.0, 0.5, 0.0}, upright_inertia));
    if (i == bays) break;
    beams.push_back(m.add(uprights[i], pin::JointModelRZ(), at({0.0, 1.0, 0.0}), 1.0, {0.5, 0.0, 0.0}, beam_inertia));
  }
  for (std::size_t i = 0; i < bays; ++i) m.close(beams[i], {1.0, 0.0, 0.0}, uprights[i + 1], {0.0, 1.0, 0.0});
  m.finish();
  for (const pin::JointIndex j : uprights) m.v[m.model.idx_vs[j]] = -1.0;
  for (const pin::JointIndex j : beams) m.v[m.model.idx_vs[j]] = 1.0;
}

void run_four_bars(std::size_t bays, Algorithm algorithm, const std::string& how) {
  constexpr double kStep = 0.02;
  constexpr int kSteps = 500;
  double best = 1e300, energy_error = 0.0, x_error = 0.0, gap = 0.0;
  for (int repetition = 0; repetition < 3; ++repetition) {
    Machine m;
    build_four_bars(m, bays);
    const double start_energy = m.energy();
    scenes::FourBarsMotion exact(bays);
    ClassicalStep step;
    double seconds = 0.0;
    for (int i = 0; i < kSteps; ++i) {
      const double before = peers::cpu_time();
      step(m, algorithm, kStep);
      seconds += peers::cpu_time() - before;
      if (repetition > 0) continue;
      energy_error = std::fmax(energy_error, std::abs(m.energy() - start_energy));
      gap = std::fmax(gap, m.gap());
      x_error = std::fmax(x_error, std::abs(-std::sin(m.q[0]) - std::sin(exact.angle_at((i + 1) * kStep))));
      if (!std::isfinite(m.q[0])) energy_error = 1e300;
    }
    best = std::min(best, seconds);
  }
  peers::report("run_four_bars/" + std::to_string(bays) + "/20", how + ", RK4 20 ms", best,
                {{"energy_error", energy_error}, {"x_error", x_error}, {"drift", gap}});
}

// The rods hang on the crank, the pistons in their bores; the wrist pins are cut.
void build_engine(Machine& m, bool fully_redundant) {
  using V6 = scenes::EngineV6;
  m.model.gravity.linear() = Vector3d(0.0, 0.0, -V6::kGravity);
  const pin::JointIndex crank = m.add(0, pin::JointModelRX(), pin::SE3::Identity(), V6::kCrankMass, Vector3d::Zero(),
                                      Vector3d::Constant(V6::kCrankInertia));
  // Depth first, as its algorithms need it: all that hangs on the crank comes before the pistons.
  std::vector<pin::JointIndex> rods, pistons;
  for (int i = 0; i < V6::kCylinders; ++i) {
    const V6::Cylinder c = V6::cylinder(i, 0.0);
    const pin::SE3 place(Eigen::AngleAxisd(std::atan2(-c.rod_y, c.rod_z), Vector3d::UnitX()).toRotationMatrix(),
                         Vector3d(V6::place(i), c.pin_y, c.pin_z));
    rods.push_back(m.add(crank, pin::JointModelRX(), place, V6::kRodMass, {0.0, 0.0, V6::kRodCenter},
                         {V6::kRodInertia, V6::kRodInertia, V6::kRodInertiaAlong}));
  }
  for (int i = 0; i < V6::kCylinders; ++i) {
    const V6::Cylinder c = V6::cylinder(i, 0.0);
    const pin::SE3 place(Eigen::AngleAxisd(-V6::bank(i), Vector3d::UnitX()).toRotationMatrix(),
                         Vector3d(V6::place(i), c.height * c.bore_y, c.height * c.bore_z));
    pistons.push_back(m.add(0, pin::JointModelPZ(), place, V6::kPistonMass, Vector3d::Zero(),
                            Vector3d::Constant(V6::kPistonInertia)));
  }
  constexpr double kHalfPin = 0.01;
  for (std::size_t i = 0; i < rods.size(); ++i) {
    for (const double x : fully_redundant ? std::vector{-kHalfPin, kHalfPin} : std::vector{0.0}) {
      m.close(rods[i], {x, 0.0, V6::kRodLength}, pistons[i], {x, 0.0, 0.0});
    }
  }
  m.finish();
  // Crank angle and pin rates count against the right-hand rule about x.
  m.v[m.model.idx_vs[crank]] = -V6::kSpeed;
  for (int i = 0; i < V6::kCylinders; ++i) {
    const V6::Rates d = V6::rates(V6::cylinder(i, 0.0));
    m.v[m.model.idx_vs[rods[static_cast<std::size_t>(i)]]] = V6::kSpeed * (d.turn + 1.0);
    m.v[m.model.idx_vs[pistons[static_cast<std::size_t>(i)]]] = V6::kSpeed * d.height;
  }
}

void run_engine(double h, bool fully_redundant, Algorithm algorithm, const std::string& how) {
  const int steps = static_cast<int>(std::lround(1.0 / h));
  double best = 1e300, energy_error = 0.0, gap = 0.0, angle_error = 0.0;
  for (int repetition = 0; repetition < 3; ++repetition) {
    Machine m;
    build_engine(m, fully_redundant);
    const double start_energy = m.energy();
    ClassicalStep step;
    const double before = peers::cpu_time();
    for (int i = 0; i < steps; ++i) step(m, algorithm, h);
    best = std::min(best, peers::cpu_time() - before);
    energy_error = std::abs(m.energy() - start_energy);
    gap = m.gap();
    angle_error = std::abs(-m.q[0] - scenes::EngineV6Motion().angle_at(1.0));
  }
  peers::report("run_engine_v6/1000", how, best,
                {{"energy_error", energy_error}, {"angle_error", angle_error}, {"drift", gap}});
}

}  // namespace

int main() {
  for (const std::size_t links : {10, 100}) evaluate_chain(links);
  run_chain();
  for (const std::size_t bays : {1, 10, 40}) {
    run_four_bars(bays, Algorithm::dense, "constraintDynamics");
#if PINOCCHIO_MAJOR_VERSION >= 4
    run_four_bars(bays, Algorithm::loop_constrained, "lcaba");
#endif
  }
  for (const double h : {1e-3, 5e-4}) {
    const std::string step = h < 1e-3 ? ", RK4 0.5 ms" : ", RK4 1 ms";
    run_engine(h, false, Algorithm::dense, "constraintDynamics, 3 rows a loop" + step);
    run_engine(h, true, Algorithm::dense, "constraintDynamics, 6 rows a loop" + step);
#if PINOCCHIO_MAJOR_VERSION >= 4
    run_engine(h, false, Algorithm::loop_constrained, "lcaba, 3 rows a loop" + step);
    run_engine(h, true, Algorithm::loop_constrained, "lcaba, 6 rows a loop" + step);
#endif
  }
}
