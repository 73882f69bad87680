#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/mechanics/force_derivatives.h"

// Rows that couple coordinates of several joints, equations.md (12.1),
//
//   g = Σ c_i q_i + Σ k_j s_j - o = 0,
//
// or g(q_1 ... q_n) = 0 with a formula g, equations.md (12.5); with tracked angles, so that a gear goes on meshing
// after a full turn; s_j are shafts of sealed components, as these show them. They are numbered behind the rows of
// joints: row System::rows.size() + k is coupling k. Functions write at these numbers and leave the others alone; they
// need the motion of the bodies in the workspace, and no frames.
namespace gelenk::mechanics {

// Blocks of all couplings on bodies, zero, and where each term has its two: -1 is the ground.
void lay_out_couplings(const system::System& system, std::vector<CouplingBlock>& blocks,
                       std::vector<std::array<std::int32_t, 2>>& places);

// J of all couplings: CouplingBlock and CouplingShaft in the workspace.
void update_couplings(const Context& context, Workspace& workspace);
// g
void coupling_values(const Context& context, const Workspace& workspace, std::span<double> values);
// ∂g/∂q of each term: its factor, or the slope of the formula as the machine stands.
void coupling_slopes(const Context& context, const Workspace& workspace, std::span<double> slopes);
// ġ
void coupling_rates(const Context& context, const Workspace& workspace, std::span<double> rates);
// u of J a = u
void coupling_biases(const Context& context, const Workspace& workspace, std::span<double> biases);

// forces += Jᵀμ, six for each body; μ one per row of the machine.
void add_coupling_forces(const system::System& system, const Workspace& workspace, std::span<const double> multipliers,
                         std::span<double> forces);

// shaft_loads := Jᵀμ, one for each shaft of the machine.
void coupling_loads_on_shafts(const system::System& system, const Workspace& workspace,
                              std::span<const double> multipliers, std::vector<double>& shaft_loads);

// What a multiplier of one does on the first coordinate of a coupling: that of a formula has no first coordinate, and
// is recorded as it is.
double effort_factor(const system::System& system, const system::Params& params, std::size_t coupling);
// What each coupling does on its first coordinate; μ one per row of the machine.
void coupling_efforts(const system::System& system, const system::Params& params, std::span<const double> multipliers,
                      std::span<double> efforts);

// The wrenches of a multiplier of one on the two frames of the joint of a term, about their origins.
RowJacobian<double> coupling_wrench(const Context& context, const Workspace& workspace, std::size_t term);

// Derivatives of Jᵀμ by the positions of the bodies at constant μ, one per row of the machine.
void append_coupling_derivatives(const Context& context, const Workspace& workspace,
                                 std::span<const double> multipliers, std::vector<ForceBlock>& blocks);

}  // namespace gelenk::mechanics
