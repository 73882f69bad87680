#include "gelenk/generate/equation_written.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace gelenk::generate {
namespace {

using symbolic::Id;
using symbolic::Polynomial;

constexpr std::size_t kMostRatesWritten = 4;
constexpr std::size_t kMostTermsWritten = 400;
constexpr std::size_t kLongestMassEntry = 64;    // in an equation of motion
constexpr std::size_t kLongestMatrixEntry = 24;  // before a multiplier

std::string joined_term(const std::string& term, bool is_first) {
  return is_first ? term : kLineMayEnd + std::string("+ ") + term;
}

}  // namespace

WrittenEquations::WrittenEquations(const minimal::TracedMachine& machine, const EquationSymbols& symbols,
                                   EquationPen pen)
    : machine_(machine),
      symbols_(symbols),
      pen_(pen),
      polynomials_(machine.graph),
      terms_(polynomials_, symbols_, pen_) {}

bool WrittenEquations::take(const std::vector<Id>& ids, std::vector<Polynomial>& forms) {
  for (const Id id : ids) {
    const std::optional<Polynomial> form = polynomials_.normal_form(id);
    if (!form) return false;
    forms.push_back(polynomials_.shortened(*form));
    term_count_ += terms_.count_terms(forms.back());
    if (term_count_ > kMostTermsWritten) return false;
  }
  return true;
}

bool WrittenEquations::take() {
  if (rates() > kMostRatesWritten) return false;
  std::vector<Id> upper, turns;
  for (std::size_t i = 0; i < rates(); ++i) {
    for (std::size_t k = i; k < rates(); ++k) upper.push_back(machine_.mass[place(i, k)]);
  }
  for (std::size_t i = 0; i < machine_.x.size(); ++i) {
    if (symbols_.is_orientation(i)) turns.push_back(machine_.position_rates[i]);
  }
  std::vector<Polynomial> triangle;
  if (!take(upper, triangle) || !take(machine_.force, force_) || !take(turns, position_rates_) ||
      !take(machine_.state_rates, state_rates_) || !take(machine_.row_values, row_values_) ||
      !take(machine_.row_matrix, row_matrix_) || !take(machine_.row_rates, row_rates_) ||
      !take(machine_.row_biases, row_biases_)) {
    return false;
  }
  mass_.resize(rates() * rates());
  auto next = triangle.begin();
  for (std::size_t i = 0; i < rates(); ++i) {
    for (std::size_t k = i; k < rates(); ++k) mass_[place(i, k)] = mass_[place(k, i)] = *next++;
  }
  return true;
}

void WrittenEquations::write(EquationPage& page) {
  page.section("Motion");
  if (rows() > 0) {
    const std::string multiplier = pen_.inline_formula(pen_.numbered("lambda", 1));
    page.remark(fmt::format("{} is the force or moment of row 1 of the loops, and so on.", multiplier));
  }
  for (std::size_t i = 0; i < rates(); ++i) page.equation(left_side(i), right_side(i));
  write_rows(page);
  write_rates(page);
  write_listed(page);
}

std::string WrittenEquations::entry_name(const Entry& entry) const {
  return pen_.entry(entry.is_of_rows ? "C" : "M", entry.row + 1, entry.column + 1);
}

std::string WrittenEquations::listed_times(const Entry& entry, const std::string& factor, bool is_first) {
  if (std::find(listed_.begin(), listed_.end(), entry) == listed_.end()) listed_.push_back(entry);
  return joined_term(pen_.product(entry_name(entry), factor), is_first);
}

std::string WrittenEquations::mass_times(std::size_t row, std::size_t column, bool is_first) {
  const std::vector<SumPiece> pieces = terms_.pieces(mass_[place(row, column)]);
  if (pieces.empty()) return {};
  const std::string factor = pen_.name(symbols_.acceleration(column));
  if (pen_.width(terms_.text(pieces)) <= kLongestMassEntry) return terms_.times(pieces, factor, is_first);
  return listed_times({false, std::min(row, column), std::max(row, column)}, factor, is_first);
}

std::string WrittenEquations::matrix_times(std::size_t row, std::size_t column, const std::string& factor,
                                           bool is_first) {
  const std::vector<SumPiece> pieces = terms_.length_pieces(row_matrix_[place(row, column)]);
  if (pieces.empty()) return {};
  if (pen_.width(terms_.text(pieces)) <= kLongestMatrixEntry) return terms_.times(pieces, factor, is_first);
  return listed_times({true, row, column}, factor, is_first);
}

std::string WrittenEquations::left_side(std::size_t row) {
  std::string text;
  for (std::size_t k = 0; k < rates(); ++k) text += mass_times(row, k, text.empty());
  return text.empty() ? "0" : text;
}

std::string WrittenEquations::right_side(std::size_t row) {
  const std::vector<SumPiece> force = terms_.force_pieces(force_[row]);
  std::string text = force.empty() ? "" : terms_.text(force);
  for (std::size_t r = 0; r < rows(); ++r) {
    text += matrix_times(r, row, pen_.numbered("lambda", r + 1), text.empty());
  }
  return text.empty() ? "0" : text;
}

std::string WrittenEquations::row_side(std::size_t row, bool of_accelerations) {
  std::string text;
  for (std::size_t k = 0; k < rates(); ++k) {
    const ShortName name = of_accelerations ? symbols_.acceleration(k) : symbols_.rate(k);
    text += matrix_times(row, k, pen_.name(name), text.empty());
  }
  return text.empty() ? "0" : text;
}

bool WrittenEquations::is_empty_row(std::size_t row) const {
  for (std::size_t k = 0; k < rates(); ++k) {
    if (!row_matrix_[place(row, k)].empty()) return false;
  }
  return row_values_[row].empty() && row_rates_[row].empty() && row_biases_[row].empty();
}

// c = 0, or where there is none C v = -c_t; then C v' = g.
void WrittenEquations::write_rows(EquationPage& page) {
  page.section("Loops");
  for (std::size_t r = 0; r < rows(); ++r) {
    if (is_empty_row(r)) {
      const std::size_t first = r;
      while (r + 1 < rows() && machine_.rows[r + 1] == machine_.rows[first] && is_empty_row(r + 1)) ++r;
      const std::string numbers = r == first
                                      ? fmt::format("row {}", r + 1)
                                      : fmt::format("rows {} {} {}", first + 1, r == first + 1 ? "and" : "to", r + 1);
      page.label(pen_.words(fmt::format("{}, {}: always met", numbers, machine_.rows[r])));
      continue;
    }
    page.label(pen_.words(fmt::format("row {}, {}:", r + 1, machine_.rows[r])));
    if (!row_values_[r].empty()) {
      page.equation(terms_.text(terms_.length_pieces(row_values_[r])), "0");
    } else {
      Polynomial known;
      for (const auto& [product, coefficient] : row_rates_[r]) known.emplace(product, -coefficient);
      page.equation(row_side(r, false), terms_.text(terms_.length_pieces(known)));
    }
    page.equation(row_side(r, true), terms_.text(terms_.length_pieces(row_biases_[r])));
  }
}

void WrittenEquations::write_rates(EquationPage& page) {
  page.section("Rates");
  auto turn = position_rates_.begin();
  const auto define = [&](Id symbol, const Polynomial& rate) {
    ShortName name = symbols_.of(symbol).name;
    ++name.primes;
    page.definition(pen_.name(name), terms_.text(terms_.pieces(rate)));
  };
  for (std::size_t i = 0; i < machine_.x.size(); ++i) {
    if (symbols_.is_orientation(i)) define(machine_.x[i], *turn++);
  }
  for (std::size_t i = 0; i < machine_.s.size(); ++i) define(machine_.s[i], state_rates_[i]);
}

void WrittenEquations::write_listed(EquationPage& page) {
  page.section("With");
  std::sort(listed_.begin(), listed_.end());
  for (const Entry& entry : listed_) {
    const std::size_t number = place(entry.row, entry.column);
    page.definition(entry_name(entry), terms_.text(entry.is_of_rows ? terms_.length_pieces(row_matrix_[number])
                                                                    : terms_.pieces(mass_[number])));
  }
  for (const auto& [name, formula] : terms_.abbreviations()) page.definition(name, formula);
}

}  // namespace gelenk::generate
