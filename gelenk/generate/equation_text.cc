#include "gelenk/generate/equation_text.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "gelenk/generate/equation_page.h"
#include "gelenk/generate/equation_pen.h"
#include "gelenk/generate/equation_steps.h"
#include "gelenk/generate/equation_symbols.h"
#include "gelenk/generate/equation_written.h"
#include "gelenk/minimal/traced_machine.h"

namespace gelenk::generate {
namespace {

using minimal::NamedNumber;
using minimal::TracedMachine;
using symbolic::Id;

constexpr int kLegendDigits = 6;

std::string counted_words(std::size_t count, std::string_view one, std::string_view many) {
  return count == 0 ? fmt::format("no {}", many) : fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string title_of(const TracedMachine& machine) {
  return fmt::format(
      "Equations of motion: {}, {}", counted_words(machine.v.size(), "coordinate", "coordinates"),
      machine.rows.empty() ? "no loops" : counted_words(machine.rows.size(), "row of loops", "rows of loops"));
}

std::vector<Id> printed_results(const TracedMachine& machine) {
  std::vector<Id> ids;
  const std::size_t n = machine.v.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = i; k < n; ++k) ids.push_back(machine.mass[i * n + k]);
  }
  for (const std::vector<Id>* part : {&machine.force, &machine.row_values, &machine.row_matrix, &machine.row_rates,
                                      &machine.row_biases, &machine.state_rates, &machine.position_rates}) {
    ids.insert(ids.end(), part->begin(), part->end());
  }
  return ids;
}

// What the symbols are.
class EquationLegend {
 public:
  EquationLegend(const TracedMachine& machine, const EquationSymbols& symbols, EquationPen pen)
      : machine_(machine), symbols_(symbols), pen_(pen) {}

  void write(EquationPage& page) const {
    page.section("Coordinates");
    for (std::size_t i = 0; i < machine_.x.size(); ++i) explain(page, machine_.x[i], machine_.positions[i]);
    for (std::size_t i = 0; i < machine_.v.size(); ++i) {
      if (symbols_.rate(i).primes == 0) explain(page, machine_.v[i], machine_.rates[i]);
    }
    for (std::size_t i = 0; i < machine_.s.size(); ++i) explain(page, machine_.s[i], machine_.states[i]);
    unit_lengths(page);
    page.section("Bodies");
    for (std::size_t i = 0; i < symbols_.bodies().size(); ++i) {
      page.definition(std::to_string(i + 1), pen_.quoted(symbols_.bodies()[i]));
    }
    page.section("Parameters");
    const std::vector<Id> results = printed_results(machine_);
    const std::vector<bool> is_needed = needed(machine_.graph, results);
    for (std::size_t i = 0; i < machine_.p.size(); ++i) {
      if (!is_needed[static_cast<std::size_t>(machine_.p[i])]) continue;
      const NamedNumber& parameter = machine_.parameters[i];
      page.definition(symbol(machine_.p[i]), pen_.decimal(parameter.value, kLegendDigits) + pen_.unit(parameter.unit),
                      pen_.quoted(parameter.name));
    }
  }

 private:
  std::string symbol(Id id) const { return pen_.name(symbols_.of(id).name); }
  // Of the four parameters of each free orientation.
  void unit_lengths(EquationPage& page) const {
    std::string sum;
    int count = 0;
    for (std::size_t i = 0; i < machine_.x.size(); ++i) {
      if (!symbols_.is_orientation(i)) continue;
      sum += (count % 4 == 0 ? "" : " + ") + pen_.power(symbol(machine_.x[i]), 2);
      if (++count % 4 == 0) page.equation(std::exchange(sum, ""), "1");
    }
  }
  void explain(EquationPage& page, Id id, const NamedNumber& number) const {
    page.definition(symbol(id), pen_.quoted(number.name) + pen_.unit_in_parentheses(number.unit));
  }

  const TracedMachine& machine_;
  const EquationSymbols& symbols_;
  EquationPen pen_;
};

// The equations of a machine that is too large to write them out.
class StepEquations {
 public:
  StepEquations(const TracedMachine& machine, const EquationSymbols& symbols, EquationPen pen)
      : machine_(machine),
        symbols_(symbols),
        pen_(pen),
        steps_(machine.graph, printed_results(machine), symbols, pen) {}

  void write(EquationPage& page) const {
    page.section("Steps that follow from parameters");
    for (const auto& [name, formula] : steps_.constant_steps()) page.definition(name, formula);
    page.section("Steps");
    for (const auto& [name, formula] : steps_.moving_steps()) page.definition(name, formula);
    const std::size_t n = machine_.v.size();
    write_system(page);
    page.section("Mass matrix");
    page.remark("it is symmetric; what is not listed is zero");
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = i; k < n; ++k) define(page, pen_.entry("M", i + 1, k + 1), machine_.mass[i * n + k]);
    }
    page.section("Forces");
    for (std::size_t i = 0; i < n; ++i) define(page, pen_.numbered("f", i + 1), machine_.force[i]);
    write_rows(page);
    page.section("Rates");
    for (std::size_t i = 0; i < machine_.x.size(); ++i) {
      if (symbols_.is_orientation(i)) define_rate(page, machine_.x[i], machine_.position_rates[i]);
    }
    for (std::size_t i = 0; i < machine_.s.size(); ++i) define_rate(page, machine_.s[i], machine_.state_rates[i]);
  }

 private:
  void write_system(EquationPage& page) const {
    page.section("Motion");
    std::string rates;
    for (std::size_t i = 0; i < machine_.v.size(); ++i) {
      rates += (i == 0 ? "" : "," + std::string(1, kLineMayEnd)) + pen_.name(symbols_.rate(i));
    }
    const std::string v = pen_.name({"v", "", 0}), v_rate = pen_.name({"v", "", 1});
    page.definition(v, "(" + rates + ")");
    const bool has_rows = !machine_.rows.empty();
    const std::string transposed = pen_.is_latex() ? "C^{\\mathsf{T}} \\lambda" : "C^T lambda";
    page.definition("M " + v_rate, has_rows ? "f + " + transposed : "f");
    if (!has_rows) return;
    page.definition("h", "0");
    page.definition("C " + v + " + " + pen_.name({"h", "t", 0}), "0");
    page.definition("C " + v_rate, "g");
  }

  void write_rows(EquationPage& page) const {
    const std::size_t n = machine_.v.size();
    page.section("Rows of loops");
    for (std::size_t r = 0; r < machine_.rows.size(); ++r) {
      page.label(pen_.words(fmt::format("row {}, {}:", r + 1, machine_.rows[r])));
      define(page, pen_.numbered("h", r + 1), machine_.row_values[r]);
      for (std::size_t k = 0; k < n; ++k) define(page, pen_.entry("C", r + 1, k + 1), machine_.row_matrix[r * n + k]);
      define(page, pen_.name({"h", fmt::format("t{}", r + 1), 0}), machine_.row_rates[r]);
      define(page, pen_.numbered("g", r + 1), machine_.row_biases[r]);
    }
  }

  void define(EquationPage& page, std::string name, Id value) const {
    if (!machine_.graph.is(value, 0.0)) page.definition(std::move(name), steps_.text(value));
  }
  void define_rate(EquationPage& page, Id symbol, Id value) const {
    ShortName name = symbols_.of(symbol).name;
    ++name.primes;
    page.definition(pen_.name(name), steps_.text(value));
  }

  const TracedMachine& machine_;
  const EquationSymbols& symbols_;
  EquationPen pen_;
  EquationSteps steps_;
};

}  // namespace

std::string equation_text(const TracedMachine& machine, Notation notation) {
  const EquationPen pen(notation);
  const EquationSymbols symbols(machine);
  EquationPage page(pen);
  page.title(title_of(machine));
  EquationLegend(machine, symbols, pen).write(page);
  WrittenEquations written(machine, symbols, pen);
  if (written.take()) {
    written.write(page);
  } else {
    StepEquations(machine, symbols, pen).write(page);
  }
  return page.take();
}

}  // namespace gelenk::generate
