#pragma once

#include <string>

#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/units.h"
#include "gelenk/export/report_page.h"
#include "gelenk/results/choose.h"

// How a report writes numbers down.
namespace gelenk::exporting {

class ReportWords {
 public:
  ReportWords(const results::Reader& reader, bool si_units) : reader_(reader), si_units_(si_units) {}

  // Symbol as printed: "N·m", "m/s²"; empty for pure numbers.
  std::string unit(Quantity quantity, const std::string& si_symbol = {}) const;
  std::string in_brackets(Quantity quantity) const { return " [" + unit(quantity) + "]"; }
  // Without the unit. What is rounding beside `scale` (SI) is zero.
  std::string number(double si, Quantity quantity, double scale = 0.0) const;
  std::string amount(double si, Quantity quantity, double scale = 0.0) const;
  std::string amount(double si, const ChannelDigest& channel) const;
  std::string time(double si) const { return number(si, Quantity::time); }
  // The value in the unit that is shown.
  double shown(double si, Quantity quantity) const { return shown_unit(quantity, {}).shown(si); }

 private:
  ShownUnit shown_unit(Quantity quantity, const std::string& si_symbol) const;

  const results::Reader& reader_;
  bool si_units_;
};

}  // namespace gelenk::exporting
