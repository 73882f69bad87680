#include "gelenk/base/dimension.h"

#include <numeric>
#include <string_view>

namespace gelenk {
namespace {

constexpr std::string_view kBaseSymbols[Dimension::kBaseCount] = {"kg", "m", "s", "A", "K", "mol", "cd"};

// "m", "m^2", "m^(1/2)" for a positive number of sixths.
std::string factor_text(std::string_view symbol, int sixths) {
  const int divisor = std::gcd(sixths, Dimension::kScale);
  const int numerator = sixths / divisor;
  const int denominator = Dimension::kScale / divisor;
  std::string text(symbol);
  if (denominator != 1) return text + "^(" + std::to_string(numerator) + "/" + std::to_string(denominator) + ")";
  if (numerator != 1) text += "^" + std::to_string(numerator);
  return text;
}

}  // namespace

std::string Dimension::text() const {
  std::string above;
  std::string below;
  for (std::size_t i = 0; i < kBaseCount; ++i) {
    if (sixths_[i] > 0) {
      if (!above.empty()) above += '*';
      above += factor_text(kBaseSymbols[i], sixths_[i]);
    } else if (sixths_[i] < 0) {
      below += '/' + factor_text(kBaseSymbols[i], -sixths_[i]);
    }
  }
  return (above.empty() ? "1" : above) + below;
}

}  // namespace gelenk
