// In the place of gelenk/base/parallel.cc: a component has no threads, and needs no library for them. Results do not
// depend on it.
#include "gelenk/base/parallel.h"

namespace gelenk {

void set_thread_count(int) {}

int thread_count() { return 1; }

void detail::run_parts(std::size_t count, void (*run)(void* work, std::size_t part), void* work) {
  for (std::size_t part = 0; part < count; ++part) run(work, part);
}

}  // namespace gelenk
