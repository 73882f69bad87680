#pragma once

#include <cstdlib>
#include <new>

// Counts the allocations of a test program, so that a test can show that there are none. Defines the global operators:
// to be included in one file of a program only.
namespace gelenk::test {
// Of the thread that asks: others may allocate as they like.
inline thread_local long allocation_count = 0;
}  // namespace gelenk::test

// Not inlined: the compiler would take the free() below for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++gelenk::test::allocation_count;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++gelenk::test::allocation_count;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
