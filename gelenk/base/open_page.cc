#include "gelenk/base/open_page.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "gelenk/base/page_opener.h"

namespace gelenk {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

// Programs of the desktop talk a lot, and outlive us.
bool start_detached(const std::string& program, const std::string& argument) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    ::posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
  }
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  std::string name = program, text = argument;
  std::array<char*, 3> arguments{name.data(), text.data(), nullptr};
  pid_t id = -1;
  const int problem = ::posix_spawn(&id, program.c_str(), &actions, &attributes, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  return problem == 0;
}

}  // namespace

std::string find_program(std::string_view name) {
  const std::string path = environment("PATH");
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string candidate = path.substr(begin, end - begin) + "/" + std::string(name);
    std::error_code problem;
    const bool is_file = end > begin && std::filesystem::is_regular_file(candidate, problem);
    if (is_file && ::access(candidate.c_str(), X_OK) == 0) return candidate;
    begin = end + 1;
  }
  return {};
}

bool open_page(const std::string& address) {
  const PageOpener opener = find_page_opener();
  return !opener.path.empty() && start_detached(opener.path, address);
}

std::string find_chromium() {
  if (const std::string given = environment("CHROMIUM"); !given.empty()) {
    return ::access(given.c_str(), X_OK) == 0 ? given : std::string();
  }
  for (const char* name :
       {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"}) {
    if (std::string found = find_program(name); !found.empty()) return found;
  }
  return {};
}

bool is_superuser() { return ::geteuid() == 0; }

}  // namespace gelenk
