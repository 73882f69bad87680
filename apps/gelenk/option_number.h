#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apps/gelenk/console.h"
#include "gelenk/base/units.h"

namespace gelenk::app {

enum class OptionRange { positive, not_negative, any };

// A number with a unit as an option gives it: "5 ms"; without a unit it is SI. Nothing is changed when the text is
// empty. False with the exit code of a usage error when it is something else.
bool read_option(std::string_view option, const std::string& text, Quantity quantity, std::optional<double>& value,
                 Console& console, std::optional<ExitCode>& failed, OptionRange range = OptionRange::positive);

}  // namespace gelenk::app
