#include "gelenk/mechanics/ports.h"

#include <algorithm>

#include "gelenk/base/index.h"
#include "gelenk/math/vector.h"

namespace gelenk::mechanics {

void shift_motion(const double* arm, const double* motion, double* of_port) {
  const Vector3 turn = Vector3::Map(motion + 3);
  Eigen::Map<Vector3>{of_port} = Vector3::Map(motion) + turn.cross(Vector3::Map(arm));
  Eigen::Map<Vector3>{of_port + 3} = turn;
}

void shift_to_ports(const Ports& ports, std::span<const double> arms, std::span<double> motions) {
  double* to = motions.data() + (motions.size() - 6 * ports.size());
  for (std::size_t p = 0; p < ports.size(); ++p, to += 6) {
    if (ports.list[p].body < 0) continue;
    shift_motion(&arms[3 * p], &motions[6 * at(ports.list[p].body)], to);
  }
}

void move_port_forces(const Ports& ports, std::span<const double> arms, std::span<double> forces) {
  double* on_port = forces.data() + (forces.size() - 6 * ports.size());
  for (std::size_t p = 0; p < ports.size(); ++p, on_port += 6) {
    if (ports.list[p].body < 0) continue;
    const Vector3 force = Vector3::Map(on_port);
    double* const to = &forces[6 * at(ports.list[p].body)];
    Eigen::Map<Vector3>{to} += force;
    Eigen::Map<Vector3>{to + 3} += Vector3::Map(on_port + 3) + Vector3::Map(&arms[3 * p]).cross(force);
    std::fill_n(on_port, 6, 0.0);
  }
}

}  // namespace gelenk::mechanics
