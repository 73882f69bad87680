// Reads compound units. Grammar: product = factor {("*" | "·" | "/") factor}; factor = base ["^" exponent | "²" | "³"];
// base = symbol | "1" | "(" product ")"; exponent = integer | "(" integer ["/" integer] ")".

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/base/text.h"
#include "gelenk/base/units.h"

namespace gelenk {
namespace {

constexpr std::size_t kMaxLength = 200;
constexpr int kMaxDepth = 10;
constexpr int kMaxExponent = 99;

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// "Meters", "metre", "newtons" are what people write when they do not know the symbol.
std::string symbol_by_name(std::string_view word) {
  constexpr std::pair<std::string_view, std::string_view> kEveryday[] = {
      {"sec", "s"},     {"hr", "h"},       {"lbs", "lb"},       {"feet", "ft"},   {"inches", "in"},  {"Ω", "ohm"},
      {"kmh", "km/h"},  {"kph", "km/h"},   {"celsius", "degC"}, {"u", "rev"},     {"r", "rev"},      {"turn", "rev"},
      {"turns", "rev"}, {"rounds", "rev"}, {"msec", "ms"},      {"micron", "um"}, {"microns", "um"}, {"grad", "deg"},
      {"mtr", "m"},     {"cc", "cm^3"},    {"ccm", "cm^3"},     {"kp", "kgf"},    {"kilo", "kg"},    {"kilos", "kg"},
      {"gr", "g"},      {"\"", "in"},      {"''", "in"},        {"″", "in"},
  };
  std::string name = lower(word);
  for (const auto& [everyday, symbol] : kEveryday) {
    if (name == everyday) return std::string(symbol);
  }
  // "mm2", "s2"
  if (word.size() > 1 && (word.back() == '2' || word.back() == '3')) {
    const std::string_view base = word.substr(0, word.size() - 1);
    if (find_unit_symbol(base)) return std::string(base) + "^" + word.back();
  }
  if (name.size() > 3 && name.ends_with("tre")) name.replace(name.size() - 2, 2, "er");
  if (name.size() > 4 && name.ends_with("tres")) name.replace(name.size() - 3, 3, "er");
  for (const UnitSymbol& known : unit_symbols()) {
    if (name == known.name || name == std::string(known.name) + "s") return std::string(known.symbol);
  }
  return {};
}

// The symbol that differs only in case, with the most letters in the right case: 'NM' is rather 'Nm' than 'nm'.
std::string symbol_by_case(std::string_view word) {
  std::string best;
  std::size_t best_same = 0;
  for (const UnitSymbol& known : unit_symbols()) {
    if (lower(known.symbol) != lower(word)) continue;
    std::size_t same = 1;
    for (std::size_t i = 0; i < word.size(); ++i) same += known.symbol[i] == word[i] ? 1u : 0u;
    if (same > best_same) {
      best = known.symbol;
      best_same = same;
    }
  }
  return best;
}

std::string suggest_symbol(std::string_view word) {
  if (std::string symbol = symbol_by_case(word); !symbol.empty()) return symbol;
  if (std::string symbol = symbol_by_name(word); !symbol.empty()) return symbol;
  std::vector<std::string> candidates;
  for (const UnitSymbol& known : unit_symbols()) candidates.emplace_back(known.symbol);
  return nearest_name(word, candidates).value_or("");
}

class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  UnitParse parse() {
    if (trim(text_).empty()) return {{}, "the unit is empty", {}, {}};
    if (text_.size() > kMaxLength) return {{}, "the unit " + shown(text_) + " is too long", {}, {}};
    const std::optional<Unit> unit = product(0);
    if (unit && !at_end()) {
      fail(text_[position_] == ')' ? "a ')' has no '('" : "write '*' or '/' between the symbols, as in 'N*m'");
    }
    if (!result_.error.empty()) return std::move(result_);
    if (!std::isfinite(unit->factor) || unit->factor <= 0.0) fail("it is too large or too small for a number");
    if (!result_.error.empty()) return std::move(result_);
    result_.unit = unit;
    return std::move(result_);
  }

 private:
  std::optional<Unit> product(int depth) {
    std::optional<Unit> total = factor(depth);
    while (total && !at_end()) {
      const bool divided = take("/");
      if (!divided && !take("*") && !take("·")) break;
      const std::optional<Unit> next = factor(depth);
      if (!next) return std::nullopt;
      total = combined(*total, *next, divided ? -1 : 1);
    }
    return total;
  }

  std::optional<Unit> combined(const Unit& a, const Unit& b, int sign) {
    if (a.offset != 0.0 || b.offset != 0.0) return fail("'degC' cannot be part of a compound unit, use 'K'");
    const std::optional<Dimension> dimension = Dimension::checked_product(a.dimension, b.dimension, sign);
    if (!dimension) return fail("an exponent is too large");
    return Unit{sign > 0 ? a.factor * b.factor : a.factor / b.factor, 0.0, *dimension, false};
  }

  std::optional<Unit> factor(int depth) {
    const std::optional<Unit> base = factor_base(depth);
    if (!base) return std::nullopt;
    if (take("²")) return powered(*base, 2, 1);
    if (take("³")) return powered(*base, 3, 1);
    if (!take("^")) return base;
    const bool fraction = take("(");
    const std::optional<int> numerator = integer();
    int denominator = 1;
    if (numerator && fraction) {
      if (take("/")) denominator = integer().value_or(0);
      if (!take(")")) denominator = 0;
    }
    if (!numerator || denominator <= 0) return fail("an exponent is a whole number or a fraction, as in 'm^2'");
    return powered(*base, *numerator, denominator);
  }

  std::optional<Unit> powered(const Unit& base, int numerator, int denominator) {
    if (base.offset != 0.0) return fail("'degC' cannot be part of a compound unit, use 'K'");
    const std::optional<Dimension> dimension = base.dimension.power(numerator, denominator);
    if (!dimension) return fail("an exponent is too large or not a simple fraction");
    // Repeated products keep factors such as 0.0254² exactly what a person gets who multiplies by hand.
    double size = 1.0;
    for (int i = 0; i < std::abs(numerator); ++i) size *= base.factor;
    if (numerator < 0) size = 1.0 / size;
    if (denominator != 1) size = std::pow(size, 1.0 / denominator);
    return Unit{size, 0.0, *dimension, base.is_hertz && numerator == 1 && denominator == 1};
  }

  std::optional<Unit> factor_base(int depth) {
    if (at_end()) return fail("it ends too early");
    if (take("(")) {
      if (depth == kMaxDepth) return fail("too many parentheses");
      const std::optional<Unit> inside = product(depth + 1);
      if (inside && !take(")")) return fail("a ')' is missing");
      return inside;
    }
    std::string_view word = symbol();
    if (word.empty() && text_[position_] != '"') {
      return fail("a unit symbol is expected at " + shown(text_.substr(position_, 1)));
    }
    if (word.empty()) word = text_.substr(position_, 1);
    if (const std::optional<Unit> unit = find_unit_symbol(word)) return unit;
    if (is_digit(word.front())) return fail("the number " + std::string(word) + " cannot be part of a unit");
    result_.unknown = word;
    result_.error = "unknown unit " + shown(word);
    result_.suggestion = suggest_symbol(word);
    return std::nullopt;
  }

  std::string_view symbol() {
    const std::size_t begin = position_;
    const auto is_superscript = [&] {
      const std::string_view rest = text_.substr(position_);
      return rest.starts_with("²") || rest.starts_with("³") || rest.starts_with("·");
    };
    if (text_[begin] == '%') return text_.substr(position_++, 1);
    if (is_digit(text_[begin])) {
      while (position_ < text_.size() && is_digit(text_[position_])) ++position_;
      return text_.substr(begin, position_ - begin);
    }
    while (position_ < text_.size() && !is_superscript()) {
      const char c = text_[position_];
      const bool part =
          is_ascii_letter(c) || (is_digit(c) && position_ > begin) || (static_cast<unsigned char>(c) & 0x80u) != 0;
      if (!part) break;
      ++position_;
    }
    return text_.substr(begin, position_ - begin);
  }

  std::optional<int> integer() {
    skip_blanks();
    const std::string_view rest = text_.substr(position_);
    int value = 0;
    const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (failure != std::errc{} || value > kMaxExponent || value < -kMaxExponent) return std::nullopt;
    position_ += static_cast<std::size_t>(end - rest.data());
    return value;
  }

  void skip_blanks() {
    while (position_ < text_.size() && text_[position_] == ' ') ++position_;
  }
  bool at_end() {
    skip_blanks();
    return position_ == text_.size();
  }
  bool take(std::string_view token) {
    skip_blanks();
    if (!text_.substr(position_).starts_with(token)) return false;
    position_ += token.size();
    return true;
  }

  std::nullopt_t fail(const std::string& why) {
    if (result_.error.empty()) result_.error = "the unit " + shown(trim(text_)) + " cannot be read: " + why;
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  UnitParse result_;
};

}  // namespace

UnitParse parse_unit(std::string_view text) { return UnitParser(text).parse(); }

}  // namespace gelenk
