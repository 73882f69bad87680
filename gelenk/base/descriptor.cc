#include "gelenk/base/descriptor.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace gelenk {

bool Descriptor::close() { return value_ < 0 || ::close(release()) == 0; }

void close_descriptors_from(int first) {
  if (::syscall(SYS_close_range, static_cast<unsigned>(first), ~0u, 0u) == 0) return;
  const long count = ::sysconf(_SC_OPEN_MAX);
  for (int descriptor = first; descriptor < count; ++descriptor) ::close(descriptor);
}

}  // namespace gelenk
