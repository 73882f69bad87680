#include "gelenk/base/platform.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "gelenk/base/descriptor.h"
#include "gelenk/base/helper_files.h"
#include "gelenk/base/new_file.h"
#include "gelenk/base/system_error.h"

namespace gelenk {
namespace {

constexpr std::size_t kReadStep = 1u << 16;

ReadResult refused(Code code, std::string reason) { return {std::nullopt, code, std::move(reason)}; }

ReadResult too_large(std::size_t max_bytes) {
  return refused(Code::file_too_large, "more than " + std::to_string(max_bytes) + " bytes");
}

// `readers`: of a file that was not there.
std::string replace_file(const std::string& path, const std::string& text, NewFile::For readers) {
  NewFile file(path, readers);
  file.write(text);
  return file.put_in_place();
}

}  // namespace

ReadResult read_file(const std::string& path, std::size_t max_bytes) {
  // O_NONBLOCK: opening a pipe would wait for its writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open()) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    return refused(missing ? Code::file_not_found : Code::file_unreadable, error_text(errno));
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return refused(Code::file_unreadable, error_text(errno));
  if (S_ISDIR(status.st_mode)) return refused(Code::file_unreadable, "it is a folder");
  if (!S_ISREG(status.st_mode)) return refused(Code::file_unreadable, "it is not an ordinary file");
  if (static_cast<std::uintmax_t>(status.st_size) > max_bytes) return too_large(max_bytes);

  std::string text;
  const auto expected = static_cast<std::size_t>(status.st_size);
  for (std::size_t size = 0;;) {
    // One byte more than allowed shows a file that grew since.
    text.resize(std::min(std::max(size + kReadStep, expected + 1), max_bytes + 1));
    const ssize_t count = ::read(file.get(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return refused(Code::file_unreadable, error_text(errno));
    size += static_cast<std::size_t>(count);
    if (size > max_bytes) return too_large(max_bytes);
    if (count > 0) continue;
    text.resize(size);
    return {std::move(text), Code::none, {}};
  }
}

std::string write_file_atomically(const std::string& path, const std::string& text) {
  return replace_file(path, text, NewFile::For::everybody);
}

std::string write_private_file_atomically(const std::string& path, const std::string& text) {
  return replace_file(path, text, NewFile::For::user_only);
}

std::string create_private_file(const std::string& path, const std::string& text) {
  std::error_code ignored;
  // Nor is a link followed that leads nowhere yet.
  if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) return error_text(EEXIST);
  NewFile file(path, NewFile::For::user_only);
  file.write(text);
  return file.put_in_place(Existing::stays);
}

bool create_empty_file(const std::string& path) {
  constexpr mode_t kForEverybody = 0666;
  return Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kForEverybody)).is_open();
}

std::optional<std::string> real_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path result = std::filesystem::canonical(path, error);
  if (error) return std::nullopt;
  return result.string();
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

bool is_inside(const std::string& path, const std::string& folder) {
  std::error_code error;
  const std::optional<std::string> root = real_path(folder);
  const std::filesystem::path inner = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  if (!root || error) return false;
  const std::filesystem::path outer(*root);
  const auto [rest, ignored] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return rest == outer.end();
}

bool is_terminal(int file_descriptor) { return ::isatty(file_descriptor) == 1; }

std::optional<int> terminal_width(int file_descriptor) {
  winsize size{};
  if (::ioctl(file_descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

std::optional<std::string> executable_path() { return real_path("/proc/self/exe"); }

std::string installed_file(const std::string& name) {
  for (const std::string& place : installed_places(name)) {
    std::error_code error;
    if (std::filesystem::is_regular_file(place, error)) return place;
  }
  return {};
}

std::optional<std::string> user_config_dir() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  // The specification of XDG wants relative paths ignored.
  if (config != nullptr && config[0] == '/') return std::string(config) + "/gelenk";
  const char* home = std::getenv("HOME");
  if (home == nullptr || home[0] == '\0') return std::nullopt;
  return std::string(home) + "/.config/gelenk";
}

}  // namespace gelenk
