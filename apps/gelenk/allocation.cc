// Allocations of the whole program, of its libraries, too, that do not succeed: see gelenk/base/memory_guard.h. The
// allocator itself is that of the C library. Not in sanitized programs, which have their own.
#include <cstdlib>
#include <new>

#include "gelenk/base/memory_guard.h"

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): names of the C library
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* block, std::size_t bytes);
// NOLINTEND(readability-identifier-naming)

// Sizes beyond any computer are mistakes of the caller, who gets the usual error.
static const std::size_t kAbsurdBytes = std::size_t{1} << 40;

__attribute__((visibility("default"))) void* malloc(std::size_t bytes) {
  void* block = __libc_malloc(bytes);
  if (block != nullptr || bytes > kAbsurdBytes) return block;
  gelenk::note_failed_allocation(bytes);
  block = __libc_malloc(bytes);
  if (block == nullptr) gelenk::end_without_memory(bytes);
  return block;
}

__attribute__((visibility("default"))) void* calloc(std::size_t count, std::size_t bytes) {
  void* block = __libc_calloc(count, bytes);
  if (block != nullptr || (bytes > 0 && count > kAbsurdBytes / bytes)) return block;
  gelenk::note_failed_allocation(count * bytes);
  block = __libc_calloc(count, bytes);
  if (block == nullptr) gelenk::end_without_memory(count * bytes);
  return block;
}

__attribute__((visibility("default"))) void* realloc(void* block, std::size_t bytes) {
  void* longer = __libc_realloc(block, bytes);
  if (longer != nullptr || bytes == 0 || bytes > kAbsurdBytes) return longer;
  gelenk::note_failed_allocation(bytes);
  longer = __libc_realloc(block, bytes);
  if (longer == nullptr) gelenk::end_without_memory(bytes);
  return longer;
}
}

// First of all, even before what libraries make for themselves before main().
static void guard() { gelenk::guard_memory(); }
__attribute__((section(".preinit_array"), used)) static void (*const kFirstOfAll)() = guard;

// Callers that can be informed are; the reserve is for what follows.
__attribute__((visibility("default"))) void* operator new(std::size_t bytes) {
  if (void* const block = __libc_malloc(bytes > 0 ? bytes : 1)) return block;
  gelenk::note_failed_allocation(bytes);
  throw std::bad_alloc();
}

__attribute__((visibility("default"))) void operator delete(void* block) noexcept { std::free(block); }
__attribute__((visibility("default"))) void operator delete(void* block, std::size_t) noexcept { std::free(block); }
