#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/gelenk/console.h"

namespace gelenk::app {

// What a shell may offer for an argument.
enum class Completion {
  nothing,
  model_files,
  run_files,
  run_or_component_files,
  known_files,  // of models, results and components
  cad_files,
  channels,
  folders,
  words
};

struct Flag {
  std::string names;  // "-q,--quiet"
  std::string doc;
  bool* target = nullptr;
};

// An option with a value; with `list` it may be given several times.
struct ValueOption {
  std::string names;
  std::string value_name;  // "PATH=VALUE"
  std::string doc;
  std::string* target = nullptr;
  std::vector<std::string>* list = nullptr;
  Completion completion = Completion::nothing;
  std::string also_called{};  // what people write for it: "--parameters,--set"
};

struct Argument {
  std::string name;  // "FILE"
  std::string doc;
  std::string* target = nullptr;
  std::vector<std::string>* list = nullptr;  // takes all that follow
  bool is_required = true;
  Completion completion = Completion::nothing;
  std::vector<std::string> words{};
};

// What can be written behind a verb. Parsing, help and shell completion all come from here.
struct Options {
  std::vector<Argument> arguments;
  std::vector<Flag> flags;
  std::vector<ValueOption> values;
  std::string details;  // further lines of `gelenk VERB --help`: examples
};

using Action = std::function<ExitCode(Console&)>;

struct Verb {
  std::string_view name;
  std::string_view doc;  // one line
  // Declares the options and returns what to do once they are read.
  Action (*describe)(Options&);
};

// All verbs, in the order of the help.
std::span<const Verb> verbs();
const Verb* find_verb(std::string_view name);
std::vector<std::string> verb_names();
// "try 'gelenk run': simulate a model and record its motion" for "simulate", as others call it; empty: no verb does it.
std::string verb_called(std::string_view word);

// The options of a verb together with those that every verb has (--json, -q).
struct DescribedVerb {
  Options options;
  Action action;
};
DescribedVerb describe(const Verb& verb, Console& console);

}  // namespace gelenk::app
