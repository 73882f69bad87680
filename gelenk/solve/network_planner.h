#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/solve/elimination_planner.h"
#include "gelenk/solve/elimination_program.h"
#include "gelenk/solve/joint_graph.h"
#include "gelenk/solve/network_order.h"

namespace gelenk::solve {

// The ops of one block with mobility fronts, to be appended to a program: places in its lists count from the start of
// these lists.
struct NetworkPlan {
  std::vector<Op> ops;
  std::vector<std::int32_t> live, kept;
  std::vector<Closing> closing;
  std::vector<Network> networks;
  std::vector<Pending> pending;
  std::vector<std::int32_t> picks;
  std::int32_t decision_count = 0;
  std::vector<std::int32_t> published;  // ops whose fronts have live bodies at the end
  ProgramCost cost;
};

// Plans blocks with mobility fronts (docs/theory/elimination.md, section 9) without numbers: how large each front is
// follows from the graph alone. Nets are taken in one sweep, or in halves of halves; what needs fewer operations is
// kept.
class NetworkPlanner {
 public:
  NetworkPlanner(std::span<const JointRows> joints, std::size_t body_count, std::span<const std::int32_t> borders,
                 std::span<const GivenFront> given);

  // is_loaded: bodies something was condensed on.
  NetworkPlan plan(const Block& block, std::span<const std::int32_t> bodies, std::span<const char> is_loaded);

 private:
  struct Front {
    std::int32_t op = kNone;
    std::int32_t head = kNone;  // network whose storage it is
    std::vector<char> is_used;  // slots
    std::vector<std::int32_t> bodies;
  };
  // A body, or a given front.
  struct Vertex {
    std::int32_t body = kNone;
    std::int32_t given = kNone;
  };

  std::int32_t rows_of(std::int32_t joint) const;
  std::int32_t other_end(std::int32_t joint, std::int32_t body) const;
  bool is_outside(std::int32_t body) const { return body < 0 || body == base_; }
  void make_graph(const Block& block, std::span<const std::int32_t> bodies);
  void reset(const Block& block);
  NetworkPlan write(const Block& block, const Dissection& dissection, std::size_t largest_leaf,
                    std::span<const char> is_loaded);

  std::int32_t enter(std::int32_t front, const Vertex& vertex, std::span<const char> is_loaded);
  std::int32_t enter_body(std::int32_t front, std::int32_t body);
  std::int32_t enter_given(std::int32_t given, std::span<const char> is_loaded);
  std::int32_t close_within(std::int32_t front);
  std::int32_t merge(std::int32_t first, std::int32_t second);
  std::int32_t ended(std::int32_t front);

  Op& add_join(std::int32_t body, std::int32_t first, std::int32_t second);
  void add_closing(Op& op, std::int32_t joint, std::int32_t first, std::int32_t new_body);
  void free_slots(Front& front, std::int32_t joint, std::int32_t body);
  std::int32_t take_slots(Front& front, std::int32_t count);
  void finish_join(Op& op, Front& front, std::int32_t slots_in);
  void add_live(Op& op, const Front& front);
  void drop_dead(Front& front) const;
  bool is_alive(std::int32_t body) const { return open_count_[at(body)] > 0 || is_border_[at(body)] != 0; }

  std::span<const JointRows> joints_;
  std::span<const GivenFront> given_;
  std::vector<char> is_border_;                       // by body
  std::vector<std::vector<std::int32_t>> joints_of_;  // by body, of the block at hand
  std::vector<char> is_open_;                         // by joint
  std::vector<std::int32_t> slots_[2];                // by joint: first slot of the rows of side a, b; or none
  std::vector<std::int32_t> units_;                   // by body: first slot, or none
  std::vector<std::int32_t> front_of_, open_count_;   // by body
  std::vector<std::int32_t> vertex_of_;               // by body
  std::vector<Vertex> vertices_;
  NetGraph graph_;
  std::vector<Front> fronts_;
  std::int32_t base_ = kNone;
  NetworkPlan plan_;
};

}  // namespace gelenk::solve
