#include "gelenk/base/platform.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "gelenk/base/descriptor.h"
#include "gelenk/base/helper_files.h"
#include "gelenk/base/system_error.h"

namespace gelenk {
namespace {

constexpr std::size_t kReadStep = 1u << 16;
constexpr int kMostLinks = 40;  // as the kernel follows
constexpr mode_t kPermissionBits = 07777;
constexpr mode_t kForAll = 0666, kForUserOnly = 0600;  // of new files, before the user's mask

ReadResult refused(Code code, std::string reason) { return {std::nullopt, code, std::move(reason)}; }

ReadResult too_large(std::size_t max_bytes) {
  return refused(Code::file_too_large, "more than " + std::to_string(max_bytes) + " bytes");
}

// The file that a chain of links ends at, whether it exists or not.
std::optional<std::string> follow_links(std::string path) {
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code error;
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error) return path;
    path = (std::filesystem::path(path).parent_path() / target).string();
  }
  return std::nullopt;
}

bool write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

// The new name is on the disk only when the folder is.
void sync_folder(const std::filesystem::path& folder) {
  const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.is_open()) ::fsync(file.get());
}

std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  return target + "." + std::to_string(::getpid()) + "-" + std::to_string(counter++) + ".tmp";
}

// Writes a new file and returns what went wrong; then nothing is left behind. `mode` overrules the user's mask.
std::string write_new_file(const std::string& path, const std::string& text, mode_t created,
                           std::optional<mode_t> mode = std::nullopt) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, created));
  if (!file.is_open()) return error_text(errno);
  const bool is_written = (!mode || ::fchmod(file.get(), *mode) == 0) && write_all(file.get(), text) &&
                          ::fsync(file.get()) == 0 && file.close();
  if (is_written) return {};
  const int problem = errno;
  ::unlink(path.c_str());
  return error_text(problem);
}

void sync_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  sync_folder(folder.empty() ? "." : folder);
}

// `created`: the permissions of a file that was not there.
std::string replace_file(const std::string& path, const std::string& text, mode_t created) {
  const std::optional<std::string> target = follow_links(path);
  if (!target) return error_text(ELOOP);
  std::optional<mode_t> mode;
  struct stat status {};
  if (::stat(target->c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return error_text(EISDIR);
    if (!S_ISREG(status.st_mode)) return "it is not an ordinary file";
    // Renaming needs no permission on the file itself; a protected file must stay protected.
    if (::access(target->c_str(), W_OK) != 0) return error_text(errno);
    mode = status.st_mode & kPermissionBits;
  }
  const std::string temporary = temporary_name(*target);
  if (std::string error = write_new_file(temporary, text, created, mode); !error.empty()) return error;
  if (::rename(temporary.c_str(), target->c_str()) != 0) {
    const int problem = errno;
    ::unlink(temporary.c_str());
    return error_text(problem);
  }
  sync_folder_of(*target);
  return {};
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
  return replace_file(path, text, kForAll);
}

std::string write_private_file_atomically(const std::string& path, const std::string& text) {
  return replace_file(path, text, kForUserOnly);
}

std::string create_private_file(const std::string& path, const std::string& text) {
  std::string error = write_new_file(path, text, kForUserOnly);
  if (error.empty()) sync_folder_of(path);
  return error;
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
