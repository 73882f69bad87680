#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gelenk {

struct ProgramResult {
  bool is_started = false;
  int exit_code = -1;           // -1 when it did not end by itself
  int signal = 0;               // that ended it; 0: none, or the time limit
  std::string output;           // stdout and stderr together, cut when long
  std::string reason;           // why it was not started or did not end by itself
  double seconds = 0.0;         // from its start to its end
  std::size_t peak_memory = 0;  // bytes that it really used
};

// Runs a program found on the PATH, without a shell: arguments[0] is its name. Feeds it the input and waits until it
// ends; after the time limit (in seconds) it is killed. `on_output` gets every piece of output as it comes, even
// what is cut from the result.
ProgramResult run_program(const std::vector<std::string>& arguments, std::string_view input, double time_limit,
                          const std::function<void(std::string_view)>& on_output = {});

// For the program that was started: from now on it is killed when the thread ends that started it.
void die_with_starter();
// Of this process, bytes.
std::size_t address_space_in_use();

}  // namespace gelenk
