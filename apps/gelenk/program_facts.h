#pragma once

#include <span>
#include <string>
#include <string_view>

// What holds for the whole program and not for one verb, said once: for `gelenk help` and for the manual pages.
namespace gelenk::app {

inline constexpr std::string_view kWhatItIs = "multibody dynamics of machines designed in CAD";

struct Fact {
  std::string_view name;
  std::string_view doc;
};

std::span<const Fact> exit_codes();
// All that the program reads.
std::span<const Fact> environment_variables();
// Of the user, beside those that he names.
std::span<const Fact> user_files();

// Names in a column, texts beside them in lines of a readable width.
std::string facts_table(std::span<const Fact> facts);

}  // namespace gelenk::app
