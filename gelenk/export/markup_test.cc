#include "gelenk/export/markup.h"

#include <gtest/gtest.h>

namespace gelenk::exporting::markup_test {
namespace {

TEST(Markup, HtmlTextMeansItself) {
  EXPECT_EQ(html_escaped("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
  EXPECT_EQ(html_escaped("Kolben_größe"), "Kolben_größe");
  EXPECT_EQ(html_escaped("a\nb\x01"), "a b ");
  EXPECT_EQ(html_escaped("a\xFFz\xC3"), "a\xEF\xBF\xBDz\xEF\xBF\xBD");
}

TEST(Markup, MarkdownTextMeansItself) {
  EXPECT_EQ(markdown_escaped("crank_pin"), "crank_pin");
  EXPECT_EQ(markdown_escaped("_a_ *b* | `c` [d](e)"), "\\_a\\_ \\*b\\* \\| \\`c\\` \\[d\\](e)");
  EXPECT_EQ(markdown_escaped("<script>"), "&lt;script&gt;");
}

}  // namespace
}  // namespace gelenk::exporting::markup_test
