#pragma once

#include <span>

#include "gelenk/mechanics/evaluate.h"

// The short way to accelerations, for solvers that take the rows of whole joints (gelenk/math/joint_rows.h): bodies,
// drivers, joints, forces. Frames are not computed; each element makes those that it reads from the motion of its
// bodies. The order of calls:
//   update_bodies, update_drivers, update_joints with biases, sum_forces   for accelerations
//   update_body_motions, update_drivers, joint_residuals                   for positions on their constraints
//   update_masses, update_joints, joint_rates                              for velocities on theirs
// Results equal those of evaluate.h to rounding.
namespace gelenk::mechanics {

// Motion and mass of all bodies.
void update_bodies(const Context& context, Workspace& workspace);
// Both on their own.
void update_body_motions(const Context& context, Workspace& workspace);
void update_masses(const Context& context, Workspace& workspace);
// Motion of all bodies when velocities alone have changed.
void update_body_velocities(const Context& context, Workspace& workspace);

// Packed rows of all joints.
void update_joints(const Context& context, Workspace& workspace);
// The same, and u of every row of the machine by its number.
void update_joints(const Context& context, Workspace& workspace, std::span<double> biases);

// g of every row, by its number. Needs no packed rows.
void joint_residuals(const Context& context, const Workspace& workspace, std::span<double> residuals);
// ġ of every row, by its number, from the packed rows and the velocities of the state.
void joint_rates(const Context& context, const Workspace& workspace, std::span<double> rates);

// Applied forces, gravity and gyroscopic moments: what update_forces() gives.
void sum_forces(const Context& context, Workspace& workspace);

// All that accelerations need, the same bits as the four calls for them: update_bodies, update_drivers, update_joints
// with biases, sum_forces. Bodies and their joints are worked on a block at a time, which spares large machines ways to
// the memory.
void update_all(const Context& context, Workspace& workspace, std::span<double> biases);

}  // namespace gelenk::mechanics
