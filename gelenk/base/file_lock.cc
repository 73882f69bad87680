#include "gelenk/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace gelenk {
namespace {

// Of the whole file.
struct flock range_lock(short kind) {
  struct flock lock {};
  lock.l_type = kind;
  lock.l_whence = SEEK_SET;
  return lock;
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
  struct flock lock = range_lock(F_WRLCK);
  const bool is_locked = ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  ::close(descriptor);
  return is_locked;
}

std::string overwrite_obstacle(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return std::system_category().message(errno);
  // HDF5 locks with flock(), too.
  const bool is_locked = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return is_locked ? "another program has it open" : std::string();
}

}  // namespace gelenk
