#include "gelenk/base/name_list.h"

#include <gtest/gtest.h>

namespace gelenk::name_list_test {
namespace {

TEST(NameList, NamesTheFirstAndCountsTheRest) {
  EXPECT_EQ(list_names({}, 2), "");
  EXPECT_EQ(list_names({"a", "b"}, 2), "a, b");
  EXPECT_EQ(list_names({"a", "b", "c", "d"}, 2), "a, b and 2 more");
}

}  // namespace
}  // namespace gelenk::name_list_test
