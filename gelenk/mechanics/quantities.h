#pragma once

#include <span>
#include <vector>

#include "gelenk/mechanics/evaluate.h"

// What is reported about a machine at an instant, once its accelerations and multipliers are known.
namespace gelenk::mechanics {

struct Energy {
  double kinetic = 0.0;    // J
  double potential = 0.0;  // of gravity and springs, J
  double elastic = 0.0;    // the springs' part of it

  double total() const { return kinetic + potential; }
};
Energy energy(const Context& context, Workspace& workspace);
// Of a state that is in no workspace.
double kinetic_energy(const system::Params& params, const system::State& state);

// Works since the start of a run, J. total energy = that at the start + forces + drivers + impacts.
struct Work {
  double forces = 0.0;   // of all that has no potential: dampers, actuators, applied forces
  double drivers = 0.0;  // given by drivers
  double impacts = 0.0;  // given by jumps of velocity
  double total() const { return forces + drivers + impacts; }
};
Work work(const system::System& system, const system::State& state, const Energy& energy);

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
  // What multipliers alone do, without loads and inertia: reactions are linear in it. `sizes`, two per joint: sums of
  // the magnitudes of forces (N) and moments (N m) that were added up, which distinguish a zero from rounding.
  void respond(const Context& context, Workspace& workspace, std::span<const double> multipliers,
               std::span<double> reactions, std::span<double> sizes);

 private:
  struct Size {
    double force = 0.0, moment = 0.0;
  };
  void add_rows(const Context& context, const Workspace& workspace, std::span<const double> multipliers);
  void add_couplings(const Context& context, const Workspace& workspace, std::span<const double> multipliers);
  void add_on_part(const system::System& system, const Workspace& workspace, std::int32_t frame,
                   const Wrench<double>& wrench);
  void add_forces(const Context& context, Workspace& workspace);
  Wrench<double> inertia_less_weight(const Context& context, const Workspace& workspace, std::int32_t part,
                                     std::span<const double> body_accelerations) const;
  // Without accelerations: what rows do to the parts behind each weld.
  void evaluate_welds(const Context& context, const Workspace& workspace,
                      const std::span<const double>* body_accelerations);
  void write(const Context& context, const Workspace& workspace, std::span<double> reactions) const;

  std::vector<Wrench<double>> on_joint_;  // on the second part of each joint about Bo, world axes
  std::vector<Wrench<double>> on_part_;   // all but welds, about the world's origin
  std::vector<Size> joint_sizes_, part_sizes_;
};

// Effort and power of every driver.
void driver_efforts(const Context& context, const Workspace& workspace, std::span<const double> multipliers,
                    std::span<double> efforts);

}  // namespace gelenk::mechanics
