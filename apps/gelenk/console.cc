#include "apps/gelenk/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "gelenk/base/folded_text.h"
#include "gelenk/base/json.h"
#include "gelenk/base/platform.h"

namespace gelenk::app {
namespace {

bool wants_color(int file_descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && no_color[0] != '\0') return false;
  const char* terminal = std::getenv("TERM");
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return is_terminal(file_descriptor);
}

}  // namespace

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string duration_text(double seconds) {
  constexpr double kMinute = 60.0;
  constexpr double kHour = 60.0 * kMinute;
  constexpr double kDay = 24.0 * kHour;
  constexpr double kDecade = 3652.0 * kDay;
  if (seconds < 2.0 * kMinute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2.0 * kHour) return fmt::format("{:.0f} min", seconds / kMinute);
  if (seconds < 2.0 * kDay) return fmt::format("{:.0f} h", seconds / kHour);
  if (seconds < kDecade) return fmt::format("{:.0f} d", seconds / kDay);
  return "years";
}

void Console::out(std::string_view text) {
  errno = 0;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!is_written && write_error_ == 0) write_error_ = errno;
}

void Console::summary(std::string_view text) {
  constexpr int kNarrowest = 40;
  const std::optional<int> width = terminal_width(kStdout);
  out(width ? folded(text, static_cast<std::size_t>(std::max(*width, kNarrowest))) : std::string(text));
}

void Console::flush() {
  errno = 0;
  if (std::fflush(stdout) != 0 && write_error_ == 0) write_error_ = errno;
}

void Console::error_text(std::string_view text) const {
  if (overheard != nullptr) {
    overheard->append(text);
  } else {
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
}

void Console::message(std::string_view text) const {
  if (!quiet) error_text(text);
}

ExitCode Console::fail(ExitCode code, std::string_view message, std::string_view hint) {
  if (json) {
    JsonWriter object;
    object.begin_object().member("ok", false).member("exitCode", static_cast<int>(code));
    out(object.member("message", message).member("hint", hint).end_object().take());
    return code;
  }
  error_text(fmt::format("error: {}\n", message));
  if (!hint.empty()) error_text(fmt::format("  hint: {}\n", hint));
  return code;
}

bool Console::has_color_on_stdout() const { return wants_color(kStdout); }
bool Console::has_color_on_stderr() const { return wants_color(kStderr); }

ExitCode Console::finish(ExitCode code) {
  flush();
  if (write_error_ == 0) return code;
  if (write_error_ == EPIPE) return ExitCode::file_error;
  error_text(fmt::format("error: the output cannot be written: {}\n", std::system_category().message(write_error_)));
  return ExitCode::file_error;
}

}  // namespace gelenk::app
