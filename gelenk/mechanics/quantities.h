#pragma once

#include <span>
#include <vector>

#include "gelenk/mechanics/evaluate.h"

// What is told about a machine at an instant, once its accelerations and multipliers are known.
namespace gelenk::mechanics {

struct Energy {
  double kinetic = 0.0;    // J
  double potential = 0.0;  // of gravity and springs, J
};
Energy energy(const Context& context, Workspace& workspace);

// Acceleration of every part's origin and its angular acceleration, world axes, from those of the bodies.
void part_accelerations(const Context& context, const Workspace& workspace, std::span<const double> body_accelerations,
                        std::span<double> parts);

// Reaction of every joint: force and moment on the second part about the origin of its joint frame, in axes of the
// first frame; the efforts of drivers are not part of it. Fixed joints inside a body follow from the balance of the
// parts behind them.
class Reactions {
 public:
  explicit Reactions(const system::System& system);
  void evaluate(const Context& context, Workspace& workspace, std::span<const double> body_accelerations,
                std::span<const double> multipliers, std::span<double> reactions);

 private:
  void add_on_part(const system::System& system, const Workspace& workspace, std::int32_t frame,
                   const Wrench<double>& wrench);
  void evaluate_welds(const Context& context, Workspace& workspace, std::span<const double> body_accelerations);

  std::vector<Wrench<double>> on_joint_;  // on the second part of each joint about Bo, world axes
  std::vector<Wrench<double>> on_part_;   // all but welds, about the world's origin
};

// Effort and power of every driver.
void driver_efforts(const Context& context, const Workspace& workspace, std::span<const double> multipliers,
                    std::span<double> efforts);

}  // namespace gelenk::mechanics
