#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

// Work in parts. What the parts are depends on the model alone, so the result does not depend on how many threads do
// them.
namespace gelenk {

// Threads that this process may use at once; one by default. Not while parts are being worked on.
void set_thread_count(int count);
int thread_count();

namespace detail {
void run_parts(std::size_t count, void (*run)(void* work, std::size_t part), void* work);
}

// Calls work(0) to work(count - 1), on several threads if there are any, and returns when all are done. The parts must
// neither throw nor read what another part writes.
template <class Work>
void for_each_part(std::size_t count, Work&& work) {
  if (count <= 1 || thread_count() == 1) {
    for (std::size_t part = 0; part < count; ++part) work(part);
    return;
  }
  using Function = std::remove_reference_t<Work>;
  detail::run_parts(
      count, [](void* function, std::size_t part) { (*static_cast<Function*>(function))(part); },
      const_cast<void*>(static_cast<const void*>(std::addressof(work))));
}

}  // namespace gelenk
