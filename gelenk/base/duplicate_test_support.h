#pragma once

#include <unistd.h>

#include "gelenk/base/descriptor.h"

namespace gelenk::test {

// The same file by another number, as a process that was given it has.
inline Descriptor duplicate(int descriptor) { return Descriptor(::dup(descriptor)); }

}  // namespace gelenk::test
