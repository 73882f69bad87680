#include "gelenk/model/expand/signals.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "gelenk/base/text.h"
#include "gelenk/expression/evaluate.h"
#include "gelenk/expression/measures.h"
#include "gelenk/model/expand/paths.h"
#include "gelenk/model/expand/sealed.h"

namespace gelenk::model::expanding {
namespace {

using expression::Expression;

const Dimension kTimeDimension = Dimension(0, 0, 1);

}  // namespace

ChannelUse rate_of_distance(const ChannelUse& distance) {
  ChannelUse rate = distance;
  rate.quantity = kDistanceRate;
  rate.measures = Quantity::speed;
  rate.dimension = quantity_info(Quantity::speed).dimension;
  rate.pick = ChannelUse::Pick::scalar;
  rate.weights = {1.0, 0.0, 0.0};
  return rate;
}

std::optional<Signals::SymbolFound> Signals::local_symbol(const std::string& name, const SignalLocals& locals) const {
  SymbolFound result;
  if (name == "time") {
    result.use.kind = SymbolUse::Kind::time;
    result.dimension = kTimeDimension;
    return result;
  }
  if (locals.index && name == "index") {
    result.use.value = static_cast<double>(*locals.index);
    return result;
  }
  std::optional<ChannelUse> own;
  if (!locals.element.empty()) own = channels_.own_state(locals.element, name);
  if (!own && locals.coordinate && (name == "coordinate" || name == "rate")) {
    own = channels_.driven_channel(*locals.coordinate, name == "rate");
  }
  if (!own && locals.line && (name == "length" || name == "speed")) {
    own = name == "speed" ? rate_of_distance(*locals.line) : *locals.line;
  }
  if (!own && locals.length != nullptr && (name == "length" || name == "speed")) {
    result.nested = name == "speed" ? locals.speed : locals.length;
    result.dimension = result.nested->dimension;
    return result;
  }
  if (!own) return std::nullopt;
  result.use.kind = SymbolUse::Kind::channel;
  result.dimension = own->dimension;
  result.use.channel = *std::move(own);
  return result;
}

std::optional<Signals::SymbolFound> Signals::symbol(const std::string& name, Instance& scope,
                                                    const SignalLocals& locals, const SourceRange& where) {
  if (std::optional<SymbolFound> local = local_symbol(name, locals)) return local;
  SymbolFound result;
  const std::optional<expression::Measure> measured = expression::split_measure(name);
  const std::optional<ValuePlace> place =
      measured ? std::nullopt : find_value(scope, split(name, '.'), machine_.sealed);
  if (place && place->is_parameter()) {
    const std::optional<Quantified> value = numbers_.parameter(*place->scope, place->number);
    if (!value) return std::nullopt;
    result.use.value = value->value;
    result.dimension = value->dimension;
    result.is_hertz = value->is_hertz;
    return result;
  }
  if (place && !place->is_sealed) {
    result.nested =
        place->section == Section::input ? input(*place->scope, place->number) : output(*place->scope, place->number);
    if (result.nested == nullptr) return std::nullopt;
    result.dimension = result.nested->dimension;
    result.is_hertz = result.nested->is_hertz;
    return result;
  }
  if (!place && !measured) {
    if (const std::optional<const Signal*> sum = energy(name, scope, where)) {
      if (*sum == nullptr) return std::nullopt;
      result.nested = *sum;
      result.dimension = (*sum)->dimension;
      return result;
    }
  }
  std::optional<ChannelUse> found;
  if (measured) {
    found = frames_.measure(*measured, scope, where);
  } else if (place) {
    found = sealed_signal(*place->scope, name.substr(name.rfind('.') + 1), where, machine_.sealed, diagnostics_);
  } else {
    found = channels_.channel(name, scope, where);
  }
  if (!found) return std::nullopt;
  result.use.kind = SymbolUse::Kind::channel;
  result.use.channel = *std::move(found);
  result.dimension = result.use.channel.dimension;
  return result;
}

std::optional<Signal> Signals::bound_formula(const Value& value, const Expression& formula, Instance& scope,
                                             const SignalLocals& locals, Quantified& shape) {
  Signal result;
  result.formula = formula;
  result.where = value.range;
  std::vector<expression::SymbolMeaning> meanings;
  std::vector<SymbolFound> found;
  bool is_known = true;
  for (const expression::Symbol& used : formula.symbols()) {
    const std::optional<SymbolFound> one = symbol(used.name, scope, locals, value.range_of(used.span));
    is_known = is_known && one.has_value();
    if (!one) continue;
    meanings.push_back({one->dimension, one->is_hertz});
    found.push_back(*one);
  }
  if (!is_known) return std::nullopt;
  const expression::DimensionResult inferred = expression::infer_dimension(formula, meanings);
  for (const expression::ExpressionError& error : inferred.errors) {
    diagnostics_.error(error.code, value.range_of(error.span), error.message, error.hint);
  }
  if (!inferred.errors.empty() || !put_in(result, found)) return std::nullopt;
  shape = {0.0, inferred.dimension, inferred.is_hertz, inferred.is_zero};
  result.dimension = inferred.dimension;
  result.is_hertz = inferred.is_hertz;
  return result;
}

std::optional<Signal> Signals::signal(const Value& value, std::string_view key, Quantity quantity, Instance& scope,
                                      const SignalLocals& locals) {
  if (const auto* objects = value.get<Value::Objects>()) {
    return objects->empty() ? std::nullopt : table_signal(objects->front(), key, quantity, scope, locals);
  }
  const auto* formula = value.get<Expression>();
  if (formula == nullptr) return std::nullopt;
  Quantified shape;
  std::optional<Signal> result = bound_formula(value, *formula, scope, locals, shape);
  if (!result || !fits(shape, value.is_bare, key, quantity, value.range, diagnostics_)) return std::nullopt;
  if (quantity != Quantity::any) result->dimension = quantity_info(quantity).dimension;
  return result;
}

std::optional<std::vector<double>> Signals::column(const Value& values, std::string_view key, Instance& scope,
                                                   const Dimension* expected, Dimension& found) {
  std::vector<double> result;
  bool is_first = true;
  for (const Value& value : *values.get<Value::List>()) {
    const std::optional<Quantified> number_read = numbers_.evaluate(value, scope, {});
    if (!number_read) return std::nullopt;
    result.push_back(number_read->value);
    if (value.is_bare || number_read->fits_all) continue;
    const Dimension& wanted = expected != nullptr ? *expected : is_first ? number_read->dimension : found;
    if (!(number_read->dimension == wanted)) {
      diagnostics_.error(Code::wrong_dimension, value.range,
                         fmt::format("column '{}' of the table is {}, but this is {}", key, describe_dimension(wanted),
                                     describe_dimension(number_read->dimension)));
      return std::nullopt;
    }
    found = number_read->dimension;
    is_first = false;
  }
  if (expected != nullptr) found = *expected;
  return result;
}

std::optional<Signal> Signals::table_signal(const Object& table, std::string_view key, Quantity quantity,
                                            Instance& scope, const SignalLocals& locals) {
  const Value* of = table.value("of");
  const Value* x = table.value("x");
  const Value* y = table.value("y");
  if (of == nullptr || x == nullptr || y == nullptr) return std::nullopt;
  std::optional<Signal> argument = signal(*of, "of", Quantity::any, scope, locals);
  if (!argument) return std::nullopt;
  Dimension x_dimension;
  Dimension y_dimension;
  const Dimension* wanted = quantity == Quantity::any ? nullptr : &quantity_info(quantity).dimension;
  std::optional<std::vector<double>> xs = column(*x, "x", scope, &argument->dimension, x_dimension);
  std::optional<std::vector<double>> ys = column(*y, key, scope, wanted, y_dimension);
  if (!xs || !ys) return std::nullopt;
  const std::string* kind = table.text("interpolation");
  Interpolation interpolation = Interpolation::linear;
  if (kind != nullptr && *kind == "cubic") interpolation = Interpolation::cubic;
  if (kind != nullptr && *kind == "akima") interpolation = Interpolation::akima;
  if (kind != nullptr && *kind == "periodic") interpolation = Interpolation::periodic;
  std::string error;
  std::optional<Table> made = Table::make(*std::move(xs), *std::move(ys), interpolation, &error);
  if (!made) {
    diagnostics_.error(Code::bad_table, table.range, error);
    return std::nullopt;
  }
  made->argument_dimension = argument->dimension;
  made->value_dimension = y_dimension;
  Signal result = *std::move(argument);
  if (interpolation == Interpolation::periodic) {
    result.formula = Expression::reduced(result.formula, made->x().front(), made->x().back() - made->x().front(),
                                         made->argument_dimension);
  }
  result.formula = Expression::table(std::make_shared<const Table>(*std::move(made)), result.formula);
  result.dimension = y_dimension;
  result.where = table.range;
  return result;
}

}  // namespace gelenk::model::expanding
