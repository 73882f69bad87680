#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "gelenk/math/rotation.h"
#include "gelenk/model/couplings.h"
#include "gelenk/model/mobility.h"
#include "gelenk/model/mobility_rows.h"
#include "gelenk/system/compile.h"
#include "gelenk/system/contacts.h"
#include "gelenk/system/hard_laws.h"
#include "gelenk/system/origins.h"

namespace gelenk::system {
namespace {

// Mass properties of a body about its own center of mass, in the axes of its leading part, and its parts on it.
void set_body(const System& system, const model::Machine& machine, const std::vector<Pose>& X_LP, std::size_t b,
              Params& params) {
  MassProperties total;  // seen from the leading part
  for (const std::int32_t p : system.bodies[b].parts) {
    const auto part = static_cast<std::size_t>(p);
    total = combined(total, machine.parts[part].mass_properties.in_frame(X_LP[part]));
  }
  BodyParams& body = params.bodies[b];
  body.mass = total.mass;
  const Matrix3& J = total.inertia;
  body.moments = {J(0, 0), J(1, 0), J(2, 0), J(1, 1), J(2, 1), J(2, 2)};
  params.inverse_inertias[b] = J.inverse();
  body.mean_inverse_inertia = 3.0 / J.trace();
  const Pose X_BL{Matrix3::Identity(), -total.center};
  for (const std::int32_t p : system.bodies[b].parts) {
    const auto part = static_cast<std::size_t>(p);
    params.parts[part].X_BP = X_BL * X_LP[part];
  }
}

// A power of two: good enough for comparisons, and a component that reports it reveals nothing of its bodies.
double model_length(const Params& params) {
  double largest = 0.0;
  for (const BodyParams& body : params.bodies) {
    largest = std::max(largest, (body.moments[0] + body.moments[3] + body.moments[5]) / (3.0 * body.mass));
  }
  return largest > 0.0 ? std::exp2(std::round(0.5 * std::log2(largest))) : 1.0;
}

// Of each element the first that has the same numbers.
template <class T>
std::vector<std::int32_t> first_equal(const std::vector<T>& all) {
  static_assert(sizeof(T) % sizeof(double) == 0);  // nothing but numbers
  std::unordered_map<std::string_view, std::int32_t> found;
  std::vector<std::int32_t> first;
  first.reserve(all.size());
  for (const T& one : all) {
    const std::string_view bytes(reinterpret_cast<const char*>(&one), sizeof(T));
    first.push_back(found.try_emplace(bytes, static_cast<std::int32_t>(first.size())).first->second);
  }
  return first;
}

SignalParams signal_params(const model::Signal& signal) {
  SignalParams result;
  result.factor = signal.factor;
  for (const model::SymbolUse& use : signal.symbols) {
    result.constants.push_back(use.kind == model::SymbolUse::Kind::constant ? use.value : 0.0);
  }
  return result;
}

void set_signals(const System& system, const model::Machine& machine, Params& params) {
  params.signals.resize(system.signals.size());
  const auto set = [&](std::int32_t number, const model::Signal& source) {
    if (number >= 0) params.signals[static_cast<std::size_t>(number)] = signal_params(source);
  };
  for (std::size_t f = 0; f < system.forces.size(); ++f) set(system.forces[f].value, machine.forces[f].value);
  for (std::size_t d = 0; d < system.drivers.size(); ++d) {
    set(system.drivers[d].law, machine.drivers[d].law);
    set(system.drivers[d].law_rate, machine.drivers[d].law);
  }
  for (std::size_t k = 0; k < system.couplings.size(); ++k) {
    if (!machine.couplings[k].law) continue;
    set(system.couplings[k].law, *machine.couplings[k].law);
    for (const Coupling::Slope& slope : system.couplings[k].slopes) set(slope.signal, *machine.couplings[k].law);
  }
  for (std::size_t s = 0; s < system.sealed.size(); ++s) {
    for (std::size_t i = 0; i < system.sealed[s].inputs.size(); ++i) {
      set(system.sealed[s].inputs[i], machine.sealed[s].inputs[i]);
    }
  }
  for (std::size_t s = 0; s < system.states.size(); ++s) set(system.states[s].rate, machine.states[s].rate);
  for (std::size_t c = 0; c < system.codes.size(); ++c) {
    for (std::size_t i = 0; i < system.codes[c].inputs.size(); ++i) {
      set(system.codes[c].inputs[i], machine.codes[c].inputs[i]);
    }
  }
  for (std::size_t o = 0; o < system.outputs.size(); ++o) set(system.outputs[o].value, machine.outputs[o].value);
}

// From where the first body of each group is drawn. Returns that of what is connected with the ground.
Vector3 set_origins(const System& system, const model::Machine& machine, Params& params) {
  std::vector<Vector3> by_group(system.groups.size() + 1, Vector3::Zero());
  std::vector<char> is_known(by_group.size(), 0);
  bool is_any = false;
  for (std::size_t b = 0; b < system.groups.size(); ++b) {
    const auto group = static_cast<std::size_t>(system.groups[b]);
    if (is_known[group] != 0) continue;
    is_known[group] = 1;
    const auto lead = static_cast<std::size_t>(system.bodies[b].parts.front());
    by_group[group] = origin_for(machine.parts[lead].X_WP.position, params.length);
    is_any = is_any || !by_group[group].isZero(0.0);
  }
  if (!is_any) return Vector3::Zero();
  for (const std::int32_t group : system.groups) params.origins.push_back(by_group[static_cast<std::size_t>(group)]);
  return by_group.front();
}

}  // namespace

bool has_same_structure(const System& system, const model::Machine& machine) {
  const auto same_paths = [](const auto& ours, const auto& theirs) {
    return std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                      [](const auto& a, const auto& b) { return a.path == b.path; });
  };
  const auto same_types = [](const auto& ours, const auto& theirs) {
    return std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                      [](const auto& a, const auto& b) { return a.type == b.type; });
  };
  return same_paths(system.parts, machine.parts) && same_paths(system.joints, machine.joints) &&
         same_types(system.joints, machine.joints) && same_paths(system.drivers, machine.drivers) &&
         same_paths(system.forces, machine.forces) && same_types(system.forces, machine.forces) &&
         (machine.contacts.empty()
              ? system.contacts.empty()
              : same_paths(system.contours, machine.contours) && same_paths(system.contacts, machine.contacts)) &&
         same_paths(system.outputs, machine.outputs) && system.read_frames.size() == machine.read_frames.size() &&
         std::equal(system.nodes.begin(), system.nodes.end(), machine.nodes.begin(), machine.nodes.end(),
                    [](const Node& a, const model::NodeNode& b) { return a.path == b.path && a.flows == b.flows; });
}

Params make_params(const System& system, const model::Machine& machine) {
  Params params;
  params.gravity = machine.gravity;
  params.bodies.resize(system.bodies.size());
  params.inverse_inertias.resize(system.bodies.size());
  params.parts.resize(system.parts.size());
  const std::vector<Pose> X_LP = poses_in_groups(machine, system.welds);
  for (std::size_t b = 0; b < system.bodies.size(); ++b) set_body(system, machine, X_LP, b, params);
  for (std::size_t p = 0; p < system.parts.size(); ++p) {
    const model::PartNode& node = machine.parts[p];
    PartParams& part = params.parts[p];
    if (system.parts[p].body == kGround) part.X_BP = X_LP[p];
    const MassProperties own = node.mass_properties.in_frame(part.X_BP);
    part.mass = own.mass;
    part.center = own.center;
    part.inertia = own.inertia;
    part.start_velocity = node.start_velocity;
    part.start_angular_velocity = node.start_angular_velocity;
  }
  params.length = model_length(params);
  const Vector3 ground_origin = set_origins(system, machine, params);
  params.ground_origin = ground_origin;
  params.drawn.resize(system.bodies.size());
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const auto lead = static_cast<std::size_t>(system.bodies[b].parts.front());
    Pose drawn = machine.parts[lead].X_WP;
    if (!params.origins.empty()) drawn.position -= params.origins[b];
    params.drawn[b] = drawn * params.parts[lead].X_BP.inverse();
  }

  params.frames.resize(system.frames.size());
  const auto set_frame = [&](std::int32_t number, const model::FrameOnPart& frame) {
    if (number < 0) return;
    params.frames[static_cast<std::size_t>(number)] =
        frame.part.is_set() ? params.parts[frame.part.index()].X_BP * frame.X_PF : frame.X_PF;
    if (const std::int32_t body = system.frames[static_cast<std::size_t>(number)].body;
        body == kGround || is_node(body)) {
      params.frames[static_cast<std::size_t>(number)].position -= ground_origin;
    }
  };
  params.row_constants.assign(system.rows.size(), 0.0);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const model::JointNode& node = machine.joints[j];
    set_frame(system.joints[j].frame_a, node.a);
    set_frame(system.joints[j].frame_b, node.b);
    params.joint_axes.push_back(node.R_FJ);
    params.joint_compliance.push_back(node.compliance);
    for (const model::CoordinateLimit& limit : node.limits) {
      params.limits.push_back({system.joints[j].first_coordinate + static_cast<std::int32_t>(limit.coordinate),
                               limit.is_rate, limit.min, limit.max});
    }
    double size = model::held_by(node).size;
    if (std::holds_alternative<model::Distance>(node.data) && !(size > 0.0)) {
      size = (model::drawn_frame(machine, node.b).position - model::drawn_frame(machine, node.a).position).norm();
    }
    if (std::shared_ptr<const Curve> curve = model::shared_curve(node.data)) params.curves.push_back(std::move(curve));
    std::fill_n(params.row_constants.begin() + system.joints[j].first_row, system.joints[j].row_count, size);
  }
  for (const model::CouplingNode& node : machine.couplings) {
    for (const model::CouplingNode::Term& term : node.terms) params.coupling_factors.push_back(term.factor);
    for (const model::CouplingNode::ShaftTerm& term : node.shafts) params.shaft_factors.push_back(term.factor);
    params.coupling_constants.push_back(model::coupling_constant(machine, node));
  }
  for (std::size_t f = 0; f < system.forces.size(); ++f) {
    const model::ForceNode& node = machine.forces[f];
    if (node.a) set_frame(system.forces[f].frame_a, *node.a);
    if (node.b) set_frame(system.forces[f].frame_b, *node.b);
    set_frame(system.forces[f].axes, node.axes);
    params.forces.push_back(node.data);
    params.force_directions.push_back(node.direction);
  }
  for (std::size_t n = 0; n < system.nodes.size(); ++n) {
    set_frame(system.nodes[n].frame, {{}, machine.nodes[n].X_WN, {}, static_cast<std::int32_t>(n)});
  }
  params.extra_scales.assign(system.extra.count(StateKind::first_order), 1.0);
  for (std::size_t s = 0; s < system.states.size(); ++s) {
    params.state_starts.push_back(machine.states[s].start);
    params.extra_scales[static_cast<std::size_t>(system.states[s].place)] = machine.states[s].scale;
  }
  for (std::size_t c = 0; c < system.codes.size(); ++c) {
    const model::CodeNode& node = machine.codes[c];
    for (std::size_t f = 0; f < node.frames.size(); ++f) set_frame(system.codes[c].frames[f], node.frames[f]);
    CodeParams& code = params.codes.emplace_back();
    code.parameters = node.parameters;
    for (const model::CodeNode::State& state : node.states) code.start.push_back(state.start);
    code.mirror = machine.assemblies[node.assembly.index()].mirror;
    code.world_mirror = machine.assemblies[node.assembly.index()].world_mirror;
  }
  for (std::size_t m = 0; m < system.mounts.size(); ++m) set_frame(system.mounts[m].frame, machine.mounts[m].frame);
  for (std::size_t r = 0; r < system.read_frames.size(); ++r) {
    const model::FrameOnPart& frame = machine.read_frames[r].frame;
    params.frames[static_cast<std::size_t>(system.read_frames[r])] =
        frame.part.is_set() ? params.parts[frame.part.index()].X_BP * frame.X_PF : frame.X_PF;
  }
  params.first_equal_body = first_equal(params.bodies);
  params.first_equal_frame = first_equal(params.frames);
  set_signals(system, machine, params);
  set_contacts(system, machine, params);
  set_hard_laws(system, machine, params);
  for (const model::InputNode& input : machine.inputs) params.inputs.push_back(input.value.value_or(0.0));
  return params;
}

State drawn_state(const System& system, const Params& params) {
  State state;
  state.position.resize(system.bodies.size());
  state.origin = params.origins;
  state.orientation.resize(system.bodies.size());
  state.velocity.assign(6 * system.bodies.size(), 0.0);
  state.extra.assign(system.extra.size(), 0.0);
  for (std::size_t s = 0; s < system.states.size(); ++s) {
    state.extra[static_cast<std::size_t>(system.states[s].place)] = params.state_starts[s];
  }
  for (std::size_t c = 0; c < system.codes.size(); ++c) {
    const std::vector<double>& start = params.codes[c].start;
    std::copy(start.begin(), start.end(), state.extra.begin() + system.codes[c].first_state);
  }
  state.sides.assign(system.switches.size(), 0);
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    state.position[b] = params.drawn[b].position;
    state.orientation[b] = quaternion_from_rotation(params.drawn[b].rotation);
  }
  return state;
}

}  // namespace gelenk::system
