#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>

#include "apps/gelenk/export_formats.h"
#include "apps/gelenk/results_input.h"
#include "gelenk/base/json.h"
#include "gelenk/export/csv.h"

namespace gelenk::app {
namespace {

using Channels = std::vector<results::ChannelSource>;

exporting::CsvOptions csv_options(const ExportRequest& request) { return {.display_units = request.display_units}; }

// Under a temporary name first: a full disk leaves no half table behind that looks like a whole one.
std::string write_table(const ExportRequest& request, const results::Reader& reader, const Channels& channels) {
  const std::string temporary = request.output + ".part";
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  if (!file) return fmt::format("'{}' cannot be written: {}", request.output, std::strerror(errno));
  int write_error = 0;
  std::string error = write_csv(reader, channels, csv_options(request), [&](std::string_view text) {
    errno = 0;
    if (file.write(text.data(), static_cast<std::streamsize>(text.size()))) return true;
    write_error = errno;
    return false;
  });
  errno = 0;
  file.close();
  if (!file && write_error == 0) write_error = errno;
  std::error_code problem;
  if (error.empty() && file) std::filesystem::rename(temporary, request.output, problem);
  if (error.empty() && (!file || problem)) {
    const std::string reason = problem ? problem.message() : std::system_category().message(write_error);
    error = fmt::format("'{}' cannot be written: {}", request.output, reason);
  }
  if (!error.empty()) std::filesystem::remove(temporary, problem);
  return error;
}

ExitCode print_table(const ExportRequest& request, const results::Reader& reader, const Channels& channels,
                     Console& console) {
  const std::string error = write_csv(reader, channels, csv_options(request), [&](std::string_view text) {
    console.out(text);
    return true;
  });
  return error.empty() ? ExitCode::ok : console.fail(ExitCode::file_error, error);
}

}  // namespace

ExitCode export_csv(const ExportRequest& request, Console& console) {
  const bool to_stdout = request.is_to_stdout();
  const std::string& file = request.show.model.file;
  const std::unique_ptr<results::Reader> reader = open_run(file, console);
  if (!reader) return ExitCode::file_error;
  results::Choice choice = results::choose_channels(*reader, request.channels);
  if (!choice.error.empty()) {
    if (choice.hint.empty()) choice.hint = fmt::format("gelenk info {} --channels lists them", file);
    return console.fail(ExitCode::usage_error, choice.error, choice.hint);
  }
  if (request.channels.empty()) choice.channels = results::all_channels(*reader);
  const std::string note = unclosed_note(*reader);
  if (!note.empty()) console.message(fmt::format("note: {}\n", note));
  if (to_stdout && !console.json) return print_table(request, *reader, choice.channels, console);
  if (to_stdout) {
    return console.fail(ExitCode::usage_error, "a table is no JSON", "name a file for the table: -o out.csv");
  }
  if (const std::optional<ExitCode> refused = refuse_export(request, request.output, console)) return *refused;
  if (const std::string error = write_table(request, *reader, choice.channels); !error.empty()) {
    return console.fail(ExitCode::file_error, error);
  }
  if (console.json) {
    JsonWriter json;
    json.begin_object().member("ok", true).member("file", request.output).member("rows", reader->row_count());
    console.out(json.member("columns", choice.channels.size() + 1).end_object().take());
  } else {
    console.message(
        fmt::format("{}: {} rows, {} columns\n", request.output, reader->row_count(), choice.channels.size() + 1));
  }
  return ExitCode::ok;
}

}  // namespace gelenk::app
