#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/generate/equation_page.h"
#include "gelenk/generate/equation_pen.h"
#include "gelenk/generate/equation_symbols.h"
#include "gelenk/generate/equation_terms.h"
#include "gelenk/minimal/traced_machine.h"
#include "gelenk/symbolic/polynomial.h"

namespace gelenk::generate {

// The equations of a small machine, written out as in a textbook.
class WrittenEquations {
 public:
  WrittenEquations(const minimal::TracedMachine& machine, const EquationSymbols& symbols, EquationPen pen);

  // False when they are too long for that.
  bool take();
  void write(EquationPage& page);

 private:
  struct Entry {
    bool is_of_rows = false;  // of C, not of M
    std::size_t row = 0, column = 0;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  std::size_t rates() const { return machine_.v.size(); }
  std::size_t rows() const { return machine_.rows.size(); }
  std::size_t place(std::size_t row, std::size_t column) const { return row * rates() + column; }
  bool take(const std::vector<symbolic::Id>& ids, std::vector<symbolic::Polynomial>& forms);

  std::string mass_times(std::size_t row, std::size_t column, bool is_first);
  std::string matrix_times(std::size_t row, std::size_t column, const std::string& factor, bool is_first);
  std::string entry_name(const Entry& entry) const;
  std::string listed_times(const Entry& entry, const std::string& factor, bool is_first);
  std::string left_side(std::size_t row);
  std::string right_side(std::size_t row);
  std::string row_side(std::size_t row, bool of_accelerations);
  bool is_empty_row(std::size_t row) const;
  void write_rows(EquationPage& page);
  void write_rates(EquationPage& page);
  void write_listed(EquationPage& page);

  const minimal::TracedMachine& machine_;
  const EquationSymbols& symbols_;
  EquationPen pen_;
  symbolic::Polynomials polynomials_;
  EquationTerms terms_;
  std::vector<symbolic::Polynomial> mass_, force_, position_rates_, state_rates_, row_values_, row_matrix_, row_rates_,
      row_biases_;
  std::size_t term_count_ = 0;
  std::vector<Entry> listed_;
};

}  // namespace gelenk::generate
