#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/model/mobility.h"
#include "gelenk/system/system.h"

// The start of every analysis: the parts are brought together, the start values are met.
namespace gelenk::analysis {

// A part that was drawn elsewhere.
struct MovedPart {
  std::int32_t part = -1;
  double distance = 0.0;  // m
  double angle = 0.0;     // rad
};

// What brought the parts together: the drawing itself, which was closed; the component solver; or the flat one, which
// has the last word on ranks where joints contradict each other.
enum class ClosedBy : std::uint8_t { drawing, components, flat };
std::string_view closed_by_name(ClosedBy solver);

struct Assembly {
  system::State state;                     // at rest or with its start velocities, on all constraints, sides set
  std::vector<std::string> sealed_states;  // of sealed components, as they store them; empty: as drawn
  double rank_tolerance = 1e-6;            // tau: rows nearer to each other than this count as one
  double residual = 0.0;  // what remains open of rows that contradict each other, m per machine length and rad
  ClosedBy closed_by = ClosedBy::drawing;  // the strongest that was needed
  std::vector<double> joint_gap;           // the same for each joint
  std::vector<MovedPart> moved;            // farther than kMovedFar, the farthest first
};

// Parts that moved by more than this part of the machine's length, or this angle (rad), are reported.
inline constexpr double kMovedFar = 0.1;
// Contradictions beyond this are worth a warning: drawings have about six digits.
inline constexpr double kResidualToWarn = 1e-6;

// Carries the parts to their start and guess values along the joints, closes the loops, and solves for the start
// velocities. Says in the diagnostics which joints conflict, and by how much; `given_up`, where given, then gets the
// pose they speak of.
std::optional<Assembly> assemble(const system::System& system, const system::Params& params,
                                 const model::Machine& machine, double start_time, Diagnostics& diagnostics,
                                 std::optional<system::State>* given_up = nullptr);

// X_WP of a part in the pose of a state.
Pose part_pose(const system::System& system, const system::Params& params, const system::State& state,
               std::size_t part);

// How the machine can move in the pose of a state.
model::MobilityReport mobility_at(const system::System& system, const system::Params& params,
                                  const model::Machine& machine, const system::State& state);

}  // namespace gelenk::analysis
