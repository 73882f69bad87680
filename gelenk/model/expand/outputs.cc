#include "gelenk/model/expand/outputs.h"

#include <fmt/format.h>

#include <string>

#include "gelenk/model/expand/quantified.h"
#include "gelenk/model/expand/settings.h"
#include "gelenk/model/measured_quantity.h"

namespace gelenk::model::expanding {
namespace {

void add_inputs_of(Instance& instance, Signals& signals, Machine& machine) {
  const std::vector<Object>& written = instance.object().section("inputs");
  for (std::size_t i = 0; i < written.size(); ++i) {
    const Signal* const value = signals.input(instance, i);
    if (value == nullptr || instance.owner == nullptr) continue;
    const std::string* const unit = written[i].text("unit");
    machine.outputs.push_back({element_path(instance, written[i].name), instance.id, *value, written[i].name_range,
                               unit == nullptr ? std::string() : *unit});
    for (SealedNode& sealed : machine.sealed) {
      if (sealed.assembly == instance.id) sealed.inputs.push_back(*value);
    }
  }
}

// Empty when there is none, or when it does not fit.
std::string recorded_unit(const Object& written, const Signal& value, Diagnostics& diagnostics) {
  const std::optional<Unit> unit = written_unit(written, diagnostics);
  if (!unit) return {};
  if (!(unit->dimension == value.dimension)) {
    diagnostics.error(
        Code::wrong_dimension, written.range_of("unit"),
        fmt::format("'{}' is {}, which cannot be shown in {}", written.name,
                    measured_quantity(value) == Quantity::angle ? "an angle" : describe_dimension(value.dimension),
                    *written.text("unit")));
    return {};
  }
  // A formula may well count turns; a channel never does.
  const bool is_channel = value.formula.nodes().size() == 1;
  if (unit->is_hertz && is_channel && measured_quantity(value) == Quantity::angular_rate) {
    diagnostics.error(Code::hertz_for_angular_rate, written.range_of("unit"),
                      fmt::format("'{}' is an angular rate, and Hz counts whole turns", written.name),
                      "use rpm, rad/s or deg/s, or divide it by 2*pi");
    return {};
  }
  return *written.text("unit");
}

void add_outputs_of(Instance& instance, Signals& signals, Machine& machine, Diagnostics& diagnostics) {
  const std::vector<Object>& written = instance.object().section("outputs");
  for (std::size_t i = 0; i < written.size(); ++i) {
    const Signal* const value = signals.output(instance, i);
    if (value == nullptr) continue;
    machine.outputs.push_back({element_path(instance, written[i].name), instance.id, *value, written[i].name_range,
                               recorded_unit(written[i], *value, diagnostics)});
  }
}

}  // namespace

void add_inputs(Instances& instances, Signals& signals, Machine& machine, Reports& reports) {
  for (Instance& instance : instances) {
    add_inputs_of(instance, signals, machine);
    check_settings(instance, "inputs", "inputs", "input", reports);
  }
}

void add_outputs(Instances& instances, Signals& signals, Machine& machine, Diagnostics& diagnostics) {
  for (Instance& instance : instances) add_outputs_of(instance, signals, machine, diagnostics);
}

}  // namespace gelenk::model::expanding
