#include <fmt/format.h>

#include <memory>

#include "apps/gelenk/shell_completion.h"
#include "apps/gelenk/verb.h"
#include "gelenk/base/json.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

struct Shell {
  std::string_view name;
  std::string (*make)();
};
constexpr Shell kShells[] = {
    {"bash", bash_completion},
    {"zsh", zsh_completion},
    {"fish", fish_completion},
};

std::vector<std::string> shell_names() {
  std::vector<std::string> names;
  for (const Shell& shell : kShells) names.emplace_back(shell.name);
  return names;
}

ExitCode print(const std::string& name, Console& console) {
  for (const Shell& shell : kShells) {
    if (shell.name != name) continue;
    if (console.json) {
      JsonWriter json;
      console.out(json.begin_object().member("shell", name).member("script", shell.make()).end_object().take());
    } else {
      console.out(shell.make());
    }
    return ExitCode::ok;
  }
  std::string hint = did_you_mean(name, shell_names());
  if (hint.empty()) hint = "choose one of " + join(shell_names(), ", ");
  return console.fail(ExitCode::usage_error, fmt::format("there is no completion for the shell {}", shown(name)), hint);
}

}  // namespace

Action describe_completion(Options& options) {
  const auto shell = std::make_shared<std::string>();
  options.arguments.push_back({.name = "SHELL",
                               .doc = "bash, zsh or fish",
                               .target = shell.get(),
                               .completion = Completion::words,
                               .words = shell_names()});
  options.details =
      "The Debian package installs these scripts. Otherwise:\n"
      "bash:  source <(gelenk completion bash)             in ~/.bashrc\n"
      "zsh:   source <(gelenk completion zsh)              in ~/.zshrc, after compinit\n"
      "fish:  gelenk completion fish | source              in ~/.config/fish/config.fish\n";
  return [shell](Console& console) { return print(*shell, console); };
}

}  // namespace gelenk::app
