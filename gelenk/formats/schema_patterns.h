#pragma once

#include <string>

#include "gelenk/base/units.h"

// Regular expressions of the JSON Schema, in the part of the language that ECMAScript, Python and PCRE share.
namespace gelenk::formats {

// Texts that parse_quantity() takes for this quantity, and expressions behind '='. A single unit symbol must be one of
// the quantity; of compound units only the characters are looked at.
std::string number_pattern(Quantity quantity);

// Units of a quantity alone, as `display:` takes them.
std::string unit_pattern(Quantity quantity);

// Names of elements that the reader takes: is_valid_name(), with or without those that mean something in paths and
// expressions.
std::string name_pattern(bool with_reserved);

// Names and indices joined by dots.
std::string path_pattern();

}  // namespace gelenk::formats
