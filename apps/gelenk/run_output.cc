#include "apps/gelenk/run_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gelenk/base/file_lock.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/process.h"
#include "gelenk/base/text.h"
#include "gelenk/results/reader.h"

namespace gelenk::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOtherName = "choose another name";

bool is_file_of_model(const std::string& file, const ModelInput& input) {
  for (std::size_t i = 0; i < input.loaded.model.folders.size(); ++i) {
    std::error_code problem;
    if (fs::equivalent(file, input.loaded.sources.file(static_cast<std::int32_t>(i)).path(), problem)) return true;
  }
  return false;
}

Refusal exists_already(const std::string& file) {
  return {fmt::format("'{}' already exists", file), "choose another name, or add --force"};
}

}  // namespace

std::string take_free_run_file(const std::string& model_name) {
  std::string name = model_name;
  std::replace(name.begin(), name.end(), '/', '_');  // the name of a model is free, that of a file is not
  std::error_code problem;
  std::string file = name + ".h5";
  for (int number = 2; !create_empty_file(file) && fs::exists(file, problem); ++number) {
    file = fmt::format("{}.{}.h5", name, number);
  }
  return file;
}

std::optional<Refusal> refuse_output(const std::string& file, bool is_forced, const ModelInput& input) {
  std::error_code problem;
  const fs::file_status status = fs::status(file, problem);
  if (!fs::exists(status)) return std::nullopt;
  if (fs::is_directory(status)) return Refusal{fmt::format("'{}' is a folder", file), "add the name of a file"};
  if (!fs::is_regular_file(status)) return Refusal{fmt::format("'{}' is not an ordinary file", file), kOtherName};
  if (is_file_of_model(file, input)) {
    return Refusal{fmt::format("'{}' is a file of the model and was left unchanged", file), kOtherName};
  }
  const bool is_other = fs::file_size(file, problem) > 0 && !results::is_hdf5_file(file);
  // Asked after that: a file that another run has just begun is not an old one.
  const std::string obstacle = overwrite_obstacle(file);
  if (is_other && obstacle.empty()) {
    return Refusal{fmt::format("'{}' exists, holds no results, and was left unchanged", file), kOtherName};
  }
  if (!is_forced) return exists_already(file);
  if (obstacle.empty()) return std::nullopt;
  return Refusal{fmt::format("'{}' cannot be overwritten: {}", file, obstacle), kOtherName};
}

std::optional<Refusal> take_output(const std::string& file, bool is_forced) {
  std::error_code problem;
  // What else may be wrong with the place, the recorder says.
  if (is_forced || create_empty_file(file) || !fs::exists(file, problem)) return std::nullopt;
  return exists_already(file);
}

std::size_t readable_rows(const std::string& file) {
  // After a failure the library keeps the file open in this process and would print what it wanted to write. Another
  // process sees what is on the disk.
  constexpr double kTimeLimit = 60.0;  // s
  constexpr std::string_view kRows = "\"rows\": ";
  const std::optional<std::string> program = executable_path();
  if (!program) return 0;
  const ProgramResult info = run_program({*program, "info", "--json", fs::absolute(file).string()}, {}, kTimeLimit);
  const std::size_t begin = info.output.find(kRows);
  if (info.exit_code != 0 || begin == std::string::npos) return 0;
  const std::string_view rest = std::string_view(info.output).substr(begin + kRows.size());
  return static_cast<std::size_t>(parse_number(rest.substr(0, number_length(rest))).value_or(0.0));
}

}  // namespace gelenk::app
