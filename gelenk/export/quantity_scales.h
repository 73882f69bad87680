#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "gelenk/base/units.h"
#include "gelenk/export/row_slabs.h"
#include "gelenk/results/reader.h"

// What is a number, and what is only what computers leave of zero.
namespace gelenk::exporting {

// Beside the largest quantity of its kind in the machine, what is smaller than this part of it is rounding: a side
// force of 1e-13 N beside a bearing that carries 1000 N.
inline constexpr double kRoundingOfMachine = 1e-12;

// How large the quantities of each kind get in a run. SI.
class QuantityScales {
 public:
  void include(Quantity quantity, double value);
  // A number of this kind that is not larger is rounding. 0: nothing is known, as for pure numbers.
  double rounding(Quantity quantity) const { return kRoundingOfMachine * scale(quantity); }

 private:
  double recorded(Quantity quantity) const;
  // Kinds belong together: a moment is compared with what the largest force does across the machine. An angle is never
  // small beside a radian, nor a rate beside one motion of that size in a second.
  double scale(Quantity quantity) const;

  std::map<Quantity, double> largest_;
};

// Collects the scales from all channels of a file, row by row.
class ScaleReader {
 public:
  explicit ScaleReader(const results::Reader& reader);

  void add_row(std::size_t row, const RowSlabs& slabs);
  QuantityScales scales() const;
  // Blocks that count.
  const std::vector<bool>& blocks() const { return is_needed_; }

 private:
  struct Column {
    Quantity quantity = Quantity::any;
    std::size_t block = 0, column = 0;
    double largest = 0.0;
  };
  std::vector<bool> is_needed_;
  std::vector<Column> columns_;
};

// Reads the whole file, a few megabytes at a time. Returns what went wrong, or nothing.
std::string read_scales(const results::Reader& reader, QuantityScales& scales);

}  // namespace gelenk::exporting
