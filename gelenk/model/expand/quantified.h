#pragma once

#include <optional>
#include <string_view>

#include "gelenk/base/diagnostics.h"
#include "gelenk/base/units.h"
#include "gelenk/model/object.h"

// A number and what it measures.
namespace gelenk::model::expanding {

struct Quantified {
  double value = 0.0;
  Dimension dimension;
  bool is_hertz = false;
  bool fits_all = false;  // literal zero
};

// The key `unit` of a parameter, input or state, which gives bare numbers their unit. Nothing when there is none, or
// when it is not a unit, which is reported.
std::optional<Unit> written_unit(const Object& written, Diagnostics& diagnostics);
// `result` as the `unit` of a parameter or input makes it; nothing, and reported, when that does not fit.
std::optional<Quantified> in_unit(const Object& written, const std::optional<Unit>& unit, const Value& value,
                                  std::optional<Quantified> result, Diagnostics& diagnostics);
// Whether `result` may be the value of `key`; reported when not.
bool fits(const Quantified& result, bool is_bare, std::string_view key, Quantity quantity, const SourceRange& where,
          Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
