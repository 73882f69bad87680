#pragma once

namespace gelenk::analysis {

// Stages of a step leave the constraints by the square of the step, and a singular pose magnifies that. A stage that is
// this much nearer to one than the start of its step (squares of distances) is worthless: the step is tried again with
// another length, and its stages fall elsewhere.
inline constexpr double kSingularStage = 1e-3;

// Poses whose smallest pivot is below this part of what it usually is (about 0.1 rad or machine lengths from the
// singular one) count as near.
inline constexpr double kNearSingular = 1e-2;
// Errors (rad, machine lengths) that one projection removes to rounding.
inline constexpr double kSurelyProjected = 1e-6;

// A pose whose smallest distance is below this part of what it usually is has been passed, and rows this near to others
// depend on them there.
inline constexpr double kPassedPose = 1e-4;
inline constexpr double kOnSingularPose = 3e-4;

}  // namespace gelenk::analysis
