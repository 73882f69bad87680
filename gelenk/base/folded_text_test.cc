#include "gelenk/base/folded_text.h"

#include <gtest/gtest.h>

namespace gelenk::folded_text_test {
namespace {

TEST(FoldedText, ContinuesBelowTheTextAfterALabel) {
  EXPECT_EQ(folded("reactions     shared by main_bearing and bore\nmass  1 kg\n", 30),
            "reactions     shared by\n              main_bearing and\n              bore\nmass  1 kg\n");
  EXPECT_EQ(folded("verdict: needs a look: limit exceeded", 25), "verdict: needs a look:\n  limit exceeded");
}

TEST(FoldedText, LeavesWhatFitsAndWhatCannotBeBroken) {
  EXPECT_EQ(folded("", 10), "");
  EXPECT_EQ(folded("a b\n\nc\n", 10), "a b\n\nc\n");
  EXPECT_EQ(folded("/a/very/long/path/without/spaces", 10), "/a/very/long/path/without/spaces");
  EXPECT_EQ(folded("see /a/very/long/path/without/spaces", 12), "see\n  /a/very/long/path/without/spaces");
}

TEST(FoldedText, CountsCharacters) {
  EXPECT_EQ(text_width("Größe"), 5u);
  EXPECT_EQ(folded("äöü äöü äöü", 7), "äöü äöü\n  äöü");
}

TEST(FoldedText, AWideLabelDoesNotEatTheLine) {
  EXPECT_EQ(folded("a label of its own  text that goes on", 24), "a label of its own  text\n  that goes on");
}

}  // namespace
}  // namespace gelenk::folded_text_test
