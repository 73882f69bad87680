#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/gelenk/verb.h"
#include "gelenk/base/json.h"
#include "gelenk/results/choose.h"
#include "gelenk/results/reader.h"

// What the verbs that read files of results share.
namespace gelenk::app {

struct ResultsRequest {
  std::string file;
  std::vector<std::string> channels;
};

// RUN and CHANNEL...
void add_results_arguments(Options& options, ResultsRequest& request);

// Whether this is a file of results rather than a model: by its first bytes, or by its name when it cannot be read.
bool is_run_file(const std::string& path);

// Opens it, or prints why not and what to do: then null, and the program ends with ExitCode::file_error.
std::unique_ptr<results::Reader> open_run(const std::string& path, Console& console);

// Rows, events or texts that differ from what was recorded: a warning, which --quiet does not silence. Returns what it
// says, one sentence each. Reads every row.
std::vector<std::string> warn_of_damage(const results::Reader& reader, Console& console);
void print_damage(const std::string& file, const std::vector<std::string>& damage, const Console& console);
// "damage": [...]
void write_damage(JsonWriter& json, const std::vector<std::string>& damage);

// One line for people about a file that was not closed; empty otherwise.
std::string unclosed_note(const results::Reader& reader);

// Why the output may not be written there, or nothing: it exists and nobody said --force, or it is the run itself.
std::string output_refusal(const std::string& output, const std::string& run, bool is_forced);

}  // namespace gelenk::app
