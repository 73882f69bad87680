#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/solve/component_plan.h"
#include "gelenk/solve/elimination.h"
#include "gelenk/solve/joint_motion.h"
#include "gelenk/solve/node_functions.h"
#include "gelenk/solve/node_side.h"

namespace gelenk::solve {

// The pose of a component: masses of its own bodies, packed rows, arms of its ports (three each, world axes). Masses
// and rows stay where they are.
struct NodePose {
  std::span<const BodyMass> masses;
  const double* values = nullptr;
  std::vector<double> arms;
};

// Calls visit(joint, its side a, its side b) for all joints of a program.
template <class Visit>
void visit_joints(const Program& program, const double* values, Visit&& visit) {
  for (const JointRows& joint : program.layout.joints) {
    const double* const of_joint = values + joint.first_value;
    visit(joint, JointView{&joint, of_joint, false}, JointView{&joint, of_joint, true});
  }
}

// Factor of a force (components 0 to 2) or moment (3 to 5) on a body, to units of its own mass and inertia.
double force_scale(const BodyMass& mass, std::size_t component);

// What a sweep leaves of a right side, and the correction that it is solved for: elimination.md, section 8.
class NodeRest {
 public:
  explicit NodeRest(const NodePlan& plan) : plan_(plan) {}

  void make_room();
  // f := f + Gᵀλ, on ghosts Gᵀλ alone; then Xᵀτ - M a on top of that, τ at the ports, or as wrenches on all bodies of
  // the program.
  void find_joint_forces(const NodePose& pose, const NodeSide& side);
  void find_forces(const NodePose& pose, const NodeSide& side, std::span<const double> tau,
                   std::span<const double> wrenches, NodeResidual& report);
  // What a joint of a component inside does to a body of the program.
  void add_force(std::int32_t body, std::span<const double, 6> wrench) {
    for (std::size_t i = 0; i < 6; ++i) f_[6 * static_cast<std::size_t>(body) + i] += wrench[i];
  }
  // u := u - G a on the accepted rows, zero on the dropped ones.
  void find_rows(const NodePose& pose, const NodeSide& side, const Elimination& elimination, std::int64_t decisions,
                 NodeResidual& report);
  // Adds the correction to what was found; the largest change of a body's acceleration.
  double correct(NodeSide& side) const;

  std::span<const double> f() const { return f_; }
  std::span<const double> u() const { return u_; }
  std::span<double> a() { return a_; }
  std::span<double> lambda() { return lambda_; }
  std::size_t memory() const;

 private:
  void note_dropped(const Elimination& elimination);

  const NodePlan& plan_;
  std::vector<double> f_, u_, a_, lambda_;
  // Rows of the program that these decisions about rank dropped.
  static constexpr std::int64_t kNoDecisions = -1;
  std::int64_t dropped_by_ = kNoDecisions;
  std::vector<char> is_dropped_;
  std::vector<double> product_;  // rows of one joint
};

}  // namespace gelenk::solve
