#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/system/system.h"

namespace gelenk::mechanics {

// A frame of one component that elements of another one act on. They see it as a body of its own, behind all bodies,
// with the frame for its axes and its origin for its center of mass: what carries the frame is no business of theirs.
struct Port {
  std::int32_t frame = -1;  // of the system; others at the same place share the port
  std::int32_t body = -1;   // that carries it; none: a sealed component reports how it moves
};

struct Ports {
  std::vector<Port> list;
  std::vector<std::int32_t> of_frame;  // by frame of the system, -1: none; empty when there are no ports

  bool is_empty() const { return list.empty(); }
  std::size_t size() const { return list.size(); }
  std::int32_t at_frame(std::int32_t frame) const {
    return of_frame.empty() ? -1 : of_frame[static_cast<std::size_t>(frame)];
  }
  // The body or port on which elements see a frame.
  std::int32_t carrier(const system::System& system, std::int32_t frame) const {
    const std::int32_t port = at_frame(frame);
    return port < 0 ? system.frames[static_cast<std::size_t>(frame)].body
                    : static_cast<std::int32_t>(system.bodies.size()) + port;
  }
};

// A small motion of a body, six numbers, as that of a port with this arm: from the center of mass, world axes.
void shift_motion(const double* arm, const double* motion, double* of_port);
// Small motions of the bodies, six each, and of the ports behind them: these follow from the others. Those of ports on
// bodies that nobody knows, of sealed components, stay as they are. Arms: three each.
void shift_to_ports(const Ports& ports, std::span<const double> arms, std::span<double> motions);
// The other way round: wrenches on the bodies, six each, get those on the ports behind them, which are zero then; all
// but those on ports of sealed components.
void move_port_forces(const Ports& ports, std::span<const double> arms, std::span<double> forces);

}  // namespace gelenk::mechanics
