#include "apps/gelenk/analyses/text_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "gelenk/base/new_file.h"

namespace gelenk::app {

std::optional<ExitCode> refuse_existing(const std::string& file, bool is_forced, Console& console) {
  std::error_code problem;
  if (is_forced || !std::filesystem::exists(file, problem)) return std::nullopt;
  return console.fail(ExitCode::file_error, fmt::format("'{}' already exists", file),
                      "choose another name, or add --force");
}

std::optional<ExitCode> save_text(const std::string& file, const std::string& text, bool is_forced, Console& console) {
  NewFile out(file);
  out.write(text);
  const std::string reason = out.put_in_place(is_forced ? Existing::is_replaced : Existing::stays);
  if (reason.empty()) return std::nullopt;
  return console.fail(ExitCode::file_error, fmt::format("'{}' cannot be written: {}", file, reason));
}

}  // namespace gelenk::app
