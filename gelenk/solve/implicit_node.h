#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gelenk/math/sparse_lu.h"
#include "gelenk/solve/component_plan.h"

namespace gelenk::solve {

// All that an owner knows of a component in an implicit step: x_p = D τ + r at its ports, components.md (6).
// Wrenches at ports are as in NodeFunctions. Motions have twice as many numbers: changes of the position, for a frame
// displacement of its origin and small turn, then changes of the velocity, all in world axes and each in units of what
// the step makes of an acceleration. Wrenches act on the component. Matrices and right sides a component has by itself.
struct ImplicitFunctions {
  void* self = nullptr;
  // D of the matrix at hand, row by row. False: the matrix is singular or not finite.
  bool (*factor)(void* self, double* D) = nullptr;
  // r of the right side at hand.
  void (*up)(void* self, double* r) = nullptr;
  // Takes the wrenches τ at the ports, and gives the motions there.
  void (*down)(void* self, const double* tau, double* x) = nullptr;
};

// Numbers of a block, row by row: six rows; six columns for a body, the rest is not read, twelve for a port.
inline constexpr std::size_t kBlockColumns = 12;
inline constexpr std::size_t kBlockSize = 6 * kBlockColumns;
inline constexpr std::size_t kRowSize = 36;

// One component in an implicit step: one sparse LU of
//
//   A x - Gᵀ l - Xᵀτ = f      own bodies; τ from outside
//   x_h - D_h τ_h = r_h       the components inside, as they give them
//   A x - Gᵀ l + τ_h = w      their ports: what elements do there, τ_h is what they get
//   G x = u                   own rows that are accepted                                            components.md (5)
//
// in this order of equations, and of unknowns: x of own bodies (of the center of mass, world axes), x_h, τ_h, l. The
// sign of l is that of rows: Gᵀ l acts on the bodies.
class ImplicitNode {
 public:
  ImplicitNode(const Plan& plan, const NodePlan& node);

  void set_child(std::size_t child, const ImplicitFunctions& functions) { children_[child].functions = functions; }
  ImplicitFunctions functions();

  // Where a body or port of the machine is; none: elements of this component do not see it.
  struct Place {
    std::int32_t motion = kNone;   // first unknown
    std::int32_t balance = kNone;  // first equation
    bool is_none() const { return motion == kNone; }
  };
  Place place_of_body(std::int32_t body) const;
  Place place_of_port(std::int32_t port) const;
  // The first equation of a child's port.
  std::int32_t balance_of(std::size_t child, const PlanChild::Port& port) const {
    return children_[child].first_wrench + port.first;
  }

  struct BlockPlace {
    std::int32_t on = kNone, by = kNone;  // first equation, first unknown
    std::int32_t columns = 6;
  };
  struct RowPlace {
    Place a, b;  // none: the ground
    // By how many numbers of the motion there: twelve for rows of velocities at ports.
    std::int32_t columns_a = 6, columns_b = 6;
  };
  void set_pattern(std::vector<BlockPlace> blocks, std::vector<RowPlace> rows);
  // kBlockSize for each block, then kRowSize for each row: by the motions of its two ends, twelve each, and on these.
  std::span<double> values() { return values_; }
  // Where a port of an own body has its wrench, and how it moves with the unknowns of the body, 12 x 6; not read for
  // ports of components inside.
  struct PortMap {
    std::array<double, 3> arm{};
    std::array<double, 72> motion{};
  };
  std::span<PortMap> port_maps() { return port_maps_; }
  // f of the own bodies, w, u of the rows.
  std::span<double> right_side() { return right_side_; }
  std::span<const double> x() const { return solution_; }
  std::size_t first_row() const { return at_rows_; }

  bool factor(double* D);
  void up(double* r);
  void down(const double* tau, double* x);

 private:
  struct Child {
    ImplicitFunctions functions;
    const PlanChild* plan = nullptr;
    std::int32_t first_motion = 0, first_wrench = 0;  // unknowns
    std::vector<double> mobility, tau, motion;
  };

  bool is_own(std::size_t port) const { return static_cast<std::size_t>(node_.ports[port].body) < node_.own_count(); }
  void add_wrench(std::size_t port, const double* tau, std::span<double> to) const;
  void put_motions(std::span<const double> x, double* at_ports) const;

  const NodePlan& node_;
  std::vector<Child> children_;
  std::vector<std::pair<std::int32_t, Place>> seen_;  // ports of components inside, in order
  std::vector<Place> port_places_;                    // of the own ports
  std::vector<PortMap> port_maps_;
  std::size_t at_rows_ = 0;  // unknowns before those of the rows
  std::vector<BlockPlace> blocks_;
  std::vector<RowPlace> rows_;
  std::vector<double> values_, entries_, right_side_, solution_;
  SparseLu lu_;
};

}  // namespace gelenk::solve
