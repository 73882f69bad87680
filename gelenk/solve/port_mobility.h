#pragma once

#include <span>
#include <vector>

#include "gelenk/solve/component_plan.h"
#include "gelenk/solve/ops/op_data.h"
#include "gelenk/solve/ops/published.h"

// What crosses the border of a component, expressed at its ports: with X the shift from a body's center of mass to a
// port,
//   D = X D_b Xᵀ = (X W) (X W)ᵀ,  r = X r_b + β,  τ_b = Xᵀ τ                                      components.md (2)
// Ports on one body have one D_b. Ghosts have their motion at the port already: their arms are zero.
namespace gelenk::solve {

class PortMobility {
 public:
  explicit PortMobility(const NodePlan& node);

  // D, six rows for each port, row by row. arms: three for each port, world axes.
  void publish(const OpData& data, std::span<const double> arms, std::span<double> D);
  // r without β
  void publish_rates(const OpData& data, std::span<const double> arms, std::span<double> r);
  // τ at the ports as wrenches on the bodies of the program, six each.
  void put_wrenches(std::span<const double> tau, std::span<const double> arms, std::span<double> on_bodies) const;
  // Motion of the ports without β.
  void put_motions(std::span<const double> a, std::span<const double> arms, std::span<double> at_ports) const;

 private:
  const NodePlan& node_;
  std::vector<Published> places_;           // of each port
  std::vector<std::size_t> first_columns_;  // of each port in columns_; those of D itself have none
  std::vector<double> columns_;             // X W of all ports
};

// The part of a child's D and r that belongs to its ghosts.
void pick_mobility(const PlanChild& child, std::span<const double> D, std::span<double> of_ghosts);
void pick_rates(const PlanChild& child, std::span<const double> r, std::span<double> of_ghosts);
std::size_t ghost_count(const PlanChild& child);

}  // namespace gelenk::solve
