#pragma once

#include <string>
#include <vector>

namespace gelenk::app {

// One line of `gelenk doctor`.
struct Finding {
  enum class State { ok, missing, note };
  std::string topic;  // stable: a key of the JSON object
  State state = State::ok;
  std::string text;
  std::string loss{};  // what does not work without it
  std::string cure{};  // what to do about it
};

// Every program and file that the program starts or packs: its own helpers, then those of others.
std::vector<Finding> examine_tools();

}  // namespace gelenk::app
