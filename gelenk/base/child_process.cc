#include "gelenk/base/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <vector>

#include "gelenk/base/system_error.h"

namespace gelenk {
namespace {

constexpr const char* kShell = "/bin/sh";
// The owner holds the other end of descriptor 3 and never writes: reading from it ends when he does.
constexpr const char* kKeeper = R"(
folder=$1; shift
{ read -r nothing <&3; rm -rf -- "$folder"; kill -s KILL -- "-$$"; } &
exec 3<&-
"$@" &
wait $!)";

// The program as a keeper starts it.
ChildCall kept(const std::string& program, ChildCall call) {
  call.arguments.insert(call.arguments.begin(), {"-c", kKeeper, "gelenk-keeper", call.folder, program});
  return call;
}

// Whether one of "NAME=value" has the name of this one.
bool is_given(std::string_view variable, const std::vector<std::string>& others) {
  const std::string_view name = variable.substr(0, variable.find('=') + 1);
  return std::any_of(others.begin(), others.end(), [&](const std::string& other) { return other.starts_with(name); });
}

// What posix_spawn() is given, released at the end.
class SpawnOrder {
 public:
  SpawnOrder() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
      ::posix_spawn_file_actions_addopen(&actions_, descriptor, "/dev/null", O_RDWR, 0);
    }
    // Signals as for a new program, whatever the owner does with his.
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnOrder() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnOrder(const SpawnOrder&) = delete;
  SpawnOrder& operator=(const SpawnOrder&) = delete;

  void print_to(const std::string& file) {
    constexpr mode_t kPrivate = 0600;
    ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, file.c_str(), O_WRONLY | O_CREAT | O_EXCL, kPrivate);
  }
  void give(int from, int to) { ::posix_spawn_file_actions_adddup2(&actions_, from, to); }
  int spawn(const std::string& program, ChildCall call, pid_t& id) const {
    call.arguments.insert(call.arguments.begin(), program);
    std::vector<char*> arguments = pointers(call.arguments);
    std::vector<char*> environment;
    for (char** variable = environ; call.has_environment && *variable != nullptr; ++variable) {
      if (!is_given(*variable, call.variables)) environment.push_back(*variable);
    }
    const std::vector<char*> more = pointers(call.variables);
    environment.insert(environment.end(), more.begin(), more.end());
    return ::posix_spawn(&id, program.c_str(), &actions_, &attributes_, arguments.data(), environment.data());
  }

 private:
  // With a null at the end.
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (std::string& text : texts) list.push_back(text.data());
    list.push_back(nullptr);
    return list;
  }

  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

std::unique_ptr<ChildProcess> ChildProcess::start(const std::string& program, std::span<const int> descriptors,
                                                  std::string& error, const ChildCall& call) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    error = error_text(errno);
    return nullptr;
  }
  const Descriptor childs_end(ends[0]);
  Descriptor lifeline(ends[1]);

  std::vector<int> given{childs_end.get()};
  given.insert(given.end(), descriptors.begin(), descriptors.end());
  // Copies above all places in the child, so that none is overwritten before it was given.
  SpawnOrder order;
  std::vector<Descriptor> copies;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const int beyond = kOwnerDescriptor + static_cast<int>(given.size());
    copies.emplace_back(::fcntl(given[i], F_DUPFD_CLOEXEC, beyond));
    if (!copies.back().is_open()) {
      error = error_text(errno);
      return nullptr;
    }
    order.give(copies.back().get(), kOwnerDescriptor + static_cast<int>(i));
  }
  if (!call.output.empty()) order.print_to(call.output);
  pid_t id = -1;
  const bool has_keeper = !call.folder.empty();
  if (has_keeper && ::access(program.c_str(), X_OK) != 0) {
    error = error_text(errno);
    return nullptr;
  }
  const int problem = has_keeper ? order.spawn(kShell, kept(program, call), id) : order.spawn(program, call, id);
  if (problem != 0) {
    error = error_text(problem);
    return nullptr;
  }
  return std::unique_ptr<ChildProcess>(new ChildProcess(id, std::move(lifeline)));
}

ChildProcess::~ChildProcess() {
  kill();
  // A killed process ends; only the bookkeeping is waited for.
  while (!end_) {
    int status = 0;
    if (::waitpid(id_, &status, 0) >= 0 || errno != EINTR) end_.emplace();
  }
}

std::optional<ProcessEnd> ChildProcess::end() {
  if (end_) return end_;
  int status = 0;
  const pid_t ended = ::waitpid(id_, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return std::nullopt;
  end_.emplace();  // also when somebody else in this process has taken the status
  if (ended == id_ && WIFEXITED(status)) end_->exit_code = WEXITSTATUS(status);
  if (ended == id_ && WIFSIGNALED(status)) end_->signal = WTERMSIG(status);
  return end_;
}

void ChildProcess::kill() {
  if (end_) return;
  ::kill(-id_, SIGKILL);
  ::kill(id_, SIGKILL);  // before it has a group of its own
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name == nullptr ? "signal " + std::to_string(signal) : std::string("SIG") + name;
}

bool die_with_owner() {
  // The kernel sends the signal when the other end is closed. Not PR_SET_PDEATHSIG: that one means the thread that
  // started the program, not its process.
  const bool is_armed = ::fcntl(kOwnerDescriptor, F_SETOWN, ::getpid()) == 0 &&
                        ::fcntl(kOwnerDescriptor, F_SETSIG, SIGKILL) == 0 &&
                        ::fcntl(kOwnerDescriptor, F_SETFL, O_ASYNC | O_NONBLOCK) == 0;
  char byte = 0;
  return is_armed && ::read(kOwnerDescriptor, &byte, 1) < 0 && errno == EAGAIN;
}

}  // namespace gelenk
