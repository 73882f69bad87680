#pragma once

#include <string>

// Scripts that complete `gelenk` commands, made from the same table of verbs and options that the parser uses.
namespace gelenk::app {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace gelenk::app
