#pragma once

#include <cstddef>
#include <type_traits>

// Most fronts have one to four columns. Kernels take sizes as a type of their own, so that the same lines serve a size
// that the compiler knows, with its loops unrolled, and one that only the program knows.
namespace gelenk::solve {

template <std::size_t N>
using FixedSize = std::integral_constant<std::size_t, N>;

inline constexpr std::size_t kMostFixed = 4;

// Calls kernel(n), n as a FixedSize if it is small.
template <class Kernel>
decltype(auto) with_fixed_size(std::size_t n, Kernel&& kernel) {
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

}  // namespace gelenk::solve
