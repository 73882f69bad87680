#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/expression/bounds.h"
#include "gelenk/system/system.h"

// How a formula is examined for something that happens between the stages of a step, on the sides in force of its
// switches: steps end where one of them changes.
namespace gelenk::system {

// A node of a signal's formula, with all before it.
struct LawFormula {
  std::int32_t signal = -1;
  std::size_t node = 0;
};

// Degree of each node of the signal as a polynomial of all that varies, on the sides in force; 100: it is none.
std::vector<int> degrees_of(const Signal& signal);

// Its value and its bounds for given symbols. Allocates nothing.
class LawEvaluator {
 public:
  explicit LawEvaluator(const System& system);

  void set_sides(std::span<const std::int32_t> sides) { sides_ = sides; }
  double value(const LawFormula& law, std::span<const double> symbols);
  // Certain, but wider than what is reached where a symbol stands in several places.
  expression::Interval bounds(const LawFormula& law, std::span<const expression::Interval> symbols);
  // Of a node before the one that was asked for last.
  double node_value(std::int32_t node) const { return nodes_[static_cast<std::size_t>(node)]; }
  expression::Interval node_bounds(std::int32_t node) const { return node_bounds_[static_cast<std::size_t>(node)]; }

 private:
  const System& system_;
  std::span<const std::int32_t> sides_;
  std::vector<double> nodes_;
  std::vector<expression::Interval> node_bounds_;
};

// What a formula may do beside its values at nine places: this part of its size there ...
inline constexpr double kHiddenShare = 1.0 / 64.0;
// ... or this part of its size around. Far off its middle a bell curve changes by powers, and does nothing.
inline constexpr double kHiddenNegligible = 1e-6;
inline constexpr double kHiddenAround = 8.0;  // longest steps

// How far a function is off the line between its values at 0 and 1, where that is more than twice these values: then
// they show nothing of it, and methods that evaluate at the ends of a step alone do not see it. Otherwise zero: where
// less is between the ends, the error of the step shows it.
template <class Value>
double size_between_ends(const Value& value) {
  constexpr int kParts = 8;
  constexpr double kShown = 2.0;
  const double first = value(0.0), last = value(1.0);
  double off = 0.0;
  for (int i = 1; i < kParts; ++i) {
    const double place = static_cast<double>(i) / kParts;
    off = std::max(off, std::abs(value(place) - (first + place * (last - first))));
  }
  return std::isfinite(off) && off > kShown * std::max(std::abs(first), std::abs(last)) ? off : 0.0;
}

// Whether a function follows its values at nine places between `begin` and `end`; that nothing hides between them is
// proven by its bounds, as far as these become narrow. A path has `double value(double place)` and `Interval
// bounds(double from, double to)`.
template <class Path>
class LawShape {
 public:
  // `most_looks`: before what cannot be decided is believed.
  LawShape(Path& path, int most_looks) : path_(path), left_to_look_(most_looks) {}

  bool is_resolved(double begin, double end, double floor) {
    constexpr std::size_t kPlaces = 9;
    std::array<double, kPlaces> f{}, at{};
    double size = 0.0;
    for (std::size_t i = 0; i < kPlaces; ++i) {
      at[i] = begin + (end - begin) * static_cast<double>(i) / (kPlaces - 1.0);
      f[i] = path_.value(at[i]);
      if (!std::isfinite(f[i])) return true;  // the step itself will find out
      size = std::max(size, std::abs(f[i]));
    }
    const double allowed = std::max(kHiddenShare * size, floor);
    // Every second place from its neighbors: a polynomial of fourth order through five places, at their middles.
    const auto middle = [&](double a, double b, double c, double d, double e, std::size_t i) {
      return std::abs(f[i] - (a * f[0] + b * f[2] + c * f[4] + d * f[6] + e * f[8]) / 128.0) <= allowed;
    };
    if (!middle(35, 140, -70, 28, -5, 1) || !middle(-5, 60, 90, -20, 3, 3) || !middle(3, -20, 90, 60, -5, 5) ||
        !middle(-5, 28, -70, 140, 35, 7)) {
      return false;
    }
    for (std::size_t i = 0; i + 1 < kPlaces; ++i) {
      const auto [low, high] = std::minmax(f[i], f[i + 1]);
      if (!stays_within(at[i], at[i + 1], {low - allowed, high + allowed}, kDeepest)) return false;
    }
    return true;
  }

 private:
  static constexpr int kDeepest = 14;  // halvings of an eighth

  // Whether it stays within `band`, as far as can be known.
  bool stays_within(double from, double to, const expression::Interval& band, int depth) {
    const expression::Interval found = path_.bounds(from, to);
    if (found.low >= band.low && found.high <= band.high) return true;
    if (depth == 0 || --left_to_look_ < 0) return true;
    const double middle = 0.5 * (from + to);
    if (!band.contains(path_.value(middle))) return false;
    return stays_within(from, middle, band, depth - 1) && stays_within(middle, to, band, depth - 1);
  }

  Path& path_;
  int left_to_look_;
};

}  // namespace gelenk::system
