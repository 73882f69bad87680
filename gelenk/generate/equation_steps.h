#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/generate/equation_pen.h"
#include "gelenk/generate/equation_symbols.h"
#include "gelenk/symbolic/graph.h"

namespace gelenk::generate {

// Formulas in numbered steps: what is used several times, or long, is a step of its own.
class EquationSteps {
 public:
  EquationSteps(const symbolic::Graph& graph, std::span<const symbolic::Id> results, const EquationSymbols& symbols,
                EquationPen pen);

  // Name and formula: those that follow from parameters alone, then the others.
  const std::vector<std::pair<std::string, std::string>>& constant_steps() const { return constant_; }
  const std::vector<std::pair<std::string, std::string>>& moving_steps() const { return moving_; }
  // A result in terms of the steps.
  const std::string& text(symbolic::Id id) const { return texts_[static_cast<std::size_t>(id)].text; }

 private:
  enum class Tightness { comparison, sum, quotient, product, primary };
  struct Written {
    std::string text;
    Tightness tightness = Tightness::primary;
  };

  struct Factors {
    double size = 1.0;
    std::vector<std::pair<symbolic::Id, int>> powers;
  };

  Written write(const symbolic::Node& node) const;
  Written symbol_or_number(const symbolic::Node& node) const;
  Written sum(const symbolic::Node& node) const;
  Written product(const symbolic::Node& node) const;
  void add_factors(symbolic::Id id, Factors& factors) const;
  Written quotient(const symbolic::Node& node) const;
  std::string operand(symbolic::Id id, Tightness at_least) const;

  const symbolic::Graph& graph_;
  const EquationSymbols& symbols_;
  EquationPen pen_;
  std::vector<Written> texts_;
  std::vector<bool> is_known_;
  std::vector<std::pair<std::string, std::string>> constant_, moving_;
};

}  // namespace gelenk::generate
