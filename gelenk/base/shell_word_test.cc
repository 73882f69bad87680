#include "gelenk/base/shell_word.h"

#include <gtest/gtest.h>

namespace gelenk::shell_word_test {
namespace {

TEST(ShellWord, NeedsQuotesForWhatAShellReads) {
  EXPECT_EQ(shell_word("runs/car-2.h5"), "runs/car-2.h5");
  EXPECT_EQ(shell_word("Größe.h5"), "Größe.h5");
  EXPECT_EQ(shell_word("my car.h5"), "'my car.h5'");
  EXPECT_EQ(shell_word("it's.h5"), "'it'\\''s.h5'");
  EXPECT_EQ(shell_word("a&b;$(c).h5"), "'a&b;$(c).h5'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace gelenk::shell_word_test
