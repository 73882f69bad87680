#include "apps/gelenk/program_facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

constexpr Fact kExitCodes[] = {
    {"0", "success"},
    {"1",
     "the simulation failed; the results so far are kept. For verify: something differs, or a component is damaged or "
     "not trusted"},
    {"2", "the command was not understood"},
    {"3", "the model has errors"},
    {"4", "a file cannot be read or written, or is damaged; or there is not enough memory"},
    {"5", "a sealed component failed; the results so far are kept"},
    {"130", "stopped by Ctrl-C, SIGTERM or SIGHUP; the results so far are kept"},
};

constexpr Fact kVariables[] = {
    {"NO_COLOR", "if set: no color on terminals"},
    {"TERM", "if dumb: no color either"},
    {"BROWSER", "program that opens viewer pages; by default, the desktop's"},
    {"DISPLAY, WAYLAND_DISPLAY", "if one is set, there is a desktop, and pages open automatically"},
    {"CHROMIUM", "program that makes pictures and videos; by default, Chromium or Chrome on the PATH"},
    {"PATH", "where gnuplot, a browser and Chromium are looked for"},
    {"XDG_CONFIG_HOME", "settings folder; by default, ~/.config"},
    {"XDG_CACHE_HOME", "folder for what can be made again; by default, ~/.cache"},
    {"HOME", "where ~ is"},
    {"TMPDIR", "folder for temporary files; by default, /tmp"},
    {"LC_ALL, LC_CTYPE, LANG", "gelenk doctor shows them; numbers are written the same way in all languages"},
    {"CC", "C compiler for C code of models and components; by default, cc"},
};

constexpr Fact kUserFiles[] = {
    {"~/.config/gelenk/trusted-keys", "whose sealed components run inside the program: gelenk trust"},
    {"~/.config/gelenk/signing-key", "your own key, to sign components with; keep it secret: gelenk trust keygen"},
    {"~/.config/gelenk/licences-shown", "licences of sealed components that were shown to you before"},
    {"~/.cache/gelenk/code", "compiled C code of models; it can be deleted at any time"},
};

}  // namespace

std::span<const Fact> exit_codes() { return kExitCodes; }
std::span<const Fact> environment_variables() { return kVariables; }
std::span<const Fact> user_files() { return kUserFiles; }

std::string facts_table(std::span<const Fact> facts) {
  constexpr std::size_t kWidth = 96;
  std::size_t column = 0;
  for (const Fact& fact : facts) column = std::max(column, fact.name.size());
  std::string table;
  for (const Fact& fact : facts) {
    std::string row = fmt::format("{:<{}}  ", fact.name, column);
    bool is_first = true;
    for (const std::string& word : split(fact.doc, ' ')) {
      if (!is_first && row.size() + 1 + word.size() > kWidth) {
        table += row + "\n";
        row = std::string(column + 2, ' ');
        is_first = true;
      }
      row += (is_first ? "" : " ") + word;
      is_first = false;
    }
    table += row + "\n";
  }
  return table;
}

}  // namespace gelenk::app
