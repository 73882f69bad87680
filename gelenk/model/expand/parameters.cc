// Numbers: parameters through the hierarchy, and values of fields.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gelenk/base/text.h"
#include "gelenk/expression/evaluate.h"
#include "gelenk/model/expand/scope.h"
#include "gelenk/model/scalar_reader.h"

namespace gelenk::model::expanding {

using expression::Expression;

std::optional<Expansion::ValuePlace> Expansion::find_value(Instance& scope, const std::vector<std::string>& segments) {
  Instance* current = &scope;
  std::vector<std::string> rest = segments;
  while (rest.size() > 1) {
    const NamedElement* element = current->index->find(rest.front());
    if (element == nullptr || element->section != Section::assembly) return std::nullopt;
    if (element->index >= current->children.size()) return std::nullopt;  // the tree is still being built
    const std::vector<Instance*>& children = current->children[element->index];
    std::size_t used = 1;
    std::size_t which = 0;
    if (current->index->plans[element->index].effective.find("repeat") != nullptr) {
      const std::optional<double> number = parse_number(rest[1]);
      if (!number || *number < 0) return std::nullopt;
      which = static_cast<std::size_t>(*number);
      used = 2;
    }
    if (which >= children.size() || rest.size() <= used) return std::nullopt;
    current = children[which];
    rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(used));
  }
  const NamedElement* element = current->index->find(rest.front());
  if (element == nullptr && !current->index->definition->sealed.empty()) {
    const SealedNode* const sealed = sealed_of(*current);
    const auto is_it = [&](const SealedOutput& told) { return told.name == rest.front(); };
    const auto tells = [&](const std::vector<SealedOutput>& list) {
      return std::any_of(list.begin(), list.end(), is_it);
    };
    if (sealed != nullptr && (tells(sealed->signals) || tells(sealed->outputs))) {
      return ValuePlace{current, Section::output, 0, true};
    }
  }
  if (element == nullptr) return std::nullopt;
  const Section section = element->section;
  if (section != Section::parameter && section != Section::input && section != Section::output) return std::nullopt;
  return ValuePlace{current, section, element->index, false};
}

void Expansion::report_unknown_name(const std::string& name, Instance& scope, const SourceRange& where) {
  if (is_unclear(scope, split(name, '.').front())) return;
  std::vector<std::string> parameters;
  const std::vector<Object>& written = scope.object().section("parameters");
  if (may_suggest(written.size())) {
    for (const Object& object : written) parameters.push_back(object.name);
  }
  std::string hint = did_you_mean(name, parameters);
  if (hint.empty() && scope.owner != nullptr && scope.owner->index->find(name) != nullptr) {
    hint = fmt::format("an assembly sees only its own parameters: declare '{}' here and pass it with `set:`", name);
  }
  if (hint.empty()) {
    hint = written.empty() ? "there are no parameters here" : "parameters here: " + some_of(parameters);
  }
  diagnostics_.error(Code::unknown_name, where, fmt::format("there is no parameter or channel '{}'", name), hint);
}

std::optional<Quantified> Expansion::symbol(const std::string& name, Instance& scope, const Locals& locals,
                                            const SourceRange& where) {
  if (name == "index") {
    if (locals.index) return Quantified{static_cast<double>(*locals.index), {}, false, false};
    diagnostics_.error(Code::unknown_name, where, "`index` exists only in `at` and `set` of a repeated assembly");
    return std::nullopt;
  }
  const std::vector<std::string> segments = split(name, '.');
  if (is_unclear(scope, segments.front())) return std::nullopt;
  const std::optional<ValuePlace> place = find_value(scope, segments);
  const bool is_measure = expression::split_measure(name).has_value();
  if (place && place->is_parameter()) return parameter(*place->scope, place->number);
  const NamedElement* element = scope.index->find(segments.front());
  if (place || is_measure || name == "time" || (element != nullptr && element->section != Section::assembly)) {
    diagnostics_.error(Code::not_constant, where,
                       fmt::format("'{}' changes during the motion, but this value must be constant", name),
                       "use parameters only");
    return std::nullopt;
  }
  report_unknown_name(name, scope, where);
  return std::nullopt;
}

std::optional<Quantified> Expansion::evaluate(const Value& value, Instance& scope, const Locals& locals) {
  const auto* stored = value.get<Expression>();
  if (stored == nullptr) return std::nullopt;
  const Expression& formula = *stored;
  if (formula.is_literal()) {
    const expression::ExpressionNode& node = formula.nodes().front();
    return Quantified{node.value, node.dimension, node.is_hertz, node.value == 0.0};
  }
  std::vector<expression::SymbolMeaning> meanings;
  std::vector<double> values;
  bool is_known = true;
  for (const expression::Symbol& used : formula.symbols()) {
    const std::optional<Quantified> found = symbol(used.name, scope, locals, value.range_of(used.span));
    is_known = is_known && found.has_value();
    if (!found) continue;
    meanings.push_back({found->dimension, found->is_hertz});
    values.push_back(found->value);
  }
  if (!is_known) return std::nullopt;
  const expression::DimensionResult inferred = expression::infer_dimension(formula, meanings);
  for (const expression::ExpressionError& error : inferred.errors) {
    diagnostics_.error(error.code, value.range_of(error.span), error.message, error.hint);
  }
  if (!inferred.errors.empty()) return std::nullopt;
  const double result = expression::evaluate(formula, values);
  if (!std::isfinite(result)) {
    diagnostics_.error(Code::not_finite, value.range,
                       std::isnan(result) ? "the result is not a number" : "the result is infinite",
                       "look for a division by zero or a root of a negative number");
    return std::nullopt;
  }
  return Quantified{result, inferred.dimension, inferred.is_hertz, inferred.is_zero};
}

const Value* Expansion::setting_for(Instance& scope, const Object& written, std::string_view key, bool& from_outside) {
  from_outside = false;
  const std::string full = element_path(scope, written.name);
  for (const ParameterSetting& setting : options_.settings) {
    if (setting.path == full) {
      from_outside = true;
      return &setting.value;
    }
  }
  const Value* set = scope.plan == nullptr ? nullptr : scope.plan->effective.value(key);
  if (set == nullptr) return nullptr;
  for (const Object& setting : *set->get<Value::Objects>()) {
    if (setting.name == written.name) return setting.value("value");
  }
  return nullptr;
}

// A parameter's unit key gives bare numbers their unit.
std::optional<Unit> Expansion::written_unit(const Object& written) {
  const std::string* text = written.text("unit");
  if (text == nullptr) return std::nullopt;
  const UnitParse parsed = parse_unit(*text);
  if (!parsed.unit) {
    diagnostics_.error(Code::unknown_unit, written.range_of("unit"), parsed.error,
                       parsed.suggestion.empty() ? "" : fmt::format("did you mean '{}'?", parsed.suggestion));
  }
  return parsed.unit;
}

std::optional<Quantified> Expansion::in_unit(const Object& written, const std::optional<Unit>& unit, const Value& value,
                                             std::optional<Quantified> result) {
  if (!result || !unit) return result;
  if (value.is_bare) {
    return Quantified{result->value * unit->factor + unit->offset, unit->dimension, unit->is_hertz, false};
  }
  if (!result->fits_all && !(result->dimension == unit->dimension)) {
    diagnostics_.error(Code::wrong_dimension, value.range,
                       fmt::format("this is {}, but the unit of '{}' is {}", describe_dimension(result->dimension),
                                   written.name, *written.text("unit")));
    return std::nullopt;
  }
  if (result->fits_all) result->dimension = unit->dimension;
  return result;
}

std::optional<Quantified> Expansion::parameter_uncached(Instance& scope, const Object& written) {
  const ElementScope element(diagnostics_, element_path(scope, written.name), "parameter");
  const std::optional<Unit> unit = written_unit(written);
  const Value* own = written.value("value");
  if (own == nullptr) return std::nullopt;
  bool from_outside = false;
  const Value* setting = setting_for(scope, written, "set", from_outside);
  std::optional<Quantified> value = in_unit(written, unit, *own, evaluate(*own, scope, {}));
  if (setting != nullptr) {
    const std::optional<Quantified> declared = value;
    Instance& where = from_outside || scope.owner == nullptr ? scope : *scope.owner;
    const Locals locals{scope.repeat_index};
    value = in_unit(written, unit, *setting, evaluate(*setting, where, locals));
    if (value && declared && setting->is_bare && !unit) {
      // A bare number is SI of what the parameter is.
      value->dimension = declared->dimension;
    } else if (value && declared && !value->fits_all && !declared->fits_all &&
               !(value->dimension == declared->dimension)) {
      diagnostics_.error(Code::wrong_dimension, setting->range,
                         fmt::format("the parameter is {}, but this is {}", describe_dimension(declared->dimension),
                                     describe_dimension(value->dimension)));
      return std::nullopt;
    } else if (value && declared && value->is_hertz && !declared->is_hertz && !declared->fits_all) {
      // Told here: where the parameter is used, nothing is wrong.
      diagnostics_.error(Code::hertz_for_angular_rate, setting->range,
                         "the parameter is an angular rate, but Hz counts turns per second",
                         "write rpm or rad/s: 1 Hz is 60 rpm, or 2*pi rad/s");
      return std::nullopt;
    }
  }
  if (value && scope.owner == nullptr && !options_.root_parameters.empty()) {
    const std::vector<Object>& all = scope.object().section("parameters");
    const auto number = static_cast<std::size_t>(&written - all.data());
    const bool is_given = number < options_.root_parameters.size() && !std::isnan(options_.root_parameters[number]);
    if (is_given) value->value = options_.root_parameters[number];
  }
  if (value && !check_parameter_limits(scope, written, *value, setting == nullptr ? own->range : setting->range)) {
    return std::nullopt;
  }
  return value;
}

std::optional<Quantified> Expansion::parameter_limit(Instance& scope, const Object& written, std::string_view key) {
  const Value* limit = written.value(key);
  std::optional<Quantified> bound = limit == nullptr ? std::nullopt : evaluate(*limit, scope, {});
  const std::optional<Unit> unit = bound && limit->is_bare ? written_unit(written) : std::nullopt;
  if (unit) bound->value = bound->value * unit->factor + unit->offset;
  return bound;
}

bool Expansion::check_parameter_limits(Instance& scope, const Object& written, const Quantified& value,
                                       const SourceRange& where) {
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
                                       "choose a value within the limits, or change the limit");
    d.notes.push_back({limit->range, "the limit is here"});
    return false;
  }
  return true;
}

std::optional<Quantified> Expansion::parameter(Instance& scope, std::size_t number) {
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

void Expansion::evaluate_all_parameters(Instance& instance) {
  const std::vector<Object>& written = instance.object().section("parameters");
  AssemblyNode& node = machine_.assemblies[instance.id.index()];
  for (std::size_t i = 0; i < written.size(); ++i) {
    const std::optional<Quantified> value = parameter(instance, i);
    if (!value) continue;
    ParameterValue& stored = node.parameters.emplace_back();
    stored = {written[i].name, value->value, value->dimension, std::nullopt, std::nullopt, &written[i]};
    for (const std::string_view key : {"min", "max"}) {
      const std::optional<Quantified> bound = parameter_limit(instance, written[i], key);
      if (bound) (key == "min" ? stored.min : stored.max) = bound->value;
    }
  }
  check_settings(instance, "set", "parameters", "parameter");
}

// Settings must meet a parameter or an input.
void Expansion::check_settings(Instance& instance, std::string_view key, std::string_view section,
                               std::string_view word) {
  const Value* set = instance.plan == nullptr ? nullptr : instance.plan->effective.value(key);
  if (set == nullptr) return;
  const std::vector<Object>& written = instance.object().section(section);
  for (const Object& setting : *set->get<Value::Objects>()) {
    const NamedElement* target = instance.index->find(setting.name);
    if (target != nullptr && section_word(target->section) == word) continue;
    std::vector<std::string> names;
    for (const Object& object : written) names.push_back(object.name);
    if (is_unclear(instance, setting.name)) continue;
    std::string hint = may_suggest(names.size()) ? did_you_mean(setting.name, names) : "";
    if (hint.empty()) {
      hint =
          names.empty() ? fmt::format("it has no {}", section) : fmt::format("its {} are {}", section, some_of(names));
    }
    const ElementScope element(diagnostics_, instance.path, "assembly");
    diagnostics_.error(Code::unknown_parameter, setting.name_range,
                       fmt::format("'{}' has no {} '{}'", instance.index->definition->name, word, setting.name), hint);
  }
}

void Expansion::report_unknown_setting(const ParameterSetting& setting) {
  std::vector<std::string> names;
  for (const AssemblyNode& node : machine_.assemblies) {
    for (const ParameterValue& known : node.parameters) {
      names.push_back(node.path.empty() ? known.name : node.path + "." + known.name);
    }
  }
  std::string hint = did_you_mean(setting.path, names);
  if (hint.empty()) hint = names.empty() ? "the model has no parameters" : "for example " + names.front();
  diagnostics_.error(Code::unknown_parameter, setting.value.range,
                     fmt::format("there is no parameter '{}' to set", setting.path), hint);
}

bool Expansion::fits(const Quantified& result, bool is_bare, std::string_view key, Quantity quantity,
                     const SourceRange& where) {
  if (quantity == Quantity::any || is_bare || result.fits_all) return true;
  const QuantityInfo& expected = quantity_info(quantity);
  if (!(result.dimension == expected.dimension)) {
    std::string hint = fmt::format("the result must be in {}", expected.si_symbol);
    if (result.dimension.is_none()) {
      hint = fmt::format("numbers in expressions are pure numbers: give them a unit, such as 2 {}", expected.si_symbol);
    }
    diagnostics_.error(
        Code::wrong_dimension, where,
        fmt::format("'{}' is a {}, but this is {}", key, expected.name, describe_dimension(result.dimension)), hint);
    return false;
  }
  if (result.is_hertz && quantity == Quantity::angular_rate) {
    diagnostics_.error(Code::hertz_for_angular_rate, where,
                       fmt::format("'{}' is an angular rate, but Hz counts turns per second", key),
                       "1 Hz is 2π rad/s: multiply by 2*pi");
    return false;
  }
  return true;
}

std::optional<double> Expansion::number(const Value& value, std::string_view key, Quantity quantity, const Range& range,
                                        Instance& scope, const Locals& locals) {
  const std::optional<Quantified> result = evaluate(value, scope, locals);
  if (!result || !fits(*result, value.is_bare, key, quantity, value.range)) return std::nullopt;
  const std::string problem = range_problem(result->value, range, quantity);
  if (!problem.empty()) {
    diagnostics_.error(key == "mass" ? Code::mass_not_positive : Code::out_of_range, value.range,
                       fmt::format("'{}' {}", key, problem));
    return std::nullopt;
  }
  return result->value;
}

std::optional<double> Expansion::number(const Value& value, const Field& field, Instance& scope, const Locals& locals) {
  return number(value, field.key, field.quantity, field.range, scope, locals);
}

std::optional<double> Expansion::number_or(const Object& object, std::string_view key, double fallback,
                                           Instance& scope) {
  const Value* value = object.value(key);
  return value == nullptr ? fallback : number(*value, field_of(object, key), scope);
}

std::optional<Vector3> Expansion::vector(const Value& value, const Field& field, Instance& scope,
                                         const Locals& locals) {
  const auto* list = value.get<Value::List>();
  if (list == nullptr || list->size() != 3) return std::nullopt;
  Vector3 result;
  bool is_good = true;
  for (int i = 0; i < 3; ++i) {
    const std::optional<double> element = number((*list)[static_cast<std::size_t>(i)], field, scope, locals);
    is_good = is_good && element.has_value();
    result[i] = element.value_or(0.0);
  }
  if (!is_good) return std::nullopt;
  return result;
}

std::optional<Vector3> Expansion::direction(const Value& value, std::string_view key, Instance& scope) {
  if (const auto* name = value.get<std::string>()) {
    const char letter = name->back();
    const Vector3 axis = Vector3::Unit(letter - 'x');
    return name->front() == '-' ? Vector3(-axis) : axis;
  }
  const Field pure{.key = key, .kind = FieldKind::vector, .quantity = Quantity::number};
  const std::optional<Vector3> result = vector(value, pure, scope);
  if (!result) return std::nullopt;
  const std::optional<Vector3> unit = unit_vector(*result);
  if (!unit) {
    diagnostics_.error(Code::zero_direction, value.range, fmt::format("'{}' has no length", key),
                       "a direction needs at least one number that is not zero");
  }
  return unit;
}

}  // namespace gelenk::model::expanding
