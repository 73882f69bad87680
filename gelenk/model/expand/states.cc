// States: numbers that the run integrates, each with a formula for its rate. Of an assembly, or of a force, in whose
// formulas they have short names. They are listed first and bound later, because rates may read any channel.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gelenk/model/expand/scope.h"
#include "gelenk/model/measured_quantity.h"

namespace gelenk::model::expanding {

void Expansion::add_states() {
  for (Instance& instance : instances_) add_states_of(instance.object(), instance.path, instance);
  for (const Pending& force : pending_forces_) {
    add_states_of(*force.written, machine_.forces[force.index].path, *force.scope);
  }
}

// `owner`: the assembly itself, or one of its forces; `path`: of it.
void Expansion::add_states_of(const Object& owner, const std::string& path, Instance& scope) {
  const bool is_force = &owner != &scope.object();
  for (const Object& written : owner.section("states")) {
    const std::string full = path.empty() ? written.name : path + "." + written.name;
    const ElementScope element(diagnostics_, full, "state");
    const Value* const start = written.value("start");
    if (start == nullptr || (is_force && !is_free_name(written, owner, full))) continue;
    const std::optional<Unit> unit = written_unit(written);
    if (!unit && written.text("unit") != nullptr) continue;
    const std::optional<Quantified> value = in_unit(written, unit, *start, evaluate(*start, scope, {}));
    if (!value) continue;
    StateNode state;
    state.path = full;
    state.assembly = scope.id;
    state.start = value->value;
    state.dimension = value->dimension;
    state.where = written.name_range;
    if (const std::string* const shown = written.text("unit")) state.unit = *shown;
    if (const std::optional<Signal> literal = signal(*start, "start", Quantity::any, scope, {})) {
      const Quantity measured = measured_quantity(*literal);
      const bool fits = measured != Quantity::any && quantity_info(measured).dimension == state.dimension;
      state.measures = fits && !start->is_bare ? measured : Quantity::any;
    }
    state.scale = value->value != 0.0 ? std::abs(value->value) : 1.0;
    if (const Value* const scale = written.value("scale")) {
      const std::optional<double> number = this->number(*scale, field_of(written, "scale"), scope);
      const std::optional<Quantified> checked =
          number ? in_unit(written, unit, *scale, evaluate(*scale, scope, {})) : std::nullopt;
      if (!checked) continue;
      if (!scale->is_bare && !(checked->dimension == state.dimension)) {
        diagnostics_.error(Code::wrong_dimension, scale->range,
                           fmt::format("the state is {}, but its scale is {}", describe_dimension(state.dimension),
                                       describe_dimension(checked->dimension)));
        continue;
      }
      state.scale = checked->value;
    }
    elements_.emplace(full, ElementRef{ChannelUse::Element::state, machine_.states.size()});
    pending_states_.push_back({machine_.states.size(), &written, &scope, is_force ? path : std::string()});
    machine_.states.push_back(std::move(state));
  }
}

// Short names must not hide what the formulas of a force may read already.
bool Expansion::is_free_name(const Object& state, const Object& force, const std::string& path) {
  constexpr std::array<std::string_view, 2> kOwn{"coordinate", "rate"};
  const bool is_channel = std::any_of(force.type->channels.begin(), force.type->channels.end(),
                                      [&](const Channel& channel) { return channel.name == state.name; });
  const bool is_own = std::find(kOwn.begin(), kOwn.end(), state.name) != kOwn.end();
  if (!is_channel && !is_own) return true;
  diagnostics_.error(Code::duplicate_name, state.name_range,
                     is_channel ? fmt::format("'{}' is already a channel of the force", path)
                                : fmt::format("'{}' has a meaning of its own in the formulas of a force", state.name),
                     "choose another name");
  return false;
}

void Expansion::bind_states() {
  const Dimension per_time(0, 0, -1);
  for (const PendingState& pending : pending_states_) {
    StateNode& state = machine_.states[pending.index];
    const ElementScope element(diagnostics_, state.path, "state");
    const Value* const rate = pending.written->value("rate");
    if (rate == nullptr) continue;
    SignalLocals locals;
    locals.element = pending.force;
    if (!pending.force.empty()) locals.coordinate = machine_.forces[elements_.at(pending.force).index].drives;
    std::optional<Signal> law = signal(*rate, "rate", Quantity::any, *pending.scope, locals);
    if (!law) continue;
    const Dimension wanted = state.dimension * per_time;
    if (!rate->is_bare && !(law->dimension == wanted)) {
      diagnostics_.error(
          Code::wrong_dimension, rate->range,
          fmt::format("the state is {}, so its rate must be {}, but this is {}", describe_dimension(state.dimension),
                      describe_dimension(wanted), describe_dimension(law->dimension)),
          state.dimension.is_none() ? "give its start a unit, if the state is not a pure number" : "");
      continue;
    }
    law->dimension = wanted;
    state.rate = *std::move(law);
  }
}

ChannelUse Expansion::state_channel(std::size_t index) const {
  const StateNode& state = machine_.states[index];
  ChannelUse use;
  use.element = ChannelUse::Element::state;
  use.index = static_cast<std::int32_t>(index);
  use.quantity = "value";
  use.dimension = state.dimension;
  use.measures = state.measures;
  return use;
}

const std::vector<Object>& Expansion::states_of_force(std::size_t force) const {
  const auto it = std::find_if(pending_forces_.begin(), pending_forces_.end(),
                               [&](const Pending& pending) { return pending.index == force; });
  static const std::vector<Object> none;
  return it == pending_forces_.end() ? none : it->written->section("states");
}

}  // namespace gelenk::model::expanding
