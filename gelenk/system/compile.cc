#include "gelenk/system/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gelenk/system/channels.h"
#include "gelenk/system/coordinate_row.h"
#include "gelenk/system/coupling_terms.h"
#include "gelenk/system/force_order.h"
#include "gelenk/system/hard_laws.h"
#include "gelenk/system/node_groups.h"
#include "gelenk/system/origins.h"

namespace gelenk::system {
namespace {

using model::DriverNode;
using model::Primitive;

class Compiler {
 public:
  Compiler(const model::Machine& machine, const CompileOptions& options, Diagnostics& diagnostics)
      : machine_(machine), options_(options), diagnostics_(diagnostics) {}

  std::optional<System> run() {
    const std::size_t errors_before = diagnostics_.error_count();
    system_.name = machine_.name;
    system_.display = machine_.display;
    add_components();
    add_bodies();
    add_nodes(machine_, system_);
    add_joints();
    add_couplings();
    place_states();
    place_codes();
    add_forces();
    add_drivers();
    add_codes();
    add_rates();
    check_rate_laws();
    track_angles();
    system_.extra.add_each(StateKind::work, StateOwner::work, kWorkStates);
    add_sealed_inputs();
    add_outputs();
    add_jumps(machine_, system_);
    for (const model::MountNode& m : machine_.mounts) system_.mounts.push_back({add_frame(m.frame), m.has_joint});
    for (const model::NamedFrame& read : machine_.read_frames) system_.read_frames.push_back(add_frame(read.frame));
    system_.formula_depth = check_force_order(system_, diagnostics_);
    group_nodes(system_);
    system_.groups = connected_groups(system_);
    system_.state_switches = switches_of_state(system_.switches);
    for (const Signal& signal : system_.signals) {
      system_.largest_formula = std::max(system_.largest_formula, signal.formula.scratch_size());
      system_.most_symbols = std::max(system_.most_symbols, signal.symbols.size());
    }
    if (diagnostics_.error_count() > errors_before) return std::nullopt;
    return std::move(system_);
  }

 private:
  void add_components() {
    for (const model::AssemblyNode& node : machine_.assemblies) {
      const std::int32_t owner = node.owner.is_set() ? static_cast<std::int32_t>(node.owner.index()) : -1;
      system_.components.push_back({node.path, owner});
    }
    for (const model::SealedNode& node : machine_.sealed) {
      system_.sealed.push_back({node.path, node.where, static_cast<std::int32_t>(node.assembly.index()),
                                static_cast<std::int32_t>(system_.sealed_signals)});
      system_.sealed_signals += node.signals.size();
    }
  }

  void add_bodies() {
    system_.welds = find_welds(machine_, options_.merge_welded);
    for (const model::PartNode& part : machine_.parts) system_.parts.push_back({part.path, part.where, kGround});
    for (const WeldGroup& group : system_.welds.groups) {
      if (group.is_ground) continue;
      for (const std::int32_t part : group.parts) {
        system_.parts[static_cast<std::size_t>(part)].body = static_cast<std::int32_t>(system_.bodies.size());
      }
      const model::PartNode& lead = machine_.parts[static_cast<std::size_t>(group.parts.front())];
      system_.bodies.push_back({group.parts, static_cast<std::int32_t>(lead.assembly.index())});
    }
    check_weld_loops();
  }

  // A loop of fixed joints must fit by itself: no motion can close it.
  void check_weld_loops() {
    constexpr double kFits = 1e-6;  // m and rad: drawings have about six digits
    const std::vector<Pose> poses = poses_in_groups(machine_, system_.welds);
    const auto pose_of = [&](const model::FrameOnPart& f) {
      return f.part.is_set() ? poses[f.part.index()] * f.X_PF : f.X_PF;
    };
    for (const std::int32_t closure : system_.welds.closures) {
      const model::JointNode& joint = machine_.joints[static_cast<std::size_t>(closure)];
      const Pose gap = pose_of(joint.a).inverse() * pose_of(joint.b);
      const double turn = Eigen::AngleAxisd(gap.rotation).angle();
      if (gap.position.norm() <= kFits && turn <= kFits) continue;
      const ElementScope element(diagnostics_, joint.path, "joint");
      diagnostics_.error(Code::welds_disagree, joint.where,
                         fmt::format("other fixed joints hold its two frames {:.3g} m and {:.3g} rad apart",
                                     gap.position.norm(), turn),
                         "the parts would have to be in two places at once: remove one of the fixed joints, or place "
                         "its frames where they meet");
    }
  }

  std::int32_t add_frame(const model::FrameOnPart& frame) {
    const std::int32_t part = frame.part.is_set() ? static_cast<std::int32_t>(frame.part.index()) : kGround;
    const std::int32_t body = frame.is_node()       ? node_of_body(frame.node)
                              : frame.port.is_set() ? kUnknownBody
                              : part == kGround     ? kGround
                                                    : system_.parts[frame.part.index()].body;
    system_.frames.push_back({body, part, frame.port});
    return static_cast<std::int32_t>(system_.frames.size() - 1);
  }

  void add_row(const Row& row) {
    system_.rows.push_back(row);
    system_.row_bodies.push_back({system_.frames[static_cast<std::size_t>(row.frame_a)].body,
                                  system_.frames[static_cast<std::size_t>(row.frame_b)].body});
  }

  void add_rows(const Joint& joint, std::int32_t number, Primitive primitive, std::int32_t curve) {
    for (const model::PrimitiveRow& row : type_of(primitive).rows) {
      add_row({row.kind, row.axis_a, row.axis_b, joint.frame_a, joint.frame_b, number, -1, primitive, curve});
    }
  }

  void add_joints() {
    std::vector<bool> is_welded(machine_.joints.size(), false);
    for (const WeldEdge& edge : system_.welds.edges) is_welded[static_cast<std::size_t>(edge.joint)] = true;
    for (const std::int32_t closure : system_.welds.closures) is_welded[static_cast<std::size_t>(closure)] = true;
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
      const model::JointNode& node = machine_.joints[j];
      const auto number = static_cast<std::int32_t>(j);
      Joint joint;
      joint.path = node.path;
      joint.where = node.where;
      joint.type = node.type;
      joint.frame_a = add_frame(node.a);
      joint.frame_b = add_frame(node.b);
      joint.is_welded = is_welded[j];
      joint.first_row = static_cast<std::int32_t>(system_.rows.size());
      const std::int32_t curve = model::shared_curve(node.data) != nullptr ? curve_count_++ : -1;
      if (!joint.is_welded) {
        for (const Primitive primitive : node.type->primitives) add_rows(joint, number, primitive, curve);
      }
      joint.row_count = static_cast<std::int32_t>(system_.rows.size()) - joint.first_row;
      joint.first_coordinate = static_cast<std::int32_t>(system_.coordinates.size());
      joint.coordinate_count = static_cast<std::int32_t>(node.type->coordinates.size());
      for (const model::Coordinate& c : node.type->coordinates) {
        system_.coordinates.push_back({number, &c, -1, c.is_on_curve ? curve : -1});
      }
      system_.joints.push_back(std::move(joint));
    }
  }

  void add_couplings() {
    for (const model::CouplingNode& node : machine_.couplings) {
      Coupling coupling;
      coupling.path = node.path;
      coupling.where = node.where;
      coupling.type = node.type;
      coupling.component = static_cast<std::int32_t>(node.assembly.index());
      coupling.first_term = static_cast<std::int32_t>(system_.coupling_terms.size());
      coupling.term_count = static_cast<std::int32_t>(node.terms.size());
      for (const model::CouplingNode::Term& term : node.terms) {
        const Joint& joint = system_.joints[term.use.joint.index()];
        check_coupled_joint(node, joint);
        system_.coupling_terms.push_back({joint.first_coordinate + static_cast<std::int32_t>(term.use.coordinate)});
      }
      coupling.has_shafts = !node.shafts.empty();
      if (node.law) add_law(*node.law, coupling);
      for (const model::CouplingNode::ShaftTerm& term : node.shafts) {
        system_.shaft_terms.push_back({static_cast<std::int32_t>(system_.couplings.size()), shaft_of(term.shaft)});
      }
      system_.couplings.push_back(std::move(coupling));
    }
  }

  // Its switches have their true sides at any time, as those of outputs: they choose formulas of one smooth curve.
  void add_law(const model::Signal& law, Coupling& coupling) {
    coupling.law = add_signal(law, law.formula, false);
    const std::vector<Symbol> symbols = system_.signals.back().symbols;
    std::size_t largest = law.formula.scratch_size();
    for (std::size_t s = 0; s < symbols.size(); ++s) {
      if (symbols[s].kind != Symbol::Kind::channel) continue;
      const auto term = term_of(system_, coupling, symbols[s].channel.coordinate);
      const std::int32_t slope = add_signal(law, expression::differentiate(law.formula, s), false);
      coupling.slopes.push_back({static_cast<std::int32_t>(s), term, symbols[s].channel.weights[0], slope});
      largest = std::max(largest, system_.signals.back().formula.scratch_size());
    }
    system_.largest_law = std::max(system_.largest_law, largest + symbols.size());
  }

  // Several couplings may act on one.
  std::int32_t shaft_of(const model::SealedPort& port) {
    for (std::size_t s = 0; s < system_.shafts.size(); ++s) {
      const Shaft& known = system_.shafts[s];
      if (known.sealed == port.component && known.port == port.port) return static_cast<std::int32_t>(s);
    }
    system_.shafts.push_back({port.component, port.port});
    return static_cast<std::int32_t>(system_.shafts.size() - 1);
  }

  // What a coupling does passes borders of open assemblies; what is behind a sealed one is not known.
  void check_coupled_joint(const model::CouplingNode& node, const Joint& joint) {
    const auto is_sealed = [&](std::int32_t frame) {
      return system_.frames[static_cast<std::size_t>(frame)].body == kUnknownBody;
    };
    if (!is_sealed(joint.frame_a) && !is_sealed(joint.frame_b)) return;
    const ElementScope element(diagnostics_, node.path, "joint");
    diagnostics_.error(
        Code::cannot_be_sealed, node.where,
        fmt::format("joint '{}' is on a port of a sealed component, and such joints cannot be coupled yet", joint.path),
        "put a part between the port and the wheel, and couple the joint of that part");
  }

  std::int32_t add_signal(const model::Signal& source) { return add_signal(source, source.formula, true); }

  // Only what moves the machine needs its switches held during a step.
  std::int32_t add_signal(const model::Signal& source, expression::Expression formula, bool moves_machine) {
    Signal signal;
    signal.formula = std::move(formula);
    signal.where = source.where;
    for (const model::SymbolUse& use : source.symbols) {
      Symbol symbol;
      if (use.kind == model::SymbolUse::Kind::time) {
        symbol.kind = Symbol::Kind::time;
        signal.reads_time = true;
      } else if (use.kind == model::SymbolUse::Kind::channel) {
        symbol.kind = Symbol::Kind::channel;
        symbol.channel = resolve_channel(system_, machine_, use.channel);
        signal.reads_channels = true;
        signal.level = std::max(signal.level, level_of(symbol.channel.kind));
        if (is_velocity_of_still_node(machine_, use.channel)) signal.level = Level::acceleration;
      } else if (use.kind == model::SymbolUse::Kind::input) {
        symbol.kind = Symbol::Kind::input;
        symbol.input = use.input;
        signal.reads_inputs = true;
      }
      signal.symbols.push_back(symbol);
    }
    const auto number = static_cast<std::int32_t>(system_.signals.size());
    signal.moves_machine = moves_machine;
    if (moves_machine) {
      find_switches(signal, number, system_.switches);
    } else {
      signal.switch_of_node.assign(signal.formula.nodes().size(), -1);
    }
    system_.signals.push_back(std::move(signal));
    return number;
  }

  void add_forces() {
    for (const model::ForceNode& node : machine_.forces) {
      Force force;
      force.path = node.path;
      force.where = node.where;
      force.type = node.type;
      if (node.a) force.frame_a = add_frame(*node.a);
      if (node.b) force.frame_b = add_frame(*node.b);
      if (node.drives) {
        const Joint& joint = system_.joints[node.drives->joint.index()];
        force.coordinate = joint.first_coordinate + static_cast<std::int32_t>(node.drives->coordinate);
      } else {
        force.axes = add_frame(node.axes);
      }
      force.first_channel = static_cast<std::int32_t>(system_.force_channels);
      for (const model::Channel* channel : force_channels(machine_, node)) {
        force.channel_count += static_cast<std::int32_t>(channel_width(*channel));
      }
      system_.force_channels += static_cast<std::size_t>(force.channel_count);
      if (!node.value.formula.is_empty()) {
        force.value = add_signal(node.value);
        if (node.type->is_hard) release_switches(system_.signals.back(), system_.switches);
        if (system_.signals.back().level > Level::force) {
          follows_from_itself(node.path, "force", node.value, system_.signals.back(), Level::force);
        } else if (reads(system_.signals.back(), ChannelRef::Kind::code_output)) {
          too_early(node.path, "force", node.value, kReadsCode);
        }
      }
      system_.forces.push_back(std::move(force));
    }
  }

  void add_drivers() {
    for (const model::DriverNode& node : machine_.drivers) {
      Driver driver;
      driver.path = node.path;
      driver.where = node.where;
      driver.component = static_cast<std::int32_t>(node.assembly.index());
      const Joint& joint = system_.joints[node.drives.joint.index()];
      driver.coordinate = joint.first_coordinate + static_cast<std::int32_t>(node.drives.coordinate);
      driver.level = node.level;
      driver.law = add_signal(node.law);
      const Signal& law = system_.signals.back();
      if (law.reads_inputs) {
        const ElementScope element(diagnostics_, node.path, "driver");
        diagnostics_.error(
            Code::cannot_be_sealed, node.law.where,
            "its law reads an input of the model, whose rate of change is not known inside the component",
            "prescribe a function of time, or use a force that reads the input");
      }
      if (reads(law, ChannelRef::Kind::code_output)) too_early(node.path, "driver", node.law, kReadsCode);
      if (node.level == DriverNode::Level::position) {
        if (law.reads_channels)
          too_early(node.path, "driver", node.law, "the motion; a position may depend on time only");
        driver.law_rate = add_time_derivative(node.law);
      } else if (node.level == DriverNode::Level::rate) {
        if (law.level > Level::position) {
          too_early(node.path, "driver", node.law, "velocities or forces; a rate may depend on time and positions");
        } else if (reads(law, ChannelRef::Kind::code_state)) {
          too_early(node.path, "driver", node.law, "states of code, whose rates are known only when forces are");
        }
      } else if (law.level > Level::force) {
        follows_from_itself(node.path, "driver", node.law, law, Level::force);
      }
      if (node.level != DriverNode::Level::position) {
        driver.extra = system_.extra.add({.owner = StateOwner::driver,
                                          .index = static_cast<std::int32_t>(system_.drivers.size()),
                                          .component = driver.component,
                                          .count = node.level == DriverNode::Level::rate ? 1 : 2});
      }
      add_driver_row(driver, joint);
      system_.drivers.push_back(std::move(driver));
    }
  }

  // Signals may read their states, so places come first.
  void place_codes() {
    for (const model::CodeNode& node : machine_.codes) {
      NativeCode code;
      code.path = node.path;
      code.where = node.where;
      code.parameter_count = node.parameters.size();
      code.state_count = node.states.size();
      code.output_count = node.outputs.size();
      code.first_state = system_.extra.add({.owner = StateOwner::code,
                                            .index = static_cast<std::int32_t>(system_.codes.size()),
                                            .component = static_cast<std::int32_t>(node.assembly.index()),
                                            .count = static_cast<std::int32_t>(code.state_count)});
      system_.codes.push_back(std::move(code));
    }
  }

  void add_codes() {
    for (std::size_t c = 0; c < machine_.codes.size(); ++c) {
      const model::CodeNode& node = machine_.codes[c];
      for (const model::FrameOnPart& frame : node.frames) system_.codes[c].frames.push_back(add_frame(frame));
      for (const model::Signal& input : node.inputs) {
        system_.codes[c].inputs.push_back(add_signal(input));
        if (system_.signals.back().level > Level::force) {
          follows_from_itself(node.path, "section", input, system_.signals.back(), Level::force);
        } else if (reads(system_.signals.back(), ChannelRef::Kind::code_output)) {
          too_early(node.path, "section", input, kReadsCode);
        }
      }
    }
  }

  // Signals may read any of them, so places come first.
  void place_states() {
    for (const model::StateNode& node : machine_.states) {
      const auto number = static_cast<std::int32_t>(system_.states.size());
      const std::int32_t place = system_.extra.add(
          {.owner = StateOwner::state, .index = number, .component = static_cast<std::int32_t>(node.assembly.index())});
      system_.states.push_back({node.path, node.where, -1, place});
    }
    place_nodes(machine_, system_);
  }

  void add_rates() {
    for (std::size_t s = 0; s < machine_.states.size(); ++s) {
      const model::StateNode& node = machine_.states[s];
      system_.states[s].rate = add_signal(node.rate);
      if (system_.signals.back().level > Level::force) {
        too_early(node.path, "state", node.rate, "accelerations or reactions, which are known only after all rates");
      } else if (reads(system_.signals.back(), ChannelRef::Kind::code_output)) {
        too_early(node.path, "state", node.rate, kReadsCode);
      }
    }
  }

  // The acceleration that goes with a prescribed rate needs the rates of the states in it, before forces are known.
  void check_rate_laws() {
    for (std::size_t d = 0; d < system_.drivers.size(); ++d) {
      const Driver& driver = system_.drivers[d];
      if (driver.level != DriverNode::Level::rate) continue;
      for (const Symbol& symbol : system_.signals[static_cast<std::size_t>(driver.law)].symbols) {
        if (symbol.kind != Symbol::Kind::channel || symbol.channel.kind != ChannelRef::Kind::state) continue;
        system_.states_in_rate_laws.push_back(symbol.channel.element);
        const IntegratedState& state = system_.states[static_cast<std::size_t>(symbol.channel.element)];
        if (system_.signals[static_cast<std::size_t>(state.rate)].level <= Level::velocity) continue;
        too_early(driver.path, "driver", machine_.drivers[d].law,
                  fmt::format("the state '{}', whose rate reads forces", state.path));
      }
    }
    std::vector<std::int32_t>& read = system_.states_in_rate_laws;
    std::sort(read.begin(), read.end());
    read.erase(std::unique(read.begin(), read.end()), read.end());
  }

  void track_angles() {
    for (std::size_t i = 0; i < system_.coordinates.size(); ++i) {
      Coordinate& c = system_.coordinates[i];
      const model::JointNode& joint = machine_.joints[static_cast<std::size_t>(c.joint)];
      const bool goes_around = c.type->is_on_curve && model::shared_curve(joint.data)->is_closed();
      if (c.type->motion != model::Coordinate::Motion::rotation && !goes_around) continue;
      c.tracked = system_.extra.add(
          {.kind = StateKind::tracked_angle, .owner = StateOwner::coordinate, .index = static_cast<std::int32_t>(i)});
    }
  }

  static constexpr const char* kReadsCode = "outputs of code, which only `outputs:` may read; its states are free";
  static bool reads(const Signal& signal, ChannelRef::Kind kind) {
    return std::any_of(signal.symbols.begin(), signal.symbols.end(), [&](const Symbol& symbol) {
      return symbol.kind == Symbol::Kind::channel && symbol.channel.kind == kind;
    });
  }

  std::int32_t add_time_derivative(const model::Signal& law) {
    for (std::size_t i = 0; i < law.symbols.size(); ++i) {
      if (law.symbols[i].kind == model::SymbolUse::Kind::time) {
        return add_signal(law, expression::differentiate(law.formula, i), true);
      }
    }
    return add_signal(law, expression::Expression::constant(0.0), true);
  }

  void add_driver_row(Driver& driver, const Joint& joint) {
    const Coordinate& coordinate = system_.coordinates[static_cast<std::size_t>(driver.coordinate)];
    driver.row = static_cast<std::int32_t>(system_.rows.size());
    add_row(coordinate_row(coordinate, joint, static_cast<std::int32_t>(system_.drivers.size())));
  }

  // Components get it before they compute their forces.
  void add_sealed_inputs() {
    for (std::size_t s = 0; s < machine_.sealed.size(); ++s) {
      for (const model::Signal& input : machine_.sealed[s].inputs) {
        system_.sealed[s].inputs.push_back(add_signal(input));
        if (system_.signals.back().level > Level::velocity) {
          too_early(machine_.sealed[s].path, "assembly", input, "forces or accelerations");
        } else if (reads(system_.signals.back(), ChannelRef::Kind::code_output)) {
          too_early(machine_.sealed[s].path, "assembly", input, kReadsCode);
        }
      }
    }
  }

  void add_outputs() {
    for (const model::OutputNode& node : machine_.outputs) {
      system_.outputs.push_back({node.path, node.where, add_signal(node.value, node.value.formula, false)});
    }
  }

  void too_early(const std::string& path, const char* kind, const model::Signal& signal, std::string_view what) {
    const ElementScope element(diagnostics_, path, kind);
    diagnostics_.error(Code::reads_too_early, signal.where, fmt::format("its value reads {}", what),
                       "use positions, rates or time, or measure it in an output");
  }

  // What it reads follows from all forces and drivers, itself among them.
  void follows_from_itself(const std::string& path, const char* kind, const model::Signal& source, const Signal& signal,
                           Level known) {
    for (std::size_t i = 0; i < signal.symbols.size(); ++i) {
      if (signal.symbols[i].kind != Symbol::Kind::channel) continue;
      const bool is_still_node = is_velocity_of_still_node(machine_, source.symbols[i].channel);
      if (level_of(signal.symbols[i].channel.kind) <= known && !is_still_node) continue;
      const ElementScope element(diagnostics_, path, kind);
      const ReadChannel read = describe(machine_, source.symbols[i].channel);
      diagnostics_.error(Code::reads_too_early, source.where,
                         fmt::format("its value reads {}, which is known only when all forces are: {} -> {} -> {}",
                                     read.words, path, read.name, path),
                         "use positions, rates or time, or measure it in an output");
      return;
    }
  }

  const model::Machine& machine_;
  std::int32_t curve_count_ = 0;
  const CompileOptions& options_;
  Diagnostics& diagnostics_;
  System system_;
};

}  // namespace

std::optional<System> compile(const model::Machine& machine, const CompileOptions& options, Diagnostics& diagnostics) {
  return Compiler(machine, options, diagnostics).run();
}

}  // namespace gelenk::system
