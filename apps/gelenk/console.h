#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gelenk::app {

// What the program returns to the shell. 130 is what shells use for Ctrl-C.
enum class ExitCode : int {
  ok = 0,
  simulation_failed = 1,
  usage_error = 2,
  model_error = 3,
  file_error = 4,
  component_failed = 5,
  interrupted = 130
};

// "1 row", "2 rows"
std::string counted(std::size_t count, std::string_view noun);
// A span of time as people say it: "40 s", "5 min", "30 h", "12 d"; decades and more are "years".
std::string duration_text(double seconds);

// Where output goes: data to stdout, messages to stderr.
class Console {
 public:
  bool json = false;   // --json: one object on stdout instead of text
  bool quiet = false;  // -q: no summary, no warnings
  // Where errors and messages go instead of stderr: to somebody who passes them on.
  std::string* overheard = nullptr;

  void out(std::string_view text);
  // Lines for people: on a terminal they end where it does.
  void summary(std::string_view text);
  void flush();                               // for programs that wait for a line
  void message(std::string_view text) const;  // nothing when quiet
  // Prints "error: ..." and the hint on a line of its own, or an object {ok, exitCode, message, hint} with --json.
  // Returns the code, for `return console.fail(...)`.
  ExitCode fail(ExitCode code, std::string_view message, std::string_view hint = {});
  // Already formatted errors; not silenced by quiet.
  void error_text(std::string_view text) const;

  // Color: only on a terminal, and never when NO_COLOR is set (https://no-color.org) or the terminal is dumb.
  bool has_color_on_stdout() const;
  bool has_color_on_stderr() const;

  // Flushes stdout. What could not be written (a full disk) turns into ExitCode::file_error; a reader that went away
  // (`gelenk schema | head`) is no reason for a message.
  ExitCode finish(ExitCode code);

 private:
  int write_error_ = 0;  // errno of the first failure
};

}  // namespace gelenk::app
