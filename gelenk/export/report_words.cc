#include "gelenk/export/report_words.h"

#include <algorithm>
#include <cmath>

#include "gelenk/base/text.h"
#include "gelenk/export/number_text.h"

namespace gelenk::exporting {
namespace {

constexpr double kRoundingOfWords = 1e-9;

// "kg*m^2/s" -> "kg·m²/s"
std::string printed(const std::string& symbol) {
  if (symbol == "1") return {};
  std::string text;
  for (std::size_t i = 0; i < symbol.size(); ++i) {
    const std::string_view rest = std::string_view(symbol).substr(i, 2);
    const bool is_alone =
        i + 2 >= symbol.size() || std::string_view("0123456789/.").find(symbol[i + 2]) == std::string_view::npos;
    if (symbol[i] == '*') {
      text += "·";
    } else if (is_alone && (rest == "^2" || rest == "^3")) {
      text += rest == "^2" ? "²" : "³";
      ++i;
    } else {
      text += symbol[i];
    }
  }
  return text;
}

std::string joined(const std::string& number, const std::string& unit) {
  return unit.empty() ? number : number + " " + unit;
}

}  // namespace

ShownUnit ReportWords::channel_unit(Quantity quantity, const std::string& si_symbol, const std::string& own) const {
  results::ChannelSource source;
  source.quantity = quantity;
  source.unit = si_symbol;
  source.shown_unit = own;
  return si_units_ ? si_unit(source) : display_unit(reader_, source);
}

std::string ReportWords::printed_symbol(const ShownUnit& unit) { return printed(unit.symbol); }

std::string ReportWords::number_in(const ShownUnit& unit, double si, Quantity quantity, double scale) const {
  if (!std::isfinite(si)) return "–";  // beyond all numbers, as squares of a run that blew up
  if (std::abs(si) <= std::max(kRoundingOfWords * std::abs(scale), scales_.rounding(quantity))) si = 0.0;
  return number_text(unit.shown(si));
}

std::string ReportWords::given(double si, Quantity quantity) const {
  constexpr int kDigitsOfGiven = 6;
  return format_rounded(shown(si, quantity), kDigitsOfGiven);
}

std::string ReportWords::amount(double si, Quantity quantity, double scale) const {
  return joined(number(si, quantity, scale), unit(quantity));
}

std::string ReportWords::amount(double si, const ChannelDigest& channel) const {
  const ShownUnit unit = channel_unit(channel.quantity, channel.unit, channel.shown_unit);
  return joined(number_in(unit, si, channel.quantity, channel.summary.peak.value), printed_symbol(unit));
}

}  // namespace gelenk::exporting
