#pragma once

#include <string>
#include <string_view>

namespace gelenk::app {

// The last lines of a verb's help as roff: what they explain, and their examples.
struct ManualDetails {
  std::string description;
  std::string examples;
};
// Reads the layout that people see in the help: lines that begin with blanks stand as they are, "term  text" explains
// the term, what follows "examples:" are examples, and all else is filled into paragraphs.
ManualDetails manual_details(std::string_view details);

}  // namespace gelenk::app
