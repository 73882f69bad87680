#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gelenk/base/bytes.h"
#include "gelenk/math/pose.h"

namespace gelenk::analysis {

// How well the law of contact was kept over a run, and what it cost; for the certificate.
struct ContactReport {
  std::int64_t solves = 0, unsolved = 0;  // problems of all contacts; those above the tolerance at the end
  std::int64_t most_sweeps = 0;
  std::int64_t impacts = 0;                  // points that met with restitution
  std::int64_t late_impacts = 0;             // of these, those that waited for the end of their step
  std::int64_t lost_bounces = 0;             // impacts without restitution, because it would have gained energy
  double squares = 0.0;                      // of the natural map, summed over solves
  double worst = 0.0, worst_time = 0.0;      // largest natural map of a point, m/s
  std::int32_t worst_contact = -1;           // hard forces have the numbers that follow those of the contacts
  double tolerance = 0.0;                    // m/s, of the longest step
  double deepest = 0.0, deepest_time = 0.0;  // largest overlap, m
  std::int32_t deepest_contact = -1;
  double work_normal = 0.0, work_friction = 0.0;  // of all contacts, J: what impacts and friction took, negative
};

// What one time step knows of those before it. A value: a step that is tried again starts from the same.
struct ContactMemory {
  struct Point {
    std::int32_t a = -1, b = -1, feature = 0;
    std::array<double, 3> force{};  // mean over the last step, world axes, on b; N
  };
  std::vector<Point> points;  // that carried something, sorted
  enum class Mode : std::uint8_t { sticking, sliding };
  struct Pair {
    std::int32_t a = -1, b = -1, contact = -1;
    Mode mode = Mode::sticking;
  };
  std::vector<Pair> pairs;  // that touch, sorted
  // Of each hard force; model/forces/hard_force.h.
  struct Law {
    std::array<double, 2> last{};     // what its rows did in the last part of the step
    double force = 0.0, power = 0.0;  // means over the last step: on the written coordinate, N or N·m; W
    std::int64_t tooth = 0;           // of a ratchet: the last one passed
    enum class Mode : std::uint8_t { free, holds, slides } mode = Mode::free;
  };
  std::vector<Law> laws;
  std::vector<double> contacts;  // channels of the contacts, means over the last step
  std::vector<double> loads;     // of the last step, mean, six per body; empty: none yet
  ContactReport report;

  // Hard forces and contacts are as many when it is loaded.
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
};

// Something that happened in a step.
struct ContactEvent {
  double time = 0.0;
  std::int32_t contact = -1, a = -1, b = -1;  // contours
  enum class Kind : std::uint8_t { closes, opens, sticks, slides, impact } kind = Kind::closes;
  double approach = 0.0, energy = 0.0;  // impact: m/s or rad/s, and what it changed, J
  std::int32_t law = -1;                // instead of a contact: of System::hard_laws
};

}  // namespace gelenk::analysis
