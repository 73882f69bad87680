// Values of fields: numbers, vectors, directions.
#include "gelenk/model/expand/numbers.h"

#include <fmt/format.h>

#include <cmath>

#include "gelenk/base/text.h"
#include "gelenk/expression/evaluate.h"
#include "gelenk/expression/measures.h"
#include "gelenk/model/expand/paths.h"
#include "gelenk/model/scalar_reader.h"

namespace gelenk::model::expanding {

using expression::Expression;

void Numbers::report_unknown_name(const std::string& name, Instance& scope, const SourceRange& where) {
  if (is_unclear(scope, split(name, '.').front())) return;
  std::vector<std::string> parameters;
  const std::vector<Object>& written = scope.object().section("parameters");
  if (reports_.may_suggest(written.size())) {
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

std::optional<Quantified> Numbers::symbol(const std::string& name, Instance& scope, const Locals& locals,
                                          const SourceRange& where) {
  if (name == "index") {
    if (locals.index) return Quantified{static_cast<double>(*locals.index), {}, false, false};
    diagnostics_.error(Code::unknown_name, where, "`index` exists only in `at` and `set` of a repeated assembly");
    return std::nullopt;
  }
  const std::vector<std::string> segments = split(name, '.');
  if (is_unclear(scope, segments.front())) return std::nullopt;
  const std::optional<ValuePlace> place = find_value(scope, segments, sealed_);
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

std::optional<Quantified> Numbers::evaluate(const Value& value, Instance& scope, const Locals& locals) {
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

std::optional<double> Numbers::number(const Value& value, std::string_view key, Quantity quantity, const Range& range,
                                      Instance& scope, const Locals& locals) {
  const std::optional<Quantified> result = evaluate(value, scope, locals);
  if (!result || !fits(*result, value.is_bare, key, quantity, value.range, diagnostics_)) return std::nullopt;
  const std::string problem = range_problem(result->value, range, quantity);
  if (!problem.empty()) {
    diagnostics_.error(key == "mass" ? Code::mass_not_positive : Code::out_of_range, value.range,
                       fmt::format("'{}' {}", key, problem));
    return std::nullopt;
  }
  return result->value;
}

std::optional<double> Numbers::number(const Value& value, const Field& field, Instance& scope, const Locals& locals) {
  return number(value, field.key, field.quantity, field.range, scope, locals);
}

std::optional<double> Numbers::number_or(const Object& object, std::string_view key, double fallback, Instance& scope) {
  const Value* value = object.value(key);
  return value == nullptr ? fallback : number(*value, field_of(object, key), scope);
}

std::optional<Vector3> Numbers::vector(const Value& value, const Field& field, Instance& scope, const Locals& locals) {
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

std::optional<Vector3> Numbers::direction(const Value& value, std::string_view key, Instance& scope) {
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
