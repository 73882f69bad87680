#include "gelenk/base/text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace gelenk::text_test {
namespace {

TEST(FindInvalidUtf8, AcceptsAllLengths) {
  EXPECT_EQ(find_invalid_utf8(""), std::nullopt);
  EXPECT_EQ(find_invalid_utf8("plain"), std::nullopt);
  EXPECT_EQ(find_invalid_utf8("µm ² € 𝄞"), std::nullopt);
  EXPECT_EQ(find_invalid_utf8("\xF4\x8F\xBF\xBF"), std::nullopt);  // U+10FFFF, the last
}

TEST(FindInvalidUtf8, NamesTheFirstBadByte) {
  EXPECT_EQ(find_invalid_utf8("ab\xFFz"), 2u);
  EXPECT_EQ(find_invalid_utf8("a\x80"), 1u);             // continuation without a start
  EXPECT_EQ(find_invalid_utf8("\xC0\xAF"), 0u);          // overlong '/'
  EXPECT_EQ(find_invalid_utf8("\xE0\x80\xAF"), 0u);      // overlong in three bytes
  EXPECT_EQ(find_invalid_utf8("x\xED\xA0\x80"), 1u);     // a surrogate
  EXPECT_EQ(find_invalid_utf8("\xF4\x90\x80\x80"), 0u);  // beyond U+10FFFF
  EXPECT_EQ(find_invalid_utf8("ok \xE2\x82"), 3u);       // cut at the end
  EXPECT_EQ(find_invalid_utf8("\xE2\x82\x41"), 0u);      // third byte is a letter
}

// Every code point in its proper form, against the definition.
TEST(FindInvalidUtf8, AgreesWithTheDefinitionForTwoBytes) {
  for (unsigned first = 0x80; first <= 0xFF; ++first) {
    for (unsigned second = 0; second <= 0xFF; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second)};
      const unsigned code_point = (first & 0x1Fu) << 6u | (second & 0x3Fu);
      const bool valid = (first & 0xE0u) == 0xC0u && (second & 0xC0u) == 0x80u && code_point >= 0x80;
      EXPECT_EQ(!find_invalid_utf8(text).has_value(), valid) << first << " " << second;
    }
  }
}

TEST(NearestName, FindsTypingErrors) {
  const std::vector<std::string> names = {"crank", "rod", "piston", "main_bearing"};
  EXPECT_EQ(nearest_name("crnak", names), "crank");  // exchanged neighbours count once
  EXPECT_EQ(nearest_name("rodd", names), "rod");
  EXPECT_EQ(nearest_name("rd", names), "rod");
  EXPECT_EQ(nearest_name("pisten", names), "piston");
  EXPECT_EQ(nearest_name("PISTON", names), "piston");
  EXPECT_EQ(nearest_name("main_baering", names), "main_bearing");
  EXPECT_EQ(nearest_name("flywheel", names), std::nullopt);
  EXPECT_EQ(nearest_name("", names), std::nullopt);
  EXPECT_EQ(nearest_name("rod", {}), std::nullopt);
}

TEST(NearestName, PrefersTheNearestThenTheFirst) {
  const std::vector<std::string> names = {"spring_1", "spring_2", "springs"};
  EXPECT_EQ(nearest_name("spring_3", names), "spring_1");
  EXPECT_EQ(nearest_name("spring", names), "springs");
  const std::vector<std::string> cases = {"angel", "ANGLE"};
  EXPECT_EQ(nearest_name("angle", cases), "ANGLE");
}

TEST(NearestName, RefusesHugeNamesQuickly) {
  const std::vector<std::string> names(1000, std::string(100'000, 'a'));
  EXPECT_EQ(nearest_name(std::string(100'000, 'b'), names), std::nullopt);
}

TEST(DidYouMean, SpeaksOrIsSilent) {
  const std::vector<std::string> names = {"rod"};
  EXPECT_EQ(did_you_mean("rdo", names), "did you mean 'rod'?");
  EXPECT_EQ(did_you_mean("xyz", names), "");
}

TEST(Shown, IsFitForAMessage) {
  EXPECT_EQ(shown("5 µm"), "'5 µm'");
  EXPECT_EQ(shown("a\nb\x01z\x7F."), "'a?b?z?.'");
  EXPECT_EQ(shown("a\xFF"), "'a?'");
  EXPECT_EQ(shown(std::string(40, 'x')), "'" + std::string(40, 'x') + "'");
  EXPECT_EQ(shown(std::string(41, 'x')), "'" + std::string(40, 'x') + "...'");
}

TEST(IsValidName, KnowsTheRule) {
  for (const char* good : {"a", "_", "A1", "front-left", "link_3"}) EXPECT_TRUE(is_valid_name(good)) << good;
  for (const char* bad : {"", "1a", "-a", "a.b", "a b", "ä", "a/b"}) EXPECT_FALSE(is_valid_name(bad)) << bad;
}

TEST(JoinAndSplit, AreInverse) {
  const std::vector<std::string> parts = {"front_left", "", "strut"};
  EXPECT_EQ(join(parts, "."), "front_left..strut");
  EXPECT_EQ(split("front_left..strut", '.'), parts);
  EXPECT_EQ(split("", '.'), std::vector<std::string>{""});
  EXPECT_EQ(split("a.", '.'), (std::vector<std::string>{"a", ""}));
  EXPECT_EQ(join({}, ", "), "");
}

TEST(Trim, RemovesBlanksAtBothEnds) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim(" \n "), "");
  EXPECT_EQ(trim(""), "");
}

TEST(ParseNumber, ReadsCNotation) {
  EXPECT_EQ(parse_number("12"), 12.0);
  EXPECT_EQ(parse_number("-3.5"), -3.5);
  EXPECT_EQ(parse_number("+.5"), 0.5);
  EXPECT_EQ(parse_number("5."), 5.0);
  EXPECT_EQ(parse_number("2.1e5"), 2.1e5);
  EXPECT_EQ(parse_number("1E-3"), 1e-3);
  EXPECT_EQ(parse_number("007"), 7.0);
}

TEST(ParseNumber, RefusesTheRest) {
  for (const char* text : {"", "-", "+", ".", "e5", "1e", "1e+", "0x10", "1 ", " 1", "1,5", "--1", "+-1", "1_000",
                           "inf", "nan", "-inf", "1.2.3", "1f"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
}

TEST(ParseNumber, KnowsTheEndsOfTheRange) {
  EXPECT_EQ(parse_number("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(parse_number("1e309"), std::nullopt);
  EXPECT_EQ(parse_number("1e99999999999999999999"), std::nullopt);
  EXPECT_EQ(parse_number(std::string(400, '9')), std::nullopt);
  EXPECT_EQ(parse_number("5e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(parse_number("1e-400"), 0.0);
  EXPECT_EQ(parse_number("1e-99999999999999999999"), 0.0);
  EXPECT_EQ(parse_number("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(parse_number("0e999999"), 0.0);
  EXPECT_EQ(parse_number("0." + std::string(400, '0') + "1e402"), 10.0);
  EXPECT_TRUE(std::signbit(*parse_number("-1e-400")));
}

TEST(NumberLength, FindsTheLongestNumber) {
  EXPECT_EQ(number_length("5mm"), 1u);
  EXPECT_EQ(number_length("5e3"), 3u);
  EXPECT_EQ(number_length("5e"), 1u);
  EXPECT_EQ(number_length("5e+x"), 1u);
  EXPECT_EQ(number_length("1.2.3"), 3u);
  EXPECT_EQ(number_length(".x"), 0u);
  EXPECT_EQ(number_length("-1"), 0u);
}

TEST(FormatNumber, ReadsBackToTheSameDouble) {
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(-2.0), "-2");
  std::mt19937_64 random(20240501);
  for (int i = 0; i < 20'000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(parse_number(format_number(value)), value);
  }
}

TEST(FormatRounded, IsForPeople) {
  EXPECT_EQ(format_rounded(3.14159265), "3.142");
  EXPECT_EQ(format_rounded(2.0), "2");
  EXPECT_EQ(format_rounded(0.05), "0.05");
  EXPECT_EQ(format_rounded(-0.0), "0");
  EXPECT_EQ(format_rounded(123456.0, 3), "1.23e+05");
  EXPECT_EQ(format_rounded(12.0 / 7.0, 0), "2");
}

TEST(Text, PrintableTextsCannotRewriteTheScreen) {
  EXPECT_TRUE(is_printable("", false));
  EXPECT_TRUE(is_printable("Dämpfer µ \u2014 \u65e5\u672c", false));
  EXPECT_TRUE(is_printable("two\nlines\tand a tab", true));
  EXPECT_FALSE(is_printable("two\nlines", false));
  for (const char* text :
       {"\x1b[2J", "a\rb", "\x7f", "\u0085", "\u009b", "\u2028", "\u202e", "\u2066", "\xff", "\xc2"}) {
    EXPECT_FALSE(is_printable(text, true)) << text;
  }
  EXPECT_TRUE(is_printable("\u00a0\u2027\u202f\u2065\u206a", false));  // their neighbours
}

}  // namespace
}  // namespace gelenk::text_test
