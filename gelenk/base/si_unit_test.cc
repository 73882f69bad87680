#include "gelenk/base/si_unit.h"

#include <gtest/gtest.h>

#include "gelenk/base/units.h"

namespace gelenk::si_unit_test {
namespace {

TEST(SiUnit, IsWrittenAsPeopleDo) {
  for (const char* unit : {"m", "kg", "N", "N*m", "V", "ohm", "H", "Pa", "A", "K", "kg*m^3"}) {
    EXPECT_EQ(si_unit(parse_unit(unit).unit->dimension), unit);
  }
  EXPECT_EQ(si_unit(parse_unit("kV").unit->dimension), "V");
  EXPECT_EQ(si_unit(parse_unit("1/s").unit->dimension), si_unit(parse_unit("rad/s").unit->dimension));
  EXPECT_EQ(si_unit(Dimension()), "1");
}

TEST(SiUnit, CanBeReadBack) {
  for (const UnitSymbol& known : unit_symbols()) {
    const UnitParse again = parse_unit(si_unit(known.unit.dimension));
    if (known.unit.dimension.is_none()) continue;
    ASSERT_TRUE(again.unit) << known.symbol;
    EXPECT_EQ(again.unit->dimension, known.unit.dimension) << known.symbol;
    EXPECT_EQ(again.unit->factor, 1.0) << known.symbol;
  }
}

}  // namespace
}  // namespace gelenk::si_unit_test
