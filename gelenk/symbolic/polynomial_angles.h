#pragma once

#include <compare>
#include <set>
#include <vector>

// Sums of products of sines and cosines, written with few terms.
namespace gelenk::symbolic {

// Whole multiples of some angles: 1, -2 is u₁ - 2 u₂. The first that is not zero is positive.
using AngleSum = std::vector<int>;

struct AngleFunction {
  bool is_sine = false;
  AngleSum angle;
  friend auto operator<=>(const AngleFunction&, const AngleFunction&) = default;
};

// A coefficient times sines and cosines in their order; one to a power is there several times.
struct AngleTerm {
  double coefficient = 0.0;
  std::vector<AngleFunction> factors;
};

// The same sum in the fewest terms that were found; where it makes no difference with known angles and whole
// coefficients. `terms`: each with one factor or none, no two of them alike.
std::vector<AngleTerm> shortened(const std::vector<AngleTerm>& terms, const std::set<AngleSum>& known);

// f(-u) = ±f(u): makes the angle what AngleSum says; the sign it takes.
double turn_to_positive(AngleFunction& function);

}  // namespace gelenk::symbolic
