#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace gelenk {

// Physical dimension: exponents of kg, m, s, A, K, mol, cd. An angle counts as a pure number.
// Exponents are stored in sixths, so that square and cube roots stay exact.
class Dimension {
 public:
  static constexpr int kBaseCount = 7;
  static constexpr int kScale = 6;

  constexpr Dimension() = default;
  constexpr Dimension(int kg, int m, int s, int a = 0, int k = 0, int mol = 0, int cd = 0)
      : sixths_{narrow(kg * kScale), narrow(m * kScale),   narrow(s * kScale), narrow(a * kScale),
                narrow(k * kScale),  narrow(mol * kScale), narrow(cd * kScale)} {}

  constexpr bool is_none() const { return *this == Dimension{}; }
  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;

  // Exponents beyond ±20 stop there; where the input is not trusted use checked_product.
  friend constexpr Dimension operator*(const Dimension& a, const Dimension& b) { return a.combined(b, 1); }
  friend constexpr Dimension operator/(const Dimension& a, const Dimension& b) { return a.combined(b, -1); }

  // a * b for sign = 1, a / b for sign = -1; nothing when an exponent gets too large.
  static constexpr std::optional<Dimension> checked_product(const Dimension& a, const Dimension& b, int sign = 1) {
    for (std::size_t i = 0; i < kBaseCount; ++i) {
      const int sum = a.sixths_[i] + sign * b.sixths_[i];
      if (sum < -kLimit || sum > kLimit) return std::nullopt;
    }
    return a.combined(b, sign);
  }

  // The dimension to the power numerator/denominator; nothing when an exponent is no multiple of 1/6 or too large.
  constexpr std::optional<Dimension> power(int numerator, int denominator = 1) const {
    if (denominator == 0) return std::nullopt;
    Dimension result;
    for (std::size_t i = 0; i < kBaseCount; ++i) {
      const std::int64_t product = std::int64_t{sixths_[i]} * numerator;
      if (product % denominator != 0) return std::nullopt;
      const std::int64_t value = product / denominator;
      if (value < -kLimit || value > kLimit) return std::nullopt;
      result.sixths_[i] = static_cast<std::int8_t>(value);
    }
    return result;
  }

  // Exponent of base unit i in sixths.
  constexpr int sixths(std::size_t i) const { return sixths_[i]; }

  // As SI base units: "kg*m/s^2", "1/s", "m^(1/2)"; "1" for a pure number. parse_unit() reads it back.
  std::string text() const;

 private:
  static constexpr int kLimit = 120;

  static constexpr std::int8_t narrow(int value) {
    return static_cast<std::int8_t>(value < -kLimit ? -kLimit : value > kLimit ? kLimit : value);
  }
  constexpr Dimension combined(const Dimension& other, int sign) const {
    Dimension result;
    for (std::size_t i = 0; i < kBaseCount; ++i) result.sixths_[i] = narrow(sixths_[i] + sign * other.sixths_[i]);
    return result;
  }

  std::array<std::int8_t, kBaseCount> sixths_{};
};

}  // namespace gelenk
