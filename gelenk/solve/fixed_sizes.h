#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "gelenk/math/vector_lanes.h"

// Most fronts have one to four columns. Kernels take sizes as a type of their own, so that the same lines serve a size
// that the compiler knows, with its loops unrolled, and one that only the program knows.
namespace gelenk::solve {

template <std::size_t N>
using FixedSize = std::integral_constant<std::size_t, N>;

inline constexpr std::size_t kMostFixed = 4;

// Calls kernel(n), n as a FixedSize if it is small.
template <class Kernel>
GELENK_ALWAYS_INLINE decltype(auto) with_fixed_size(std::size_t n, Kernel&& kernel) {
  switch (n) {
    case 1:
      return kernel(FixedSize<1>{});
    case 2:
      return kernel(FixedSize<2>{});
    case 3:
      return kernel(FixedSize<3>{});
    case kMostFixed:
      return kernel(FixedSize<kMostFixed>{});
    default:
      return kernel(n);
  }
}

// Calls body(0) … body(n - 1). With a FixedSize, numbers are FixedSize, too: the compiler writes out all calls.
template <class Body>
void repeat(std::size_t n, Body&& body) {
  for (std::size_t i = 0; i < n; ++i) body(i);
}
template <std::size_t N, class Body>
GELENK_ALWAYS_INLINE void repeat(FixedSize<N> /*n*/, Body&& body) {
  [&]<std::size_t... i>(std::index_sequence<i...>) GELENK_INLINE_LAMBDA { (body(FixedSize<i>{}), ...); }
  (std::make_index_sequence<N>());
}

}  // namespace gelenk::solve
