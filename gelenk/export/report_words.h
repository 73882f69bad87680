#pragma once

#include <string>
#include <utility>

#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/units.h"
#include "gelenk/export/quantity_scales.h"
#include "gelenk/export/report_page.h"
#include "gelenk/results/choose.h"

// How a report writes numbers down.
namespace gelenk::exporting {

class ReportWords {
 public:
  ReportWords(const results::Reader& reader, bool si_units, QuantityScales scales = {})
      : reader_(reader), si_units_(si_units), scales_(std::move(scales)) {}

  // Symbol as printed: "N·m", "m/s²"; empty for pure numbers.
  std::string unit(Quantity quantity) const { return printed_symbol(shown_unit(quantity)); }
  std::string in_brackets(Quantity quantity) const { return " [" + unit(quantity) + "]"; }
  // Without the unit. What is rounding beside `scale` (SI), or beside all of its kind in the machine, is zero.
  std::string number(double si, Quantity quantity, double scale = 0.0) const {
    return number_in(shown_unit(quantity), si, quantity, scale);
  }
  std::string amount(double si, Quantity quantity, double scale = 0.0) const;
  // What somebody has given: more digits, and never rounding.
  std::string given(double si, Quantity quantity) const;
  std::string amount(double si, const ChannelDigest& channel) const;
  std::string time(double si) const { return number(si, Quantity::time); }
  // Of a number that is not larger: see QuantityScales.
  double rounding(Quantity quantity) const { return scales_.rounding(quantity); }
  ShownUnit length_unit() const { return shown_unit(Quantity::length); }
  // The value in the unit that is shown.
  double shown(double si, Quantity quantity) const { return shown_unit(quantity).shown(si); }
  // Of a channel: `own` is the unit that its output wants, or empty.
  ShownUnit channel_unit(Quantity quantity, const std::string& si_symbol, const std::string& own) const;
  static std::string printed_symbol(const ShownUnit& unit);

 private:
  std::string number_in(const ShownUnit& unit, double si, Quantity quantity, double scale) const;
  ShownUnit shown_unit(Quantity quantity) const {
    return channel_unit(quantity, std::string(quantity_info(quantity).si_symbol), {});
  }

  const results::Reader& reader_;
  bool si_units_;
  QuantityScales scales_;
};

}  // namespace gelenk::exporting
