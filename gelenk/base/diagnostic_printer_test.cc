#include "gelenk/base/diagnostic_printer.h"

#include <gtest/gtest.h>

#include <string>

namespace gelenk::diagnostic_printer_test {
namespace {

// The range of the first `piece` in a file.
SourceRange range_of(const SourceMap& sources, std::int32_t file, const std::string& piece) {
  const std::size_t begin = sources.file(file).text().find(piece);
  EXPECT_NE(begin, std::string::npos) << piece;
  return {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + piece.size())};
}

std::size_t column_of_caret(const std::string& printed) {
  const std::size_t caret = printed.find('^');
  return caret - printed.rfind('\n', caret) - 1;
}

std::string nth_line(const std::string& text, int number) {
  std::size_t begin = 0;
  for (int i = 0; i < number; ++i) begin = text.find('\n', begin) + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

TEST(DiagnosticPrinter, ShowsPlaceLineCaretHintAndNote) {
  SourceMap sources;
  const auto file = sources.add("model.yaml",
                                "parts:\n"
                                "  rod:\n"
                                "joints:\n"
                                "  crank_pin: {type: revolute, between: [crank.pin, rodd], axis: z}\n");
  Diagnostics diagnostics;
  {
    const ElementScope scope(diagnostics, "crank_pin", "joint");
    diagnostics
        .error(Code::unknown_reference, range_of(sources, file, "rodd"), "there is no frame 'rodd'",
               "did you mean 'rod'?")
        .notes.push_back({range_of(sources, file, "rod"), "'rod' is defined here"});
  }
  EXPECT_EQ(print_diagnostics(diagnostics, sources),
            "model.yaml:4:52: error: joint 'crank_pin': there is no frame 'rodd' [GK1301]\n"
            "   4 |   crank_pin: {type: revolute, between: [crank.pin, rodd], axis: z}\n"
            "     |                                                    ^~~~ did you mean 'rod'?\n"
            "model.yaml:2:3: note: 'rod' is defined here\n"
            "   2 |   rod:\n"
            "     |   ^~~\n");
}

TEST(DiagnosticPrinter, WithoutPlaceTheHintHasItsOwnLine) {
  Diagnostics diagnostics;
  diagnostics.error(Code::file_not_found, {}, "there is no file 'a.yaml'", "look for a typing error");
  EXPECT_EQ(print_diagnostics(diagnostics, {}),
            "error: there is no file 'a.yaml' [GK1001]\n"
            "  hint: look for a typing error\n");
}

TEST(DiagnosticPrinter, EmptyFileHasAPlaceButNoLine) {
  SourceMap sources;
  const auto file = sources.add("empty.yaml", "");
  Diagnostics diagnostics;
  diagnostics.warning(Code::empty_file, {file, 0, 0}, "the file is empty", "try 'gelenk new'");
  EXPECT_EQ(print_diagnostics(diagnostics, sources),
            "empty.yaml:1:1: warning: the file is empty [GK1006]\n"
            "  hint: try 'gelenk new'\n");
}

TEST(DiagnosticPrinter, CaretsCountCodePoints) {
  SourceMap sources;
  const auto file = sources.add("m.yaml", "größe: 5 µm²x\n");
  Diagnostics diagnostics;
  diagnostics.error(Code::unknown_unit, range_of(sources, file, "µm²x"), "unknown unit");
  const std::string printed = print_diagnostics(diagnostics, sources);
  EXPECT_EQ(nth_line(printed, 0), "m.yaml:1:10: error: unknown unit [GK1202]");
  EXPECT_EQ(nth_line(printed, 2), "     |          ^~~~");
}

TEST(DiagnosticPrinter, RangeOverSeveralLinesIsMarkedToTheEndOfTheFirst) {
  SourceMap sources;
  const auto file = sources.add("m.yaml", "at: [1,\r\n  2]\n");
  Diagnostics diagnostics;
  diagnostics.error(Code::wrong_length, range_of(sources, file, "[1,\r\n  2]"), "two values");
  EXPECT_EQ(nth_line(print_diagnostics(diagnostics, sources), 2), "     |     ^~~");
}

TEST(DiagnosticPrinter, EndOfTheFileIsMarkedBehindTheLastCharacter) {
  SourceMap sources;
  const auto file = sources.add("m.yaml", "a: [1");
  Diagnostics diagnostics;
  diagnostics.error(Code::yaml_syntax, {file, 5, 5}, "the list is not closed");
  EXPECT_EQ(nth_line(print_diagnostics(diagnostics, sources), 2), "     |      ^");
}

TEST(DiagnosticPrinter, ControlCharactersNeverReachTheTerminal) {
  SourceMap sources;
  // Tab, escape, a C1 control (U+009B, "CSI"), right-to-left override (U+202E), a byte that is no UTF-8.
  const auto file = sources.add("m\x1b[2J.yaml", "a:\t\x1b\xC2\x9B\xE2\x80\xAE\xFF b\n");
  Diagnostics diagnostics;
  diagnostics.error(Code::yaml_syntax, range_of(sources, file, "b"), "bad\x1b text", "bell \a");
  const std::string printed = print_diagnostics(diagnostics, sources);
  EXPECT_EQ(nth_line(printed, 0), "m [2J.yaml:1:9: error: bad  text [GK1007]");
  EXPECT_EQ(nth_line(printed, 1), "   1 | a:    ? b");
  EXPECT_EQ(nth_line(printed, 2), "     |         ^ bell  ");
}

TEST(DiagnosticPrinter, LongLinesAreCutAroundTheCaret) {
  constexpr std::size_t kMostBytes = 133;  // 7 of the gutter, 120 columns of source, two "…" of three bytes
  SourceMap sources;
  const auto file = sources.add("m.yaml", std::string(5000, 'a') + "WRONG" + std::string(5000, 'b'));
  Diagnostics diagnostics;
  diagnostics.error(Code::unknown_key, range_of(sources, file, "WRONG"), "unknown");
  const std::string printed = print_diagnostics(diagnostics, sources);
  const std::string line = nth_line(printed, 1);
  EXPECT_LE(line.size(), kMostBytes);
  EXPECT_EQ(line.find("…"), std::string("   1 | ").size());
  EXPECT_EQ(line.rfind("…"), line.size() - std::string("…").size());
  // "…" takes three bytes and one column.
  EXPECT_EQ(column_of_caret(printed) + 2, line.find("WRONG"));
}

TEST(DiagnosticPrinter, LineNumbersOfLongFilesWidenTheGutter) {
  SourceMap sources;
  const auto file = sources.add("m.yaml", std::string(12344, '\n') + "x: 1\n");
  Diagnostics diagnostics;
  diagnostics.error(Code::unknown_key, range_of(sources, file, "x"), "unknown");
  const std::string printed = print_diagnostics(diagnostics, sources);
  EXPECT_EQ(nth_line(printed, 1), "12345 | x: 1");
  EXPECT_EQ(nth_line(printed, 2), "      | ^");
}

TEST(DiagnosticPrinter, ColorOnlyWhenAskedFor) {
  SourceMap sources;
  const auto file = sources.add("m.yaml", "x: 1\n");
  Diagnostics diagnostics;
  diagnostics.error(Code::unknown_key, range_of(sources, file, "x"), "unknown");
  EXPECT_EQ(print_diagnostics(diagnostics, sources, {.color = false}).find('\x1b'), std::string::npos);
  EXPECT_NE(print_diagnostics(diagnostics, sources, {.color = true}).find("\x1b[1;31merror: \x1b[0m"),
            std::string::npos);
}

TEST(DiagnosticPrinter, Counts) {
  Diagnostics diagnostics;
  EXPECT_EQ(diagnostic_counts(diagnostics), "");
  diagnostics.warning(Code::assumed_density, {}, "a");
  EXPECT_EQ(diagnostic_counts(diagnostics), "1 warning");
  diagnostics.error(Code::unknown_key, {}, "a");
  diagnostics.error(Code::unknown_key, {}, "b");
  EXPECT_EQ(diagnostic_counts(diagnostics), "2 errors, 1 warning");
  for (int i = 0; i < 248; ++i) diagnostics.error(Code::unknown_key, {}, "number " + std::to_string(i));
  EXPECT_EQ(diagnostic_counts(diagnostics), "250 errors, 1 warning (only the first 200 of each are shown)");
}

TEST(DiagnosticJson, PositionsAreUtf16FromZero) {
  SourceMap sources;
  // 𝑘 (U+1D458) is one code point of four bytes and two UTF-16 units.
  const auto file = sources.add("m.yaml", "a: 1\nµ𝑘: bad\n");
  Diagnostics diagnostics;
  const ElementScope scope(diagnostics, "µ", "part");
  diagnostics.warning(Code::unknown_key, range_of(sources, file, "bad"), "what \"is\" this", "remove it")
      .notes.push_back({range_of(sources, file, "a"), "see here"});
  JsonWriter json;
  write_diagnostics_json(json, diagnostics, sources);
  EXPECT_EQ(json.take(), R"([
  {
    "file": "m.yaml",
    "range": {
      "start": {
        "line": 1,
        "character": 5
      },
      "end": {
        "line": 1,
        "character": 8
      }
    },
    "severity": 2,
    "code": "GK1101",
    "source": "gelenk",
    "message": "what \"is\" this",
    "element": "µ",
    "elementKind": "part",
    "hint": "remove it",
    "relatedInformation": [
      {
        "location": {
          "file": "m.yaml",
          "range": {
            "start": {
              "line": 0,
              "character": 0
            },
            "end": {
              "line": 0,
              "character": 1
            }
          }
        },
        "message": "see here"
      }
    ]
  }
]
)");
}

TEST(DiagnosticJson, WithoutPlaceTheFileIsEmpty) {
  Diagnostics diagnostics;
  diagnostics.error(Code::file_not_found, {}, "no file");
  JsonWriter json;
  write_diagnostics_json(json, diagnostics, {});
  const std::string text = json.take();
  EXPECT_NE(text.find("\"file\": \"\""), std::string::npos);
  EXPECT_NE(text.find("\"severity\": 1"), std::string::npos);
}

}  // namespace
}  // namespace gelenk::diagnostic_printer_test
