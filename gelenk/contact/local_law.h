#pragma once

#include "gelenk/math/pose.h"

// Unilateral contact with Coulomb's friction at one point: which impulse, which velocity. Both have a normal component
// (0) and two tangential ones (1, 2).
namespace gelenk::contact {

// How far (u, r) is from the law, in the unit of the velocity: contact.md (1.5). `u` has the normal target in it
// already; rho: per impulse.
double natural_map(const Vector3& velocity, const Vector3& impulse, double friction, double mobility_trace);

// The nearest impulse that Coulomb's cone allows: |r_T| <= μ r_N.
Vector3 nearest_in_cone(const Vector3& impulse, double friction);

// r with u = D r + q, exactly: open, sticking or sliding; contact.md (2.4). D symmetric and positive definite. Nothing
// of it is relaxed: sliding contacts have u_N = 0.
Vector3 solve_local_law(const Matrix3& D, const Vector3& q, double friction);

}  // namespace gelenk::contact
