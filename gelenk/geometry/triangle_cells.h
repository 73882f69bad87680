#pragma once

#include <algorithm>
#include <cmath>

#include "gelenk/math/pose.h"

namespace gelenk::geometry {

// Whether a triangle of a picture shows its front: y of pictures points down, so fronts run clockwise there.
inline double signed_area(const Vector3& a, const Vector3& b, const Vector3& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

// Calls visit(column, row, of_b, of_c) for all cells of a grid whose middle is inside a triangle. Corners are in cells;
// the weights of b and c say where in the triangle the cell is: a quantity that is linear there has the value
// f_a + of_b (f_b - f_a) + of_c (f_c - f_a).
template <class Visit>
void visit_cells(const Vector3& a, const Vector3& b, const Vector3& c, int columns, int rows, const Visit& visit) {
  const auto low = [](double x, double y, double z) { return std::ceil(std::min({x, y, z}) - 0.5); };
  const auto high = [](double x, double y, double z) { return std::floor(std::max({x, y, z}) - 0.5); };
  const int left = static_cast<int>(std::clamp(low(a.x(), b.x(), c.x()), 0.0, static_cast<double>(columns)));
  const int right = static_cast<int>(std::clamp(high(a.x(), b.x(), c.x()), -1.0, columns - 1.0));
  const int top = static_cast<int>(std::clamp(low(a.y(), b.y(), c.y()), 0.0, static_cast<double>(rows)));
  const int bottom = static_cast<int>(std::clamp(high(a.y(), b.y(), c.y()), -1.0, rows - 1.0));
  const double area = signed_area(a, b, c);
  if (area == 0.0) return;
  for (int row = top; row <= bottom; ++row) {
    for (int column = left; column <= right; ++column) {
      const double x = column + 0.5, y = row + 0.5;
      const double of_b = ((x - a.x()) * (c.y() - a.y()) - (y - a.y()) * (c.x() - a.x())) / area;
      const double of_c = ((b.x() - a.x()) * (y - a.y()) - (b.y() - a.y()) * (x - a.x())) / area;
      if (of_b >= 0.0 && of_c >= 0.0 && of_b + of_c <= 1.0) visit(column, row, of_b, of_c);
    }
  }
}

}  // namespace gelenk::geometry
