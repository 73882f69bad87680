// Parameters through the hierarchy.
#include <fmt/format.h>

#include <cmath>

#include "gelenk/base/text.h"
#include "gelenk/model/expand/numbers.h"
#include "gelenk/model/expand/settings.h"

namespace gelenk::model::expanding {
namespace {

void add_parameters_of(Instance& instance, Numbers& numbers, AssemblyNode& node) {
  const std::vector<Object>& written = instance.object().section("parameters");
  // The machine outlives what copies of parts are written out in.
  const std::vector<Object>& as_written = instance.index->definition->object.section("parameters");
  for (std::size_t i = 0; i < written.size(); ++i) {
    const std::optional<Quantified> value = numbers.parameter(instance, i);
    if (!value) continue;
    ParameterValue& stored = node.parameters.emplace_back();
    stored = {written[i].name, value->value, value->dimension, std::nullopt, std::nullopt, &as_written[i]};
    for (const std::string_view key : {"min", "max"}) {
      const std::optional<Quantified> bound = numbers.parameter_limit(instance, written[i], key);
      if (bound) (key == "min" ? stored.min : stored.max) = bound->value;
    }
  }
}

}  // namespace

std::optional<Quantified> Numbers::parameter_uncached(Instance& scope, const Object& written) {
  const ElementScope element(diagnostics_, element_path(scope, written.name), "parameter");
  const std::optional<Unit> unit = written_unit(written, diagnostics_);
  const Value* own = written.value("value");
  if (own == nullptr) return std::nullopt;
  const Given setting = setting_for(scope, written, "set", options_.settings);
  std::optional<Quantified> value = in_unit(written, unit, *own, evaluate(*own, scope, {}), diagnostics_);
  if (setting.value != nullptr) {
    const std::optional<Quantified> declared = value;
    value = set_value(scope, written, *setting.value, setting.from_outside, unit, declared);
  }
  if (value && scope.owner == nullptr && !options_.root_parameters.empty()) {
    const std::vector<Object>& all = scope.object().section("parameters");
    const auto number = static_cast<std::size_t>(&written - all.data());
    const bool is_given = number < options_.root_parameters.size() && !std::isnan(options_.root_parameters[number]);
    if (is_given) value->value = options_.root_parameters[number];
  }
  const Value& given = setting.value == nullptr ? *own : *setting.value;
  if (value && !check_parameter_limits(scope, written, *value, given.range, given.is_bare && !unit)) {
    return std::nullopt;
  }
  return value;
}

// The value that the owner or the caller of expand() gives.
std::optional<Quantified> Numbers::set_value(Instance& scope, const Object& written, const Value& setting,
                                             bool from_outside, const std::optional<Unit>& unit,
                                             const std::optional<Quantified>& declared) {
  Instance& where = from_outside || scope.owner == nullptr ? scope : *scope.owner;
  const Locals locals{scope.repeat_index};
  std::optional<Quantified> value = in_unit(written, unit, setting, evaluate(setting, where, locals), diagnostics_);
  if (!value || !declared) return value;
  if (setting.is_bare && !unit) {
    // A bare number is SI of what the parameter is.
    value->dimension = declared->dimension;
  } else if (!value->fits_all && !declared->fits_all && !(value->dimension == declared->dimension)) {
    diagnostics_.error(Code::wrong_dimension, setting.range,
                       fmt::format("the parameter is {}, but this is {}", describe_dimension(declared->dimension),
                                   describe_dimension(value->dimension)));
    return std::nullopt;
  } else if (value->is_hertz && !declared->is_hertz && !declared->fits_all) {
    // Reported here: where the parameter is used, nothing is wrong.
    diagnostics_.error(Code::hertz_for_angular_rate, setting.range,
                       "the parameter is an angular rate, but Hz counts turns per second",
                       "write rpm or rad/s: 1 Hz is 60 rpm, or 2*pi rad/s");
    return std::nullopt;
  }
  return value;
}

std::optional<Quantified> Numbers::parameter_limit(Instance& scope, const Object& written, std::string_view key) {
  const Value* limit = written.value(key);
  std::optional<Quantified> bound = limit == nullptr ? std::nullopt : evaluate(*limit, scope, {});
  const std::optional<Unit> unit = bound && limit->is_bare ? written_unit(written, diagnostics_) : std::nullopt;
  if (unit) bound->value = bound->value * unit->factor + unit->offset;
  return bound;
}

bool Numbers::check_parameter_limits(Instance& scope, const Object& written, const Quantified& value,
                                     const SourceRange& where, bool is_bare) {
  for (const std::string_view key : {"min", "max"}) {
    const Value* limit = written.value(key);
    if (limit == nullptr) continue;
    const std::optional<Quantified> bound = parameter_limit(scope, written, key);
    if (!bound) return false;
    if (!limit->is_bare && !bound->fits_all && !(bound->dimension == value.dimension)) {
      diagnostics_.error(Code::wrong_dimension, limit->range,
                         fmt::format("'{}' is {}, but the value is {}", key, describe_dimension(bound->dimension),
                                     describe_dimension(value.dimension)));
      return false;
    }
    const bool is_outside = key == "min" ? value.value < bound->value : value.value > bound->value;
    if (!is_outside) continue;
    const std::string symbol(value.dimension.is_none() ? "" : quantity_info(quantity_of(value.dimension)).si_symbol);
    const auto shown_number = [&](double number) {
      const std::string text = format_rounded(number, 6);
      return symbol.empty() ? text : text + " " + symbol;
    };
    Diagnostic& d = diagnostics_.error(Code::parameter_limits, where,
                                       fmt::format("the value is {}, but its {} is {}", shown_number(value.value),
                                                   key == "min" ? "minimum" : "maximum", shown_number(bound->value)),
                                       is_bare && !symbol.empty()
                                           ? fmt::format("without a unit it is in {}: write it with its unit, or "
                                                         "choose a value within the limits",
                                                         symbol)
                                           : "choose a value within the limits, or change the limit");
    d.notes.push_back({limit->range, "the limit is here"});
    return false;
  }
  return true;
}

std::optional<Quantified> Numbers::parameter(Instance& scope, std::size_t number) {
  Lazy<Quantified>& slot = scope.parameters[number];
  const Object& written = scope.object().section("parameters")[number];
  using State = Lazy<Quantified>::State;
  switch (slot.state) {
    case State::done:
      return slot.value;
    case State::failed:
      return std::nullopt;
    case State::running: {
      const std::string path = element_path(scope, written.name);
      const ElementScope element(diagnostics_, path, "parameter");
      diagnostics_.error(Code::parameter_cycle, written.range_of("value"),
                         "it depends on itself: " + circle_text(parameter_chain_, path), "give one of them a number");
      return std::nullopt;
    }
    case State::untouched:
      break;
  }
  if (parameter_chain_.size() >= kMaxChain) {
    diagnostics_.error(Code::too_many_elements, written.range_of("value"),
                       fmt::format("more than {} parameters depend on each other in a chain", kMaxChain),
                       "write first the parameters that others depend on");
    return std::nullopt;
  }
  slot.state = State::running;
  parameter_chain_.push_back(element_path(scope, written.name));
  const std::optional<Quantified> value = parameter_uncached(scope, written);
  parameter_chain_.pop_back();
  slot.state = value ? State::done : State::failed;
  if (value) slot.value = *value;
  return value;
}

void add_parameters(Instances& instances, Numbers& numbers, std::vector<AssemblyNode>& assemblies, Reports& reports) {
  for (Instance& instance : instances) {
    add_parameters_of(instance, numbers, assemblies[instance.id.index()]);
    check_settings(instance, "set", "parameters", "parameter", reports);
  }
}

}  // namespace gelenk::model::expanding
