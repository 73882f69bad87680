#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gelenk {

struct ProgramResult {
  bool is_started = false;
  int exit_code = -1;  // -1 when it did not end by itself
  std::string output;  // stdout and stderr together, cut when long
  std::string reason;  // why it was not started or did not end by itself
};

// Runs a program found on the PATH, without a shell: arguments[0] is its name. Feeds it the input and waits until it
// ends; after the time limit (in seconds) it is killed.
ProgramResult run_program(const std::vector<std::string>& arguments, std::string_view input, double time_limit);

}  // namespace gelenk
