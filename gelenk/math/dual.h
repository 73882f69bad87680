#pragma once

#include <array>
#include <cmath>
#include <compare>
#include <cstddef>
#include <numbers>

namespace gelenk {

// A number that carries its N partial derivatives: f(x) and ∂f/∂x_k for k = 0 … N-1, exact to rounding, without
// allocation (forward-mode differentiation). Comparisons look at the value only, so that code branches as with double.
//
// Where a function has no derivative (abs at 0, min of equals) one of its one-sided derivatives or zero is taken.
// A partial that is zero stays zero even where the derivative of the function is infinite: √x at 0 must not spoil the
// derivatives with respect to variables that x does not depend on.
template <int N>
struct Dual {
  static_assert(N > 0);
  static constexpr std::size_t kCount = static_cast<std::size_t>(N);

  double value = 0.0;
  std::array<double, kCount> partials{};

  constexpr Dual() = default;
  constexpr Dual(double v) : value(v) {}  // NOLINT(google-explicit-constructor): a constant is a number

  // The independent variable number k.
  static constexpr Dual variable(double value, std::size_t k) {
    Dual result(value);
    result.partials[k] = 1.0;
    return result;
  }

  // f(a) given f and df/da.
  static constexpr Dual chain(double f, const Dual& a, double df_da) {
    Dual result(f);
    for (std::size_t k = 0; k < kCount; ++k) result.partials[k] = product(df_da, a.partials[k]);
    return result;
  }
  // f(a, b) given f, ∂f/∂a and ∂f/∂b.
  static constexpr Dual chain(double f, const Dual& a, double df_da, const Dual& b, double df_db) {
    Dual result(f);
    for (std::size_t k = 0; k < kCount; ++k) {
      result.partials[k] = product(df_da, a.partials[k]) + product(df_db, b.partials[k]);
    }
    return result;
  }

  friend constexpr Dual operator+(const Dual& a) { return a; }
  friend constexpr Dual operator-(const Dual& a) { return chain(-a.value, a, -1.0); }

  friend constexpr Dual operator+(const Dual& a, const Dual& b) { return chain(a.value + b.value, a, 1.0, b, 1.0); }
  friend constexpr Dual operator-(const Dual& a, const Dual& b) { return chain(a.value - b.value, a, 1.0, b, -1.0); }
  friend constexpr Dual operator*(const Dual& a, const Dual& b) {
    return chain(a.value * b.value, a, b.value, b, a.value);
  }
  friend constexpr Dual operator/(const Dual& a, const Dual& b) {
    const double quotient = a.value / b.value;
    return chain(quotient, a, 1.0 / b.value, b, -quotient / b.value);
  }

  friend constexpr Dual operator+(const Dual& a, double b) { return chain(a.value + b, a, 1.0); }
  friend constexpr Dual operator-(const Dual& a, double b) { return chain(a.value - b, a, 1.0); }
  friend constexpr Dual operator*(const Dual& a, double b) { return chain(a.value * b, a, b); }
  friend constexpr Dual operator/(const Dual& a, double b) { return chain(a.value / b, a, 1.0 / b); }
  friend constexpr Dual operator+(double a, const Dual& b) { return b + a; }
  friend constexpr Dual operator-(double a, const Dual& b) { return chain(a - b.value, b, -1.0); }
  friend constexpr Dual operator*(double a, const Dual& b) { return b * a; }
  friend constexpr Dual operator/(double a, const Dual& b) {
    const double quotient = a / b.value;
    return chain(quotient, b, -quotient / b.value);
  }

  constexpr Dual& operator+=(const Dual& other) { return *this = *this + other; }
  constexpr Dual& operator-=(const Dual& other) { return *this = *this - other; }
  constexpr Dual& operator*=(const Dual& other) { return *this = *this * other; }
  constexpr Dual& operator/=(const Dual& other) { return *this = *this / other; }

  friend constexpr bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend constexpr auto operator<=>(const Dual& a, const Dual& b) { return a.value <=> b.value; }

 private:
  static constexpr double product(double factor, double partial) { return partial == 0.0 ? 0.0 : factor * partial; }
};

// The plain number behind a scalar, for branches.
inline double value_of(double x) { return x; }
template <int N>
double value_of(const Dual<N>& x) {
  return x.value;
}

template <int N>
Dual<N> sin(const Dual<N>& a) {
  return Dual<N>::chain(std::sin(a.value), a, std::cos(a.value));
}
template <int N>
Dual<N> cos(const Dual<N>& a) {
  return Dual<N>::chain(std::cos(a.value), a, -std::sin(a.value));
}
template <int N>
Dual<N> tan(const Dual<N>& a) {
  const double f = std::tan(a.value);
  return Dual<N>::chain(f, a, 1.0 + f * f);
}
template <int N>
Dual<N> asin(const Dual<N>& a) {
  // (1 - a)(1 + a) keeps its digits near ±1, where 1 - a² does not.
  return Dual<N>::chain(std::asin(a.value), a, 1.0 / std::sqrt((1.0 - a.value) * (1.0 + a.value)));
}
template <int N>
Dual<N> acos(const Dual<N>& a) {
  return Dual<N>::chain(std::acos(a.value), a, -1.0 / std::sqrt((1.0 - a.value) * (1.0 + a.value)));
}
template <int N>
Dual<N> atan(const Dual<N>& a) {
  return Dual<N>::chain(std::atan(a.value), a, 1.0 / (1.0 + a.value * a.value));
}
template <int N>
Dual<N> sinh(const Dual<N>& a) {
  return Dual<N>::chain(std::sinh(a.value), a, std::cosh(a.value));
}
template <int N>
Dual<N> cosh(const Dual<N>& a) {
  return Dual<N>::chain(std::cosh(a.value), a, std::sinh(a.value));
}
template <int N>
Dual<N> tanh(const Dual<N>& a) {
  const double f = std::tanh(a.value);
  return Dual<N>::chain(f, a, 1.0 - f * f);
}
template <int N>
Dual<N> exp(const Dual<N>& a) {
  const double f = std::exp(a.value);
  return Dual<N>::chain(f, a, f);
}
template <int N>
Dual<N> log(const Dual<N>& a) {
  return Dual<N>::chain(std::log(a.value), a, 1.0 / a.value);
}
template <int N>
Dual<N> log10(const Dual<N>& a) {
  return Dual<N>::chain(std::log10(a.value), a, 1.0 / (std::numbers::ln10 * a.value));
}
template <int N>
Dual<N> sqrt(const Dual<N>& a) {
  const double f = std::sqrt(a.value);
  return Dual<N>::chain(f, a, 0.5 / f);
}
template <int N>
Dual<N> abs(const Dual<N>& a) {
  return Dual<N>::chain(std::abs(a.value), a, a.value > 0.0 ? 1.0 : a.value < 0.0 ? -1.0 : 0.0);
}
template <int N>
Dual<N> floor(const Dual<N>& a) {
  return Dual<N>(std::floor(a.value));
}
template <int N>
Dual<N> ceil(const Dual<N>& a) {
  return Dual<N>(std::ceil(a.value));
}

template <int N>
Dual<N> min(const Dual<N>& a, const Dual<N>& b) {
  return a.value <= b.value ? a : b;
}
template <int N>
Dual<N> max(const Dual<N>& a, const Dual<N>& b) {
  return a.value >= b.value ? a : b;
}

// The angle of the point (x, y) from the x axis. At the origin the derivative is taken as zero.
template <int N>
Dual<N> atan2(const Dual<N>& y, const Dual<N>& x) {
  const double r = std::hypot(x.value, y.value);
  const double f = std::atan2(y.value, x.value);
  if (r == 0.0) return Dual<N>(f);
  return Dual<N>::chain(f, y, x.value / r / r, x, -y.value / r / r);
}

// √(a² + b²). At the origin, the tip of a cone, the derivative is taken as zero.
template <int N>
Dual<N> hypot(const Dual<N>& a, const Dual<N>& b) {
  const double f = std::hypot(a.value, b.value);
  if (f == 0.0) return Dual<N>(f);
  return Dual<N>::chain(f, a, a.value / f, b, b.value / f);
}

// aᵇ: ∂/∂a = b a^(b-1), ∂/∂b = aᵇ ln a, which goes to zero with a for b > 0. A constant exponent needs no logarithm,
// so a negative base with a whole exponent has its derivative.
template <int N>
Dual<N> pow(const Dual<N>& a, const Dual<N>& b) {
  const double f = std::pow(a.value, b.value);
  const double by_base = b.value == 0.0 ? 0.0 : b.value * std::pow(a.value, b.value - 1.0);
  const double by_exponent = a.value == 0.0 && b.value > 0.0 ? 0.0 : f * std::log(a.value);
  return Dual<N>::chain(f, a, by_base, b, by_exponent);
}
template <int N>
Dual<N> pow(const Dual<N>& a, double b) {
  return pow(a, Dual<N>(b));
}
template <int N>
Dual<N> pow(double a, const Dual<N>& b) {
  return pow(Dual<N>(a), b);
}

}  // namespace gelenk
