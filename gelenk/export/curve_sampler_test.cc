#include "gelenk/export/curve_sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gelenk/export/curve.h"

namespace gelenk::exporting::curve_sampler_test {
namespace {

Curve wavy(std::size_t count) {
  Curve curve{"a", "m", {}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    curve.times.push_back(1e-3 * static_cast<double>(i));
    curve.values.push_back(std::sin(0.37 * static_cast<double>(i)) * std::cos(0.011 * static_cast<double>(i)));
  }
  return curve;
}

CurveSampler sampled(const Curve& curve, std::size_t bins) {
  CurveSampler sampler(curve.values.size(), bins);
  for (std::size_t i = 0; i < curve.values.size(); ++i) sampler.add(curve.times[i], curve.values[i]);
  return sampler;
}

TEST(CurveSampler, GivesWhatThinningTheWholeCurveGives) {
  for (const std::size_t count : {0u, 1u, 40u, 41u, 599u, 1000u, 12'345u}) {
    const Curve curve = wavy(count);
    const Curve thin = thinned(curve, 10);
    const CurveSampler sampler = sampled(curve, 10);
    EXPECT_EQ(sampler.times(), thin.times) << count;
    EXPECT_EQ(sampler.values(), thin.values) << count;
  }
}

TEST(CurveSampler, GapsHideNoExtremes) {
  Curve curve = wavy(10'000);
  for (std::size_t i = 0; i < curve.values.size(); i += 3) {
    curve.values[i] = std::numeric_limits<double>::quiet_NaN();
  }
  curve.values[5000] = 4.0;
  EXPECT_EQ(limits_of(sampled(curve, 50).values()).max, 4.0);
}

}  // namespace
}  // namespace gelenk::exporting::curve_sampler_test
