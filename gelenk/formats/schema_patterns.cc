#include "gelenk/formats/schema_patterns.h"

#include <fmt/format.h>

#include "gelenk/expression/operations.h"
#include "gelenk/model/reader.h"

namespace gelenk::formats {
namespace {

constexpr std::string_view kBlanks = R"([ \t\r\n]*)";
constexpr std::string_view kNumber = R"([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)";
// At least one sign of composition somewhere, and nothing that units never have.
constexpr std::string_view kCompoundUnit = R"((?=.*[*·/^²³(])[A-Za-z_°µμ%1(][A-Za-z0-9_°µμ%()*·/^²³ -]*)";
constexpr std::string_view kName = "[A-Za-z_][A-Za-z0-9_-]*";

// No symbol has a character with a meaning in regular expressions.
std::string units_of(Quantity quantity, bool with_hertz) {
  const Dimension& dimension = quantity_info(quantity).dimension;
  std::string result;
  for (const UnitSymbol& known : unit_symbols()) {
    if (quantity != Quantity::any && !(known.unit.dimension == dimension)) continue;
    if (known.unit.is_hertz && !with_hertz) continue;
    result += fmt::format("{}|", known.symbol);
  }
  return result.append(kCompoundUnit);
}

}  // namespace

std::string number_pattern(Quantity quantity) {
  return fmt::format("^(?:=|{0}{1}{0}(?:{2})?{0}$)", kBlanks, kNumber,
                     units_of(quantity, quantity != Quantity::angular_rate));
}

std::string unit_pattern(Quantity quantity) { return fmt::format("^ *(?:{}) *$", units_of(quantity, true)); }

std::string name_pattern(bool with_reserved) {
  if (with_reserved) return fmt::format("^{}$", kName);
  std::string reserved = "and|or|not";
  for (const std::string_view name : model::reserved_names()) reserved += fmt::format("|{}", name);
  for (const expression::Function& function : expression::functions()) reserved += fmt::format("|{}", function.name);
  return fmt::format("^(?!(?:{})$){}$", reserved, kName);
}

std::string path_pattern() { return fmt::format(R"(^(?:[0-9]+|{0})(?:\.(?:[0-9]+|{0}))*$)", kName); }

}  // namespace gelenk::formats
