#include "gelenk/analysis/subsystem_equations.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/solve/rank_rule.h"

namespace gelenk::analysis {

using subsystem::RightSide;
using subsystem::Subsystem;

namespace {

// Forces of a subsystem that hears something wait for that, and so does what comes behind them.
constexpr auto kAccelerations = static_cast<unsigned>(RightSide::accelerations);
bool is_given(solve::NodeLoad load) { return load == solve::NodeLoad::given; }
unsigned without_forces(unsigned parts) { return parts & ~static_cast<unsigned>(subsystem::kForces); }

}  // namespace

static_assert(mechanics::kPortMotion == subsystem::kFrameMotion);

SubsystemEquations::SubsystemEquations(const system::System& system, const mechanics::Ports& ports,
                                       std::span<Subsystem* const> all) {
  for (Subsystem* const one : all) {
    Connection& connection = *connections_.emplace_back(std::make_unique<Connection>());
    connection.subsystem = one;
    const system::SealedComponent& component = system.sealed[connections_.size() - 1];
    connection.first_signal = at(component.first_signal);
    connection.inputs.resize(component.inputs.size());
    has_inputs_ = has_inputs_ || !component.inputs.empty();
    works_ahead_ = works_ahead_ || one->ahead() != nullptr;
    connection.shown.resize(one->shape().shown());
    functions_.push_back(functions_of(connection));
    implicit_functions_.push_back(implicit_functions_of(connection));
  }
  for (std::size_t p = 0; p < ports.size() && !connections_.empty(); ++p) {
    const model::SealedPort& port = system.frames[at(ports.list[p].frame)].port;
    if (port.is_set()) connections_[at(port.component)]->ports.push_back(p);
  }
  connect_shafts(system);
}

void SubsystemEquations::connect_shafts(const system::System& system) {
  for (const std::unique_ptr<Connection>& one : connections_) {
    const subsystem::Shape& shape = one->subsystem->shape();
    if (shape.shafts == 0) continue;
    one->shafts.assign(shape.shafts, -1);
    one->border.set_size(shape.frame_motions(), shape.shafts, 1);
    one->newton_border.set_size(shape.frame_motions(), shape.shafts, 2);
  }
  if (connections_.empty()) return;
  std::vector<SubsystemShafts::Shaft> all;
  for (const system::Shaft& shaft : system.shafts) {
    Connection& one = *connections_[at(shaft.sealed)];
    one.shafts[at(shaft.port)] = static_cast<std::int32_t>(all.size());
    all.push_back({&one.border, &one.newton_border, at(shaft.port)});
  }
  shafts_.connect(std::move(all));
}

std::vector<subsystem::Drawing> SubsystemEquations::drawn(std::span<Subsystem* const> all) {
  std::vector<subsystem::Drawing> result;
  for (Subsystem* const one : all) {
    subsystem::Drawing& drawing = result.emplace_back(one->evaluation().drawn());
    const subsystem::Shape& shape = one->shape();
    if (shape.shafts == 0) continue;
    ShaftBorder border;
    border.set_size(shape.frame_motions(), shape.shafts, 1);
    std::copy(drawing.D.begin(), drawing.D.end(), border.mobility().begin());
    drawing.D.resize(shape.frame_motions() * shape.frame_motions());
    border.give_mobility(drawing.D.data());
    drawing.motions.resize(subsystem::kFrameMotion * shape.ports);
  }
  return result;
}

void SubsystemEquations::begin_all(std::span<const Step> steps, const solve::RankRule& rule) {
  for (const std::unique_ptr<Connection>& one : connections_) {
    subsystem::Ahead* const ahead = one->subsystem->ahead();
    if (ahead == nullptr) continue;
    if (one->inputs.empty()) {
      ahead->begin(one->slot, steps, rule);
      continue;
    }
    steps_.clear();
    for (Step step : steps) {
      if (step.verb == Step::Verb::right_side && step.what == kAccelerations) break;
      if (step.verb == Step::Verb::load) step.what = without_forces(step.what);
      steps_.push_back(step);
    }
    ahead->begin(one->slot, steps_, rule);
  }
}

void SubsystemEquations::load_drawn() {
  set_slot(subsystem::kDrawn);
  for (const std::unique_ptr<Connection>& one : connections_) {
    one->note(one->subsystem->evaluation().load(one->slot, subsystem::kMotion, {}, {}));
  }
}

void SubsystemEquations::load_all(unsigned parts, mechanics::Workspace& workspace) {
  for (const std::unique_ptr<Connection>& one : connections_) {
    const unsigned now = one->inputs.empty() ? parts : without_forces(parts);
    if (!one->note(one->subsystem->evaluation().load(one->slot, now, {}, one->shown))) continue;
    const std::size_t motions = one->subsystem->shape().shown_by_ports();
    one->visit_shafts([&](std::size_t i, std::size_t shaft) {
      const double* const shown = &one->shown[mechanics::kPortMotion * one->ports.size() + subsystem::kShaftMotion * i];
      workspace.shafts[shaft] = {shown[0], shown[1]};
    });
    std::copy(one->shown.begin() + static_cast<std::ptrdiff_t>(motions), one->shown.end(),
              workspace.sealed_signals.begin() + static_cast<std::ptrdiff_t>(one->first_signal));
    for (std::size_t i = 0; i < one->ports.size(); ++i) {
      mechanics::take_port_motion(&one->shown[mechanics::kPortMotion * i], one->ports[i], workspace);
    }
  }
}

void SubsystemEquations::give_all_inputs(const mechanics::Context& context, unsigned parts,
                                         mechanics::Workspace& workspace) {
  const mechanics::View<double> now = mechanics::view(context, workspace);
  for (std::size_t c = 0; c < connections_.size(); ++c) {
    Connection& one = *connections_[c];
    const std::vector<std::int32_t>& signals = context.system.sealed[c].inputs;
    if (signals.empty()) continue;
    for (std::size_t i = 0; i < signals.size(); ++i) one.inputs[i] = now.signal(signals[i]);
    if (subsystem::Ahead* const ahead = one.subsystem->ahead()) ahead->begin_load(one.slot, parts, one.inputs);
  }
  for (const std::unique_ptr<Connection>& one : connections_) {
    if (!one->inputs.empty()) one->note(one->subsystem->evaluation().load(one->slot, parts, one->inputs, {}));
  }
}

subsystem::Gap SubsystemEquations::put_right_side(RightSide kind) {
  subsystem::Gap largest;
  for (const std::unique_ptr<Connection>& one : connections_) {
    subsystem::Gap gap;
    one->note(one->subsystem->evaluation().put_right_side(one->slot, kind, gap));
    largest.enforced = std::max(largest.enforced, gap.enforced);
    largest.dropped = std::max(largest.dropped, gap.dropped);
  }
  return largest;
}

void SubsystemEquations::take(RightSide kind) {
  for (const std::unique_ptr<Connection>& one : connections_) one->subsystem->evaluation().take(one->slot, kind);
}

void SubsystemEquations::take_accelerations(int rate) {
  for (const std::unique_ptr<Connection>& one : connections_) {
    one->note(one->subsystem->evaluation().take_accelerations(one->slot, rate));
  }
}

void SubsystemEquations::settle() {
  for (const std::unique_ptr<Connection>& one : connections_) one->subsystem->evaluation().settle(one->slot);
}

bool SubsystemEquations::take_failure() {
  bool result = false;
  for (const std::unique_ptr<Connection>& one : connections_) {
    result = result || one->has_failed;
    one->has_failed = false;
  }
  return result;
}

solve::NodeFunctions SubsystemEquations::functions_of(Connection& connection) {
  solve::NodeFunctions functions;
  functions.self = &connection;
  functions.factor = [](void* self, const solve::RankRule& rule, double* D) {
    Connection& one = *static_cast<Connection*>(self);
    subsystem::FactorReport report;
    solve::NodeReport result;
    double* const all = one.border.is_empty() ? D : one.border.mobility().data();
    if (one.note(one.subsystem->sweeps().factor(one.slot, rule, all, report))) {
      result.chosen_again = report.is_chosen_again ? 1 : 0;
      result.smallest = report.smallest;
    } else {
      const std::size_t size = one.subsystem->shape().motions();
      std::fill_n(all, size * size, 0.0);
    }
    if (!one.border.is_empty()) one.border.give_mobility(D);
    return result;
  };
  functions.up = [](void* self, solve::NodeLoad load, double* r) {
    Connection& one = *static_cast<Connection*>(self);
    if (one.border.is_empty()) {
      one.note(one.subsystem->sweeps().up(one.slot, load, r));
      return;
    }
    one.note(one.subsystem->sweeps().up(one.slot, load, one.border.motions()));
    one.border.give_r(is_given(load), r);
  };
  functions.down = [](void* self, solve::NodeLoad load, const double* tau, double* a) {
    Connection& one = *static_cast<Connection*>(self);
    if (one.border.is_empty()) {
      one.note(one.subsystem->sweeps().down(one.slot, load, tau, a));
      return;
    }
    one.note(one.subsystem->sweeps().down(one.slot, load, one.border.loads(is_given(load), tau), one.border.motions()));
    one.border.give_motions(!is_given(load), a);
  };
  if (connection.subsystem->ahead() != nullptr) {
    functions.begin_down = [](void* self, solve::NodeLoad load, const double* tau) {
      Connection& one = *static_cast<Connection*>(self);
      const double* const all = one.border.is_empty() ? tau : one.border.loads(is_given(load), tau);
      one.subsystem->ahead()->begin_down(one.slot, load, all, one.expected_rate);
    };
  }
  functions.residual = [](void* self) {
    Connection& one = *static_cast<Connection*>(self);
    solve::NodeResidual residual;
    one.note(one.subsystem->sweeps().residual(one.slot, residual));
    return residual;
  };
  functions.make_test_load = [](void* self, std::int32_t which, double* a) {
    Connection& one = *static_cast<Connection*>(self);
    if (one.border.is_empty()) {
      one.note(one.subsystem->sweeps().make_test_load(one.slot, which, a));
      return;
    }
    one.note(one.subsystem->sweeps().make_test_load(one.slot, which, one.border.motions()));
    one.border.give_motions(false, a);
  };
  functions.forget = [](void* self) {
    Connection& one = *static_cast<Connection*>(self);
    one.subsystem->sweeps().forget(one.slot);
  };
  return functions;
}

}  // namespace gelenk::analysis
