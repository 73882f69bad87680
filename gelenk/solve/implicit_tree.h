#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/solve/implicit_node.h"

namespace gelenk::solve {

// What the motion of one body or port does to another, rows of twelve: by the six unknowns of a body, or by the changes
// of position and velocity of a port. Elements of one component see its own bodies and the ports of the components
// inside it; port p is body (number of bodies) + p, as in joints.
struct ImplicitBlock {
  std::int32_t component = kNone;  // of the partition: the one with the element
  std::int32_t on = kNone, by = kNone;
  std::array<double, kBlockSize> values{};
};

// Solves, component by component,
//
//   A x - Gᵀ l = f,   G x = u
//
// with any blocks in A, on a machine that is divided: the Newton matrix of an implicit step. Each component condenses
// its own part to its ports and is known to its owner by functions alone. G is given by changes of position, or by
// those of position and velocity; those of bodies may be turned against their unknowns, see Matrix.
class ImplicitTree {
 public:
  // `foreign`: functions of the components from elsewhere.
  explicit ImplicitTree(std::shared_ptr<const Plan> plan, std::span<const ImplicitFunctions> foreign = {});

  // Whether elements of a component see a body or a port.
  bool sees(std::int32_t component, std::int32_t end) const {
    return !place_of(node_of_[at(component)], end).is_none();
  }

  struct Matrix {
    std::span<const ImplicitBlock> blocks;
    std::span<const RowBodies> row_ends;           // bodies or ports of each row of the machine
    std::span<const RowBlock> rows;                // G of each row, on these: what its multiplier does
    std::span<const RowBlock> row_motions;         // the same by the unknowns of these
    std::span<const std::int32_t> accepted;        // rows
    std::span<const ImplicitNode::PortMap> ports;  // of the partition
    // Rows of velocities: their row_motions at a port are by its position, and `rows` by its velocity. None: empty.
    std::span<const char> is_of_velocity = {};
  };
  void load(const Matrix& matrix);
  // Of what is loaded. False: it is singular, or a component is when left alone.
  bool factor() { return root().factor(shown_.data()); }

  // f: six for each body, then loads on the ports of the partition; u: for each accepted row, in their order.
  void set_right_side(std::span<const double> f, std::span<const double> u);
  void sweep();
  void collect(std::span<double> x, std::span<double> l) const;

  // Of the outermost component, for an owner elsewhere.
  ImplicitFunctions functions() { return root().functions(); }

 private:
  ImplicitNode& root() { return *nodes_.back(); }
  ImplicitNode::Place place_of(std::int32_t node, std::int32_t end) const;
  void set_pattern(const Matrix& matrix);
  std::int32_t columns_of(const Matrix& matrix, std::int32_t row, std::int32_t end) const;

  struct RowPlace {
    std::size_t node = 0, place = 0;  // place: among the rows of the node
  };

  std::shared_ptr<const Plan> plan_;
  std::vector<std::unique_ptr<ImplicitNode>> nodes_;
  std::vector<std::int32_t> node_of_;    // by component
  std::vector<std::size_t> first_load_;  // by port of the partition
  // What the pattern was made for.
  std::vector<std::int32_t> pattern_ends_, pattern_rows_, ends_;
  bool pattern_has_rates_ = false;
  std::vector<RowPlace> row_places_;  // of each accepted row
  std::vector<double*> next_value_;   // by node
  std::vector<double> shown_;
};

}  // namespace gelenk::solve
