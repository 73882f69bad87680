#include "gelenk/expression/measures.h"

#include <algorithm>

#include "gelenk/expression/lexer.h"

namespace gelenk::expression {
namespace {

constexpr MeasureFunction kMeasures[] = {
    {"distance", "distance(a, b)"},
    {"angle", "angle(a, b)"},
    {"relative", "relative(a, b).position.x"},
    {"reaction", "reaction(joint, frame).moment.x"},
};

}  // namespace

std::span<const MeasureFunction> measure_functions() { return kMeasures; }

const MeasureFunction* find_measure(std::string_view name) {
  const auto* it = std::find_if(std::begin(kMeasures), std::end(kMeasures),
                                [&](const MeasureFunction& measure) { return measure.name == name; });
  return it == std::end(kMeasures) ? nullptr : it;
}

std::optional<Measure> split_measure(std::string_view symbol) {
  const std::size_t open = symbol.find('(');
  const std::size_t close = symbol.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
  Measure result;
  result.function = read_token(symbol, 0).text;
  for (Token token = read_token(symbol, open + 1); token.span.begin < close;
       token = read_token(symbol, token.span.end)) {
    if (token.kind == TokenKind::name) result.frames.push_back({token.text, token.span.begin});
  }
  if (close + 1 < symbol.size()) result.quantity = symbol.substr(close + 2);
  return result;
}

}  // namespace gelenk::expression
