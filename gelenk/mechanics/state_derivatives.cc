#include "gelenk/mechanics/state_derivatives.h"

#include <algorithm>

#include "gelenk/base/disjoint_sets.h"
#include "gelenk/base/index.h"
#include "gelenk/math/small_dense.h"
#include "gelenk/system/node_groups.h"

namespace gelenk::mechanics {
namespace {

constexpr std::size_t kColumns = 12;  // of a ForceBlock

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void add_states_of_nodes(const system::System& system, std::span<const std::int32_t> groups,
                         std::vector<std::int32_t>& states) {
  for (const std::int32_t group : groups) {
    const std::vector<std::int32_t>& read = system.node_groups[at(group)].states;
    states.insert(states.end(), read.begin(), read.end());
  }
}

// Of System::states, through the channels of forces as well.
void read_states(const system::System& system, std::int32_t signal, std::vector<std::int32_t>& states) {
  for (const system::Symbol& symbol : system.signals[at(signal)].symbols) {
    if (symbol.kind != system::Symbol::Kind::channel) continue;
    if (symbol.channel.kind == system::ChannelRef::Kind::state) states.push_back(symbol.channel.element);
    if (!system::is_of_force(symbol.channel.kind)) continue;
    const std::int32_t value = system.forces[at(symbol.channel.element)].value;
    if (value >= 0) read_states(system, value, states);
  }
  std::vector<std::int32_t> groups;
  system::groups_read(system, system.signals[at(signal)], groups);
  add_states_of_nodes(system, groups, states);
}

void add_once(std::int32_t value, std::vector<std::int32_t>& list) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

// The group of each state: those that read each other have the same number, in the order of the states.
std::vector<std::size_t> group_numbers(const system::System& system) {
  DisjointSets groups(system.states.size());
  std::vector<std::int32_t> read;
  for (std::size_t s = 0; s < system.states.size(); ++s) {
    read.clear();
    read_states(system, system.states[s].rate, read);
    for (const std::int32_t other : read) groups.join(s, at(other));
  }
  return groups.numbers();
}

void push_bodies(const system::System& system, const Ports& ports, std::int32_t number,
                 std::vector<std::int32_t>& bodies) {
  const system::Force& force = system.forces[at(number)];
  std::int32_t frames[] = {force.frame_a, force.frame_b};
  if (force.coordinate >= 0) {
    const system::Joint& joint = system.joints[at(system.coordinates[at(force.coordinate)].joint)];
    frames[0] = joint.frame_a;
    frames[1] = joint.frame_b;
  }
  for (const std::int32_t frame : frames) {
    const std::int32_t body = frame < 0 ? system::kGround : ports.carrier(system, frame);
    if (body >= 0) add_once(body, bodies);
  }
}

}  // namespace

std::vector<std::int32_t> states_of_motion(const system::System& system) {
  std::vector<std::int32_t> found = system.states_in_rate_laws;
  for (const system::Force& force : system.forces) {
    if (force.value >= 0) read_states(system, force.value, found);
  }
  std::vector<std::int32_t> result;
  // What they read is appended while this goes on.
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::int32_t state = found[i];
    if (std::find(result.begin(), result.end(), state) != result.end()) continue;
    result.push_back(state);
    read_states(system, system.states[at(state)].rate, found);
  }
  std::sort(result.begin(), result.end());
  return result;
}

StateDerivatives::StateDerivatives(const system::System& system, const Ports& ports) {
  const std::vector<std::size_t> numbers = group_numbers(system);
  for (std::size_t s = 0; s < numbers.size(); ++s) {
    if (numbers[s] == groups_.size()) groups_.emplace_back();
    Group& group = groups_[numbers[s]];
    group.states.push_back(static_cast<std::int32_t>(s));
    group.places.push_back(system.states[s].place);
    for (const std::int32_t body : bodies_read_by(system, ports, system.states[s].rate)) add_once(body, group.read);
  }
  std::vector<std::int32_t> read;
  for (std::size_t f = 0; f < system.forces.size() && !groups_.empty(); ++f) {
    read.clear();
    if (system.forces[f].value >= 0) read_states(system, system.forces[f].value, read);
    std::vector<std::int32_t> groups;
    system::groups_at(system, system.forces[f], groups);
    add_states_of_nodes(system, groups, read);
    for (const std::int32_t state : read) {
      Group& group = groups_[numbers[at(state)]];
      add_once(static_cast<std::int32_t>(f), group.forces);
      push_bodies(system, ports, static_cast<std::int32_t>(f), group.pushed);
    }
  }
  for (Group& group : groups_) {
    const std::size_t n = group.states.size();
    group.A.resize(n * n);
    group.N.resize(n * n);
    group.B.resize(kColumns * n * group.read.size());
    group.E.resize(6 * n * group.pushed.size());
  }
}

void StateDerivatives::evaluate(const Context& context, const Workspace& workspace) {
  for (Group& group : groups_) {
    evaluate_rates(context, workspace, group);
    evaluate_forces(context, workspace, group);
  }
}

void StateDerivatives::evaluate_rates(const Context& context, const Workspace& workspace, Group& group) {
  const std::size_t n = group.states.size();
  View<Dual<1>> by_state(context.system, context.params, context.state, workspace.bodies, state_scratch_,
                         &workspace.ports);
  by_state.set_sealed_signals(workspace.sealed_signals);
  if (!context.system.nodes.empty()) by_state.set_nodes(workspace.nodes);
  for (std::size_t j = 0; j < n; ++j) {
    by_state.seed_state(group.places[j]);
    for (std::size_t i = 0; i < n; ++i) {
      group.A[n * i + j] = by_state.signal(context.system.states[at(group.states[i])].rate).partials[0];
    }
  }
  View<Dual<12>> by_body(context.system, context.params, context.state, workspace.bodies, body_scratch_,
                         &workspace.ports);
  by_body.set_sealed_signals(workspace.sealed_signals);
  if (!context.system.nodes.empty()) by_body.set_nodes(workspace.nodes);
  for (std::size_t r = 0; r < group.read.size(); ++r) {
    by_body.seed_body(group.read[r]);
    for (std::size_t i = 0; i < n; ++i) {
      const Dual<12> rate = by_body.signal(context.system.states[at(group.states[i])].rate);
      std::copy(rate.partials.begin(), rate.partials.end(), &group.B[kColumns * (n * r + i)]);
    }
  }
}

// Wrench: about a frame's origin, as the force gives it.
void StateDerivatives::add_wrench(const Context& context, const Workspace& workspace, std::int32_t frame,
                                  const Wrench<Dual<1>>& wrench, std::size_t state, Group& group) {
  if (frame < 0) return;
  const std::int32_t body = workspace.ports.carrier(context.system, frame);
  if (body < 0) return;
  Vector3 force;
  Vector3 moment;
  for (int i = 0; i < 3; ++i) {
    force(i) = wrench.force(i).partials[0];
    moment(i) = wrench.moment(i).partials[0];
  }
  if (workspace.ports.at_frame(frame) < 0) {
    moment += Vector3(workspace.bodies[at(body)].R * context.params.frames[at(frame)].position).cross(force);
  }
  const std::size_t n = group.states.size();
  const auto found = std::find(group.pushed.begin(), group.pushed.end(), body);
  double* const out = &group.E[6 * n * static_cast<std::size_t>(found - group.pushed.begin())];
  for (std::size_t i = 0; i < 3; ++i) {
    out[n * i + state] += force(static_cast<int>(i));
    out[n * (3 + i) + state] += moment(static_cast<int>(i));
  }
}

void StateDerivatives::evaluate_forces(const Context& context, const Workspace& workspace, Group& group) {
  std::fill(group.E.begin(), group.E.end(), 0.0);
  View<Dual<1>> view(context.system, context.params, context.state, workspace.bodies, state_scratch_, &workspace.ports);
  view.set_sealed_signals(workspace.sealed_signals);
  if (!context.system.nodes.empty()) view.set_nodes(workspace.nodes);
  for (std::size_t j = 0; j < group.states.size(); ++j) {
    view.seed_state(group.places[j]);
    for (const std::int32_t number : group.forces) {
      const ForceResult<Dual<1>> result = view.force(number);
      add_wrench(context, workspace, result.frame_a, result.on_a, j, group);
      add_wrench(context, workspace, result.frame_b, result.on_b, j, group);
    }
  }
}

StateDerivatives::Fastest StateDerivatives::fastest(std::size_t number) const {
  const Group& group = groups_[number];
  const FastestMode mode = fastest_mode(group.A, group.states.size());
  if (!(mode.size > 0.0)) return {};
  return {mode.size, group.states[mode.coordinate]};
}

bool StateDerivatives::factor(double gain) {
  gain_ = gain;
  bool is_solved = true;
  for (Group& group : groups_) {
    const std::size_t n = group.states.size();
    matrix_.assign(n * n, 0.0);
    for (std::size_t i = 0; i < n * n; ++i) matrix_[i] = (i % (n + 1) == 0 ? 1.0 : 0.0) - gain * group.A[i];
    is_solved = invert_dense(matrix_, n, group.N) && is_solved;
  }
  return is_solved;
}

void StateDerivatives::append_blocks(std::size_t number, std::vector<ForceBlock>& blocks) const {
  const Group& group = groups_[number];
  const std::size_t count = group.states.size();
  const auto n = static_cast<Eigen::Index>(count);
  const Eigen::Map<const RowMajor> N(group.N.data(), n, n);
  for (std::size_t p = 0; p < group.pushed.size(); ++p) {
    const RowMajor EN = gain_ * Eigen::Map<const RowMajor>(&group.E[6 * count * p], 6, n) * N;
    for (std::size_t r = 0; r < group.read.size(); ++r) {
      ForceBlock& block = blocks.emplace_back(ForceBlock{group.pushed[p], group.read[r], {}});
      Eigen::Map<RowMajor>(block.values.data(), 6, static_cast<Eigen::Index>(kColumns)) =
          EN * Eigen::Map<const RowMajor>(&group.B[kColumns * count * r], n, static_cast<Eigen::Index>(kColumns));
    }
  }
}

void StateDerivatives::solve(std::span<double> r) const {
  for (const Group& group : groups_) {
    const std::size_t n = group.states.size();
    Eigen::VectorXd right(static_cast<Eigen::Index>(n));
    for (std::size_t i = 0; i < n; ++i) right(static_cast<Eigen::Index>(i)) = r[at(group.places[i])];
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0.0;
      for (std::size_t j = 0; j < n; ++j) sum += group.N[n * i + j] * right(static_cast<Eigen::Index>(j));
      r[at(group.places[i])] = sum;
    }
  }
}

void StateDerivatives::add_forces(std::span<const double> x, std::span<double> out) const {
  for (const Group& group : groups_) {
    const std::size_t n = group.states.size();
    for (std::size_t p = 0; p < group.pushed.size(); ++p) {
      for (std::size_t i = 0; i < 6; ++i) {
        double sum = 0.0;
        for (std::size_t j = 0; j < n; ++j) sum += group.E[n * (6 * p + i) + j] * x[at(group.places[j])];
        out[6 * at(group.pushed[p]) + i] += sum;
      }
    }
  }
}

void StateDerivatives::add_rates_of_states(std::span<const double> x, std::span<double> out) const {
  for (const Group& group : groups_) {
    const std::size_t n = group.states.size();
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0.0;
      for (std::size_t k = 0; k < n; ++k) sum += group.A[n * i + k] * x[at(group.places[k])];
      out[at(group.places[i])] += sum;
    }
  }
}

void StateDerivatives::add_rates(double factor, std::span<const double> displacements,
                                 std::span<const double> velocities, std::span<double> out) const {
  for (const Group& group : groups_) {
    const std::size_t n = group.states.size();
    for (std::size_t r = 0; r < group.read.size(); ++r) {
      const double* const q = &displacements[6 * at(group.read[r])];
      const double* const v = &velocities[6 * at(group.read[r])];
      for (std::size_t i = 0; i < n; ++i) {
        const double* const row = &group.B[kColumns * (n * r + i)];
        double sum = 0.0;
        for (std::size_t k = 0; k < 6; ++k) sum += row[k] * q[k] + row[6 + k] * v[k];
        out[at(group.places[i])] += factor * sum;
      }
    }
  }
}

}  // namespace gelenk::mechanics
