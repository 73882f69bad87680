#pragma once

#include <string>
#include <utility>

#include "tests/support/run_text.h"
#include "tests/support/source_folder.h"

namespace gelenk::test {

// An example at the start of its run; `file` is relative to the folder of the examples.
inline Assembled assemble_example(const std::string& file) {
  Checked checked;
  checked.loaded = formats::load_model(source_folder() + "/examples/" + file, {}, checked.diagnostics);
  if (checked.loaded.is_read && !checked.diagnostics.has_errors()) {
    checked.machine = model::expand(checked.loaded.model, {}, checked.diagnostics);
  }
  return assemble_model(std::move(checked));
}

}  // namespace gelenk::test
