#pragma once

#include <vector>

#include "gelenk/system/system.h"

namespace gelenk::analysis {

// A joint coordinate that is led to a value while the machine is assembled.
struct HeldCoordinate {
  std::int32_t coordinate = -1;  // System::coordinates
  bool is_guess = false;         // let go in the end
  bool is_driver = false;        // value of a position law at the start
  double value = 0.0;            // to be reached
  double from = 0.0;             // where it was before it was led; an angle within half a turn of `value`
  Quaternion orientation = Quaternion::Identity();  // the same for a ball joint, q_AB
  Quaternion from_orientation = Quaternion::Identity();
  std::int32_t frame = -1;  // of a ball joint: frame A turned by the wanted orientation
  SourceRange where;

  bool is_orientation() const { return frame >= 0; }
};

// All start and guess values of joint coordinates, and the values that position laws have at this time.
std::vector<HeldCoordinate> held_coordinates(const system::System& system, const system::Params& params,
                                             const model::Machine& machine, double time);

// What the couplings make of held coordinates: those of which all others in a coupling are known.
std::vector<HeldCoordinate> implied_coordinates(const system::System& system, const system::Params& params,
                                                const std::vector<HeldCoordinate>& held);

// The joints of a machine as rows, with a row for each held coordinate instead of the drivers.
struct HeldSystem {
  system::System system;
  system::Params params;
  std::size_t joint_rows = 0;  // the held ones follow
};
// Sets the `frame` of ball joints.
HeldSystem hold(const system::System& system, const system::Params& params, std::vector<HeldCoordinate>& held);

}  // namespace gelenk::analysis
