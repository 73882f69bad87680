#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace gelenk::exporting {

// Thins a curve while it is being read, as thinned() does with one that is in memory: of each of `bins` equal pieces
// the first, smallest, largest and last value, so that no peak is lost.
class CurveSampler {
 public:
  // `rows` is how many values there will be.
  CurveSampler(std::size_t rows, std::size_t bins);

  void add(double time, double value);

  const std::vector<double>& times() const { return times_; }
  const std::vector<double>& values() const { return values_; }

 private:
  struct Point {
    std::size_t row = 0;
    double time = 0.0;
    double value = 0.0;
  };

  void keep(const Point& point);
  void finish_bin(const Point& last);

  std::size_t rows_;
  std::size_t bins_;
  std::size_t row_ = 0;
  std::size_t bin_ = 0;
  std::size_t bin_end_ = 0;
  Point first_, low_, high_;
  bool is_thinned_;
  bool is_new_bin_ = true;
  std::vector<double> times_, values_;
};

}  // namespace gelenk::exporting
