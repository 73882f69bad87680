#pragma once

#include <string>

namespace gelenk::test {

// 1 kg that goes at 1 m/s along x and is pushed along x by `value`, written as in a model file.
inline std::string pushed(const std::string& value) {
  return "gravity: none\n"
         "parts: {p: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, start: {velocity: [1, 0, 0]}}}\n"
         "forces: {kick: {type: force, applied_to: p, axes_of: ground, along: x, value: " +
         value + "}}\n";
}

inline std::string pushed_by_formula(const std::string& formula) { return pushed("\"=" + formula + "\""); }

}  // namespace gelenk::test
