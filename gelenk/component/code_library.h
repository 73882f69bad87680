#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gelenk/base/shared_library.h"
#include "gelenk/component/gelenk_code.h"
#include "gelenk/system/code.h"

// Forces and states in C (gelenk_code.h) as a machine calls them.
namespace gelenk::component {

// What a section `code:` of a model names, or a library expects.
struct CodeCounts {
  std::size_t frames = 0, states = 0, inputs = 0, outputs = 0, parameters = 0;

  // Of a call, in this order: time, parameters, motions, states, inputs; wrenches, rates, outputs.
  std::size_t numbers_in() const { return 1 + parameters + system::kCodeMotion * frames + states + inputs; }
  std::size_t numbers_out() const { return 6 * frames + states + outputs; }
};
CodeCounts count_code(const system::NativeCode& code);
CodeCounts count_code(const gelenk_code_api& api);

// The first count in which they differ.
struct CodeMismatch {
  const char* what = "";  // "frames"
  std::size_t named = 0, known = 0;
};
std::optional<CodeMismatch> compare_code(const CodeCounts& named, const CodeCounts& known);

// The functions of a library, one for each section. Throws ComponentFailure, in words that begin where the name of the
// component ends.
const gelenk_code_api* code_in(const SharedLibrary& library);
const gelenk_code_api* next_code(const gelenk_code_api& api);  // null: it was the last

// The functions must stay.
system::CodeFunction code_function(const gelenk_code_api& api);

}  // namespace gelenk::component
