#include "gelenk/export/quantity_scales.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gelenk/export/curve.h"
#include "gelenk/export/recorded_run_test_support.h"

namespace gelenk::exporting::quantity_scales_test {
namespace {

TEST(QuantityScales, KindsBelongTogether) {
  QuantityScales scales;
  scales.include(Quantity::length, -2.0);
  scales.include(Quantity::force, 1000.0);
  scales.include(Quantity::force, std::nan(""));
  EXPECT_DOUBLE_EQ(scales.rounding(Quantity::force), 1e-9);
  EXPECT_DOUBLE_EQ(scales.rounding(Quantity::torque), 2e-9) << "1000 N across 2 m";
  EXPECT_DOUBLE_EQ(scales.rounding(Quantity::length), 2e-12);
  EXPECT_DOUBLE_EQ(scales.rounding(Quantity::angle), 1e-12);
  EXPECT_EQ(scales.rounding(Quantity::number), 0.0) << "pure numbers have nothing in common";
  EXPECT_EQ(QuantityScales().rounding(Quantity::force), 0.0);
}

TEST(QuantityScales, AreReadFromAllChannels) {
  results::TemporaryFolder folder("quantity_scales");
  const auto reader = recorded(folder.file("run.h5"), {0.0, 1.0}, [](const results::Row& row, double time) {
    for (const results::BlockId id : row.blocks()) {
      for (double& value : row[id]) value = 0.0;
    }
    row[results::BlockId::reaction][1] = -500.0 * time;
  });
  QuantityScales scales;
  ASSERT_EQ(read_scales(*reader, scales), "");
  EXPECT_DOUBLE_EQ(scales.rounding(Quantity::force), 500.0 * kRoundingOfMachine);
}

TEST(FlattenRounding, MakesOnlyNoiseZero) {
  Curve noise{"side", "N", {0.0, 1.0, 2.0}, {1e-13, std::nan(""), -2e-13}, {}};
  EXPECT_TRUE(flatten_rounding(noise, 1e-12));
  EXPECT_EQ(noise.values[0], 0.0);
  EXPECT_TRUE(std::isnan(noise.values[1])) << "a gap stays a gap";
  EXPECT_EQ(noise.values[2], 0.0);
  EXPECT_EQ(noise.note, "only rounding, drawn as zero");
  Curve small{"side", "N", {0.0, 1.0}, {1e-13, 2e-12}, {}};
  EXPECT_FALSE(flatten_rounding(small, 1e-12));
  EXPECT_EQ(small.values[0], 1e-13);
  Curve zero{"side", "N", {0.0}, {0.0}, {}};
  EXPECT_FALSE(flatten_rounding(zero, 1e-12)) << "what is zero needs no note";
}

}  // namespace
}  // namespace gelenk::exporting::quantity_scales_test
