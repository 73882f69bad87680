#pragma once

#include <cstddef>
#include <string>

#include "gelenk/component/gelenk_code.h"
#include "gelenk/system/system.h"

// Forces and states in C (gelenk_code.h) as a machine calls them.
namespace gelenk::analysis {

// What the section `code:` of a model names.
struct CodeCounts {
  bool is_there = false;
  std::size_t frames = 0, states = 0, inputs = 0, outputs = 0, parameters = 0;
};
CodeCounts count_code(const system::System& system);

// What does not fit, in words that name nothing of the model, or nothing. Null: there is no code.
std::string compare_code(const CodeCounts& counts, const gelenk_code_api* api);

// The functions must stay.
system::CodeFunction code_function(const gelenk_code_api& api);

}  // namespace gelenk::analysis
