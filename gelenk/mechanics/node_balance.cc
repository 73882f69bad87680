#include "gelenk/mechanics/node_balance.h"

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/math/small_dense.h"
#include "gelenk/math/vector.h"

namespace gelenk::mechanics {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kMostTrials = 200;
// Of a step, in lengths of the machine, or beside the velocity: Newton squares it, so that the next one is rounding.
constexpr double kLastStep = 1e-9;
// A place that is this near stays, to the last bit: what was found and kept in the state is found again.
constexpr double kSettled = 1e-13;      // in lengths of the machine
constexpr double kNoStiffness = 1e-13;  // of the stiffest direction
constexpr double kFirstDamping = 1e-3;  // of a trial that went wrong (Levenberg and Marquardt)
constexpr double kNoDamping = 1e-7;

class GroupBalance {
 public:
  GroupBalance(const Context& context, Workspace& workspace, std::size_t number)
      : context_(context),
        workspace_(workspace),
        nodes_(workspace.nodes),
        group_(context.system.node_groups[number]),
        number_(number),
        count_(static_cast<Index>(group_.unknowns.size())),
        balance_(count_),
        matrix_(count_, count_) {}

  void find() {
    const bool is_found = search();
    nodes_.is_found[number_] = is_found ? 1 : 0;
    keep_matrices();
    if (is_found) {
      find_velocities();
      return;
    }
    for (const std::int32_t n : group_.nodes) {
      nodes_.motions[at(n)].p.setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  }

 private:
  std::span<const double> values() const { return {matrix_.data(), static_cast<std::size_t>(matrix_.size())}; }
  Vector3 axis(const system::NodeGroup::Unknown& one) const { return nodes_.motions[at(one.node)].R.col(one.axis); }
  bool flows(const system::NodeGroup::Unknown& one) const { return context_.system.nodes[at(one.node)].flows; }

  bool search() {
    sum_forces();
    double damping = 0.0;
    for (int trial = 0; trial < kMostTrials; ++trial) {
      if (!balance_.allFinite()) return false;
      if (trial == 0 || is_moved_) differentiate();
      if (!matrix_.allFinite()) return false;
      VectorXd step = step_with(damping);
      if (!step.allFinite()) return false;
      leave_settled(step);
      const VectorXd before = balance_;
      move(step);
      sum_forces();
      const bool is_last = is_small(step);
      is_moved_ = is_last || (balance_.allFinite() && balance_.norm() <= before.norm());
      if (!is_moved_) {
        move(-step);
        balance_ = before;
        damping = std::max(10.0 * damping, kFirstDamping);
        continue;
      }
      if (is_last && damping == 0.0) return true;
      damping = damping < kNoDamping ? 0.0 : 0.1 * damping;
    }
    return false;
  }

  VectorXd step_with(double damping) const {
    VectorXd step(count_);
    const std::span<double> out(step.data(), group_.unknowns.size());
    const std::span<const double> now(balance_.data(), group_.unknowns.size());
    if (damping > 0.0) {
      damped_step(values(), group_.unknowns.size(), damping, now, out);
      return step;
    }
    RowMajor inverse(count_, count_);
    pseudo_inverse(values(), group_.unknowns.size(), kNoStiffness,
                   {inverse.data(), static_cast<std::size_t>(inverse.size())});
    return -(inverse * balance_);
  }

  void leave_settled(VectorXd& step) const {
    for (Index u = 0; u < count_; ++u) {
      const bool is_near = std::abs(step(u)) <= kSettled * context_.params.length;
      if (is_near && !flows(group_.unknowns[static_cast<std::size_t>(u)])) step(u) = 0.0;
    }
  }

  bool is_small(const VectorXd& step) const {
    for (Index u = 0; u < count_; ++u) {
      const system::NodeGroup::Unknown& one = group_.unknowns[static_cast<std::size_t>(u)];
      const double beside = context_.params.length + (flows(one) ? nodes_.motions[at(one.node)].v.norm() : 0.0);
      if (std::abs(step(u)) > kLastStep * beside) return false;
    }
    return true;
  }

  void move(const VectorXd& step) {
    for (Index u = 0; u < count_; ++u) {
      const system::NodeGroup::Unknown& one = group_.unknowns[static_cast<std::size_t>(u)];
      Motion<double>& m = nodes_.motions[at(one.node)];
      (flows(one) ? m.v : m.p) += axis(one) * step(u);
    }
  }

  // Calls f(unknown, force) for what a force does to each unknown.
  template <class T, class F>
  void for_each_part(const ForceResult<T>& result, F&& f) const {
    const auto visit = [&](std::int32_t frame, const Vec3<T>& force) {
      if (frame < 0 || !system::is_node(context_.system.frames[at(frame)].body)) return;
      const std::int32_t node = system::node_of_body(context_.system.frames[at(frame)].body);
      for (Index u = 0; u < count_; ++u) {
        if (group_.unknowns[static_cast<std::size_t>(u)].node == node) f(u, force);
      }
    };
    visit(result.frame_a, result.on_a.force);
    visit(result.frame_b, result.on_b.force);
  }

  void sum_forces() {
    balance_.setZero();
    const View<double> now = view(context_, workspace_);
    for (const std::int32_t force : group_.forces) {
      for_each_part(now.force(force), [&](Index u, const Vector3& value) {
        balance_(u) += axis(group_.unknowns[static_cast<std::size_t>(u)]).dot(value);
      });
    }
  }

  template <class T>
  View<T> held_view(Scratch<T>& scratch) const {
    View<T> result(context_.system, context_.params, context_.state, workspace_.bodies, scratch, &workspace_.ports);
    result.set_sealed_signals(workspace_.sealed_signals);
    result.set_nodes(nodes_, true);
    return result;
  }

  double along(Index u, const Vec3<Dual<12>>& force, std::size_t k) const {
    const Vector3 direction = axis(group_.unknowns[static_cast<std::size_t>(u)]);
    return direction.x() * force.x().partials[k] + direction.y() * force.y().partials[k] +
           direction.z() * force.z().partials[k];
  }

  void differentiate() {
    matrix_.setZero();
    View<Dual<12>> by_node = held_view(workspace_.node_scratch);
    for (const std::int32_t n : group_.nodes) {
      by_node.seed_body(system::node_of_body(n));
      for (const std::int32_t force : group_.forces) {
        for_each_part(by_node.force(force), [&](Index u, const Vec3<Dual<12>>& value) {
          for (Index by = 0; by < count_; ++by) {
            const system::NodeGroup::Unknown& one = group_.unknowns[static_cast<std::size_t>(by)];
            if (one.node != n) continue;
            const Vector3 way = axis(one);
            const std::size_t first = flows(one) ? 6 : 0;
            for (std::size_t k = 0; k < 3; ++k) {
              matrix_(u, by) += along(u, value, first + k) * way(static_cast<Index>(k));
            }
          }
        });
      }
    }
  }

  void keep_matrices() {
    std::vector<double>& inverse = nodes_.inverses[number_];
    nodes_.matrices[number_].assign(values().begin(), values().end());
    inverse.assign(values().size(), 0.0);
    pseudo_inverse(values(), group_.unknowns.size(), kNoStiffness, inverse);
  }

  // Of the nodes that do not flow: equations.md (14.3).
  void find_velocities() {
    View<Dual<1>> by_time = held_view(workspace_.time_scratch);
    by_time.seed_time();
    VectorXd rates = VectorXd::Zero(count_);
    for (const std::int32_t force : group_.forces) {
      for_each_part(by_time.force(force), [&](Index u, const Vec3<Dual<1>>& value) {
        const Vector3 direction = axis(group_.unknowns[static_cast<std::size_t>(u)]);
        for (Index k = 0; k < 3; ++k) rates(u) += direction(k) * value(k).partials[0];
      });
    }
    const VectorXd change = -(Eigen::Map<const RowMajor>(nodes_.inverses[number_].data(), count_, count_) * rates);
    for (Index u = 0; u < count_; ++u) {
      const system::NodeGroup::Unknown& one = group_.unknowns[static_cast<std::size_t>(u)];
      if (!flows(one)) nodes_.motions[at(one.node)].v += axis(one) * change(u);
    }
  }

  const Context& context_;
  Workspace& workspace_;
  NodeMotions& nodes_;
  const system::NodeGroup& group_;
  std::size_t number_;
  Index count_;
  VectorXd balance_;  // sum of all forces along each unknown
  RowMajor matrix_;   // its derivatives by the unknowns
  bool is_moved_ = false;
};

}  // namespace

void balance_nodes(const Context& context, Workspace& workspace) {
  const system::System& system = context.system;
  if (system.nodes.empty()) return;
  for (std::size_t n = 0; n < system.nodes.size(); ++n) {
    const Pose& drawn = context.params.frames[at(system.nodes[n].frame)];
    Motion<double>& m = workspace.nodes.motions[n];
    m = {drawn.position, drawn.rotation};
    for (int k = 0; k < 3; ++k) {
      const std::int32_t place = system.nodes[n].places[static_cast<std::size_t>(k)];
      if (place >= 0) m.p += drawn.rotation.col(k) * context.state.extra[at(place)];
    }
  }
  for (std::size_t g = 0; g < system.node_groups.size(); ++g) GroupBalance(context, workspace, g).find();
}

void settle_nodes(const Context& context, const Workspace& workspace, system::State& state) {
  const system::System& system = context.system;
  for (std::size_t n = 0; n < system.nodes.size(); ++n) {
    const system::Node& node = system.nodes[n];
    if (node.flows || workspace.nodes.is_found[at(node.group)] == 0) continue;
    const Pose& drawn = context.params.frames[at(node.frame)];
    const Vector3 way = workspace.nodes.motions[n].p - drawn.position;
    for (int k = 0; k < 3; ++k) {
      const std::int32_t place = node.places[static_cast<std::size_t>(k)];
      if (place >= 0) state.extra[at(place)] = drawn.rotation.col(k).dot(way);
    }
  }
}

}  // namespace gelenk::mechanics
