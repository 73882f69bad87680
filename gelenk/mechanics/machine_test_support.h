#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/math/curve.h"
#include "gelenk/math/rotation.h"
#include "gelenk/mechanics/evaluate.h"
#include "gelenk/mechanics/force_derivatives.h"
#include "gelenk/system/compile.h"

// Machines built by hand, without a model file, and random numbers that are the same in every run.
namespace gelenk::mechanics::test {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : generator_(seed) {}

  // Uniform in [-1, 1).
  double number() { return static_cast<double>(generator_()) / 2147483648.0 - 1.0; }
  // Uniform in [0.5, 1.5): sizes that are neither zero nor huge.
  double size() { return 1.0 + 0.5 * number(); }
  Vector3 vector() {
    const double x = number();
    const double y = number();
    return {x, y, number()};
  }
  Vector3 sizes() {
    const double x = size();
    const double y = size();
    return {x, y, size()};
  }
  Quaternion orientation() { return rotation_exp(3.0 * vector()); }
  Matrix3 rotation() { return orientation().toRotationMatrix(); }
  Pose pose() {
    const Matrix3 R = rotation();
    return {R, vector()};
  }
  MassProperties mass_properties() {
    // Moments between 2 and 3 fulfill the triangle inequality whatever they are.
    const Matrix3 R = rotation();
    const Vector3 moments = Vector3::Constant(2.5) + 0.5 * vector();
    const double mass = size();
    return {mass, 0.3 * vector(), R * moments.asDiagonal() * R.transpose()};
  }

 private:
  std::mt19937 generator_;
};

// The formula with `time` and the given channels as symbols; every other name is a constant of value 1.
inline model::Signal signal(const std::string& text, const std::map<std::string, model::ChannelUse>& channels = {}) {
  model::Signal result;
  result.formula = expression::parse(text).expression.value_or(expression::Expression{});
  for (const expression::Symbol& symbol : result.formula.symbols()) {
    model::SymbolUse use;
    use.value = 1.0;
    if (symbol.name == "time") use.kind = model::SymbolUse::Kind::time;
    if (const auto channel = channels.find(symbol.name); channel != channels.end()) {
      use.kind = model::SymbolUse::Kind::channel;
      use.channel = channel->second;
    }
    result.symbols.push_back(use);
  }
  return result;
}

inline model::ChannelUse channel(model::ChannelUse::Element element, std::int32_t index, const std::string& quantity) {
  model::ChannelUse use;
  use.element = element;
  use.index = index;
  use.quantity = quantity;
  return use;
}
inline model::ChannelUse component(model::ChannelUse::Element element, std::int32_t index, const std::string& quantity,
                                   int number) {
  model::ChannelUse use = channel(element, index, quantity);
  use.pick = model::ChannelUse::Pick::component;
  use.component = number;
  use.weights = {0.0, 0.0, 0.0};
  if (number < 3) use.weights[static_cast<std::size_t>(number)] = 1.0;
  return use;
}
inline model::ChannelUse magnitude(model::ChannelUse::Element element, std::int32_t index,
                                   const std::string& quantity) {
  model::ChannelUse use = channel(element, index, quantity);
  use.pick = model::ChannelUse::Pick::magnitude;
  return use;
}

inline model::FrameOnPart on_part(std::size_t part, const Pose& X_PF) { return {model::PartId(part), X_PF}; }
inline model::FrameOnPart on_ground(const Pose& X_WF) { return {model::PartId(), X_WF}; }

inline model::Machine empty_machine() {
  model::Machine machine;
  machine.assemblies.emplace_back();
  return machine;
}
inline void add_parts(model::Machine& machine, std::size_t count, Dice& dice) {
  for (std::size_t i = 0; i < count; ++i) {
    model::PartNode part;
    part.path = "part_" + std::to_string(machine.parts.size());
    part.assembly = model::AssemblyId(0);
    part.X_WP = dice.pose();
    part.mass_properties = dice.mass_properties();
    machine.parts.push_back(std::move(part));
  }
}
// Bends so little that places anywhere among the parts have one nearest point on it.
inline std::shared_ptr<const Curve> test_curve() {
  std::vector<Vector3> points;
  for (int i = 0; i < 10; ++i) {
    const double angle = 0.2 * std::numbers::pi * i;
    points.emplace_back(20.0 * std::cos(angle) - 20.0, 25.0 * std::sin(angle), 3.0 * std::sin(2.0 * angle));
  }
  return std::make_shared<const Curve>(*Curve::make(points, true, nullptr));
}

inline model::JointNode& add_joint(model::Machine& machine, const model::ObjectType& type, const model::FrameOnPart& a,
                                   const model::FrameOnPart& b) {
  model::JointNode joint;
  joint.path = "joint_" + std::to_string(machine.joints.size());
  joint.assembly = model::AssemblyId(0);
  joint.type = &type;
  joint.data = &type == &model::kRollingThatSlips ? model::JointData(model::Rolling{})
                                                  : model::make_data<model::JointData>(&type);
  if (type.primitives.size() > 0 && type.primitives.front() == model::Primitive::on_curve) {
    auto& curve = &type == &model::kPath ? std::get<model::Path>(joint.data).curve
                                         : std::get<model::PointOnCurve>(joint.data).curve;
    curve = test_curve();
  }
  joint.a = a;
  joint.b = b;
  machine.joints.push_back(std::move(joint));
  return machine.joints.back();
}

// A machine with all that an evaluation needs.
struct Rig {
  model::Machine machine;
  system::System system;
  system::Params params;
  system::State state;
  std::string errors;

  Context context() const { return {system, params, state}; }
};

// Fixed joints stay joints, so that every type has rows.
inline Rig make_rig(model::Machine machine) {
  Rig rig;
  Diagnostics diagnostics;
  const std::optional<system::System> compiled = system::compile(machine, {.merge_welded = false}, diagnostics);
  for (const Diagnostic& d : diagnostics.all()) rig.errors += d.element + ": " + d.message + "\n";
  rig.machine = std::move(machine);
  if (!compiled) return rig;
  rig.system = *compiled;
  rig.params = system::make_params(rig.system, rig.machine);
  rig.state = system::drawn_state(rig.system, rig.params);
  return rig;
}

// Bodies anywhere, moving anyhow.
inline void scatter(Rig& rig, Dice& dice) {
  for (Vector3& p : rig.state.position) p = dice.vector();
  for (Quaternion& q : rig.state.orientation) q = dice.orientation();
  for (double& v : rig.state.velocity) v = dice.number();
  for (double& x : rig.state.extra) x = dice.number();
  rig.state.time = dice.size();
}

// Everything but the forces.
inline void evaluate(const Context& context, Workspace& workspace) {
  update_positions(context, workspace);
  update_velocities(context, workspace);
  update_drivers(context, workspace);
  update_rows(context, workspace);
}

// The state a short time later, with these accelerations of the bodies (six each): exact to second order.
inline system::State later(const Rig& rig, std::span<const double> accelerations, double h) {
  system::State s = rig.state;
  Workspace workspace(rig.system);
  evaluate(rig.context(), workspace);
  s.time += h;
  for (std::size_t b = 0; b < s.position.size(); ++b) {
    const Vector3 v = Vector3::Map(&rig.state.velocity[6 * b]);
    const Vector3 w = Vector3::Map(&rig.state.velocity[6 * b + 3]);
    const Vector3 a = Vector3::Map(&accelerations[6 * b]);
    const Vector3 alpha = Vector3::Map(&accelerations[6 * b + 3]);
    s.position[b] += h * v + 0.5 * h * h * a;
    s.orientation[b] = turned(s.orientation[b], h * w + 0.5 * h * h * alpha);
  }
  for (std::size_t i = 0; i < s.velocity.size(); ++i) s.velocity[i] += h * accelerations[i];
  for (std::size_t d = 0; d < rig.system.drivers.size(); ++d) {
    const system::Driver& driver = rig.system.drivers[d];
    const Prescribed<double>& motion = workspace.drivers[d];
    if (driver.extra < 0) continue;
    const auto place = static_cast<std::size_t>(driver.extra);
    s.extra[place] += h * motion.rate + 0.5 * h * h * motion.acceleration;
    if (driver.level == model::DriverNode::Level::acceleration) s.extra[place + 1] += h * motion.acceleration;
  }
  return s;
}

// Moves one body a little along one of its twelve directions.
inline void nudge(system::State& state, std::size_t body, std::size_t direction, double h) {
  const auto axis = static_cast<Eigen::Index>(direction % 3);
  if (direction < 3) state.position[body](axis) += h;
  if (direction >= 3 && direction < 6) {
    state.orientation[body] = turned(state.orientation[body], h * Vector3::Unit(axis));
  }
  if (direction >= 6) state.velocity[6 * body + direction - 6] += h;
}

// Blocks of forces against central differences of sums(body, direction, h): all forces, six per body, when one body is
// nudged by h along one of its directions.
template <class Sums>
void expect_differences(const std::vector<ForceBlock>& blocks, std::size_t bodies, std::size_t directions,
                        const Sums& sums, double h, double tolerance) {
  for (std::size_t by = 0; by < bodies; ++by) {
    for (std::size_t k = 0; k < directions; ++k) {
      const std::vector<double> after = sums(by, k, h);
      const std::vector<double> before = sums(by, k, -h);
      for (std::size_t row = 0; row < after.size(); ++row) {
        double exact = 0.0;
        for (const ForceBlock& block : blocks) {
          if (at(block.by_body) == by && at(block.on_body) == row / 6) exact += block.values[12 * (row % 6) + k];
        }
        EXPECT_NEAR(exact, (after[row] - before[row]) / (2.0 * h), tolerance)
            << "on body " << row / 6 << " row " << row % 6 << " by body " << by << " direction " << k;
      }
    }
  }
}

}  // namespace gelenk::mechanics::test
