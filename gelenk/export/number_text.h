#pragma once

#include <string>

namespace gelenk::exporting {

// For tables that people read: `digits` significant digits, but whole numbers up to seven digits in full, as 12345
// rather than 1.234e+04.
std::string number_text(double value, int digits = 4);

}  // namespace gelenk::exporting
