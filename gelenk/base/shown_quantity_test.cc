#include "gelenk/base/shown_quantity.h"

#include <gtest/gtest.h>

namespace gelenk::shown_quantity_test {
namespace {

TEST(ShownQuantity, IsInTheUnitOfTheDisplay) {
  const Display display{{Quantity::length, "mm"}, {Quantity::angular_rate, "rpm"}};
  EXPECT_EQ(shown_quantity(display, 0.02591, Quantity::length, 3), "25.9 mm");
  EXPECT_EQ(shown_quantity(display, 104.719755, Quantity::angular_rate, 4), "1000 rpm");
  EXPECT_EQ(shown_quantity(display, 2.5, Quantity::speed, 3), "2.5 m/s");
}

TEST(ShownQuantity, AnglesAreInDegreesUnlessTheModelSaysOtherwise) {
  EXPECT_EQ(shown_quantity({}, 0.5235987756, Quantity::angle, 3), "30 deg");
  EXPECT_EQ(shown_quantity({{Quantity::angle, "rad"}}, 0.5, Quantity::angle, 3), "0.5 rad");
}

TEST(ShownQuantity, LargeNumbersAreWrittenInFull) {
  const Display display{{Quantity::length, "mm"}};
  EXPECT_EQ(shown_quantity(display, 12.5, Quantity::length, 3), "12500 mm");
  EXPECT_EQ(shown_quantity(display, -12.3456, Quantity::length, 3), "-12300 mm");
  EXPECT_EQ(shown_quantity(display, 1e9, Quantity::length, 3), "1e+12 mm");
}

TEST(ShownQuantity, AUnitThatDoesNotFitIsPassedOver) {
  EXPECT_EQ(shown_quantity({{Quantity::length, "kg"}}, 2.0, Quantity::length, 3), "2 m");
}

}  // namespace
}  // namespace gelenk::shown_quantity_test
