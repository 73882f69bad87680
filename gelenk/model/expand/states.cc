#include "gelenk/model/expand/states.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "gelenk/model/measured_quantity.h"

namespace gelenk::model::expanding {
namespace {

// Short names must not hide what the formulas of a force may read already.
bool is_free_name(const Object& state, const Object& force, const std::string& path, Diagnostics& diagnostics) {
  constexpr std::array<std::string_view, 2> kOwn{"coordinate", "rate"};
  const bool is_channel = std::any_of(force.type->channels.begin(), force.type->channels.end(),
                                      [&](const Channel& channel) { return channel.name == state.name; });
  const bool is_own = std::find(kOwn.begin(), kOwn.end(), state.name) != kOwn.end();
  if (!is_channel && !is_own) return true;
  diagnostics.error(Code::duplicate_name, state.name_range,
                    is_channel ? fmt::format("'{}' is already a channel of the force", path)
                               : fmt::format("'{}' has a meaning of its own in the formulas of a force", state.name),
                    "choose another name");
  return false;
}

class StatePass {
 public:
  StatePass(Numbers& numbers, Signals& signals, Machine& machine, Elements& elements, Diagnostics& diagnostics)
      : numbers_(numbers), signals_(signals), machine_(machine), elements_(elements), diagnostics_(diagnostics) {}

  void add_states_of(const Object& owner, const std::string& path, Instance& scope);
  std::vector<PendingState> take() { return std::move(pending_); }

 private:
  bool read_scale(const Object& written, const std::optional<Unit>& unit, Instance& scope, StateNode& state);

  Numbers& numbers_;
  Signals& signals_;
  Machine& machine_;
  Elements& elements_;
  Diagnostics& diagnostics_;
  std::vector<PendingState> pending_;
};

// `owner`: the assembly itself, or one of its forces; `path`: of it.
void StatePass::add_states_of(const Object& owner, const std::string& path, Instance& scope) {
  const bool is_force = &owner != &scope.object();
  for (const Object& written : owner.section("states")) {
    const std::string full = path.empty() ? written.name : path + "." + written.name;
    const ElementScope element(diagnostics_, full, "state");
    const Value* const start = written.value("start");
    if (start == nullptr || (is_force && !is_free_name(written, owner, full, diagnostics_))) continue;
    const std::optional<Unit> unit = written_unit(written, diagnostics_);
    if (!unit && written.text("unit") != nullptr) continue;
    const std::optional<Quantified> value =
        in_unit(written, unit, *start, numbers_.evaluate(*start, scope, {}), diagnostics_);
    if (!value) continue;
    StateNode state;
    state.path = full;
    state.assembly = scope.id;
    state.start = value->value;
    state.dimension = value->dimension;
    state.where = written.name_range;
    if (const std::string* const shown = written.text("unit")) {
      state.unit = *shown;
      state.measures = turning_of_unit(*shown);
    }
    if (const std::optional<Signal> literal = signals_.signal(*start, "start", Quantity::any, scope, {})) {
      const Quantity measured = measured_quantity(*literal);
      // `0 rad` is a number to its dimension: its rate will say whether it turns.
      const bool is_known = measured != Quantity::any && measured != Quantity::number;
      const bool fits = is_known && quantity_info(measured).dimension == state.dimension;
      if (fits && !start->is_bare && state.measures == Quantity::any) state.measures = measured;
    }
    state.scale = value->value != 0.0 ? std::abs(value->value) : 1.0;
    if (!read_scale(written, unit, scope, state)) continue;
    elements_.emplace(full, ElementRef{ChannelUse::Element::state, machine_.states.size()});
    pending_.push_back({{machine_.states.size(), &written, &scope}, is_force ? path : std::string()});
    machine_.states.push_back(std::move(state));
  }
}

// False, and reported, when it is not of the state's kind.
bool StatePass::read_scale(const Object& written, const std::optional<Unit>& unit, Instance& scope, StateNode& state) {
  const Value* const scale = written.value("scale");
  if (scale == nullptr) return true;
  const std::optional<double> number = numbers_.number(*scale, field_of(written, "scale"), scope);
  const std::optional<Quantified> checked =
      number ? in_unit(written, unit, *scale, numbers_.evaluate(*scale, scope, {}), diagnostics_) : std::nullopt;
  if (!checked) return false;
  if (!scale->is_bare && !(checked->dimension == state.dimension)) {
    diagnostics_.error(Code::wrong_dimension, scale->range,
                       fmt::format("the state is {}, but its scale is {}", describe_dimension(state.dimension),
                                   describe_dimension(checked->dimension)));
    return false;
  }
  state.scale = checked->value;
  return true;
}

}  // namespace

std::vector<PendingState> list_states(Instances& instances, std::span<const Pending> forces, Numbers& numbers,
                                      Signals& signals, Machine& machine, Elements& elements,
                                      Diagnostics& diagnostics) {
  StatePass pass(numbers, signals, machine, elements, diagnostics);
  for (Instance& instance : instances) pass.add_states_of(instance.object(), instance.path, instance);
  for (const Pending& force : forces) {
    pass.add_states_of(*force.written, machine.forces[force.index].path, *force.scope);
  }
  return pass.take();
}

void bind_states(std::span<const PendingState> states, Signals& signals, const Elements& elements, Machine& machine,
                 Diagnostics& diagnostics) {
  const Dimension per_time(0, 0, -1);
  for (const PendingState& pending : states) {
    const ElementScope element(diagnostics, machine.states[pending.state.index].path, "state");
    const Value* const rate = pending.state.written->value("rate");
    if (rate == nullptr) continue;
    SignalLocals locals;
    locals.element = pending.force;
    if (!pending.force.empty()) locals.coordinate = machine.forces[elements.at(pending.force).index].drives;
    std::optional<Signal> law = signals.signal(*rate, "rate", Quantity::any, *pending.state.scope, locals);
    if (!law) continue;
    StateNode& state = machine.states[pending.state.index];  // a running output in the law may have added others
    const Dimension wanted = state.dimension * per_time;
    if (!rate->is_bare && !(law->dimension == wanted)) {
      diagnostics.error(
          Code::wrong_dimension, rate->range,
          fmt::format("the state is {}, so its rate must be {}, but this is {}", describe_dimension(state.dimension),
                      describe_dimension(wanted), describe_dimension(law->dimension)),
          state.dimension.is_none() ? "give its start a unit, if the state is not a pure number" : "");
      continue;
    }
    law->dimension = wanted;
    if (state.measures == Quantity::any) state.measures = turning_of_rate(*law);
    state.rate = *std::move(law);
  }
}

}  // namespace gelenk::model::expanding
