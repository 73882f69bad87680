#include "gelenk/math/table.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gelenk/base/text.h"

namespace gelenk {
namespace {

// Why these points make no table; empty when they do.
std::string problem(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() != y.size()) {
    return "the table has " + std::to_string(x.size()) + " x values but " + std::to_string(y.size()) + " y values";
  }
  if (x.size() < 2) return "the table needs at least 2 points, but has " + std::to_string(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) {
      return "point " + std::to_string(i + 1) + " of the table is not a finite number";
    }
    if (i > 0 && !(x[i] > x[i - 1])) {
      return "the x values of the table must increase, but point " + std::to_string(i + 1) + " has " +
             format_rounded(x[i], 6) + " after " + format_rounded(x[i - 1], 6);
    }
  }
  return {};
}

}  // namespace

std::optional<Table> Table::make(std::vector<double> x, std::vector<double> y, Interpolation interpolation,
                                 std::string* error) {
  std::string why = problem(x, y);
  if (why.empty() && interpolation == Interpolation::periodic && y.front() != y.back()) {
    why = "a periodic table ends with the value with which it begins, but it goes from " +
          format_rounded(y.front(), 6) + " to " + format_rounded(y.back(), 6);
  }
  if (why.empty()) {
    Table table(std::move(x), std::move(y), interpolation);
    const bool finite = std::all_of(table.pieces_.begin(), table.pieces_.end(), [](const Coefficients& piece) {
      return std::isfinite(piece.b) && std::isfinite(piece.c) && std::isfinite(piece.d);
    });
    if (finite) return table;
    why = "the table is too steep: its slopes overflow";
  }
  if (error != nullptr) *error = std::move(why);
  return std::nullopt;
}

Table::Table(std::vector<double> x, std::vector<double> y, Interpolation interpolation)
    : x_(std::move(x)), y_(std::move(y)), interpolation_(interpolation), pieces_(x_.size() - 1) {
  switch (interpolation) {
    case Interpolation::linear:
      fill_linear();
      break;
    case Interpolation::cubic:
      fill_cubic();
      break;
    case Interpolation::akima:
      fill_akima();
      break;
    case Interpolation::periodic:
      fill_periodic();
      break;
  }
}

std::size_t Table::interval(double x) const {
  const auto above = std::upper_bound(x_.begin(), x_.end(), x);
  const auto index = static_cast<std::size_t>(above - x_.begin());
  return std::clamp<std::size_t>(index, 1, pieces_.size()) - 1;
}

double Table::value(double x) const {
  if (std::isnan(x)) return x;
  if (x <= x_.front()) return y_.front();
  if (x >= x_.back()) return y_.back();
  const std::size_t i = interval(x);
  const double t = x - x_[i];
  return y_[i] + t * (pieces_[i].b + t * (pieces_[i].c + t * pieces_[i].d));
}

double Table::slope(double x) const {
  if (std::isnan(x)) return x;
  if (is_outside(x)) return 0.0;
  const std::size_t i = interval(x);
  const double t = x - x_[i];
  return pieces_[i].b + t * (2.0 * pieces_[i].c + t * 3.0 * pieces_[i].d);
}

double Table::curvature(double x) const {
  if (std::isnan(x)) return x;
  if (is_outside(x)) return 0.0;
  const std::size_t i = interval(x);
  return 2.0 * pieces_[i].c + 6.0 * pieces_[i].d * (x - x_[i]);
}

std::int32_t Table::piece_at(double x) const {
  return static_cast<std::int32_t>(std::upper_bound(x_.begin(), x_.end(), x) - x_.begin());
}

double Table::value_on(std::int32_t piece, double x) const {
  if (is_end(piece)) return piece <= 0 ? y_.front() : y_.back();
  const auto i = static_cast<std::size_t>(piece - 1);
  const double t = x - x_[i];
  return y_[i] + t * (pieces_[i].b + t * (pieces_[i].c + t * pieces_[i].d));
}

double Table::slope_on(std::int32_t piece, double x) const {
  if (is_end(piece)) return 0.0;
  const auto i = static_cast<std::size_t>(piece - 1);
  const double t = x - x_[i];
  return pieces_[i].b + t * (2.0 * pieces_[i].c + t * 3.0 * pieces_[i].d);
}

double Table::curvature_on(std::int32_t piece, double x) const {
  if (is_end(piece)) return 0.0;
  const auto i = static_cast<std::size_t>(piece - 1);
  return 2.0 * pieces_[i].c + 6.0 * pieces_[i].d * (x - x_[i]);
}

void Table::fill_linear() {
  for (std::size_t i = 0; i < pieces_.size(); ++i) pieces_[i].b = (y_[i + 1] - y_[i]) / (x_[i + 1] - x_[i]);
}

// Continuity of slope gives, for the curvatures M_i with h_i = x_{i+1} - x_i and secants s_i,
//   h_{i-1} M_{i-1} + 2 (h_{i-1} + h_i) M_i + h_i M_{i+1} = 6 (s_i - s_{i-1}),   M_0 = M_n = 0:
// tridiagonal and diagonally dominant, so elimination without pivoting is safe.
void Table::fill_cubic() {
  const std::size_t last = pieces_.size();
  std::vector<double> diagonal(last + 1, 1.0);
  std::vector<double> M(last + 1, 0.0);
  const auto h = [&](std::size_t i) { return x_[i + 1] - x_[i]; };
  const auto secant = [&](std::size_t i) { return (y_[i + 1] - y_[i]) / h(i); };
  for (std::size_t i = 1; i < last; ++i) {
    const double factor = i > 1 ? h(i - 1) / diagonal[i - 1] : 0.0;
    diagonal[i] = 2.0 * (h(i - 1) + h(i)) - factor * h(i - 1);
    M[i] = 6.0 * (secant(i) - secant(i - 1)) - factor * M[i - 1];
  }
  for (std::size_t i = last - 1; i >= 1; --i) M[i] = (M[i] - h(i) * M[i + 1]) / diagonal[i];
  for (std::size_t i = 0; i < last; ++i) {
    pieces_[i] = {secant(i) - h(i) * (2.0 * M[i] + M[i + 1]) / 6.0, M[i] / 2.0, (M[i + 1] - M[i]) / (6.0 * h(i))};
  }
}

// The same equations around the circle, M_n = M_0: a cyclic tridiagonal system, as two systems with the tridiagonal
// part and a correction of rank one (Sherman, Morrison). With two intervals both neighbors are the same point.
void Table::fill_periodic() {
  const std::size_t count = pieces_.size();
  const auto h = [&](std::size_t i) { return x_[i + 1] - x_[i]; };
  const auto secant = [&](std::size_t i) { return (y_[i + 1] - y_[i]) / h(i); };
  const auto before = [&](std::size_t i) { return i == 0 ? count - 1 : i - 1; };
  std::vector<double> M(count + 1, 0.0);
  if (count > 1) {
    const double corner = h(count - 1);
    const auto diagonal = [&](std::size_t i) { return 2.0 * (h(before(i)) + h(i)); };
    const double gamma = -diagonal(0);
    // u = (γ, 0, ..., 0, corner), v = (1, 0, ..., 0, corner / γ)
    const auto solve = [&](std::vector<double> b) {
      std::vector<double> d(count);
      for (std::size_t i = 0; i < count; ++i) {
        d[i] = diagonal(i);
        if (i == 0) d[i] -= gamma;
        if (i + 1 == count) d[i] -= corner * corner / gamma;
        if (i == 0) continue;
        const double factor = h(i - 1) / d[i - 1];
        d[i] -= factor * h(i - 1);
        b[i] -= factor * b[i - 1];
      }
      for (std::size_t i = count; i-- > 0;) b[i] = (b[i] - (i + 1 < count ? h(i) * b[i + 1] : 0.0)) / d[i];
      return b;
    };
    std::vector<double> right(count);
    for (std::size_t i = 0; i < count; ++i) right[i] = 6.0 * (secant(i) - secant(before(i)));
    std::vector<double> u(count, 0.0);
    u[0] = gamma;
    u[count - 1] = corner;
    const std::vector<double> y = solve(right);
    const std::vector<double> z = solve(u);
    const double share = (y[0] + y[count - 1] * corner / gamma) / (1.0 + z[0] + z[count - 1] * corner / gamma);
    for (std::size_t i = 0; i < count; ++i) M[i] = y[i] - share * z[i];
    M[count] = M[0];
  }
  for (std::size_t i = 0; i < count; ++i) {
    pieces_[i] = {secant(i) - h(i) * (2.0 * M[i] + M[i + 1]) / 6.0, M[i] / 2.0, (M[i + 1] - M[i]) / (6.0 * h(i))};
  }
}

// The slope at a point is the mean of the secants beside it, each weighted by how little the secants change on the
// other side. Two secants are added at each end by quadratic extrapolation: m_{-1} = 2 m_0 - m_1. (Akima 1970, J. ACM
// 17(4).)
void Table::fill_akima() {
  const std::size_t count = pieces_.size();
  std::vector<double> m(count + 4);  // m[i + 2] is the secant of interval i
  for (std::size_t i = 0; i < count; ++i) m[i + 2] = (y_[i + 1] - y_[i]) / (x_[i + 1] - x_[i]);
  const bool straight = count == 1;
  m[1] = straight ? m[2] : 2.0 * m[2] - m[3];
  m[0] = straight ? m[2] : 2.0 * m[1] - m[2];
  m[count + 2] = straight ? m[2] : 2.0 * m[count + 1] - m[count];
  m[count + 3] = straight ? m[2] : 2.0 * m[count + 2] - m[count + 1];
  std::vector<double> slopes(count + 1);
  for (std::size_t i = 0; i <= count; ++i) {
    const double weight_left = std::abs(m[i + 3] - m[i + 2]);
    const double weight_right = std::abs(m[i + 1] - m[i]);
    const double sum = weight_left + weight_right;
    slopes[i] =
        sum > 0.0 ? (weight_left / sum) * m[i + 1] + (weight_right / sum) * m[i + 2] : 0.5 * (m[i + 1] + m[i + 2]);
  }
  fill_hermite(slopes);
}

void Table::fill_hermite(const std::vector<double>& slopes) {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const double h = x_[i + 1] - x_[i];
    const double secant = (y_[i + 1] - y_[i]) / h;
    pieces_[i] = {slopes[i], (3.0 * secant - 2.0 * slopes[i] - slopes[i + 1]) / h,
                  (slopes[i] + slopes[i + 1] - 2.0 * secant) / (h * h)};
  }
}

}  // namespace gelenk
