#include "gelenk/base/durable_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "gelenk/base/platform.h"

namespace gelenk {

std::string write_durably(const std::string& path, const std::string& bytes) {
  const std::string reason = write_file_atomically(path, bytes);
  return reason.empty() ? reason : "the file '" + path + "' cannot be written: " + reason;
}

std::string sync_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const bool is_synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int problem = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (is_synced) return {};
  return "the file '" + path + "' cannot be saved to disk: " + std::system_category().message(problem);
}

}  // namespace gelenk
