#include "gelenk/mechanics/body_kernels.h"

#include <algorithm>

#include "gelenk/mechanics/batch.h"

namespace gelenk::mechanics {
namespace {

struct MoveData {
  const Vector3* positions;
  const Quaternion* orientations;
  const double* velocities;
  const system::BodyParams* params;
  const std::int32_t* first_equal;  // where to read them
  Motion<double>* bodies;
  BodyMass* masses;
};
struct ForceData {
  const BodyMass* masses;
  const Motion<double>* bodies;
  const double* gravity;
  double* forces;
};

// Bodies of the batch from `first` on; behind the last one it is repeated.
GELENK_ALWAYS_INLINE std::size_t body_in(std::size_t first, std::size_t lane, std::size_t end) {
  return std::min(first + lane, end - 1);
}

// Eigen's Quaternion::toRotationMatrix() for a batch.
GELENK_ALWAYS_INLINE BatchMatrix rotation(const Sources& q) {
  const BatchVector v = gather_vector(q);
  const Batch w = gather(q, 3);
  const BatchVector twice = v + v;
  const Batch wx = twice.x * w, wy = twice.y * w, wz = twice.z * w;
  const Batch xx = twice.x * v.x, xy = twice.y * v.x, xz = twice.z * v.x;
  const Batch yy = twice.y * v.y, yz = twice.z * v.y, zz = twice.z * v.z;
  return {
      {{1.0 - (yy + zz), xy + wz, xz - wy}, {xy - wz, 1.0 - (xx + zz), yz + wx}, {xz + wy, yz - wx, 1.0 - (xx + yy)}}};
}

// R J Rᵀ for a batch.
GELENK_ALWAYS_INLINE void turn_mass_batch(const MoveData& data, const BatchMatrix& R, std::size_t first,
                                          std::size_t end) {
  Sources J;
  Targets inertia;
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    const std::size_t b = body_in(first, lane, end);
    const system::BodyParams& body = data.params[data.first_equal[b]];
    J[lane] = body.moments.data();
    inertia[lane] = data.masses[b].inertia.data();
    data.masses[b].mass = body.mass;
    data.masses[b].mean_inverse_inertia = body.mean_inverse_inertia;
  }
  // Rows of R J, then their products with rows of R, the upper half alone.
  const Batch xx = gather(J, 0), xy = gather(J, 1), xz = gather(J, 2);
  const Batch yy = gather(J, 3), yz = gather(J, 4), zz = gather(J, 5);
  const BatchMatrix body_inertia{{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
  const BatchVector* const c = R.columns;
  const BatchVector x{c[0].x, c[1].x, c[2].x};
  const BatchVector y{c[0].y, c[1].y, c[2].y};
  const BatchVector z{c[0].z, c[1].z, c[2].z};
  const BatchVector J_x = body_inertia * x, J_y = body_inertia * y, J_z = body_inertia * z;
  scatter(dot(x, J_x), inertia, 0);
  scatter(dot(x, J_y), inertia, 1);
  scatter(dot(x, J_z), inertia, 2);
  scatter(dot(y, J_y), inertia, 3);
  scatter(dot(y, J_z), inertia, 4);
  scatter(dot(z, J_z), inertia, 5);
}

// Returns R.
GELENK_ALWAYS_INLINE BatchMatrix move_batch(const MoveData& data, std::size_t first, std::size_t end) {
  Sources q;
  Targets R;
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    const std::size_t b = body_in(first, lane, end);
    Motion<double>& m = data.bodies[b];
    const double* const v = &data.velocities[6 * b];
    m.p = data.positions[b];
    m.v = Vector3(v[0], v[1], v[2]);
    m.w = Vector3(v[3], v[4], v[5]);
    q[lane] = data.orientations[b].coeffs().data();
    R[lane] = m.R.data();
  }
  const BatchMatrix turned = rotation(q);
  for (int k = 0; k < 3; ++k) scatter_vector(turned.columns[k], R, 3 * static_cast<std::size_t>(k));
  return turned;
}

MoveData move_data(const system::State& state, std::span<Motion<double>> bodies) {
  MoveData data{};
  data.positions = state.position.data();
  data.orientations = state.orientation.data();
  data.velocities = state.velocity.data();
  data.bodies = bodies.data();
  return data;
}

void add_masses(const system::Params& params, std::span<BodyMass> masses, MoveData& data) {
  data.params = params.bodies.data();
  data.first_equal = params.first_equal_body.data();
  data.masses = masses.data();
}

GELENK_ALWAYS_INLINE void force_batch(const ForceData& data, std::size_t first, std::size_t end) {
  Sources mass, J, w, g;
  Targets force;
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    const std::size_t b = body_in(first, lane, end);
    mass[lane] = &data.masses[b].mass;
    J[lane] = data.masses[b].inertia.data();
    w[lane] = data.bodies[b].w.data();
    g[lane] = data.gravity;
    force[lane] = &data.forces[6 * b];
  }
  const Batch xx = gather(J, 0), xy = gather(J, 1), xz = gather(J, 2);
  const Batch yy = gather(J, 3), yz = gather(J, 4), zz = gather(J, 5);
  const BatchMatrix inertia{{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
  const BatchVector velocity = gather_vector(w);
  const BatchVector weight = gather(mass, 0) * gather_vector(g);
  const BatchVector moment = cross(inertia * velocity, velocity);
  scatter_vector(weight, force, 0);
  scatter_vector(moment, force, 3);
}

}  // namespace

void move_bodies(const system::State& state, const system::Params& params, const BodyRange& range,
                 std::span<Motion<double>> bodies, std::span<BodyMass> masses) {
  MoveData data = move_data(state, bodies);
  add_masses(params, masses, data);
  for (std::size_t first = range.first; first < range.end; first += kBatch) {
    turn_mass_batch(data, move_batch(data, first, range.end), first, range.end);
  }
}

void move_frames(const system::State& state, const BodyRange& range, std::span<Motion<double>> bodies) {
  const MoveData data = move_data(state, bodies);
  for (std::size_t first = range.first; first < range.end; first += kBatch) move_batch(data, first, range.end);
}

void turn_masses(const system::Params& params, std::span<const Motion<double>> bodies, std::span<BodyMass> masses) {
  MoveData data{};
  add_masses(params, masses, data);
  for (std::size_t first = 0; first < masses.size(); first += kBatch) {
    Sources R;
    for (std::size_t lane = 0; lane < kBatch; ++lane) R[lane] = bodies[body_in(first, lane, masses.size())].R.data();
    turn_mass_batch(data, gather_matrix(R), first, masses.size());
  }
}

void inertial_forces(std::span<const BodyMass> masses, std::span<const Motion<double>> bodies, const Vector3& gravity,
                     const BodyRange& range, std::span<double> forces) {
  const ForceData data{masses.data(), bodies.data(), gravity.data(), forces.data()};
  for (std::size_t first = range.first; first < range.end; first += kBatch) force_batch(data, first, range.end);
}

}  // namespace gelenk::mechanics
