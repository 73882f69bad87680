#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gelenk/solve/elimination.h"
#include "gelenk/solve/elimination_planner.h"
#include "gelenk/solve/elimination_program.h"
#include "gelenk/solve/network_planner.h"

namespace gelenk::solve {

// Adds ops to a program and runs each at once with the numbers of a pose, so that ranks and sizes are known, and so
// that ops can be tried and taken back.
class ProgramBuilder {
 public:
  // Masses of bodies that belong to given fronts are only what they are scaled with.
  ProgramBuilder(const JointRowLayout& layout, std::span<const BodyMass> masses, std::span<const double> values,
                 double tau, std::span<const GivenFront> given, std::span<const double* const> given_mobility,
                 std::span<OpData* const> called);

  // What the owner sees of the program, and the joints that it takes as rows.
  void set_border(const PlanOptions& options);

  // Operations of a factorization that an op adds.
  void add_tree(std::int32_t body, std::int32_t joint, std::int32_t parent);
  void add_start(std::int32_t body, std::int32_t base = kNone);
  // A component inside the machine, factored already; then one of its fronts, and what takes that along.
  void add_call(std::int32_t component);
  void add_called_front(std::int32_t component, std::int32_t front);
  double add_carry(std::int32_t body, std::int32_t base, const std::int32_t (&sources)[2],
                   std::span<const std::int32_t> inputs, std::span<const char> is_kept);
  void add_given(std::int32_t component, std::span<const char> is_loaded);
  struct Attachment {
    std::int32_t joint = kNone;
    std::int32_t body = kNone;
    std::int32_t parent = kNone;  // body; kNone: the ground
    bool is_free = false;         // the joint's rows are closed afterwards
  };
  double add_attach(const Attachment& attachment, std::int32_t base, std::int32_t source,
                    std::span<const std::int32_t> inputs, std::span<const char> is_kept);
  double add_close(std::int32_t base, const std::int32_t (&sources)[2], std::span<const std::int32_t> inputs,
                   std::span<const char> is_kept, std::span<const std::int32_t> closing);
  double add_compress(std::int32_t base);
  void add_finish(std::int32_t base);
  // A whole block with mobility fronts; its published fronts are added to the program's. Returns the smallest pivot.
  double add_network(const NetworkPlan& plan);

  struct Mark {
    std::size_t ops, live, closing, decisions, networks, pending, picks, published;
  };
  Mark mark() const;
  void take_back(const Mark& to);

  Program& program() { return program_; }
  const Program& program() const { return program_; }
  std::int32_t last() const { return static_cast<std::int32_t>(program_.ops.size()) - 1; }
  std::size_t columns_of_last() const { return elimination_->columns(program_.ops.size() - 1); }
  std::span<const std::int32_t> live_of(std::int32_t op) const {
    return op == kNone ? std::span<const std::int32_t>{} : program_.live_of(program_.ops[static_cast<std::size_t>(op)]);
  }
  Inertia& inertia(std::int32_t body) { return elimination_->inertia(static_cast<std::size_t>(body)); }

 private:
  void scale_rows(std::span<const BodyMass> masses, std::span<const double> values);
  void run_last();
  void add_live(Op& op, std::span<const std::int32_t> inputs, std::span<const char> is_kept);

  double tau_;
  Program program_;
  std::vector<std::vector<double>> given_rates_;  // zeros: no right side is needed for planning
  std::optional<Elimination> elimination_;
};

}  // namespace gelenk::solve
