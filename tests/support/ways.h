#pragma once

#include <ostream>

#include "gelenk/integrate/integrator.h"

namespace gelenk::test {

// A method with what a test may expect of it.
struct Way {
  const char* name;
  integrate::Method method;
  double size;   // tolerance, or step of methods with fixed steps
  double error;  // that this allows
};
inline void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

inline integrate::Options options_of(const Way& way) {
  integrate::Options options;
  options.method = way.method;
  options.tolerance = way.size;
  if (way.method == integrate::Method::rk4 || way.method == integrate::Method::generalized_alpha) {
    options.step = way.size;
  }
  return options;
}

}  // namespace gelenk::test
