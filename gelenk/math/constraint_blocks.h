#pragma once

#include <array>
#include <cstdint>

// What the equations hand to a solver: blocks of plain numbers over rigid bodies, six unknowns each (velocity of the
// center of mass, angular velocity; world axes).
namespace gelenk {

// M⁻¹ of a body at its center of mass, world axes: diag(inverse_mass 1, inverse_inertia).
struct BodyInverseMass {
  double inverse_mass = 0.0;
  std::array<double, 9> inverse_inertia{};  // row-major, symmetric
  double mean_inverse_inertia = 0.0;        // of the three principal ones, for the scaling of rows
};

// The two bodies of a constraint row; -1 is the ground, which has no unknowns.
struct RowBodies {
  std::int32_t a = -1;
  std::int32_t b = -1;
};

// One row of the Jacobian: linear, angular of each body. The block of the ground is never read.
struct RowBlock {
  std::array<double, 6> a{};
  std::array<double, 6> b{};
};

// One body's part of a row that couples several joints, linear, angular: what its multiplier does there, and what it
// reads of the motion. `row` counts the couplings. The ground has none.
struct CouplingBlock {
  std::int32_t row = 0;
  std::int32_t body = 0;
  std::array<double, 6> values{};
};

// The same of a shaft, whose motion is one number.
struct CouplingShaft {
  std::int32_t row = 0;
  std::int32_t shaft = 0;
  double factor = 0.0;
};

}  // namespace gelenk
