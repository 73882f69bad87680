#include "gelenk/export/curve.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gelenk::exporting {

void Limits::include(double value) {
  if (!std::isfinite(value)) return;
  min = is_empty ? value : std::min(min, value);
  max = is_empty ? value : std::max(max, value);
  is_empty = false;
}

Limits limits_of(std::span<const double> values) {
  Limits limits;
  for (const double value : values) limits.include(value);
  return limits;
}

bool flatten_rounding(Curve& curve, double rounding) {
  const Limits limits = limits_of(curve.values);
  const double size = std::max(std::abs(limits.min), std::abs(limits.max));
  if (!(size > 0.0) || size > rounding) return false;
  for (double& value : curve.values) value = std::isfinite(value) ? 0.0 : value;
  curve.note = "only rounding, drawn as zero";
  return true;
}

Curve thinned(const Curve& curve, std::size_t bins) {
  constexpr std::size_t kPointsOfBin = 4;
  const std::size_t count = curve.values.size();
  if (bins == 0 || count <= bins * kPointsOfBin) return curve;
  Curve result{curve.name, curve.unit, {}, {}, curve.note};
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const std::size_t begin = count * bin / bins;
    const std::size_t end = count * (bin + 1) / bins;
    std::size_t low = begin;
    std::size_t high = begin;
    for (std::size_t i = begin; i < end; ++i) {
      // A gap must not be taken for the smallest or largest.
      if (!(curve.values[low] <= curve.values[i])) low = i;
      if (!(curve.values[high] >= curve.values[i])) high = i;
    }
    std::array<std::size_t, kPointsOfBin> kept{begin, std::min(low, high), std::max(low, high), end - 1};
    std::sort(kept.begin(), kept.end());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (i > 0 && kept[i] == kept[i - 1]) continue;
      result.times.push_back(curve.times[kept[i]]);
      result.values.push_back(curve.values[kept[i]]);
    }
  }
  return result;
}

}  // namespace gelenk::exporting
