#include "gelenk/base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>

#include "gelenk/base/descriptor.h"
#include "gelenk/base/system_error.h"

extern char** environ;

namespace gelenk {
namespace {

constexpr std::size_t kMostOutput = 1u << 16;
constexpr int kPollMilliseconds = 100;

// Two connected ends. Sockets, because writing to one whose other end is gone can be made to raise no signal.
bool connect(Descriptor& ours, Descriptor& theirs) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
  ours.set(ends[0]);
  theirs.set(ends[1]);
  return ::fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

int spawn(const std::vector<std::string>& arguments, int input, int output, pid_t& child) {
  std::vector<char*> words;
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  if (const int error = ::posix_spawn_file_actions_init(&actions); error != 0) return error;
  ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  const int error = ::posix_spawnp(&child, words.front(), &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Feeds and listens until the program has closed its output; false when time is up.
bool exchange(Descriptor& to_child, std::string_view input, Descriptor& from_child, std::string& output,
              std::chrono::steady_clock::time_point deadline, const std::function<void(std::string_view)>& on_output) {
  if (input.empty()) to_child.close();
  while (from_child.is_open()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    // A closed descriptor is negative, and poll() leaves it out.
    std::array<pollfd, 2> polled{pollfd{from_child.get(), POLLIN, 0}, pollfd{to_child.get(), POLLOUT, 0}};
    if (::poll(polled.data(), polled.size(), kPollMilliseconds) <= 0) continue;
    if (polled[1].revents != 0) {
      const ssize_t sent = ::send(to_child.get(), input.data(), input.size(), MSG_NOSIGNAL);
      const bool may_go_on = sent >= 0 || errno == EAGAIN || errno == EINTR;
      if (sent > 0) input.remove_prefix(static_cast<std::size_t>(sent));
      if (!may_go_on || input.empty()) to_child.close();
    }
    if (polled[0].revents != 0) {
      std::array<char, 4096> buffer{};
      const ssize_t count = ::read(from_child.get(), buffer.data(), buffer.size());
      const bool may_go_on = count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
      const std::string_view piece(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
      if (output.size() < kMostOutput) output += piece;
      if (on_output && !piece.empty()) on_output(piece);
      if (!may_go_on) from_child.close();
    }
  }
  return true;
}

// Waits for the end of a program that has closed its output; false when time is up.
bool wait_for(pid_t child, int& status, rusage& usage, std::chrono::steady_clock::time_point deadline) {
  for (;;) {
    const pid_t ended = ::wait4(child, &status, WNOHANG, &usage);
    if (ended == child) return true;
    if (ended < 0 && errno != EINTR) return false;
    if (std::chrono::steady_clock::now() >= deadline) return false;
    ::poll(nullptr, 0, 1);
  }
}

// Helpers of a program that was killed die with it, but a little later: as long as one lives, the output is open.
void wait_for_helpers(const Descriptor& from_child) {
  constexpr std::chrono::seconds kPatience{1};
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  std::array<char, 4096> ignored{};
  while (from_child.is_open() && std::chrono::steady_clock::now() < deadline) {
    pollfd polled{from_child.get(), POLLIN, 0};
    if (::poll(&polled, 1, kPollMilliseconds) <= 0) continue;
    const ssize_t count = ::read(from_child.get(), ignored.data(), ignored.size());
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return;
  }
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& arguments, std::string_view input, double time_limit,
                          const std::function<void(std::string_view)>& on_output) {
  ProgramResult result;
  if (arguments.empty()) {
    result.reason = "it has no name";
    return result;
  }
  Descriptor to_child, child_input, from_child, child_output;
  if (!connect(to_child, child_input) || !connect(from_child, child_output)) {
    result.reason = error_text(errno);
    return result;
  }
  pid_t child = -1;
  if (const int error = spawn(arguments, child_input.get(), child_output.get(), child); error != 0) {
    result.reason = error_text(error);
    return result;
  }
  result.is_started = true;
  child_input.close();
  child_output.close();
  const auto begin = std::chrono::steady_clock::now();
  const auto deadline = begin + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                    std::chrono::duration<double>(time_limit));
  int status = 0;
  rusage usage{};
  if (!exchange(to_child, input, from_child, result.output, deadline, on_output) ||
      !wait_for(child, status, usage, deadline)) {
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    wait_for_helpers(from_child);
    result.reason = fmt::format("it took longer than {:g} s", time_limit);
    return result;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  constexpr std::size_t kUnit = 1024;  // of ru_maxrss
  result.peak_memory = static_cast<std::size_t>(usage.ru_maxrss) * kUnit;
  if (WIFEXITED(status)) {
    result.exit_code = WEXITSTATUS(status);
  } else {
    result.signal = WTERMSIG(status);
    result.reason = "it was killed by signal " + std::to_string(result.signal);
  }
  return result;
}

std::size_t address_space_in_use() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void die_with_starter() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

}  // namespace gelenk
