#include "gelenk/base/diagnostics.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace gelenk::diagnostics_test {
namespace {

TEST(DiagnosticCodes, AreUniqueAndHaveTitles) {
  std::set<int> seen;
  for (const Code code : kAllCodes) {
    EXPECT_TRUE(seen.insert(static_cast<int>(code)).second) << code_label(code);
    EXPECT_FALSE(code_title(code).empty()) << code_label(code);
  }
  EXPECT_EQ(code_label(Code::unknown_key), "GK1101");
  EXPECT_EQ(code_title(Code::unknown_key), "unknown key");
  EXPECT_EQ(code_title(Code::none), "");
}

TEST(Diagnostics, CountsAndKeepsInOrder) {
  Diagnostics diagnostics;
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.warning(Code::assumed_density, {0, 9, 12}, "later place");
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.error(Code::unknown_key, {0, 1, 2}, "earlier place", "did you mean 'rod'?");
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.error_count(), 1u);
  EXPECT_EQ(diagnostics.warning_count(), 1u);
  ASSERT_EQ(diagnostics.all().size(), 2u);
  EXPECT_EQ(diagnostics.all()[0].message, "later place");
  EXPECT_EQ(diagnostics.all()[0].severity, Severity::warning);
  EXPECT_EQ(diagnostics.all()[1].hint, "did you mean 'rod'?");
}

TEST(Diagnostics, SortsByPlaceErrorsFirst) {
  Diagnostics diagnostics;
  diagnostics.error(Code::unknown_key, {1, 0, 1}, "second file");
  diagnostics.warning(Code::assumed_density, {0, 5, 6}, "warning at 5");
  diagnostics.error(Code::missing_key, {0, 5, 6}, "error at 5");
  diagnostics.error(Code::unknown_key, {0, 2, 6}, "error at 2");
  diagnostics.error(Code::unknown_key, {}, "nowhere");
  std::string order;
  for (const Diagnostic& diagnostic : diagnostics.sorted()) order += diagnostic.message + "; ";
  EXPECT_EQ(order, "nowhere; error at 2; error at 5; warning at 5; second file; ");
}

TEST(Diagnostics, DropsExactRepetitionsOnly) {
  Diagnostics diagnostics;
  for (std::size_t i = 0; i < Diagnostics::kMaxKept; ++i) {
    diagnostics.error(Code::unknown_key, {0, 2, 6}, "unknown key 'rood'").notes.push_back({{}, "harmless"});
    diagnostics.error(Code::unknown_key, {0, 2, 6}, "another sentence");
  }
  diagnostics.warning(Code::unknown_key, {0, 2, 6}, "another sentence");
  diagnostics.error(Code::unknown_key, {0, 2, 7}, "another sentence");
  EXPECT_EQ(diagnostics.error_count(), 3u);
  EXPECT_EQ(diagnostics.warning_count(), 1u);
  EXPECT_EQ(diagnostics.sorted().size(), 4u);
  EXPECT_EQ(diagnostics.all()[0].notes.size(), 1u);
}

TEST(Diagnostics, KeepsABoundedNumberAndCountsAll) {
  Diagnostics diagnostics;
  for (std::size_t i = 0; i < Diagnostics::kMaxKept + 50; ++i) {
    Diagnostic& diagnostic = diagnostics.error(Code::unknown_key, {0, static_cast<std::uint32_t>(i), 0}, "x");
    diagnostic.notes.push_back({{}, "a note can always be added"});
  }
  diagnostics.warning(Code::assumed_density, {0, 0, 0}, "warnings have their own room");
  EXPECT_EQ(diagnostics.error_count(), Diagnostics::kMaxKept + 50);
  EXPECT_EQ(diagnostics.all().size(), Diagnostics::kMaxKept + 1);
  EXPECT_EQ(diagnostics.all().back().message, "warnings have their own room");
}

TEST(ElementScope, NamesTheElementAsLongAsItLives) {
  Diagnostics diagnostics;
  const ElementScope outer(diagnostics, "car");
  diagnostics.error(Code::unknown_key, {}, "a");
  {
    const ElementScope inner(diagnostics, "car.wheel", "part");
    diagnostics.error(Code::unknown_key, {}, "b");
  }
  diagnostics.error(Code::unknown_key, {}, "c");
  EXPECT_EQ(diagnostics.all()[0].element, "car");
  EXPECT_EQ(diagnostics.all()[1].element, "car.wheel");
  EXPECT_EQ(diagnostics.all()[1].element_kind, "part");
  EXPECT_EQ(diagnostics.all()[2].element, "car");
  EXPECT_EQ(diagnostics.all()[2].element_kind, "");
}

}  // namespace
}  // namespace gelenk::diagnostics_test
