#include "gelenk/export/number_text.h"

#include <gtest/gtest.h>

namespace gelenk::exporting::number_text_test {
namespace {

TEST(NumberText, IsShortAndWithoutExponentsWherePossible) {
  EXPECT_EQ(number_text(0.0), "0");
  EXPECT_EQ(number_text(-0.0012345), "-0.001234");
  EXPECT_EQ(number_text(999.96), "1000");
  EXPECT_EQ(number_text(12345.6), "12346");
  EXPECT_EQ(number_text(-1234567.0), "-1234567");
  EXPECT_EQ(number_text(3e8), "3e+08");
  EXPECT_EQ(number_text(199.638, 5), "199.64");
  EXPECT_EQ(number_text(123456.7, 5), "123457");
}

}  // namespace
}  // namespace gelenk::exporting::number_text_test
