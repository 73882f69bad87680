// Forces whose value is a formula in their descriptor.
#include <fmt/format.h>

#include <deque>

#include "gelenk/base/text.h"
#include "gelenk/expression/evaluate.h"
#include "gelenk/model/expand/signals.h"
#include "gelenk/model/scalar_reader.h"

namespace gelenk::model::expanding {
namespace {

using expression::Expression;

// Of a key on the coordinate that the force drives; what a cam gives is what its follower has.
Quantity quantity_on(const Field& field, const SignalLocals& locals, const Machine& machine) {
  const std::optional<CoordinateUse>& driven = locals.follower ? locals.follower : locals.coordinate;
  if (locals.follower) return machine.joints[driven->joint.index()].type->coordinates[driven->coordinate].quantity();
  if (!driven) return field.quantity;
  return quantity_on(field, machine.joints[driven->joint.index()].type->coordinates[driven->coordinate]);
}

double number_without_key(const Field& field) {
  return field.fallback.empty() ? field.absent : parse_number(field.fallback).value_or(0.0);
}

}  // namespace

std::optional<ChannelUse> Signals::distance(const std::string& from, const std::string& to, Instance& scope,
                                            const SourceRange& where) {
  return frames_.measure({"distance", {{to, 0}, {from, 0}}, ""}, scope, where);
}

std::optional<Signal> Signals::law(const Object& written, Instance& scope, const SignalLocals& locals) {
  Signal result;
  result.formula = expression::parse(written.type->law).expression.value_or(Expression{});
  result.where = written.name_range;
  std::vector<SymbolFound> found;
  std::deque<Signal> keys;  // SymbolFound points to them
  bool is_good = true;
  for (const expression::Symbol& used : result.formula.symbols()) {
    const Field* const field = find_field(*written.type, used.name);
    if (locals.follower && used.name == "first") {
      SymbolFound& first = found.emplace_back();
      first.use.kind = SymbolUse::Kind::channel;
      first.use.channel = channels_.driven_channel(*locals.follower, false);
      first.dimension = first.use.channel.dimension;
      continue;
    }
    if (field == nullptr) {
      const std::optional<SymbolFound> local = local_symbol(used.name, locals);
      if (!local) return std::nullopt;
      found.push_back(*local);
      continue;
    }
    SymbolFound& one = found.emplace_back();
    const Value* const value = written.value(used.name);
    if (value == nullptr) {
      one.use.value = number_without_key(*field);
      continue;
    }
    const Quantity quantity = quantity_on(*field, locals, machine_);
    std::optional<Signal> key = signal(*value, field->key, quantity, scope, locals);
    is_good = is_good && key && is_in_range(*key, *field, quantity, *value);
    if (!is_good) continue;
    one.nested = &keys.emplace_back(*std::move(key));
  }
  if (!is_good || !put_in(result, found)) return std::nullopt;
  return result;
}

// Only a number that stays the same can be looked at before the run.
bool Signals::is_in_range(const Signal& key, const Field& field, Quantity quantity, const Value& value) {
  if (!key.is_constant()) return true;
  std::vector<double> constants;
  for (const SymbolUse& use : key.symbols) constants.push_back(use.value);
  const std::string problem = range_problem(expression::evaluate(key.formula, constants), field.range, quantity);
  if (problem.empty()) return true;
  diagnostics_.error(Code::out_of_range, value.range, fmt::format("'{}' {}", field.key, problem));
  return false;
}

}  // namespace gelenk::model::expanding
