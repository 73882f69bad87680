#include "apps/gelenk/shell_completion.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "apps/gelenk/verb.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

Options options_of(const Verb& verb) {
  Console unused;
  return describe(verb, unused).options;
}

std::vector<std::string> option_words(const Options& options) {
  std::vector<std::string> words;
  const auto add = [&](const std::string& names) {
    for (std::string& name : split(names, ',')) {
      if (name.starts_with("--")) words.push_back(std::move(name));
    }
  };
  for (const ValueOption& value : options.values) add(value.names);
  for (const Flag& flag : options.flags) add(flag.names);
  words.emplace_back("--help");
  return words;
}

// Of the files that fit; nothing when it is no file.
std::vector<std::string> file_suffixes(Completion completion) {
  switch (completion) {
    case Completion::model_files:
      return {"yaml", "yml", "json"};
    case Completion::run_files:
      return {"h5"};
    case Completion::run_or_component_files:
      return {"h5", "gkc"};
    case Completion::known_files:
      return {"yaml", "yml", "json", "h5", "gkc"};
    case Completion::cad_files:
      return {"step", "stp", "STEP", "STP", "FCStd", "urdf"};
    case Completion::channels:
    case Completion::folders:
    case Completion::words:
    case Completion::nothing:
      break;
  }
  return {};
}

// A text between single quotes, for all three shells.
std::string shell_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// Arguments are completed by position; words before it that begin with '-' do not count. The value of an option does
// count, which only makes the offer for what follows it less fitting.
std::string bash_argument(const Argument& argument) {
  switch (argument.completion) {
    case Completion::words:
      return fmt::format("COMPREPLY=($(compgen -W {} -- \"$current\"))", shell_quoted(join(argument.words, " ")));
    case Completion::model_files:
    case Completion::run_files:
    case Completion::run_or_component_files:
    case Completion::known_files:
    case Completion::cad_files:
      return "_gelenk_files " + join(file_suffixes(argument.completion), " ");
    case Completion::channels:
      return "_gelenk_channels";
    case Completion::folders:
      return "COMPREPLY=($(compgen -d -- \"$current\"))";
    case Completion::nothing:
      break;
  }
  return ":";
}

std::string bash_verb(const Verb& verb) {
  const Options options = options_of(verb);
  std::string text = fmt::format("    {})\n", verb.name);
  text += "      if [[ $current == -* ]]; then\n";
  text += fmt::format("        COMPREPLY=($(compgen -W {} -- \"$current\"))\n",
                      shell_quoted(join(option_words(options), " ")));
  for (const ValueOption& value : options.values) {
    if (value.completion != Completion::folders) continue;
    text += fmt::format("      elif [[ $previous == {} ]]; then\n", value.names);
    text += "        COMPREPLY=($(compgen -d -- \"$current\"))\n";
  }
  for (std::size_t i = 0; i < options.arguments.size(); ++i) {
    const Argument& argument = options.arguments[i];
    const char* relation = argument.list != nullptr ? ">=" : "==";
    text += fmt::format("      elif ((position {} {})); then\n        {}\n", relation, i + 1, bash_argument(argument));
  }
  return text + "      fi\n      ;;\n";
}

}  // namespace

std::string bash_completion() {
  std::string text =
      "# bash completion of gelenk\n"
      "_gelenk_files() {\n"
      "  local file suffix IFS=$'\\n'\n"
      "  COMPREPLY=($(compgen -d -S / -- \"$current\"))\n"
      "  for file in $(compgen -f -- \"$current\"); do\n"
      "    for suffix; do\n"
      "      if [[ $file == *.$suffix && ! -d $file ]]; then COMPREPLY+=(\"$file\"); fi\n"
      "    done\n"
      "  done\n"
      "  if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == */ ]]; then compopt -o nospace 2>/dev/null; fi\n"
      "}\n"
      // The file of results is the word behind the verb.
      "_gelenk_channels() {\n"
      "  local names\n"
      "  names=$(gelenk info \"${COMP_WORDS[2]}\" --channels 2>/dev/null | cut -d ' ' -f 1)\n"
      "  COMPREPLY=($(compgen -W \"$names\" -- \"$current\"))\n"
      "}\n"
      "_gelenk() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} position=1 i\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n";
  std::vector<std::string> first_words = verb_names();
  first_words.insert(first_words.end(), {"--version", "--help"});
  text += fmt::format("    COMPREPLY=($(compgen -W {} -- \"$current\"))\n", shell_quoted(join(first_words, " ")));
  text +=
      "    return\n"
      "  fi\n"
      "  for ((i = 2; i < COMP_CWORD; ++i)); do\n"
      "    if [[ ${COMP_WORDS[i]} != -* ]]; then position=$((position + 1)); fi\n"
      "  done\n"
      "  case ${COMP_WORDS[1]} in\n";
  for (const Verb& verb : verbs()) text += bash_verb(verb);
  return text + "  esac\n}\ncomplete -F _gelenk gelenk\n";
}

namespace {

std::string zsh_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_candidates(Completion completion, const std::vector<std::string>& words) {
  switch (completion) {
    case Completion::words:
      return "(" + join(words, " ") + ")";
    case Completion::model_files:
    case Completion::run_files:
    case Completion::run_or_component_files:
    case Completion::known_files:
    case Completion::cad_files:
      return fmt::format("_files -g \"*.({})\"", join(file_suffixes(completion), "|"));
    case Completion::channels:
      return "_gelenk_channels";
    case Completion::folders:
      return "_files -/";
    case Completion::nothing:
      break;
  }
  return " ";
}

std::string zsh_verb(const Verb& verb) {
  const Options options = options_of(verb);
  std::string text = fmt::format("    {})\n      _arguments", verb.name);
  for (const ValueOption& value : options.values) {
    const std::vector<std::string> names = split(value.names, ',');
    // One of several names is enough: the others are not offered any more.
    const std::string before = value.list != nullptr ? "*" : names.size() > 1 ? "(" + join(names, " ") + ")" : "";
    for (const std::string& name : names) {
      text += " \\\n        " +
              shell_quoted(fmt::format("{}{}[{}]:{}:{}", before, name, zsh_escaped(value.doc),
                                       zsh_escaped(value.value_name), zsh_candidates(value.completion, {})));
    }
  }
  for (const Flag& flag : options.flags) {
    for (const std::string& name : split(flag.names, ',')) {
      text += " \\\n        " + shell_quoted(fmt::format("{}[{}]", name, zsh_escaped(flag.doc)));
    }
  }
  for (std::size_t i = 0; i < options.arguments.size(); ++i) {
    const Argument& argument = options.arguments[i];
    const std::string place = argument.list != nullptr ? "*" : std::to_string(i + 1);
    text += " \\\n        " + shell_quoted(fmt::format("{}:{}:{}", place, zsh_escaped(argument.name),
                                                       zsh_candidates(argument.completion, argument.words)));
  }
  return text + "\n      ;;\n";
}

}  // namespace

std::string zsh_completion() {
  std::string text =
      "#compdef gelenk\n"
      "_gelenk_channels() {\n"
      "  local -a names\n"
      "  names=(${(f)\"$(gelenk info ${words[2]} --channels 2>/dev/null | cut -d ' ' -f 1)\"})\n"
      "  compadd -a names\n"
      "}\n"
      "_gelenk() {\n"
      "  if ((CURRENT == 2)); then\n"
      "    local -a verbs\n"
      "    verbs=(\n";
  for (const Verb& verb : verbs()) {
    text += "      " + shell_quoted(fmt::format("{}:{}", verb.name, zsh_escaped(verb.doc))) + "\n";
  }
  text +=
      "    )\n"
      "    _describe verb verbs\n"
      "    return\n"
      "  fi\n"
      "  local verb=${words[2]}\n"
      "  shift words\n"
      "  ((CURRENT -= 1))\n"
      "  case $verb in\n";
  for (const Verb& verb : verbs()) text += zsh_verb(verb);
  // As a file on the fpath, this whole text is the function at its first call; sourced, it only has to be made known.
  return text +
         "  esac\n}\n"
         "if [[ ${funcstack[1]} == _gelenk ]]; then\n"
         "  _gelenk \"$@\"\n"
         "else\n"
         "  compdef _gelenk gelenk\n"
         "fi\n";
}

std::string fish_completion() {
  std::string text = "# fish completion of gelenk\ncomplete -c gelenk -f\n";
  for (const Verb& verb : verbs()) {
    text += fmt::format("complete -c gelenk -n __fish_use_subcommand -a {} -d {}\n", verb.name, shell_quoted(verb.doc));
  }
  for (const Verb& verb : verbs()) {
    const Options options = options_of(verb);
    const std::string prefix = fmt::format("complete -c gelenk -n '__fish_seen_subcommand_from {}'", verb.name);
    const auto spelled = [](const std::string& names) {
      std::string words;
      for (const std::string& name : split(names, ',')) {
        words += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      return words;
    };
    for (const ValueOption& value : options.values) {
      const char* values = value.completion == Completion::folders ? " -a '(__fish_complete_directories)'" : "";
      text += fmt::format("{}{} -x{} -d {}\n", prefix, spelled(value.names), values, shell_quoted(value.doc));
    }
    for (const Flag& flag : options.flags) {
      text += fmt::format("{}{} -d {}\n", prefix, spelled(flag.names), shell_quoted(flag.doc));
    }
    for (const Argument& argument : options.arguments) {
      if (!file_suffixes(argument.completion).empty()) text += prefix + " -F\n";
      if (argument.completion == Completion::channels) {
        // The file of results is the third word of the line.
        text += prefix + " -a '(gelenk info (commandline -opc)[3] --channels 2>/dev/null | cut -d \" \" -f 1)'\n";
      }
      if (argument.completion == Completion::words) {
        text += fmt::format("{} -a {}\n", prefix, shell_quoted(join(argument.words, " ")));
      }
    }
  }
  return text;
}

}  // namespace gelenk::app
