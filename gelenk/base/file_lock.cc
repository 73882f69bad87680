#include "gelenk/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "gelenk/base/system_error.h"

namespace gelenk {
namespace {

constexpr const char* kOpenElsewhere = "another program has it open";
// No file reaches this byte: whoever writes has a lock on it, and all others on the bytes before it.
constexpr off_t kWriterByte = off_t{1} << 62;

struct flock range_lock(short kind) {
  struct flock lock {};
  lock.l_type = kind;
  lock.l_whence = SEEK_SET;
  lock.l_len = kWriterByte;
  return lock;
}

struct flock writer_lock() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = kWriterByte;
  lock.l_len = 1;
  return lock;
}

bool is_held(int descriptor, struct flock lock) {
  return ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

// HDF5 locks with flock(), and so does a SharedFileLock.
bool is_read_by_others(int descriptor) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return errno == EWOULDBLOCK;
  ::flock(descriptor, LOCK_UN);
  return false;
}

// Whether the path still leads to the file that was opened.
bool is_same_file(int descriptor, const std::string& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

}  // namespace

// Two locks that know nothing of each other: the one that HDF5 respects, and one that HDF5 never takes.
SharedFileLock::SharedFileLock(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) return;
  ::flock(descriptor_, LOCK_SH | LOCK_NB);
  struct flock lock = range_lock(F_RDLCK);
  ::fcntl(descriptor_, F_OFD_SETLK, &lock);
}

SharedFileLock::~SharedFileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);  // lets go of the lock as well
}

bool is_file_in_use(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool is_locked = is_held(descriptor, range_lock(F_WRLCK));
  ::close(descriptor);
  return is_locked;
}

std::string WriterLock::take(const std::string& path, bool creates) {
  constexpr mode_t kForAll = 0666;
  constexpr int kMostTries = 100;
  for (int i = 0; i < kMostTries; ++i) {
    release();
    descriptor_ = ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC | (creates ? O_CREAT : 0), kForAll);
    if (descriptor_ < 0) return creates ? creation_error_text(path, errno) : error_text(errno);
    struct flock lock = writer_lock();
    if (::fcntl(descriptor_, F_OFD_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES)) {
      release();
      return kOpenElsewhere;
    }
    if (is_read_by_others(descriptor_)) {
      release();
      return kOpenElsewhere;
    }
    // Somebody may have put another file in its place, or removed it, before we had the lock.
    if (is_same_file(descriptor_, path)) return {};
  }
  release();
  return kOpenElsewhere;
}

void WriterLock::release() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

std::string overwrite_obstacle(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return std::system_category().message(errno);
  const bool is_locked = is_read_by_others(descriptor) || is_held(descriptor, writer_lock());
  ::close(descriptor);
  return is_locked ? kOpenElsewhere : std::string();
}

}  // namespace gelenk
