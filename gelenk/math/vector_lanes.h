#pragma once

#include <cstring>

// Four numbers handled at once, in one register where the machine has registers of that width, else in two. Operations
// on lanes are the ordinary ones of IEEE 754, one by one (the build forbids contraction to fused operations), so a
// kernel gives the same bits on every machine.
namespace gelenk {

using Lanes = double __attribute__((vector_size(4 * sizeof(double))));

#define GELENK_ALWAYS_INLINE [[gnu::always_inline]] inline
// Behind the parameters of a lambda: its numbers stay in registers, and none of what it captures is written down.
#define GELENK_INLINE_LAMBDA __attribute__((always_inline))

GELENK_ALWAYS_INLINE void load(Lanes& lanes, const double* from) { std::memcpy(&lanes, from, sizeof(Lanes)); }
GELENK_ALWAYS_INLINE void store(const Lanes& lanes, double* to) { std::memcpy(to, &lanes, sizeof(Lanes)); }

// A function with GELENK_WIDE_LANES may be called only if has_wide_lanes(). What it inlines is compiled for wide
// registers, too: kernels are written once, as GELENK_ALWAYS_INLINE, and instantiated in a narrow and a wide function.
#if defined(__x86_64__)
#define GELENK_WIDE_LANES [[gnu::target("avx2")]]
inline bool has_wide_lanes() {
  static const bool kHas = __builtin_cpu_supports("avx2") != 0;
  return kHas;
}
#else
#define GELENK_WIDE_LANES
constexpr bool has_wide_lanes() { return false; }
#endif

}  // namespace gelenk
