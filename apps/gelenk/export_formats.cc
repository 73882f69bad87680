#include "apps/gelenk/export_formats.h"

#include <fmt/format.h>

#include <filesystem>

#include "apps/gelenk/results_input.h"

namespace gelenk::app {
namespace {

ExitCode fail_to_write(const std::string& path, const std::string& reason, Console& console) {
  return console.fail(ExitCode::file_error, fmt::format("'{}' cannot be written: {}", path, reason));
}

// The exit code when that is not possible; the reason is reported.
std::optional<ExitCode> write_one(const ExportRequest& request, const std::string& path, const std::string& bytes,
                                  Console& console) {
  NewFile file(path);
  file.write(bytes);
  const std::string reason = file.put_in_place(existing_of(request));
  if (reason.empty()) return std::nullopt;
  // Somebody else may have written it in the meantime.
  if (const std::optional<ExitCode> refused = refuse_export(request, path, console)) return refused;
  return fail_to_write(path, reason, console);
}

// The first few in full.
void print_notes(const std::vector<std::string>& notes, const Console& console) {
  constexpr std::size_t kMostNotes = 5;
  for (std::size_t i = 0; i < notes.size() && i < kMostNotes; ++i) console.message("note: " + notes[i] + "\n");
  if (notes.size() > kMostNotes) console.message(fmt::format("and {} more notes\n", notes.size() - kMostNotes));
}

}  // namespace

Existing existing_of(const ExportRequest& request) {
  return request.is_forced ? Existing::is_replaced : Existing::stays;
}

std::optional<ExitCode> refuse_export(const ExportRequest& request, const std::string& output, Console& console) {
  const std::string refusal = output_refusal(output, request.show.model.file, request.is_forced);
  if (refusal.empty()) return std::nullopt;
  return console.fail(ExitCode::file_error, refusal, "choose another name, or add --force");
}

std::optional<ExitCode> write_files(const ExportRequest& request, const std::vector<ExportedFile>& files,
                                    Console& console) {
  for (const ExportedFile& file : files) {
    if (const std::optional<ExitCode> refused = refuse_export(request, file.path, console)) return refused;
  }
  for (const ExportedFile& file : files) {
    std::error_code problem;
    const std::filesystem::path folder = std::filesystem::path(file.path).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder, problem);
    if (problem) return fail_to_write(file.path, problem.message(), console);
    if (const std::optional<ExitCode> failed = write_one(request, file.path, file.bytes, console)) return failed;
  }
  return std::nullopt;
}

ExitCode write_export(const ExportRequest& request, const std::string& bytes, const std::string& text,
                      const ExportFacts& facts, const std::vector<std::string>& notes, Console& console) {
  if (const std::optional<ExitCode> failed = write_one(request, request.output, bytes, console)) return *failed;
  return report_export(request.output, text, facts, notes, console);
}

ExitCode report_export(const std::string& output, const std::string& text, const ExportFacts& facts,
                       const std::vector<std::string>& notes, Console& console) {
  if (!console.json) {
    print_notes(notes, console);
    console.message(fmt::format("{}: {}\n", output, text));
    return ExitCode::ok;
  }
  JsonWriter json;
  json.begin_object().member("ok", true).member("file", output);
  for (const auto& [name, count] : facts) json.member(name, count);
  json.key("notes").begin_array();
  for (const std::string& note : notes) json.value(note);
  console.out(json.end_array().end_object().take());
  return ExitCode::ok;
}

}  // namespace gelenk::app
