// Inputs and outputs: values that assemblies give each other.
#include <fmt/format.h>

#include <utility>

#include "gelenk/model/expand/quantified.h"
#include "gelenk/model/expand/settings.h"
#include "gelenk/model/expand/signals.h"

namespace gelenk::model::expanding {
namespace {

using expression::Expression;

// As for what a person writes: beyond it, formulas that read each other have grown together.
constexpr std::size_t kMaxNodes = expression::ParseLimits{}.max_nodes;

}  // namespace

bool Signals::put_in(Signal& signal, const std::vector<SymbolFound>& found) {
  bool has_nested = false;
  std::vector<const Expression*> formulas;
  std::size_t size = signal.formula.nodes().size();
  for (const SymbolFound& one : found) {
    formulas.push_back(one.nested == nullptr ? nullptr : &one.nested->formula);
    if (one.nested == nullptr) continue;
    has_nested = true;
    size += one.nested->formula.nodes().size();
  }
  if (size > kMaxNodes) {
    diagnostics_.error(Code::too_many_elements, signal.where,
                       fmt::format("together with everything it reads, it has more than {} operations", kMaxNodes),
                       "make fewer inputs and outputs depend on each other");
    return false;
  }
  // In the order of expression::substitute(): what stays, then what is put in; time is there once.
  bool has_time = false;
  const auto add = [&](const SymbolUse& use) {
    const bool is_time = use.kind == SymbolUse::Kind::time;
    if (!is_time || !has_time) signal.symbols.push_back(use);
    has_time = has_time || is_time;
  };
  for (const SymbolFound& one : found) {
    if (one.nested == nullptr) add(one.use);
  }
  if (!has_nested) return true;
  for (const SymbolFound& one : found) {
    if (one.nested == nullptr) continue;
    for (const SymbolUse& use : one.nested->symbols) add(use);
  }
  signal.formula = expression::substitute(signal.formula, formulas, "time");
  return true;
}

const Signal* Signals::nested_signal(Lazy<Signal>& slot, Instance& scope, const Object& written, std::string_view kind,
                                     const std::function<std::optional<Signal>()>& compute) {
  using State = Lazy<Signal>::State;
  if (slot.state == State::done) return &slot.value;
  if (slot.state == State::failed) return nullptr;
  const std::string path = element_path(scope, written.name);
  const ElementScope element(diagnostics_, path, std::string(kind));
  if (slot.state == State::running) {
    diagnostics_.error(Code::parameter_cycle, written.range_of("value"),
                       "it depends on itself: " + circle_text(signal_chain_, path),
                       "let one of them read a position or rate instead");
    return nullptr;
  }
  if (signal_chain_.size() >= kMaxChain) {
    diagnostics_.error(Code::too_many_elements, written.range_of("value"),
                       fmt::format("more than {} inputs and outputs depend on each other in a chain", kMaxChain));
    return nullptr;
  }
  slot.state = State::running;
  signal_chain_.push_back(path);
  std::optional<Signal> value = compute();
  signal_chain_.pop_back();
  slot.state = value ? State::done : State::failed;
  if (!value) return nullptr;
  slot.value = *std::move(value);
  return &slot.value;
}

const Signal* Signals::output(Instance& scope, std::size_t number) {
  const Object& written = scope.object().section("outputs")[number];
  return nested_signal(scope.outputs[number], scope, written, "output", [&]() -> std::optional<Signal> {
    const Value* value = written.value("value");
    if (value == nullptr) return std::nullopt;
    std::optional<Signal> now = signal(*value, "value", Quantity::any, scope, {});
    const std::string* const kind = written.text("running");
    if (!now || kind == nullptr) return now;
    return *kind == "derivative" ? derivative(*now) : running(*now, *kind, written, scope);
  });
}

const Signal* Signals::input(Instance& scope, std::size_t number) {
  const Object& written = scope.object().section("inputs")[number];
  return nested_signal(scope.inputs[number], scope, written, "input", [&] { return input_uncached(scope, number); });
}

std::optional<Signal> Signals::given_input(Instance& scope, const Object& written, const std::optional<Unit>& unit,
                                           const Quantified& declared, const Value& given, bool from_outside) {
  Instance& where = from_outside || scope.owner == nullptr ? scope : *scope.owner;
  std::optional<Signal> result;
  Quantified shape;
  if (const auto* formula = given.get<Expression>()) {
    result = bound_formula(given, *formula, where, {.index = scope.repeat_index}, shape);
    if (result && given.is_bare) {  // in the unit of the input, or SI
      const std::optional<Quantified> number =
          in_unit(written, unit, given, numbers_.evaluate(given, where, {}), diagnostics_);
      if (!number) return std::nullopt;
      result->formula = Expression::constant(number->value, declared.dimension);
    }
  } else {
    result = signal(given, written.name, Quantity::any, where, {.index = scope.repeat_index});
    if (result) shape.dimension = result->dimension;
  }
  if (!result) return std::nullopt;
  if (!given.is_bare && !shape.fits_all && !(shape.dimension == declared.dimension)) {
    diagnostics_.error(Code::wrong_dimension, given.range,
                       fmt::format("the input is {}, but this is {}", describe_dimension(declared.dimension),
                                   describe_dimension(shape.dimension)));
    return std::nullopt;
  }
  result->dimension = declared.dimension;
  result->is_hertz = result->is_hertz || (given.is_bare && declared.is_hertz);
  return result;
}

std::optional<Signal> Signals::input_uncached(Instance& scope, std::size_t number) {
  const Object& written = scope.object().section("inputs")[number];
  // The machine outlives what copies of parts are written out in.
  const Object& as_written = scope.index->definition->object.section("inputs")[number];
  const Value* own = written.value("value");
  if (own == nullptr && written.text("unit") == nullptr) {
    if (!written.is_incomplete) {
      diagnostics_.error(Code::missing_key, written.name_range, "an input needs a `unit` or a `value`",
                         "for example `{unit: V}`, or `{value: 0 V}`");
    }
    return std::nullopt;
  }
  // Without a value the unit alone says what it is.
  Value none;
  none.is_bare = true;
  const std::optional<Unit> unit = written_unit(written, diagnostics_);
  if (!unit && written.text("unit") != nullptr) return std::nullopt;
  const std::optional<Quantified> declared =
      own == nullptr ? in_unit(written, unit, none, Quantified{}, diagnostics_)
                     : in_unit(written, unit, *own, numbers_.evaluate(*own, scope, {}), diagnostics_);
  if (!declared) return std::nullopt;
  if (scope.owner == nullptr) {
    const std::optional<double> value = own == nullptr ? std::nullopt : std::optional(declared->value);
    machine_.inputs[number] = {written.name, declared->dimension, value, &as_written, written.name_range};
  }
  const Given given = setting_for(scope, written, "inputs", options_.settings);
  if (given.value != nullptr) return given_input(scope, written, unit, *declared, *given.value, given.from_outside);
  Signal result;
  result.dimension = declared->dimension;
  result.is_hertz = declared->is_hertz;
  result.where = own == nullptr ? written.name_range : own->range;
  if (scope.owner == nullptr && options_.has_open_inputs) {
    result.formula = Expression::symbol(written.name);
    SymbolUse& use = result.symbols.emplace_back();
    use.kind = SymbolUse::Kind::input;
    use.input = static_cast<std::int32_t>(number);
    return result;
  }
  if (own == nullptr) {
    const bool is_root = scope.owner == nullptr;
    diagnostics_.error(Code::missing_key, is_root ? written.name_range : scope.plan->written->name_range,
                       fmt::format("the input '{}' has no value", written.name),
                       is_root ? "give it a default `value`, or set it with --set"
                               : fmt::format("write `inputs: {{{}: ...}}`", written.name));
    return std::nullopt;
  }
  result.formula = Expression::constant(declared->value, declared->dimension);
  return result;
}

}  // namespace gelenk::model::expanding
