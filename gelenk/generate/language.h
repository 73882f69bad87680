#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "gelenk/symbolic/graph.h"

namespace gelenk::generate {

// In which equations are written for a computer.
enum class Language { c, python, matlab };

std::string number_text(Language language, double value);
// Number `index`, from zero, of an array.
std::string element_text(Language language, std::string_view array, std::size_t index);
// One operation on texts that are names or numbers.
std::string operation_text(Language language, symbolic::Op op, const std::string& a, const std::string& b,
                           const std::string& c);
// `name = value` as a statement; a new name, or an element of an array.
std::string assignment_text(Language language, const std::string& name, const std::string& value, bool is_new);
// A comment of one line.
std::string comment_text(Language language, std::string_view text);
// A text in quotes.
std::string quoted_text(Language language, std::string_view text);

}  // namespace gelenk::generate
