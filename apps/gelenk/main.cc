#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "apps/gelenk/command_line.h"
#include "apps/gelenk/named_file.h"
#include "gelenk/base/interrupt.h"
#include "gelenk/base/json.h"
#include "gelenk/base/memory_guard.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

ExitCode print_version(Console& console) {
  if (console.json) {
    JsonWriter json;
    json.begin_object().member("name", "gelenk").member("version", GELENK_VERSION).end_object();
    console.out(json.take());
  } else {
    console.out("gelenk " GELENK_VERSION "\n");
  }
  return ExitCode::ok;
}

bool looks_like_model_file(const std::string& word) {
  std::error_code ignored;
  return word.ends_with(".yaml") || word.ends_with(".yml") || word.ends_with(".json") ||
         std::filesystem::is_regular_file(word, ignored);
}

ExitCode report_unknown_verb(const std::string& word, Console& console) {
  // "check crank.yaml" in quotes is one word.
  const std::string first = word.substr(0, word.find(' '));
  if (first.size() < word.size() && find_verb(first) != nullptr) {
    return console.fail(ExitCode::usage_error, fmt::format("{} is one word here: leave out the quotes", shown(word)),
                        "gelenk " + word);
  }
  if (looks_like_model_file(word)) {
    return console.fail(ExitCode::usage_error, fmt::format("{} is a file: name a verb to use on it", shown(word)),
                        command_for(word));
  }
  std::string hint = verb_called(word);
  if (hint.empty()) hint = did_you_mean(word, verb_names());
  if (hint.empty()) hint = "'gelenk help' lists all verbs";
  return console.fail(ExitCode::usage_error, fmt::format("there is no verb {}", shown(word)), hint);
}

// Options before the verb: those that every verb has, and those of the program itself.
ExitCode run(const std::vector<std::string>& words, Console& console) {
  bool wants_help = false;
  bool wants_version = false;
  std::size_t next = 0;
  for (; next < words.size() && words[next].starts_with("-"); ++next) {
    const std::string& word = words[next];
    if (word == "--json") {
      console.json = true;
    } else if (word == "-q" || word == "--quiet") {
      console.quiet = true;
    } else if (word == "-h" || word == "--help") {
      wants_help = true;
    } else if (word == "-V" || word == "--version") {
      wants_version = true;
    } else {
      const std::vector<std::string> known{"--json", "--quiet", "--help", "--version"};
      std::string hint = word == "-v" ? "did you mean '-V'?" : did_you_mean(word, known);
      if (hint.empty()) hint = "options come after the verb: gelenk VERB [options]";
      return console.fail(ExitCode::usage_error, fmt::format("there is no option {}", shown(word)), hint);
    }
  }
  if (wants_version) return print_version(console);
  if (next == words.size()) {
    console.out(wants_help ? program_help() : first_steps());
    return ExitCode::ok;
  }
  const Verb* verb = find_verb(words[next]);
  if (verb == nullptr) return report_unknown_verb(words[next], console);
  if (wants_help) {
    console.out(verb_help(*verb));
    return ExitCode::ok;
  }
  return run_verb(*verb, {words.begin() + static_cast<std::ptrdiff_t>(next) + 1, words.end()}, console);
}

}  // namespace
}  // namespace gelenk::app

int main(int argc, char** argv) {
  using gelenk::app::ExitCode;
  gelenk::expect_full_files();
  gelenk::app::Console console;
  ExitCode code = ExitCode::ok;
  try {
    code = gelenk::app::run({argv + (argc > 0 ? 1 : 0), argv + argc}, console);
  } catch (const std::bad_alloc&) {
    code = console.fail(ExitCode::file_error, gelenk::memory_shortage());
  } catch (const std::system_error& error) {
    // A thread that cannot be started for want of memory says "try again".
    const bool is_memory = error.code() == std::errc::resource_unavailable_try_again;
    code = console.fail(ExitCode::file_error,
                        is_memory ? gelenk::memory_shortage() : fmt::format("unexpected error: {}", error.what()));
  } catch (const std::exception& error) {
    code = console.fail(ExitCode::file_error, fmt::format("unexpected error: {}", error.what()));
  }
  return static_cast<int>(console.finish(code));
}
