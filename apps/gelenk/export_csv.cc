#include <fmt/format.h>

#include <memory>

#include "apps/gelenk/export_formats.h"
#include "apps/gelenk/results_input.h"
#include "gelenk/base/json.h"
#include "gelenk/base/new_file.h"
#include "gelenk/base/shell_word.h"
#include "gelenk/export/csv.h"

namespace gelenk::app {
namespace {

using Channels = std::vector<results::ChannelSource>;

exporting::CsvOptions csv_options(const ExportRequest& request) { return {.display_units = request.display_units}; }

std::string write_table(const ExportRequest& request, const results::Reader& reader, const Channels& channels) {
  NewFile file(request.output);
  const std::string error =
      write_csv(reader, channels, csv_options(request), [&](std::string_view text) { return file.write(text); });
  if (!error.empty()) return error;
  const std::string reason = file.put_in_place(existing_of(request));
  return reason.empty() ? reason : fmt::format("'{}' cannot be written: {}", request.output, reason);
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
    if (choice.hint.empty()) choice.hint = fmt::format("gelenk info {} --channels lists them", shell_word(file));
    return console.fail(ExitCode::usage_error, choice.error, choice.hint);
  }
  if (request.channels.empty()) choice.channels = results::all_channels(*reader);
  const std::string note = unclosed_note(*reader);
  if (!note.empty()) console.message(fmt::format("note: {}\n", note));
  const std::vector<std::string> damage = warn_of_damage(*reader, console);
  if (to_stdout && !console.json) return print_table(request, *reader, choice.channels, console);
  if (to_stdout) {
    return console.fail(ExitCode::usage_error, "a table is not JSON", "name a file for the table: -o out.csv");
  }
  if (const std::optional<ExitCode> refused = refuse_export(request, request.output, console)) return *refused;
  if (const std::string error = write_table(request, *reader, choice.channels); !error.empty()) {
    // Somebody else may have written it in the meantime.
    if (const std::optional<ExitCode> refused = refuse_export(request, request.output, console)) return *refused;
    return console.fail(ExitCode::file_error, error);
  }
  if (console.json) {
    JsonWriter json;
    json.begin_object().member("ok", true).member("file", request.output).member("rows", reader->row_count());
    json.member("columns", choice.channels.size() + 1);
    write_damage(json, damage);
    console.out(json.end_object().take());
  } else {
    console.message(
        fmt::format("{}: {} rows, {} columns\n", request.output, reader->row_count(), choice.channels.size() + 1));
  }
  return ExitCode::ok;
}

}  // namespace gelenk::app
