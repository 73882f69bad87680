#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gelenk/mechanics/evaluate.h"

// Exact derivatives of forces, for implicit methods and linearization.
namespace gelenk::mechanics {

// Derivative of the wrench on one body (force, moment about its center of mass; world axes) by the motion of another,
// where either may be a port (ports.h): columns 0-2 displacement, 3-5 small turn, 6-8 velocity, 9-11 angular velocity;
// world axes.
struct ForceBlock {
  std::int32_t on_body = -1;
  std::int32_t by_body = -1;
  std::array<double, 72> values{};  // 6 × 12, row-major
};

// The bodies and ports whose motion a force depends on: those it acts on and those its value reads.
std::vector<std::int32_t> bodies_read(const system::System& system, const Ports& ports, std::int32_t force);

// Those it acts on, without what its value reads.
std::vector<std::int32_t> bodies_pushed(const system::System& system, const Ports& ports, std::int32_t force);

// Those whose motion a signal depends on, through the channels of forces as well.
std::vector<std::int32_t> bodies_read_by(const system::System& system, const Ports& ports, std::int32_t signal);

// All blocks of one force. Gravity and gyroscopic moments are not forces of the model: see body_blocks().
class ForceDerivatives {
 public:
  // `ports`: those of all workspaces.
  explicit ForceDerivatives(const system::System& system, const Ports& ports = {});
  // Appends the blocks of a force; needs positions and velocities in the workspace.
  void evaluate(const Context& context, const Workspace& workspace, std::int32_t force,
                std::vector<ForceBlock>& blocks);

 private:
  std::vector<std::vector<std::int32_t>> bodies_read_;  // of each force
  Scratch<Dual<12>> scratch_;
};

// Gyroscopic moment and gravity of one body, by its own motion.
ForceBlock body_block(const Context& context, const Workspace& workspace, std::int32_t body);

}  // namespace gelenk::mechanics
