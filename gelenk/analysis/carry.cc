#include "gelenk/analysis/carry.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/coordinates.h"
#include "gelenk/mechanics/evaluate.h"

namespace gelenk::analysis {
namespace {

using model::Coordinate;

class Carrier {
 public:
  Carrier(const system::System& system, const system::Params& params, std::span<const HeldCoordinate> held,
          bool aligned, system::State& state)
      : system_(system),
        params_(params),
        is_aligned_(aligned),
        state_(state),
        workspace_(system),
        held_of_(system.coordinates.size()) {
    for (const HeldCoordinate& one : held) held_of_[at(one.coordinate)] = &one;
    mechanics::update_positions({system, params, state}, workspace_);
    is_placed_.assign(system.bodies.size() + 1, false);
    is_placed_[0] = true;
  }

  void run() {
    std::vector<std::int32_t> order;
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      if (is_carrying(system_.joints[j])) order.push_back(static_cast<std::int32_t>(j));
    }
    const auto rank = [&](std::int32_t j) {
      const system::Joint& joint = system_.joints[at(j)];
      const bool is_grounded = system_.frames[at(joint.frame_a)].body == system::kGround ||
                               system_.frames[at(joint.frame_b)].body == system::kGround;
      return is_held(joint) ? 0 : is_grounded ? 1 : 2;
    };
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return rank(a) < rank(b); });
    // The ground is the root; then the first body of every group that hangs together without it.
    grow(order);
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
      if (is_placed_[b + 1]) continue;
      is_placed_[b + 1] = true;
      grow(order);
    }
  }

 private:
  // A rod, a rim or a blade says nothing about where its part is.
  bool is_carrying(const system::Joint& joint) const {
    if (joint.is_welded) return false;
    if (joint.type->primitives.empty()) return is_held(joint);  // it says where its part is if its user does
    return model::type_of(joint.type->primitives.front()).places_part;
  }

  bool is_held(const system::Joint& joint) const {
    for (std::int32_t i = 0; i < joint.coordinate_count; ++i) {
      if (held_of_[at(joint.first_coordinate + i)] != nullptr) return true;
    }
    return false;
  }

  // Places whatever can be reached; each time the first joint in the order that leads on.
  void grow(std::vector<std::int32_t>& order) {
    bool has_grown = true;
    while (has_grown) {
      has_grown = false;
      for (const std::int32_t j : order) {
        const system::Joint& joint = system_.joints[at(j)];
        const std::int32_t a = system_.frames[at(joint.frame_a)].body;
        const std::int32_t b = system_.frames[at(joint.frame_b)].body;
        if (is_placed_[at(a + 1)] == is_placed_[at(b + 1)]) continue;
        place(joint, a, b);
        has_grown = true;
      }
      std::erase_if(order, [&](std::int32_t j) {
        const system::Joint& joint = system_.joints[at(j)];
        return is_placed_[at(system_.frames[at(joint.frame_a)].body + 1)] &&
               is_placed_[at(system_.frames[at(joint.frame_b)].body + 1)];
      });
    }
  }

  Pose body_pose(std::int32_t body) const {
    if (body == system::kGround) return {};
    return {state_.orientation[at(body)].toRotationMatrix(), state_.position[at(body)]};
  }

  void place(const system::Joint& joint, std::int32_t a, std::int32_t b) {
    const Pose X_AB = joint_pose(joint);
    const Pose& X_BodyA = params_.frames[at(joint.frame_a)];
    const Pose& X_BodyB = params_.frames[at(joint.frame_b)];
    const bool second_follows = is_placed_[at(a + 1)];
    const std::int32_t body = second_follows ? b : a;
    const Pose pose = second_follows ? body_pose(a) * X_BodyA * X_AB * X_BodyB.inverse()
                                     : body_pose(b) * X_BodyB * X_AB.inverse() * X_BodyA.inverse();
    state_.position[at(body)] = pose.position;
    state_.orientation[at(body)] = quaternion_from_rotation(pose.rotation);
    is_placed_[at(body + 1)] = true;
    if (is_aligned_) align(joint, body);
  }

  // Points of a body that other joints want to be at points of bodies placed before.
  struct Closure {
    Vector3 point, wanted;
  };
  std::vector<Closure> closures(const system::Joint& by, std::int32_t body) const {
    std::vector<Closure> result;
    for (const system::Joint& joint : system_.joints) {
      const std::int32_t a = system_.frames[at(joint.frame_a)].body;
      const std::int32_t b = system_.frames[at(joint.frame_b)].body;
      const bool is_point =
          !joint.type->primitives.empty() && joint.type->primitives.front() == model::Primitive::point;
      if (&joint == &by || !is_point || (a != body && b != body) || a == b) continue;
      if (!is_placed_[at(a + 1)] || !is_placed_[at(b + 1)]) continue;
      const Vector3 p_a = (body_pose(a) * params_.frames[at(joint.frame_a)]).position;
      const Vector3 p_b = (body_pose(b) * params_.frames[at(joint.frame_b)]).position;
      result.push_back(b == body ? Closure{p_b, p_a} : Closure{p_a, p_b});
    }
    return result;
  }

  void align(const system::Joint& joint, std::int32_t body) {
    for (std::int32_t i = 0; i < joint.coordinate_count; ++i) {
      const Coordinate& c = *system_.coordinates[at(joint.first_coordinate + i)].type;
      if (held_of_[at(joint.first_coordinate + i)] != nullptr || c.motion == Coordinate::Motion::orientation) continue;
      if (c.is_on_curve) continue;  // the loop is closed from where it is drawn
      const std::vector<Closure> wishes = closures(joint, body);
      if (wishes.empty()) return;
      // An axis that the two frames share while the joint is closed
      const Pose A = body_pose(system_.frames[at(joint.frame_a)].body) * params_.frames[at(joint.frame_a)];
      const Pose B = body_pose(system_.frames[at(joint.frame_b)].body) * params_.frames[at(joint.frame_b)];
      const Vector3 axis =
          c.axis == 2 || c.motion == Coordinate::Motion::translation ? A.rotation.col(c.axis) : B.rotation.col(c.axis);
      if (c.motion == Coordinate::Motion::translation) {
        double shift = 0.0;
        for (const Closure& wish : wishes) shift += axis.dot(wish.wanted - wish.point);
        state_.position[at(body)] += axis * (shift / static_cast<double>(wishes.size()));
        continue;
      }
      double sine = 0.0;
      double cosine = 0.0;
      for (const Closure& wish : wishes) {
        const Vector3 from = wish.point - B.position;
        const Vector3 to = wish.wanted - B.position;
        sine += axis.dot(from.cross(to));
        cosine += from.dot(to) - axis.dot(from) * axis.dot(to);
      }
      if (sine == 0.0 && cosine == 0.0) continue;
      const Eigen::AngleAxisd turn(std::atan2(sine, cosine), axis);
      state_.position[at(body)] = B.position + turn * Vector3(state_.position[at(body)] - B.position);
      state_.orientation[at(body)] = (Quaternion(turn) * state_.orientation[at(body)]).normalized();
    }
  }

  // The joint closed, with its coordinates as wanted or as drawn.
  Pose joint_pose(const system::Joint& joint) const {
    const mechanics::FrameMotion& A = workspace_.frames[at(joint.frame_a)];
    const mechanics::FrameMotion& B = workspace_.frames[at(joint.frame_b)];
    Pose X_AB;
    for (std::int32_t i = 0; i < joint.coordinate_count; ++i) {
      const Coordinate& c = *system_.coordinates[at(joint.first_coordinate + i)].type;
      const HeldCoordinate* wanted = held_of_[at(joint.first_coordinate + i)];
      if (c.motion == Coordinate::Motion::orientation) {
        X_AB.rotation = wanted != nullptr ? Matrix3(wanted->orientation.normalized().toRotationMatrix())
                                          : Matrix3(A.R.transpose() * B.R);
        continue;
      }
      const Curve* const curve = params_.curve(system_.coordinates[at(joint.first_coordinate + i)].curve);
      const double value = wanted != nullptr ? wanted->value : mechanics::coordinate_value<double>(c, A, B, curve);
      if (curve != nullptr) {
        const CurvePoint<double> C = curve->at(curve->parameter(value));
        X_AB = {axes_of(*curve, C).directions, C.position};
        continue;
      }
      if (c.motion == Coordinate::Motion::translation) {
        X_AB.position(c.axis) = value;
      } else {
        X_AB.rotation = X_AB.rotation * Matrix3(Eigen::AngleAxisd(value, Vector3::Unit(c.axis)));
      }
    }
    return X_AB;
  }

  const system::System& system_;
  const system::Params& params_;
  bool is_aligned_;
  system::State& state_;
  mechanics::Workspace workspace_;  // as drawn
  std::vector<const HeldCoordinate*> held_of_;
  std::vector<bool> is_placed_;  // the ground, then each body
};

}  // namespace

void carry(const system::System& system, const system::Params& params, std::span<const HeldCoordinate> held,
           bool aligned, system::State& state) {
  Carrier(system, params, held, aligned, state).run();
}

}  // namespace gelenk::analysis
