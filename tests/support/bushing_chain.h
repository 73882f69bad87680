#pragma once

#include <fmt/format.h>

#include <string>

namespace gelenk::test {

// A cantilever of links, each held by a spherical joint and a torsional bushing at the end of the one before: the
// stiffer the bushings, the faster the oscillations that a method has to stand. It starts straight and at rest, and
// falls under gravity.
inline std::string bushing_chain(int links, double stiffness, double damping) {
  const std::string bushing =
      fmt::format("rotational_stiffness: [{0}, {0}, {0}], rotational_damping: [{1}, {1}, {1}]", stiffness, damping);
  std::string parts = "parts:\n";
  std::string joints = "joints:\n";
  std::string forces = "forces:\n";
  for (int i = 0; i < links; ++i) {
    const std::string before = i == 0 ? "ground" : fmt::format("link{}.tip", i - 1);
    parts += fmt::format(
        "  link{}: {{at: [{}, 0, 0], mass: 0.2, center_of_mass: [0.05, 0, 0], "
        "inertia: {{xx: 1e-4, yy: 1e-3, zz: 1e-3}}, frames: {{tip: [0.1, 0, 0]}}}}\n",
        i, 0.1 * i);
    joints += fmt::format("  ball{0}: {{type: spherical, between: [{1}, link{0}]}}\n", i, before);
    forces += fmt::format("  mount{0}: {{type: bushing, between: [{1}, link{0}], {2}}}\n", i, before, bushing);
  }
  return "up: z\n" + parts + joints + forces;
}

}  // namespace gelenk::test
