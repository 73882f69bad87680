// Outputs that look back to the start of the run.
#include <string>
#include <utility>

#include "gelenk/expression/expression.h"
#include "gelenk/model/expand/signals.h"
#include "gelenk/model/measured_quantity.h"

namespace gelenk::model::expanding {
namespace {

const Dimension kTimeOfRun = Dimension(0, 0, 1);

// The formula of `text`, in which `value` and `total` stand for two signals that are put in.
expression::Expression formula_of(const char* text) {
  return expression::parse(text).expression.value_or(expression::Expression{});
}

}  // namespace

std::optional<Signal> Signals::running(const Signal& value, std::string_view kind, const Object& written,
                                       Instance& scope) {
  const bool is_square = kind == "rms";
  StateNode state;
  state.path = element_path(scope, written.name) + ".total";
  state.assembly = scope.id;
  state.where = written.name_range;
  state.dimension = (is_square ? value.dimension * value.dimension : value.dimension) * kTimeOfRun;
  state.rate = value;
  if (is_square) {
    Signal square;
    square.formula = formula_of("value * value");
    square.where = value.where;
    if (!put_in(square, {{.use = {}, .nested = &value, .dimension = value.dimension}})) return std::nullopt;
    state.rate = std::move(square);
  }
  state.rate.dimension = state.dimension / kTimeOfRun;
  if (kind == "integral") state.measures = turning_of_rate(state.rate);
  const std::size_t number = machine_.states.size();
  machine_.states.push_back(std::move(state));

  Signal total;
  total.formula = expression::Expression::symbol("total");
  total.where = value.where;
  SymbolUse& read = total.symbols.emplace_back();
  read.kind = SymbolUse::Kind::channel;
  read.channel = channels_.state_channel(number);
  total.dimension = read.channel.dimension;
  if (kind == "integral") return total;

  // A run may start at any time.
  StateNode clock;
  clock.path = element_path(scope, written.name) + ".elapsed";
  clock.assembly = scope.id;
  clock.where = written.name_range;
  clock.dimension = kTimeOfRun;
  clock.rate.formula = formula_of("1");
  clock.rate.where = value.where;
  const std::size_t clock_number = machine_.states.size();
  machine_.states.push_back(std::move(clock));
  SymbolFound elapsed;
  elapsed.use.kind = SymbolUse::Kind::channel;
  elapsed.use.channel = channels_.state_channel(clock_number);
  elapsed.dimension = kTimeOfRun;

  // At the start it is the value itself.
  Signal result;
  result.formula = formula_of(is_square ? "if(elapsed > 0, sqrt(max(total, 0) / max(elapsed, 1e-300)), abs(value))"
                                        : "if(elapsed > 0, total / max(elapsed, 1e-300), value)");
  result.where = value.where;
  result.dimension = value.dimension;
  std::vector<SymbolFound> found;
  for (const expression::Symbol& symbol : result.formula.symbols()) {
    if (symbol.name == "elapsed") {
      found.push_back(elapsed);
    } else {
      found.emplace_back().nested = symbol.name == "total" ? &total : &value;
    }
  }
  if (!put_in(result, found)) return std::nullopt;
  return result;
}

}  // namespace gelenk::model::expanding
