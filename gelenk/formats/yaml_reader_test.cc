#include "gelenk/formats/yaml_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <ostream>
#include <string>

#include "gelenk/formats/yaml_test_support.h"

namespace gelenk::formats::yaml_reader_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(YamlReader, TakesEveryScalarAsItsText) {
  const Node root = parse_good("a: 010\nb: no\nc: null\nd: 1e3\ne: ~\nf:\ng: '~'\nh: \"\"\n");
  EXPECT_EQ(value_at(root, "a").text, "010");
  EXPECT_EQ(value_at(root, "b").text, "no");
  EXPECT_EQ(value_at(root, "c").text, "null");
  EXPECT_TRUE(value_at(root, "c").is_scalar());
  EXPECT_EQ(value_at(root, "d").text, "1e3");
  EXPECT_TRUE(value_at(root, "e").is_null());
  EXPECT_TRUE(value_at(root, "f").is_null());
  EXPECT_EQ(value_at(root, "g").text, "~");
  EXPECT_TRUE(value_at(root, "h").is_scalar());
  EXPECT_TRUE(value_at(root, "h").quoted);
}

TEST(YamlReader, TellsAnEmptyValueFromAKeyCalledNull) {
  const Node root = parse_good("a:\nnull: 5\nlist:\n-\n- null\n-\n  null\n");
  EXPECT_TRUE(value_at(root, "a").is_null());
  EXPECT_EQ(value_at(root, "null").text, "5");
  const Node& list = value_at(root, "list");
  ASSERT_EQ(list.items.size(), 3u);
  EXPECT_TRUE(list.items[0].is_null());
  EXPECT_EQ(list.items[1].text, "null");
  EXPECT_EQ(list.items[2].text, "null");
}

TEST(YamlReader, GivesTheExactRangeOfEveryValue) {
  const Parsed parsed(
      "# ä comment\n"
      "plain: two words   # note\n"
      "'ke''y' : 'it''s' # x\n"
      "ünit: \"a \\\" b\"\n"
      "empty:   # nothing\n"
      "flow: [ä, {b: [1, 2 ] , c: ~} ,]  # end\n"
      "folded: first\n"
      "  second # why\n"
      "literal: |  # header\n"
      "  one\n"
      "\n"
      "  two  \n"
      "\n"
      "list:\n"
      "- x\n"
      "- k: v\n"
      "  l: w\n"
      "last: end");
  ASSERT_TRUE(parsed.root) << parsed.first_error();
  const Node& root = *parsed.root;
  EXPECT_EQ(root.range.begin, parsed.text().find("plain"));
  EXPECT_EQ(root.range.end, parsed.text().size());
  EXPECT_EQ(parsed.at(value_at(root, "plain")), "two words");
  EXPECT_EQ(parsed.at(root.find("ke'y")->key_range), "'ke''y'");
  EXPECT_EQ(parsed.at(value_at(root, "ke'y")), "'it''s'");
  EXPECT_EQ(parsed.at(value_at(root, "ünit")), "\"a \\\" b\"");
  const Node& empty = value_at(root, "empty");
  EXPECT_EQ(empty.range.begin, empty.range.end);
  EXPECT_EQ(empty.range.begin, parsed.text().find("empty:") + 6);
  const Node& flow = value_at(root, "flow");
  EXPECT_TRUE(flow.flow);
  EXPECT_EQ(parsed.at(flow), "[ä, {b: [1, 2 ] , c: ~} ,]");
  EXPECT_EQ(parsed.at(flow.items[0]), "ä");
  EXPECT_EQ(parsed.at(flow.items[1]), "{b: [1, 2 ] , c: ~}");
  EXPECT_EQ(parsed.at(value_at(flow.items[1], "b")), "[1, 2 ]");
  EXPECT_EQ(parsed.at(value_at(root, "folded")), "first\n  second");
  EXPECT_EQ(value_at(root, "folded").text, "first second");
  EXPECT_EQ(parsed.at(value_at(root, "literal")), "|  # header\n  one\n\n  two  ");
  EXPECT_EQ(value_at(root, "literal").text, "one\n\ntwo  \n");
  const Node& list = value_at(root, "list");
  EXPECT_EQ(parsed.at(list), "- x\n- k: v\n  l: w");
  EXPECT_EQ(parsed.at(list.items[1]), "k: v\n  l: w");
  EXPECT_EQ(parsed.at(value_at(root, "last")), "end");
}

TEST(YamlReader, CountsBytesWithByteOrderMarkAndWindowsLineEnds) {
  const Parsed parsed(
      "\xEF\xBB\xBF"
      "a: 1\r\nb:\r\n  c: [2,\r\n    3]\r\nd: |\r\n  x\r\n  y\r\n");
  ASSERT_TRUE(parsed.root) << parsed.first_error();
  EXPECT_EQ(parsed.root->range.begin, 3u);
  EXPECT_EQ(parsed.at(value_at(*parsed.root, "a")), "1");
  EXPECT_EQ(parsed.at(value_at(*parsed.root, "b")), "c: [2,\r\n    3]");
  EXPECT_EQ(parsed.at(value_at(*parsed.root, "d")), "|\r\n  x\r\n  y");
  EXPECT_EQ(value_at(*parsed.root, "d").text, "x\ny\n");
}

TEST(YamlReader, ReadsJson) {
  const Node root = parse_good(
      "{\n  \"name\": \"M\\u00e4rz \\/ \\\"x\\\"\",\n  \"n\":12345678901234567890123.25,\n  "
      "\"list\":[1,{\"a\":[]}]\n}\n");
  EXPECT_EQ(value_at(root, "name").text, "März / \"x\"");
  EXPECT_EQ(value_at(root, "n").text, "12345678901234567890123.25");
  EXPECT_TRUE(value_at(root, "list").items[1].find("a")->value.is_list());
}

TEST(YamlReader, LeavesOddButGoodTextAlone) {
  const Node root = parse_good(
      "a: [-, -x, a:b, 'c', .5]\nurl: http://x/y#z\nsay: he said\n  \"it's [fine\nq: ?x\n?y: 1\nhash: a#b\nend: x]\n");
  EXPECT_EQ(value_at(root, "a").items.size(), 5u);
  EXPECT_EQ(value_at(root, "a").items[0].text, "-");
  EXPECT_EQ(value_at(root, "url").text, "http://x/y#z");
  EXPECT_EQ(value_at(root, "say").text, "he said \"it's [fine");
  EXPECT_EQ(value_at(root, "?y").text, "1");
  EXPECT_EQ(value_at(root, "end").text, "x]");
}

TEST(YamlReader, AcceptsOneDocumentBetweenMarks) {
  EXPECT_EQ(value_at(parse_good("# c\n---\na: 1\n...\n"), "a").text, "1");
}

struct Refusal {
  const char* text;
  const char* expected;  // line:column, code and the beginning of the message
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.expected; }

class YamlRefusals : public testing::TestWithParam<Refusal> {};

TEST_P(YamlRefusals, SaysWhereAndWhat) {
  const Parsed parsed(GetParam().text);
  EXPECT_FALSE(parsed.root);
  EXPECT_THAT(parsed.first_error(), StartsWith(GetParam().expected)) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Profile, YamlRefusals,
    testing::Values(Refusal{"", "1:1 GK1006"}, Refusal{"# only\n\n  # comments\n", "1:1 GK1006"},
                    Refusal{"---\n", "1:1 GK1006"}, Refusal{"a: \x01\n", "1:4 GK1005"},
                    Refusal{"\xFF\xFE"
                            "a",
                            "1:1 GK1004 the file is UTF-16"},
                    Refusal{"a: 1\nb: caf\xE9\n", "2:7 GK1004 byte 0xE9 at offset 11"},
                    Refusal{"a: 1\n\xEF\xBB\xBF"
                            "b: 2\n",
                            "2:1 GK1007 there is an invisible byte order mark"},
                    Refusal{"--- a\n", "1:5 GK1007 the document begins on the same line as '---'"},
                    Refusal{"a: 1\rb: 2\r", "1:5 GK1007 a carriage return"},
                    Refusal{"a: 1\na: 2\n", "2:1 GK1009 the key 'a' is written twice"},
                    Refusal{"{a: 1, 'a': 2}", "1:8 GK1009"}, Refusal{"a: &x 1\n", "1:4 GK1010 '&x'"},
                    Refusal{"b: *x\n", "1:4 GK1010"}, Refusal{"a: *\n", "1:4 GK1010"},
                    Refusal{"a: !foo 1\n", "1:4 GK1011 the tag '!foo'"}, Refusal{"a: !!str 1\n", "1:4 GK1011"},
                    Refusal{"a: ! 1\n", "1:4 GK1011"}, Refusal{"<<: {a: 1}\n", "1:1 GK1012"},
                    Refusal{"a: 1\n---\nb: 2\n", "2:1 GK1015"}, Refusal{"? a\n: b\n", "1:1 GK1018"},
                    Refusal{"{[a]: 1}", "1:2 GK1018"}, Refusal{": b\n", "1:1 GK1018"}, Refusal{"~: b\n", "1:1 GK1018"},
                    Refusal{"a:\tb\n", "1:3 GK1008"}, Refusal{"a:\n\tb: 1\n", "2:1 GK1008"},
                    Refusal{"a: b\tc\n", "1:5 GK1008"}, Refusal{"{\n\t\"a\": 1\n}\n", "2:1 GK1008"},
                    Refusal{"%YAML 1.2\n---\na: 1\n", "1:1 GK1007"}));

INSTANTIATE_TEST_SUITE_P(
    Traps, YamlRefusals,
    testing::Values(
        Refusal{"a: [1, 2, 3] mm\n", "1:14 GK1016 the unit 'mm'"}, Refusal{"[1, 2] mm", "1:8 GK1016"},
        Refusal{"x: {a: [1, 2] kg, b: 2}\n", "1:15 GK1016 the unit 'kg'"},
        Refusal{"a: [=max(a, b), 0]\n", "1:5 GK1017"}, Refusal{"{v: =if(a > 0, 1, 2), w: 3}\n", "1:5 GK1017"},
        Refusal{"mass:5\nb: 2\n", "1:5 GK1007 a space is missing after the colon"},
        Refusal{"b: 2\nmass:5\n", "2:1 GK1007 'mass:5' has no value"},
        Refusal{"p:\n  mass:5\n  b: 3\n", "2:7 GK1007 a space is missing"},
        Refusal{"p:\n  crank:{mass: 1}\n", "2:3 GK1007 'crank:{mass' would be read as one key"},
        Refusal{"{a: 1,, b: 2}", "1:7 GK1007 there is nothing before this comma"},
        Refusal{"[a,,b]", "1:4 GK1007 there is nothing"}, Refusal{"{k 40 kN/m}", "1:2 GK1007 'k 40 kN/m' has no value"},
        Refusal{"{a:[1], b: 2}", "1:3 GK1007 a space is missing"},
        Refusal{"[a: 1]", "1:2 GK1007 a list contains a key with a value"},
        Refusal{"a: [1, 2\nb: 3\nc: {x: 1}\n", "1:4 GK1007 this '[' is never closed"},
        Refusal{"a: {x: [1, 2}\nb: 3\n", "1:13 GK1007 '}' does not match the '['"},
        Refusal{"a: \"abc\nb: 3\n", "1:4 GK1007 this quote is never closed"},
        Refusal{"a: \"abc\nb: 3\nc: \"d\"\n", "3:5 GK1007 there is text after the closing quote"},
        Refusal{"a: \"abc\nb: 3\"\n", "1:4 GK1007 this quoted text continues on lines"},
        Refusal{"a:\n[1]\n", "2:1 GK1007 the indentation"},
        Refusal{"a: 'don't'\n", "1:9 GK1007 there is text after the closing quote"},
        Refusal{"a: @x\n", "1:4 GK1007 text cannot begin with '@'"},
        Refusal{"a: `x\n", "1:4 GK1007 text cannot begin with '`'"},
        Refusal{"a: %x\n", "1:4 GK1007 text cannot begin with '%'"}, Refusal{"a: b: c\n", "1:5 GK1007 a second colon"},
        Refusal{"a: 1\n b: 2\n", "2:2 GK1007 this line does not fit"},
        Refusal{"a:\n  b: 1\n c: 2\n", "3:2 GK1007 the indentation"}, Refusal{"a:\nb\n: 1\n", "2:1 GK1007"},
        Refusal{"- a\nb: 1\n", "2:1 GK1007 the indentation"}, Refusal{"a: - b\n", "1:4 GK1007 a list item with '-'"},
        Refusal{"a: ]\n", "1:4 GK1007 this bracket closes nothing"},
        Refusal{"{a: 1 b: 2}\n", "1:8 GK1007 a comma or a closing bracket"},
        Refusal{"a: \"C:\\dir\"\n", "1:7 GK1007 this backslash sequence"},
        Refusal{"a: \"\\ud83d\\ude00\"\n", "1:5 GK1007 this escape"}, Refusal{"a: \"\\N\"\n", "1:4 GK1007 this escape"},
        Refusal{"[a?b]\n", "1:3 GK1007 '?' ends"}));

TEST(YamlReader, ShowsTheCure) {
  EXPECT_EQ(Parsed("a: [1, 2] mm\n").diagnostics.all()[0].hint, "write the unit inside: [1 mm, 2 mm]");
  EXPECT_EQ(Parsed("a: [=max(a, b), 0]\n").diagnostics.all()[0].hint, "quote it: \"=max(a, b)\"");
  EXPECT_EQ(Parsed("{v: =max(a, b)}\n").diagnostics.error_count(), 1u);
}

TEST(YamlReader, PointsAtTheFirstOfTwoEqualKeys) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "key" + std::to_string(i) + ": 1\n";
  const Parsed parsed(text + "key3: 2\n");
  ASSERT_EQ(parsed.diagnostics.error_count(), 1u);
  EXPECT_EQ(parsed.sources.describe(parsed.diagnostics.all()[0].notes.at(0).where), "model.yaml:4:1");
}

TEST(YamlReader, CollectsSeveralErrorsInOnePass) {
  const Parsed parsed("a: &x 1\nb: !t 2\nc: 3\nc: 4\n<<: 5\n");
  EXPECT_FALSE(parsed.root);
  EXPECT_EQ(parsed.diagnostics.error_count(), 4u);
}

// A collector that knows the error already does not count it again; the document is still refused.
TEST(YamlReader, RefusesTheSameFileTwice) {
  SourceMap sources;
  Diagnostics diagnostics;
  const std::int32_t file = sources.add("a.yaml", "a: 1\na: 2\n");
  EXPECT_FALSE(parse_yaml(sources, file, {}, diagnostics));
  EXPECT_FALSE(parse_yaml(sources, file, {}, diagnostics));
}

TEST(YamlReader, HoldsItsLimits) {
  const auto code = [](const std::string& text, const TextLimits& limits) {
    const Parsed parsed(text, limits);
    return parsed.root || parsed.diagnostics.all().empty() ? Code::none : parsed.diagnostics.all()[0].code;
  };
  TextLimits limits;
  limits.max_bytes = 10;
  EXPECT_EQ(code("a: 12345678", limits), Code::file_too_large);
  EXPECT_EQ(code("a: 1234567", limits), Code::none);
  limits = {};
  limits.max_depth = 3;
  EXPECT_EQ(code("[[[1]]]", limits), Code::none);
  EXPECT_EQ(code("[[[[1]]]]", limits), Code::nesting_too_deep);
  EXPECT_EQ(code("- - - - 1", limits), Code::nesting_too_deep);
  EXPECT_EQ(code("a:\n b:\n  c:\n   d: 1", limits), Code::nesting_too_deep);
  limits = {};
  limits.max_nodes = 5;
  EXPECT_EQ(code("[1, 2, 3, 4]", limits), Code::none);
  EXPECT_EQ(code("[1, 2, 3, 4, 5]", limits), Code::too_many_values);
  limits = {};
  limits.max_scalar = 8;
  EXPECT_EQ(code("a: '12345678'", limits), Code::none);
  EXPECT_EQ(code("a: '123456789'", limits), Code::too_many_values);
  EXPECT_EQ(code("a: 1234\n  56789", limits), Code::too_many_values);
}

// yaml-cpp keeps all tokens of an open bracket: without the look before, these would take gigabytes.
TEST(YamlReader, RefusesHostileTextBeforeParsing) {
  constexpr std::size_t kPieces = 1u << 19;
  const auto repeat = [](const std::string& piece, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += piece;
    return text;
  };
  for (const char* piece :
       {"[", "{", "[\n", "{a: ", "- ", "? ", ": ", "a: ", "&a ", "*a ", "!", "[]", "[a]: ", "\"a"}) {
    EXPECT_FALSE(Parsed(repeat(piece, kPieces)).root) << piece;
  }
  for (const char* piece : {"a: ", ": ", "? ", ",", "\"a\":"}) {
    EXPECT_FALSE(Parsed("[" + repeat(piece, kPieces)).root) << piece;
    EXPECT_FALSE(Parsed("- {" + repeat(piece, kPieces)).root) << piece;
  }
}

// JSON is often one line. 32 times the text takes 32 times the time, not 1,024 times. Between the two lies room for
// a busy machine.
TEST(YamlReader, LongLinesOfQuotedTextsTakeTimeInProportion) {
  const auto seconds = [](int count) {
    std::string text = "{";
    for (int i = 0; i < count; ++i) text += (i > 0 ? ", \"p" : "\"p") + std::to_string(i) + "\": \"1 m\"";
    const std::clock_t begin = std::clock();
    EXPECT_TRUE(Parsed(text + "}").root);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  constexpr int kFew = 2'500;
  constexpr int kFactor = 32;
  constexpr double kAllowed = 5.0 * kFactor;
  EXPECT_LT(seconds(kFactor * kFew), kAllowed * seconds(kFew));
}

}  // namespace
}  // namespace gelenk::formats::yaml_reader_test
