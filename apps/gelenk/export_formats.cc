#include "apps/gelenk/export_formats.h"

#include <fmt/format.h>

#include "apps/gelenk/results_input.h"
#include "gelenk/base/platform.h"

namespace gelenk::app {

std::optional<ExitCode> refuse_export(const ExportRequest& request, const std::string& output, Console& console) {
  const std::string refusal = output_refusal(output, request.show.model.file, request.is_forced);
  if (refusal.empty()) return std::nullopt;
  return console.fail(ExitCode::file_error, refusal, "choose another name, or add --force");
}

void print_notes(const std::vector<std::string>& notes, const Console& console) {
  constexpr std::size_t kMostNotes = 5;
  for (std::size_t i = 0; i < notes.size() && i < kMostNotes; ++i) console.message("note: " + notes[i] + "\n");
  if (notes.size() > kMostNotes) console.message(fmt::format("and {} more notes\n", notes.size() - kMostNotes));
}

void write_notes_json(JsonWriter& json, const std::vector<std::string>& notes) {
  json.key("notes").begin_array();
  for (const std::string& note : notes) json.value(note);
  json.end_array();
}

ExitCode write_export(const ExportRequest& request, const std::string& bytes, const std::string& text,
                      const ExportFacts& facts, const std::vector<std::string>& notes, Console& console) {
  if (const std::string error = write_file_atomically(request.output, bytes); !error.empty()) {
    return console.fail(ExitCode::file_error, fmt::format("'{}' cannot be written: {}", request.output, error));
  }
  if (console.json) {
    JsonWriter json;
    json.begin_object().member("ok", true).member("file", request.output).member("bytes", bytes.size());
    for (const auto& [name, count] : facts) json.member(name, count);
    write_notes_json(json, notes);
    console.out(json.end_object().take());
    return ExitCode::ok;
  }
  print_notes(notes, console);
  console.message(fmt::format("{}: {}\n", request.output, text));
  return ExitCode::ok;
}

}  // namespace gelenk::app
