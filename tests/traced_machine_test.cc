// Equations in minimal coordinates as formulas, against the accelerations that the elimination finds for whole bodies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gelenk/analysis/equations.h"
#include "gelenk/math/rotation.h"
#include "gelenk/minimal/traced_machine.h"
#include "tests/support/load_example.h"
#include "tests/support/run_text.h"

namespace gelenk::traced_machine_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using minimal::TracedMachine;
using symbolic::Id;

// Accelerations of all bodies, six each.
VectorXd body_accelerations(const test::Assembled& model) {
  analysis::Equations equations(*model.system, model.params, analysis::Partitioning::none);
  equations.set_rank_tolerance(model.assembly->rank_tolerance);
  equations.load(model.state());
  solve::PivotSet pivots;
  equations.factor(pivots);
  VectorXd a(6 * static_cast<Eigen::Index>(model.system->bodies.size()));
  std::vector<double> multipliers(model.system->row_count());
  equations.solve_accelerations(model.state(), {a.data(), static_cast<std::size_t>(a.size())}, multipliers);
  return a;
}

// The state a little later, or earlier: to second order in the time.
system::State moved(const system::State& state, const VectorXd& a, double dt) {
  system::State result = state;
  for (std::size_t b = 0; b < state.position.size(); ++b) {
    const auto i = static_cast<Eigen::Index>(6 * b);
    const Vector3 v = Vector3::Map(&state.velocity[6 * b]), w = Vector3::Map(&state.velocity[6 * b + 3]);
    result.position[b] += v * dt + a.segment<3>(i) * (0.5 * dt * dt);
    const Vector3 turn = w * dt + a.segment<3>(i + 3) * (0.5 * dt * dt);
    result.orientation[b] = rotation_exp(turn) * state.orientation[b];
    for (Eigen::Index k = 0; k < 6; ++k) result.velocity[6 * b + static_cast<std::size_t>(k)] += a(i + k) * dt;
  }
  return result;
}

struct Values {
  explicit Values(const TracedMachine& machine, double time) {
    std::vector<double> symbols;
    for (const symbolic::Symbol& symbol : machine.graph.symbols()) symbols.push_back(symbol.value);
    const auto set_all = [&](const std::vector<Id>& ids, const std::vector<minimal::NamedNumber>& numbers) {
      for (std::size_t i = 0; i < ids.size(); ++i) {
        symbols[static_cast<std::size_t>(machine.graph.node(ids[i]).symbol)] = numbers[i].value;
      }
    };
    symbols[static_cast<std::size_t>(machine.graph.node(machine.time).symbol)] = time;
    set_all(machine.p, machine.parameters);
    set_all(machine.x, machine.positions);
    set_all(machine.v, machine.rates);
    set_all(machine.s, machine.states);
    nodes = symbolic::evaluate(machine.graph, symbols);
  }
  VectorXd operator()(const std::vector<Id>& ids) const {
    VectorXd result(static_cast<Eigen::Index>(ids.size()));
    for (Eigen::Index i = 0; i < result.size(); ++i) {
      result(i) = nodes[static_cast<std::size_t>(ids[static_cast<std::size_t>(i)])];
    }
    return result;
  }
  MatrixXd operator()(const std::vector<Id>& ids, std::size_t columns) const {
    const VectorXd flat = (*this)(ids);
    return MatrixXd::Map(flat.data(), static_cast<Eigen::Index>(columns),
                         flat.size() / static_cast<Eigen::Index>(columns))
        .transpose();
  }
  std::vector<double> nodes;
};

TracedMachine traced(const test::Assembled& model, Diagnostics& diagnostics) {
  TracedMachine machine;
  minimal::trace(*model.system, model.params, model.state(), machine, diagnostics);
  return machine;
}

void expect_same_motion(const test::Assembled& model, const TracedMachine& machine, const std::string& name) {
  SCOPED_TRACE(name);
  const std::size_t n = machine.v.size();
  if (n == 0) return;
  const Values value(machine, model.state().time);
  const VectorXd a = body_accelerations(model);
  // q̈ by central differences along the motion that the elimination finds.
  constexpr double kStep = 1e-4;
  VectorXd vdot(static_cast<Eigen::Index>(n));
  const auto after = read_tree_state(machine.tree, *model.system, model.params, moved(model.state(), a, kStep));
  const auto before = read_tree_state(machine.tree, *model.system, model.params, moved(model.state(), a, -kStep));
  for (std::size_t i = 0; i < n; ++i) {
    vdot(static_cast<Eigen::Index>(i)) = (after.rates[i] - before.rates[i]) / (2.0 * kStep);
  }
  const MatrixXd M = value(machine.mass, n);
  const VectorXd f = value(machine.force);
  VectorXd v(static_cast<Eigen::Index>(n));
  for (std::size_t i = 0; i < n; ++i) v(static_cast<Eigen::Index>(i)) = machine.rates[i].value;
  const double scale = 1.0 + vdot.cwiseAbs().maxCoeff() + v.squaredNorm();
  EXPECT_LT((M - M.transpose()).cwiseAbs().maxCoeff(), 1e-12 * M.cwiseAbs().maxCoeff());
  VectorXd residual = M * vdot - f;
  if (!machine.rows.empty()) {
    const MatrixXd C = value(machine.row_matrix, n);
    EXPECT_LT(value(machine.row_values).cwiseAbs().maxCoeff(), 1e-6) << "c";
    EXPECT_LT((C * v + value(machine.row_rates)).cwiseAbs().maxCoeff(), 1e-6 * scale) << "C v + ct";
    EXPECT_LT((C * vdot - value(machine.row_biases)).cwiseAbs().maxCoeff(), 2e-6 * scale) << "C v' = g";
    const Eigen::JacobiSVD<MatrixXd> svd(C, Eigen::ComputeFullV);
    Eigen::Index rank = 0;
    while (rank < svd.singularValues().size() && svd.singularValues()(rank) > 1e-7 * svd.singularValues()(0)) ++rank;
    residual = svd.matrixV().rightCols(C.cols() - rank).transpose() * residual;
  } else {
    const VectorXd solved = value(machine.accelerations);
    EXPECT_LT((M * solved - f).norm(), 1e-10 * (1.0 + f.norm() + M.norm() * solved.norm())) << "M⁻¹ f";
  }
  if (residual.size() > 0) {
    EXPECT_LT(residual.cwiseAbs().maxCoeff(), 2e-6 * scale * (M.norm() + f.norm())) << "M v' = f";
  }
}

std::string messages(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics.all()) text += d.element + ": " + d.message + "\n";
  return text;
}

void expect_same_motion(const std::string& model_text, const std::string& name) {
  const test::Assembled model = test::assemble_text(model_text);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Diagnostics diagnostics;
  const TracedMachine machine = traced(model, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << messages(diagnostics);
  expect_same_motion(model, machine, name);
}

TEST(TracedMachine, TreesOfEveryJoint) {
  expect_same_motion(R"m(
parts:
  a: {mass: 2, center_of_mass: [0.1, 0.2, -0.4], inertia: {xx: 0.3, yy: 0.35, zz: 0.2, xy: 0.02, xz: -0.01, yz: 0.03}, frames: {end: {at: {position: [0.1, 0, -0.8], orientation: {axis: [1, 2, 3], angle: 40 deg}}}}}
  b: {mass: 1.5, center_of_mass: [0.3, -0.1, 0.2], inertia: {xx: 0.2, yy: 0.3, zz: 0.25, xy: 0.01}, frames: {end: [0.5, 0.1, 0.2]}}
  c: {mass: 0.7, center_of_mass: [0.2, 0.1, 0], inertia: {xx: 0.1, yy: 0.12, zz: 0.15, yz: 0.02}, frames: {end: [0.4, 0, 0.1]}}
  d: {mass: 1.1, inertia: {xx: 0.1, yy: 0.12, zz: 0.15}, center_of_mass: [0, 0.1, 0.3]}
  e: {mass: 0.4, inertia: {xx: 0.01, yy: 0.02, zz: 0.015}, center_of_mass: [0.1, 0, 0]}
joints:
  one: {type: revolute, between: [ground, a], axis: [1, 1, 0], start: {angle: 0.7, rate: 2}}
  two: {type: universal, between: [a.end, b], axis: x, second_axis: y, start: {angle_1: 0.4, rate_1: -1, angle_2: 0.3, rate_2: 1.5}}
  three: {type: cylindrical, between: [b.end, c], axis: [0, 1, 1], start: {travel: 0.2, speed: 0.5, angle: 1, rate: 0.7}}
  four: {type: spherical, between: [d, c.end]}
  five: {type: planar, between: [a.end, e], axis: z, start: {x: 0.2, speed_x: 1, y: -0.1, speed_y: 0.3, angle: 0.6, rate: 2}}
forces:
  spring: {type: spring_damper, between: [ground, d], stiffness: 30, damping: 2, free_length: 0.3}
  air: {type: drag, between: [ground, c], force: 1, speed: 2}
  twist: {type: rotational_spring_damper, drives: one.angle, stiffness: 8, damping: 0.5}
  push: {type: force, applied_to: b.end, along: [1, 2, 0], value: "=3 N * sin(2 * time / 1 s) + one.rate / 1 (rad/s) * 1 N"}
)m",
                     "tree");
}

TEST(TracedMachine, PartsThatFloat) {
  expect_same_motion(R"m(
parts:
  a: {mass: 2, at: [1, 0, 0], center_of_mass: [0.1, 0.2, -0.4], inertia: {xx: 0.3, yy: 0.35, zz: 0.2, xy: 0.02}, start: {velocity: [0.3, 0.2, 1], angular_velocity: [1, -2, 0.5]}, frames: {end: [0.1, 0, -0.8]}}
  b: {mass: 1.5, center_of_mass: [0.3, -0.1, 0.2], inertia: {xx: 0.2, yy: 0.3, zz: 0.25, xy: 0.01}}
joints:
  hinge: {type: revolute, between: [b, a.end], axis: [1, 1, 0], start: {angle: 0.7, rate: 2}}
forces:
  spring: {type: spring_damper, between: [ground, b], stiffness: 30, damping: 2, free_length: 0.3}
)m",
                     "floating");
}

TEST(TracedMachine, LoopsAndDrivers) {
  expect_same_motion(R"m(
parts:
  crank: {mass: 1, center_of_mass: [0.05, 0, 0], inertia: {xx: 0.01, yy: 0.02, zz: 0.02}, frames: {pin: [0.1, 0, 0.02]}}
  rod: {mass: 0.8, center_of_mass: [0.2, 0, 0], inertia: {xx: 0.01, yy: 0.03, zz: 0.03}, frames: {end: [0.4, 0, 0]}}
  slider: {mass: 0.6, inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}
  wheel: {mass: 2, inertia: {xx: 0.1, yy: 0.1, zz: 0.2}, at: [0, 0, 1]}
joints:
  main: {type: revolute, between: [ground, crank], axis: z, start: {angle: 0.9, rate: 7}}
  big_end: {type: spherical, between: [crank.pin, rod]}
  small_end: {type: universal, between: [slider, rod.end], axis: z, second_axis: y}
  bore: {type: prismatic, between: [ground, slider], axis: x, guess: {travel: 0.45}}
  bearing: {type: revolute, between: [ground, wheel], axis: z}
  gear: {type: gear, couples: [main.angle, bearing.angle], ratio: 3}
forces:
  load: {type: spring_damper, between: [ground, slider], stiffness: 100, damping: 4, free_length: 0.1}
)m",
                     "slider-crank in space");
}

// A number of a force that is a parameter does all that it does in the model.
TEST(TracedMachine, NumbersOfForcesAreParameters) {
  const auto text = [](const std::string& spring, const std::string& bushing) {
    return R"m(
parts:
  a: {mass: 2, inertia: {xx: 0.3, yy: 0.35, zz: 0.2}, start: {velocity: [0.3, 0.2, 1], angular_velocity: [0.1, -0.2, 0.5]}}
forces:
  spring: {type: spring_damper, between: [ground, a], )m" +
           spring + R"m(}
  bush: {type: bushing, between: [ground, a], )m" +
           bushing + "}\n";
  };
  const std::string spring = "stiffness: 30, damping: 30, free_length: 0.3";
  const std::string bushing = "stiffness: [300, 300, 500], damping: [2, 3, 2], rotational_stiffness: [30, 40, 30]";
  const test::Assembled model = test::assemble_text(text(spring, bushing));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Diagnostics diagnostics;
  const TracedMachine machine = traced(model, diagnostics);
  struct Change {
    std::string parameter, spring, bushing;
    double value;
  };
  for (const Change& change :
       {Change{"spring.stiffness", "stiffness: 37, damping: 30, free_length: 0.3", bushing, 37.0},
        Change{"spring.damping", "stiffness: 30, damping: 37, free_length: 0.3", bushing, 37.0},
        Change{"spring.free_length", "stiffness: 30, damping: 30, free_length: 0.5", bushing, 0.5},
        Change{"bush.stiffness.y", spring,
               "stiffness: [300, 360, 500], damping: [2, 3, 2], rotational_stiffness: [30, 40, 30]", 360.0},
        Change{"bush.damping.z", spring,
               "stiffness: [300, 300, 500], damping: [2, 3, 7], rotational_stiffness: [30, 40, 30]", 7.0},
        Change{"bush.rotational_stiffness.x", spring,
               "stiffness: [300, 300, 500], damping: [2, 3, 2], rotational_stiffness: [33, 40, 30]", 33.0}}) {
    TracedMachine changed = machine;
    bool is_found = false;
    for (std::size_t i = 0; i < changed.parameters.size(); ++i) {
      if (changed.parameters[i].name == change.parameter) {
        changed.parameters[i].value = change.value;
        is_found = true;
      }
    }
    ASSERT_TRUE(is_found) << change.parameter;
    const test::Assembled other = test::assemble_text(text(change.spring, change.bushing));
    const TracedMachine expected = traced(other, diagnostics);
    // Where springs are stretched: away from the start.
    const auto force = [](TracedMachine& of) {
      for (std::size_t i = 0; i < of.positions.size(); ++i)
        of.positions[i].value = i < 3 ? 0.3 + 0.1 * static_cast<double>(i) : 0.5;
      return Values(of, 0.0)(of.force);
    };
    TracedMachine reference = expected;
    EXPECT_LT((force(changed) - force(reference)).norm(), 1e-12 * force(reference).norm()) << change.parameter;
    TracedMachine before = machine;
    EXPECT_GT((force(changed) - force(before)).norm(), 1e-3) << change.parameter;
  }
  EXPECT_FALSE(diagnostics.has_errors());
}

// Every example and machine of the gallery whose elements all have formulas.
TEST(TracedMachine, ExamplesAndGallery) {
  int count = 0;
  std::map<std::string, std::string> refused;
  const std::filesystem::path folder = test::source_folder() + "/examples";
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().lexically_relative(folder).string());
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    test::Example example = test::load_example(file);
    if (example.diagnostics.has_errors() || example.machine.parts.empty()) continue;
    test::Checked checked;
    checked.machine = std::move(example.machine);
    const test::Assembled model = test::assemble_model(std::move(checked));
    if (!model.is_ready() || model.system->row_count() > 200) continue;
    Diagnostics diagnostics;
    const TracedMachine machine = traced(model, diagnostics);
    if (diagnostics.has_errors()) {
      refused[file] = messages(diagnostics);
      continue;
    }
    expect_same_motion(model, machine, file);
    ++count;
  }
  EXPECT_GT(count, 40) << "of " << files.size();
  // Whatever is not known has been named.
  for (const auto& [file, why] : refused) EXPECT_THAT(why, testing::HasSubstr("cannot be written")) << file;
}

}  // namespace
}  // namespace gelenk::traced_machine_test
