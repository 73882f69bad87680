#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gelenk::exporting {

// Something to be drawn over time, in the units that people are shown.
struct Curve {
  std::string name;
  std::string unit;
  std::vector<double> times;
  std::vector<double> values;  // NaN leaves a gap
  std::string note{};          // beside its name
};

// Smallest and largest finite number.
struct Limits {
  double min = 0.0;
  double max = 0.0;
  bool is_empty = true;

  void include(double value);
};
Limits limits_of(std::span<const double> values);

// A curve that is nowhere larger than `rounding`, but not zero, becomes zero, with a note that says so; true then.
bool flatten_rounding(Curve& curve, double rounding);

// The same picture with fewer points: of each of `bins` equal pieces the first, smallest, largest and last value, in
// their order. Curves that are short enough stay as they are.
Curve thinned(const Curve& curve, std::size_t bins);

}  // namespace gelenk::exporting
