#pragma once

#include <sys/types.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gelenk/base/descriptor.h"

namespace gelenk {

// Descriptors of a program that was started as a child: first the one by which it notices the end of its owner, then
// those that it was given.
constexpr int kOwnerDescriptor = 3;
constexpr int kFirstGivenDescriptor = 4;

struct ProcessEnd {
  int exit_code = -1;  // -1: it was ended
  int signal = 0;      // by this one
};

// What a child is given beside its descriptors.
struct ChildCall {
  std::vector<std::string> arguments{};
  bool has_environment = false;          // that of its owner; else none
  std::vector<std::string> variables{};  // "NAME=value": more of it, or instead of it
  // Of a program that knows nothing of its owner: when the owner dies, however that is, the program and all that it has
  // started is killed, and this folder is removed. Empty: the program sees to it itself, see die_with_owner().
  std::string folder{};
  // A new file that takes what the program prints, for this user's eyes; empty: nobody reads it.
  std::string output{};
};

// A program that works beside this one, for it alone: no input, output to a file at most, in a process group of its
// own, so that Ctrl-C reaches the owner only. It is killed when this object ends, and so is what it has started in that
// group.
class ChildProcess {
 public:
  // `program`: a path. Null, with a reason in `error`.
  static std::unique_ptr<ChildProcess> start(const std::string& program, std::span<const int> descriptors,
                                             std::string& error, const ChildCall& call = {});
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Nothing as long as it lives. Does not wait.
  std::optional<ProcessEnd> end();
  void kill();

 private:
  ChildProcess(pid_t id, Descriptor lifeline) : id_(id), lifeline_(std::move(lifeline)) {}

  pid_t id_;
  Descriptor lifeline_;  // the system closes it when this process dies, however it dies
  std::optional<ProcessEnd> end_;
};

// "SIGSEGV"
std::string signal_name(int signal);

// For the child: from now on the system kills it when its owner dies, whatever it is doing. False: the owner is dead
// already, or the program was not started as a child.
bool die_with_owner();

}  // namespace gelenk
