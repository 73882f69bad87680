// Forces and states from sections `code:`: here the functions are those of the test, and the machine is open.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gelenk/mechanics/code.h"
#include "gelenk/mechanics/code_derivatives.h"
#include "gelenk/model/expand.h"
#include "tests/support/run_text.h"

namespace gelenk::code_test {
namespace {

using system::CodeCall;
using system::CodeOutcome;

// Two links, one of them in a sub-assembly, and a cord between its end and a post.
std::string links(const std::string& cord) {
  return R"yaml(
definitions:
  link:
    parts:
      bar: {mass: 2 kg, center_of_mass: [0.1, 0.2, 0], inertia: {xx: 0.1, yy: 0.2, zz: 0.15}, frames: {end: {at: [0.4, 0.3, 0.1]}}}
    ports: {root: bar, end: bar.end}
parts:
  arm: {mass: 1 kg, center_of_mass: [0.2, 0, 0.05], inertia: {xx: 0.05, yy: 0.06, zz: 0.04}, frames: {tip: {at: [0.5, 0, 0]}}}
  post: {at: [0.1 m, 0.3 m, 0.2 m], mass: 3 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
assemblies:
  outer: {use: link, at: [0.5 m, 0, 0], attach: {root: {type: spherical, to: arm.tip}}}
joints:
  hinge: {type: revolute, between: [ground, arm], axis: y}
  slide: {type: prismatic, between: [ground, post], axis: z}
parameters: {k: 30 N/m}
)yaml" + cord;
}
const std::string kSpring =
    "forces: {cord: {type: spring_damper, between: [post, outer.end], stiffness: =k, free_length: 0 m}}\n";
const std::string kCode =
    "code:\n"
    "  frames: {a: post, b: outer.end}\n"
    "  states: {clock: 2 s, height: 0}\n"
    "  inputs: {height: =post.position.z}\n"
    "  parameters: {k: =k}\n"
    "  outputs: {pull: N}\n";

// The same cord; its states are a clock and the integral of the input.
CodeOutcome cord(const CodeCall& call) {
  const Vector3 way = Vector3::Map(&call.motions[18 + 9]) - Vector3::Map(&call.motions[9]);
  Eigen::Map<Vector3>{&call.wrenches[0]} = call.parameters[0] * way;
  Eigen::Map<Vector3>{&call.wrenches[3]} = Vector3::Zero();
  Eigen::Map<Vector3>{&call.wrenches[6]} = -call.parameters[0] * way;
  Eigen::Map<Vector3>{&call.wrenches[9]} = Vector3::Zero();
  call.rates[0] = 1.0;
  call.rates[1] = call.inputs[0];
  call.outputs[0] = call.parameters[0] * way.norm();
  return CodeOutcome::good;
}

test::Assembled with_code(const system::CodeFunction& function) {
  test::Assembled model = test::assemble_text(links(kCode));
  if (model.is_ready()) model.system->codes.front().function = function;
  return model;
}

TEST(NativeCode, PushesAsAForceOfTheModelDoes) {
  const test::Assembled plain = test::assemble_text(links(kSpring));
  const test::Assembled coded = with_code(cord);
  ASSERT_TRUE(plain.is_ready() && coded.is_ready()) << plain.messages() << coded.messages();
  for (const analysis::Partitioning partitioning : {analysis::Partitioning::model, analysis::Partitioning::none}) {
    for (const integrate::Options& options : {test::rk4(2e-3), test::dopri5(1e-9)}) {
      test::Motion one(plain, options, partitioning);
      test::Motion other(coded, options, partitioning);
      ASSERT_TRUE(one.advance_to(1.0) && other.advance_to(1.0));
      for (const char* part : {"outer.bar", "post"}) {
        const Vector3 there = one.probe().part(part).p;
        EXPECT_LT((there - other.probe().part(part).p).norm(), 1e-7) << part;  // steps of dopri5 differ
        EXPECT_GT((there - test::Probe(plain).part(part).p).norm(), 1e-2) << part;
      }
      const system::State& state = other.state();
      EXPECT_NEAR(state.extra[0], 3.0, 1e-12);
      // Work of the cord, which has no potential here, is that of the spring.
      const double spring =
          test::Probe(*plain.system, plain.params, one.state()).energy().elastic - test::Probe(plain).energy().elastic;
      const auto forces = [](const test::Assembled& model, const system::State& s) {
        return s.extra[model.system->work_place(system::Work::forces)];
      };
      EXPECT_NEAR(forces(coded, other.state()), forces(plain, one.state()), 1e-6 * (1.0 + std::abs(spring)));
    }
  }
}

TEST(NativeCode, IntegratesItsInputs) {
  const test::Assembled coded = with_code(cord);
  ASSERT_TRUE(coded.is_ready()) << coded.messages();
  // A clock on the side: the integral of the input by the rule of Simpson.
  constexpr double kStep = 1e-3;
  constexpr int kSteps = 400;
  test::Motion motion(coded, test::dopri5(1e-11));
  double integral = 0.0;
  for (int i = 0; i <= kSteps; ++i) {
    ASSERT_TRUE(motion.advance_to(kStep * i));
    const double weight = i == 0 || i == kSteps ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
    integral += weight * kStep / 3.0 * motion.probe().part("post").p.z();
  }
  EXPECT_NEAR(motion.state().extra[1], integral, 1e-8);
}

TEST(NativeCode, DerivativesAreThoseOfTheSameForce) {
  const test::Assembled plain = test::assemble_text(links(kSpring));
  const test::Assembled coded = with_code(cord);
  ASSERT_TRUE(plain.is_ready() && coded.is_ready()) << plain.messages() << coded.messages();
  const auto blocks_of = [](const test::Assembled& model) {
    mechanics::Workspace workspace(*model.system);
    const mechanics::Context context{*model.system, model.params, model.state()};
    mechanics::update_positions(context, workspace);
    mechanics::update_velocities(context, workspace);
    std::vector<mechanics::ForceBlock> blocks;
    if (!model.system->codes.empty()) {
      const std::vector<mechanics::Motion<double>> before = workspace.bodies;
      mechanics::CodeDerivatives(*model.system, {}).append_blocks(0, context, workspace, blocks);
      for (std::size_t b = 0; b < before.size(); ++b) EXPECT_EQ(before[b].R, workspace.bodies[b].R);
    } else {
      mechanics::ForceDerivatives(*model.system).evaluate(context, workspace, 0, blocks);
    }
    return blocks;
  };
  const std::vector<mechanics::ForceBlock> expected = blocks_of(plain), found = blocks_of(coded);
  ASSERT_EQ(expected.size(), 4u);
  ASSERT_EQ(found.size(), expected.size());
  for (const mechanics::ForceBlock& block : expected) {
    const auto same = std::find_if(found.begin(), found.end(), [&](const mechanics::ForceBlock& other) {
      return other.on_body == block.on_body && other.by_body == block.by_body;
    });
    ASSERT_NE(same, found.end());
    double largest = 0.0;
    for (std::size_t i = 0; i < block.values.size(); ++i) {
      EXPECT_NEAR(same->values[i], block.values[i], 1e-6) << i;  // of 30 N/m; rounding over a step of 6e-6 m
      largest = std::max(largest, std::abs(block.values[i]));
    }
    EXPECT_GT(largest, 10.0);
  }
}

// The clock runs against the integral: A = [-3 4; 0 -2], not symmetric.
TEST(NativeCode, StatesAreSolvedWithTheirMatrix) {
  const test::Assembled model = with_code([](const CodeCall& call) {
    std::fill(call.wrenches.begin(), call.wrenches.end(), 0.0);
    call.rates[0] = -3.0 * call.states[0] + 4.0 * call.states[1];
    call.rates[1] = -2.0 * call.states[1];
    call.outputs[0] = 0.0;
    return CodeOutcome::good;
  });
  ASSERT_TRUE(model.is_ready()) << model.messages();
  mechanics::Workspace workspace(*model.system);
  const mechanics::Context context{*model.system, model.params, model.state()};
  mechanics::update_positions(context, workspace);
  mechanics::update_velocities(context, workspace);
  mechanics::CodeDerivatives derivatives(*model.system, {});
  derivatives.find_state_matrices(context, workspace);
  std::vector<double> r{1.0, 2.0};
  derivatives.solve_states(0, 0.5, r);  // [2.5 -2; 0 2]⁻¹ r
  EXPECT_NEAR(r[1], 1.0, 1e-9);
  EXPECT_NEAR(r[0], 1.2, 1e-9);
}

TEST(NativeCode, MovesTheSameWithImplicitMethods) {
  const test::Assembled coded = with_code(cord);
  ASSERT_TRUE(coded.is_ready()) << coded.messages();
  integrate::Options bdf = test::dopri5(1e-9);
  bdf.method = integrate::Method::bdf;
  for (const analysis::Partitioning partitioning : {analysis::Partitioning::model, analysis::Partitioning::none}) {
    test::Motion one(coded, test::dopri5(1e-10), partitioning);
    test::Motion other(coded, bdf, partitioning);
    ASSERT_TRUE(one.advance_to(0.5) && other.advance_to(0.5));
    for (const char* part : {"arm", "outer.bar", "post"}) {
      // Some hundred steps of the tolerance.
      EXPECT_LT((one.probe().part(part).p - other.probe().part(part).p).norm(), 1e-6) << part;
    }
    EXPECT_NEAR(one.state().extra[1], other.state().extra[1], 1e-6);
  }
}

TEST(NativeCode, IsLookedAt) {
  test::Assembled model = with_code(cord);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const auto outcome_with = [&](const system::CodeFunction& function) {
    model.system->codes.front().function = function;
    mechanics::Workspace workspace(*model.system);
    const mechanics::Context context{*model.system, model.params, model.state()};
    mechanics::update_positions(context, workspace);
    mechanics::update_velocities(context, workspace);
    mechanics::update_forces(context, workspace);
    for (const double force : workspace.forces) EXPECT_TRUE(std::isfinite(force));
    return workspace.codes.front().outcome;
  };
  EXPECT_EQ(outcome_with(cord), CodeOutcome::good);
  EXPECT_EQ(outcome_with([](const CodeCall&) { return CodeOutcome::good; }), CodeOutcome::broken_numbers);
  EXPECT_EQ(outcome_with([](const CodeCall&) { return CodeOutcome::no_answer; }), CodeOutcome::no_answer);
  EXPECT_EQ(outcome_with({}), CodeOutcome::no_answer);
}

// Any function of axes, places and velocities, with all symmetries broken.
CodeOutcome odd(const CodeCall& call) {
  for (std::size_t f = 0; f < 2; ++f) {
    const double* const m = &call.motions[18 * f];
    for (std::size_t i = 0; i < 3; ++i) {
      call.wrenches[6 * f + i] = m[3 * i] + 2.0 * m[3 * i + 1] + 3.0 * m[12 + i] + m[9 + i] * m[17];
      call.wrenches[6 * f + 3 + i] = m[3 * i + 2] + m[15 + i] - 2.0 * m[14] * m[3 * i];
    }
  }
  call.rates[0] = call.rates[1] = call.outputs[0] = call.motions[15];
  return CodeOutcome::good;
}

// The mirror image of a component sees a mirrored world: its forces are the mirror image of those of its original.
TEST(NativeCode, IsMirroredWithItsComponent) {
  const test::Checked checked = test::check_text(links(kCode));
  const Vector3 flip(1.0, -1.0, 1.0);
  std::vector<mechanics::Workspace> done;
  for (const bool is_mirrored : {false, true}) {
    model::ExpandOptions options;
    if (is_mirrored) options.standing.mirror = options.standing.world_mirror = flip.asDiagonal();
    Diagnostics diagnostics;
    const model::Machine machine = model::expand(checked.loaded.model, options, diagnostics);
    std::optional<system::System> system = system::compile(machine, {}, diagnostics);
    ASSERT_TRUE(system && !diagnostics.has_errors());
    system->codes.front().function = odd;
    const system::Params params = system::make_params(*system, machine);
    system::State state = system::drawn_state(*system, params);
    for (std::size_t i = 0; i < state.velocity.size(); ++i) {
      // Along y and about x and z the image goes the other way.
      const bool turns = is_mirrored && (i % 6 == 1 || i % 6 == 3 || i % 6 == 5);
      state.velocity[i] = (turns ? -0.1 : 0.1) * static_cast<double>(i + 1);
    }
    mechanics::Workspace& workspace = done.emplace_back(*system);
    const mechanics::Context context{*system, params, state};
    mechanics::update_positions(context, workspace);
    mechanics::update_velocities(context, workspace);
    mechanics::evaluate_codes(context, workspace);
    ASSERT_EQ(workspace.codes.front().outcome, CodeOutcome::good);
  }
  for (std::size_t f = 0; f < 2; ++f) {
    const mechanics::Wrench<double> one = mechanics::code_wrench(done[0].codes.front(), f),
                                    other = mechanics::code_wrench(done[1].codes.front(), f);
    EXPECT_LT((flip.cwiseProduct(one.force) - other.force).norm(), 1e-14);
    EXPECT_LT((flip.cwiseProduct(one.moment) + other.moment).norm(), 1e-14);
    EXPECT_GT(one.force.norm() * one.moment.norm(), 1.0);
  }
  EXPECT_NEAR(done[0].codes.front().rates[0], done[1].codes.front().rates[0], 1e-15);
}

TEST(NativeCode, IsReadAsFarAsItIsKnown) {
  const auto messages_of = [](const std::string& more) { return test::assemble_text(links(kCode) + more).messages(); };
  const auto force = [](const std::string& value) {
    return "forces: {f: {type: force, applied_to: post, along: z, value: \"=" + value + "\"}}\n";
  };
  EXPECT_EQ(messages_of("outputs: {time_of_code: code.clock, pull: code.pull}\n"), "");
  EXPECT_EQ(messages_of(force("1 (N/s) * code.clock")), "");
  EXPECT_NE(messages_of(force("code.pull")).find("GK1701"), std::string::npos);
  EXPECT_NE(messages_of("outputs: {pull: code.poll}\n").find("GK1304"), std::string::npos);
  EXPECT_NE(messages_of("drivers: {d: {drives: slide.travel, rate: \"=1 (m/s^2) * code.clock\"}}\n").find("GK1701"),
            std::string::npos);
}

// Two states of a force, as `states:` of the model and in the code of an assembly: a spring behind a damper (Maxwell)
// and the heat in the damper.
const std::string kMaxwellParts = R"yaml(
    parts:
      block: {mass: 2 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
    joints:
      slide: {type: prismatic, between: [ground, block], axis: x, start: {travel: 0.1 m, speed: 0.5 m/s}}
)yaml";
const std::string kMaxwellInC = kMaxwellParts + R"yaml(
    code:
      frames: {block: block}
      states: {pull: 0 N, heat: 0 J}
      parameters: {stiffness: 300 N/m, damping: 40 N*s/m}
)yaml";
const std::string kMaxwellInYaml = kMaxwellParts + R"yaml(
    states:
      pull: {start: 0 N, rate: "=300 (N/m) * slide.speed - 300 (N/m) / (40 (N*s/m)) * pull"}
      heat: {start: 0 J, rate: "=pull * pull / (40 (N*s/m))"}
    forces:
      maxwell: {type: force, applied_to: block, along: x, value: =-pull}
)yaml";
CodeOutcome maxwell(const CodeCall& call) {
  std::fill(call.wrenches.begin(), call.wrenches.end(), 0.0);
  const double k = call.parameters[0], d = call.parameters[1];
  // Along the axis of the block's own frame, which a copy elsewhere turns.
  const Vector3 axis(call.motions[0], call.motions[3], call.motions[6]);
  Eigen::Map<Vector3>{&call.wrenches[0]} = -call.states[0] * axis;
  call.rates[0] = k * axis.dot(Vector3::Map(&call.motions[12])) - k / d * call.states[0];
  call.rates[1] = call.states[0] * call.states[0] / d;
  return CodeOutcome::good;
}

test::Assembled two_dampers(const std::string& damper) {
  test::Assembled model = test::assemble_text("gravity: none\ndefinitions:\n  inner:" + damper +
                                              "  outer: {assemblies: {deep: {use: inner, at: {position: [0, 2 m, 0], "
                                              "orientation: {axis: z, angle: 30 deg}}}}}\n"
                                              "assemblies: {near: {use: inner}, far: {use: outer}}\n");
  if (model.is_ready()) {
    for (system::NativeCode& code : model.system->codes) code.function = maxwell;
  }
  return model;
}

TEST(NativeCode, OfTwoAssembliesIsTheSameAsStatesOfTheModel) {
  const test::Assembled written = two_dampers(kMaxwellInYaml), coded = two_dampers(kMaxwellInC);
  ASSERT_TRUE(written.is_ready() && coded.is_ready()) << written.messages() << coded.messages();
  ASSERT_EQ(coded.system->codes.size(), 2U);
  EXPECT_EQ(coded.system->codes[0].path, "near.code");
  EXPECT_EQ(coded.system->codes[1].path, "far.deep.code");
  integrate::Options bdf = test::dopri5(1e-9);
  bdf.method = integrate::Method::bdf;
  for (const integrate::Options& options : {test::rk4(1e-3), bdf}) {
    const double allowed = options.method == integrate::Method::rk4 ? 1e-12 : 1e-6;
    test::Motion one(written, options), other(coded, options);
    ASSERT_TRUE(one.advance_to(0.3) && other.advance_to(0.3));
    for (const char* part : {"near.block", "far.deep.block"}) {
      EXPECT_LT((one.probe().part(part).p - other.probe().part(part).p).norm(), allowed) << part;
      EXPECT_GT((one.probe().part(part).p - test::Probe(written).part(part).p).norm(), 0.01) << part;
    }
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(one.state().extra[i], other.state().extra[i], 30.0 * allowed) << i;
    EXPECT_GT(one.state().extra[1], 0.1);
  }
}

}  // namespace
}  // namespace gelenk::code_test
