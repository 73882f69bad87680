#include "gelenk/base/source.h"

#include <gtest/gtest.h>

#include <string>

namespace gelenk::source_test {
namespace {

void expect_at(const SourceFile& file, std::uint32_t offset, std::uint32_t line, std::uint32_t column) {
  const LineColumn at = file.line_column(offset);
  EXPECT_EQ(at.line, line) << "offset " << offset;
  EXPECT_EQ(at.column, column) << "offset " << offset;
}

TEST(SourceFile, CountsLinesAndColumnsFromOne) {
  const SourceFile file("m.yaml", "ab\n\ncd");
  EXPECT_EQ(file.line_count(), 3u);
  expect_at(file, 0, 1, 1);
  expect_at(file, 2, 1, 3);  // the line end belongs to its line
  expect_at(file, 3, 2, 1);
  expect_at(file, 4, 3, 1);
  expect_at(file, 6, 3, 3);
  expect_at(file, 1000, 3, 3);
}

TEST(SourceFile, ColumnsCountCodePoints) {
  const SourceFile file("m.yaml", "a: \"äµ𝄞\" x");
  expect_at(file, 4, 1, 5);
  expect_at(file, 6, 1, 6);   // behind ä, two bytes
  expect_at(file, 8, 1, 7);   // behind µ, two bytes
  expect_at(file, 12, 1, 8);  // behind the clef, four bytes
}

TEST(SourceFile, LinesComeWithoutTheirEnds) {
  const SourceFile file("m.yaml", "one\r\ntwo\n\nlast");
  EXPECT_EQ(file.line(1), "one");
  EXPECT_EQ(file.line(2), "two");
  EXPECT_EQ(file.line(3), "");
  EXPECT_EQ(file.line(4), "last");
  EXPECT_EQ(file.line(0), "");
  EXPECT_EQ(file.line(5), "");
  EXPECT_EQ(file.line_begin(2), 5u);
  EXPECT_EQ(file.line_begin(9), static_cast<std::uint32_t>(file.text().size()));
}

TEST(SourceFile, EmptyTextHasOneEmptyLine) {
  const SourceFile file("m.yaml", "");
  EXPECT_EQ(file.line_count(), 1u);
  EXPECT_EQ(file.line(1), "");
  expect_at(file, 0, 1, 1);
}

// Every offset of a text, against counting from the beginning.
TEST(SourceFile, AgreesWithPlainCounting) {
  const std::string text = "x: 1\n\ny:\n  - ü\n  - \"€\"\n";
  const SourceFile file("m.yaml", text);
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  for (std::uint32_t i = 0; i < text.size(); ++i) {
    const bool inside_character = (static_cast<unsigned char>(text[i]) & 0xC0u) == 0x80u;
    if (!inside_character) expect_at(file, i, line, column);
    if (text[i] == '\n') {
      ++line;
      column = 1;
    } else {
      const bool next_inside = i + 1 < text.size() && (static_cast<unsigned char>(text[i + 1]) & 0xC0u) == 0x80u;
      if (!next_inside) ++column;
    }
  }
}

TEST(SourceMap, DescribesRanges) {
  SourceMap sources;
  EXPECT_EQ(sources.add("car.yaml", "gelenk: 1\nname: car\n"), 0);
  EXPECT_EQ(sources.add("parts/wheel.yaml", "mass: 9 kg\n"), 1);
  EXPECT_EQ(sources.size(), 2u);
  EXPECT_EQ(sources.describe({0, 16, 19}), "car.yaml:2:7");
  EXPECT_EQ(sources.text({0, 16, 19}), "car");
  EXPECT_EQ(sources.describe({1, 6, 10}), "parts/wheel.yaml:1:7");
  EXPECT_EQ(sources.text({1, 6, 10}), "9 kg");
  EXPECT_EQ(sources.describe({}), "");
  EXPECT_EQ(sources.text({}), "");
}

TEST(SourceMap, RangesBeyondTheTextAreCut) {
  SourceMap sources;
  sources.add("a", "abc");
  EXPECT_EQ(sources.text({0, 1, 99}), "bc");
  EXPECT_EQ(sources.text({0, 50, 99}), "");
  EXPECT_EQ(sources.text({0, 2, 1}), "");
}

}  // namespace
}  // namespace gelenk::source_test
