#include "gelenk/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace gelenk {

SharedFileLock::SharedFileLock(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ >= 0) ::flock(descriptor_, LOCK_SH | LOCK_NB);
}

SharedFileLock::~SharedFileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);  // lets go of the lock as well
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
