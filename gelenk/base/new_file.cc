#include "gelenk/base/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "gelenk/base/system_error.h"

namespace gelenk {
namespace {

constexpr int kMostLinks = 40;  // as the kernel follows
constexpr mode_t kPermissionBits = 07777;
constexpr mode_t kForEverybody = 0666, kForUser = 0600;  // before the user's mask

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

std::string folder_holding(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

// The new name is on the disk only when the folder is.
void sync_folder(const std::string& folder) {
  const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.is_open()) ::fsync(file.get());
}

std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  return target + "." + std::to_string(::getpid()) + "-" + std::to_string(counter++) + ".tmp";
}

std::string name_by_number(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

}  // namespace

NewFile::NewFile(const std::string& path, For readers) {
  const std::optional<std::string> target = follow_links(path);
  if (!target) {
    fail(ELOOP);
    return;
  }
  target_ = *target;
  struct stat status {};
  if (::stat(target_.c_str(), &status) == 0) {
    // Renaming needs no permission on the file itself; a protected file must stay protected.
    if (S_ISDIR(status.st_mode)) {
      fail(EISDIR);
    } else if (!S_ISREG(status.st_mode)) {
      error_ = "it is not an ordinary file";
    } else if (::access(target_.c_str(), W_OK) != 0) {
      fail(errno);
    }
    mode_ = status.st_mode & kPermissionBits;
  }
  if (error_.empty()) open(readers == For::everybody ? kForEverybody : kForUser);
}

NewFile::~NewFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

bool NewFile::fail(int problem) {
  if (error_.empty()) error_ = creation_error_text(target_, problem);
  return false;
}

// Without a name as long as it grows, so that nothing is left behind by whoever is killed. Where the file system cannot
// do that, it has a name of its own.
void NewFile::open(mode_t created) {
  file_.set(::open(folder_holding(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, created));
  if (file_.is_open() && ::access(name_by_number(file_.get()).c_str(), F_OK) == 0) return;
  temporary_ = temporary_name(target_);
  file_.set(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, created));
  if (file_.is_open()) return;
  fail(errno);
  temporary_.clear();
}

bool NewFile::write(std::string_view bytes) {
  if (!error_.empty()) return false;
  while (!bytes.empty()) {
    const ssize_t count = ::write(file_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fail(errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool NewFile::give_name(Existing existing) {
  const bool is_nameless = temporary_.empty();
  const std::string now = is_nameless ? name_by_number(file_.get()) : temporary_;
  if (existing == Existing::stays) {
    if (::linkat(AT_FDCWD, now.c_str(), AT_FDCWD, target_.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
    if (is_nameless || errno == EEXIST) return fail(errno);
    // A file system without links: the name was free a moment ago.
  } else if (is_nameless) {
    const std::string name = temporary_name(target_);
    if (::linkat(AT_FDCWD, now.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) return fail(errno);
    temporary_ = name;
  }
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return fail(errno);
  temporary_.clear();
  return true;
}

std::string NewFile::put_in_place(Existing existing) {
  if (!error_.empty()) return error_;
  const bool is_on_disk = (mode_ == 0 || ::fchmod(file_.get(), mode_) == 0) && ::fsync(file_.get()) == 0;
  if (!is_on_disk) {
    fail(errno);
  } else if (give_name(existing)) {
    if (!file_.close()) fail(errno);
    sync_folder(folder_holding(target_));
  }
  return error_;
}

}  // namespace gelenk
