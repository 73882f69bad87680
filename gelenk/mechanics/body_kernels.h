#pragma once

#include <span>

#include "gelenk/math/joint_rows.h"
#include "gelenk/mechanics/motion.h"
#include "gelenk/system/system.h"

namespace gelenk::mechanics {

// Which bodies; `end` is behind the last.
struct BodyRange {
  std::size_t first = 0;
  std::size_t end = 0;
};

// Motion and mass of bodies: R(q), R J Rᵀ.
void move_bodies(const system::State& state, const system::Params& params, const BodyRange& range,
                 std::span<Motion<double>> bodies, std::span<BodyMass> masses);

// Motion alone, and mass of all bodies where they are.
void move_frames(const system::State& state, const BodyRange& range, std::span<Motion<double>> bodies);
void turn_masses(const system::Params& params, std::span<const Motion<double>> bodies, std::span<BodyMass> masses);

// Weight in a uniform field and gyroscopic moment (J w) × w of bodies, six numbers each.
void inertial_forces(std::span<const BodyMass> masses, std::span<const Motion<double>> bodies, const Vector3& gravity,
                     const BodyRange& range, std::span<double> forces);

}  // namespace gelenk::mechanics
