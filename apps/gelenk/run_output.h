#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "apps/gelenk/model_input.h"

// Where the results of a run go.
namespace gelenk::app {

// NAME.h5, NAME.2.h5, ... in the current folder, whichever is free first. It is made, empty, so that nobody else takes
// it.
std::string take_free_run_file(const std::string& model_name);

struct Refusal {
  std::string message;
  std::string hint;
};

// Why the results may not be written there, or nothing. Only earlier results and empty files are ever overwritten, and
// only with --force: a slip of `-o` must not cost anybody a model.
std::optional<Refusal> refuse_output(const std::string& file, bool is_forced, const ModelInput& input);

// Without --force, makes the file, empty: of several runs that find the name free at the same time, one gets it.
std::optional<Refusal> take_output(const std::string& file, bool is_forced);

// How many rows others can read of a file that could not be written to its end.
std::size_t readable_rows(const std::string& file);

}  // namespace gelenk::app
