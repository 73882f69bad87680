#pragma once

#include <string>
#include <vector>

#include "apps/gelenk/verb.h"

namespace gelenk::app {

// Reads the arguments behind a verb and acts; mistakes end in ExitCode::usage_error with a suggestion.
ExitCode run_verb(const Verb& verb, std::vector<std::string> arguments, Console& console);

// `gelenk --help`
std::string program_help();
// `gelenk` alone: the first commands
std::string first_steps();
// `gelenk VERB --help`
std::string verb_help(const Verb& verb);

}  // namespace gelenk::app
