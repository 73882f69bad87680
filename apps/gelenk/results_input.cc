#include "apps/gelenk/results_input.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "apps/gelenk/named_file.h"
#include "gelenk/base/similar_file.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
void add_results_arguments(Options& options, ResultsRequest& request) {
  options.arguments.push_back(
      {.name = "RUN", .doc = "results file (.h5)", .target = &request.file, .completion = Completion::run_files});
  options.arguments.push_back({.name = "CHANNEL",
                               .doc = "channel, vector or element, or a pattern: piston.position.x, '*.angle'",
                               .list = &request.channels,
                               .is_required = false,
                               .completion = Completion::channels});
}

bool is_run_file(const std::string& path) {
  return results::is_hdf5_file(path) || path.ends_with(".h5") || path.ends_with(".hdf5");
}

std::unique_ptr<results::Reader> open_run(const std::string& path, Console& console) {
  if (refuse_other_file(path, WantedFile::results, console)) return nullptr;
  std::string error;
  std::unique_ptr<results::Reader> reader = results::Reader::open(path, error);
  if (!reader) {
    const bool is_missing = kind_of_file(path) == FileKind::missing;
    console.fail(ExitCode::file_error, error, is_missing ? did_you_mean_file(path) : std::string());
  }
  return reader;
}

std::vector<std::string> warn_of_damage(const results::Reader& reader, Console& console) {
  std::vector<std::string> damage = reader.find_damaged_data().sentences();
  if (!damage.empty()) print_damage(reader.path(), damage, console);
  return damage;
}

void print_damage(const std::string& file, const std::vector<std::string>& damage, const Console& console) {
  console.error_text(
      fmt::format("warning: '{}' is damaged: {}\n  hint: run the model again\n", file, join(damage, "; ")));
}

void write_damage(JsonWriter& json, const std::vector<std::string>& damage) {
  json.key("damage").begin_array();
  for (const std::string& sentence : damage) json.value(sentence);
  json.end_array();
}

std::string unclosed_note(const results::Reader& reader) {
  if (reader.is_closed()) return {};
  std::error_code problem;
  const auto written = std::filesystem::last_write_time(reader.path(), problem);
  const std::chrono::duration<double> age = std::filesystem::file_time_type::clock::now() - written;
  const std::string when = problem ? "" : fmt::format(", last written {} ago", duration_text(age.count()));
  const char* verdict = reader.status() == results::RunStatus::running ? "still running, or killed" : "cut short";
  return fmt::format("the file was not closed ({}{}); {} rows can be read", verdict, when, reader.row_count());
}

std::string output_refusal(const std::string& output, const std::string& run, bool is_forced) {
  std::error_code problem;
  if (!std::filesystem::exists(std::filesystem::symlink_status(output, problem))) return {};
  if (std::filesystem::equivalent(output, run, problem)) return fmt::format("'{}' holds the results", output);
  if (std::filesystem::is_directory(output, problem)) return fmt::format("'{}' is a folder", output);
  return is_forced ? std::string() : fmt::format("'{}' already exists and was left unchanged", output);
}

}  // namespace gelenk::app
