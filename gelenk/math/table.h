#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/base/dimension.h"

namespace gelenk {

enum class Interpolation {
  linear,
  cubic,  // natural cubic spline: continuous curvature, which is zero at both ends
  akima,  // Akima 1970: continuous slope, no ringing beside steps
  // cubic spline of a closed curve: slope and curvature at the last point are those at the first. Its argument is to be
  // brought between the ends by whoever looks it up.
  periodic,
};

// A function given by points: y over strictly increasing x, held constant beyond its ends.
// On interval i with t = x - x_i: y = y_i + b_i t + c_i t² + d_i t³.
class Table {
 public:
  // Needs at least two points, all finite. Otherwise returns nothing and says why in `error` (which may be null).
  static std::optional<Table> make(std::vector<double> x, std::vector<double> y, Interpolation interpolation,
                                   std::string* error);

  double value(double x) const;
  // dy/dx: zero beyond the ends; at a kink the slope to the right, at the last point the slope to the left.
  double slope(double x) const;
  // d²y/dx², with the same rule as slope().
  double curvature(double x) const;

  // The function is made of pieces: 0 before the first point, i between points i-1 and i, the last beyond the last
  // point. The one that x lies in; a point belongs to the piece behind it.
  std::int32_t piece_at(double x) const;
  // The functions above as the formula of one piece gives them, also for an x that has left it.
  double value_on(std::int32_t piece, double x) const;
  double slope_on(std::int32_t piece, double x) const;
  double curvature_on(std::int32_t piece, double x) const;

  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& y() const { return y_; }
  Interpolation interpolation() const { return interpolation_; }

  // The same points with the same meaning; the coefficients follow from them.
  friend bool operator==(const Table& a, const Table& b) {
    return a.x_ == b.x_ && a.y_ == b.y_ && a.interpolation_ == b.interpolation_ &&
           a.argument_dimension == b.argument_dimension && a.value_dimension == b.value_dimension;
  }

  // Meaning of x and y; the maker of the table sets them, the numbers do not depend on them.
  Dimension argument_dimension;
  Dimension value_dimension;

 private:
  struct Coefficients {
    double b = 0.0;
    double c = 0.0;
    double d = 0.0;
  };

  Table(std::vector<double> x, std::vector<double> y, Interpolation interpolation);

  // The interval that x lies in, for x within the ends.
  std::size_t interval(double x) const;
  bool is_outside(double x) const { return x < x_.front() || x > x_.back(); }
  bool is_end(std::int32_t piece) const { return piece <= 0 || static_cast<std::size_t>(piece) >= x_.size(); }

  void fill_linear();
  void fill_cubic();
  void fill_periodic();
  void fill_akima();
  // Cubic pieces with the given slopes at the points.
  void fill_hermite(const std::vector<double>& slopes);

  std::vector<double> x_;
  std::vector<double> y_;
  Interpolation interpolation_;
  std::vector<Coefficients> pieces_;
};

}  // namespace gelenk
