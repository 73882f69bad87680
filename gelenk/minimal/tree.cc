#include "gelenk/minimal/tree.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/math/rotation.h"
#include "gelenk/mechanics/coordinates.h"

namespace gelenk::minimal {
namespace {

using system::kGround;

int freedoms(const model::Coordinate& coordinate) {
  return coordinate.motion == model::Coordinate::Motion::orientation ? 3 : 1;
}

// Where a frame is, from that of its body; on the ground, in the world.
Pose place_of(const system::System& system, const system::Params& params, std::int32_t frame) {
  Pose pose = params.frames[at(frame)];
  if (system.frames[at(frame)].body == kGround) pose.position += params.ground_origin;
  return pose;
}

class Planner {
 public:
  Planner(const system::System& system, const system::Params& params) : system_(system), params_(params) {
    tree_.link_of_body.assign(system.bodies.size(), -1);
    tree_.body_in_link.resize(system.bodies.size());
    tree_.link_of_coordinate.assign(system.coordinates.size(), -1);
    depth_.assign(system.bodies.size(), 0);
    is_used_.assign(system.joints.size(), false);
    is_driven_.assign(system.joints.size(), false);
    for (const system::Driver& driver : system.drivers) {
      is_driven_[at(system.coordinates[at(driver.coordinate)].joint)] = true;
    }
  }

  Tree plan() && {
    for (;;) {
      if (const std::int32_t joint = best_joint(); joint >= 0) {
        hang_by(joint);
      } else if (const auto body = std::find(tree_.link_of_body.begin(), tree_.link_of_body.end(), -1);
                 body != tree_.link_of_body.end()) {
        float_freely(static_cast<std::int32_t>(body - tree_.link_of_body.begin()));
      } else {
        break;
      }
    }
    for (std::size_t j = 0; j < is_used_.size(); ++j) {
      if (!is_used_[j] && !system_.joints[j].is_welded) tree_.cut_joints.push_back(static_cast<std::int32_t>(j));
    }
    return std::move(tree_);
  }

 private:
  bool is_known(std::int32_t body) const { return body == kGround || tree_.link_of_body[at(body)] >= 0; }

  // Its coordinates say where one frame is as seen from the other.
  bool can_carry(const system::Joint& joint) const {
    if (joint.is_welded || joint.frame_a < 0 || joint.frame_b < 0) return false;
    int freedom = 0;
    for (std::int32_t c = 0; c < joint.coordinate_count; ++c) {
      if (system_.coordinates[at(joint.first_coordinate + c)].curve >= 0) return false;
      freedom += freedoms(*system_.coordinates[at(joint.first_coordinate + c)].type);
    }
    return freedom + joint.row_count == 6;
  }

  std::int32_t best_joint() const {
    std::int32_t best = -1;
    std::tuple<bool, std::int32_t, std::int32_t> least;
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      const system::Joint& joint = system_.joints[j];
      if (is_used_[j] || !can_carry(joint)) continue;
      const std::int32_t a = body_of(joint.frame_a), b = body_of(joint.frame_b);
      if (is_known(a) == is_known(b)) continue;
      const std::int32_t from = is_known(a) ? a : b;
      const std::tuple cost(!is_driven_[j], 6 - joint.row_count, from == kGround ? 0 : depth_[at(from)]);
      if (best < 0 || cost < least) {
        best = static_cast<std::int32_t>(j);
        least = cost;
      }
    }
    return best;
  }

  std::int32_t body_of(std::int32_t frame) const { return system_.frames[at(frame)].body; }

  void hang_by(std::int32_t number) {
    const system::Joint& joint = system_.joints[at(number)];
    is_used_[at(number)] = true;
    const bool is_forward = is_known(body_of(joint.frame_a));
    const std::int32_t inner = is_forward ? joint.frame_a : joint.frame_b;
    const std::int32_t outer = is_forward ? joint.frame_b : joint.frame_a;
    Link link = begin_at(body_of(inner), place_of(system_, params_, inner));
    link.joint = number;
    link.sign = is_forward ? 1.0 : -1.0;
    if (joint.coordinate_count == 0) add(link);
    for (std::int32_t c = 0; c < joint.coordinate_count; ++c) {
      // Passed the other way, the last motion comes first.
      link.coordinate = joint.first_coordinate + (is_forward ? c : joint.coordinate_count - 1 - c);
      const model::Coordinate& type = *system_.coordinates[at(link.coordinate)].type;
      using Motion = model::Coordinate::Motion;
      link.kind = type.motion == Motion::rotation      ? Link::Kind::turn
                  : type.motion == Motion::translation ? Link::Kind::slide
                                                       : Link::Kind::ball;
      link.axis = type.axis;
      add(link);
      link.from_parent = Pose();
      link.parent = static_cast<std::int32_t>(tree_.links.size()) - 1;
    }
    const std::int32_t body = body_of(outer);
    carry(body, place_of(system_, params_, outer).inverse());
    depth_[at(body)] = body_of(inner) == kGround ? 1 : depth_[at(body_of(inner))] + 1;
  }

  void float_freely(std::int32_t body) {
    Link link;
    link.kind = Link::Kind::slide;
    for (int axis = 0; axis < 3; ++axis) {
      link.axis = axis;
      add(link);
      link.parent = static_cast<std::int32_t>(tree_.links.size()) - 1;
    }
    link.kind = Link::Kind::ball;
    add(link);
    carry(body, Pose());
    depth_[at(body)] = 1;
  }

  Link begin_at(std::int32_t body, const Pose& place) const {
    Link link;
    link.from_parent = snapped(place, params_.length);
    if (body == kGround) return link;
    link.parent = tree_.link_of_body[at(body)];
    link.from_parent = snapped(tree_.body_in_link[at(body)] * place, params_.length);
    return link;
  }

  void add(Link link) {
    if (link.kind != Link::Kind::fixed) {
      link.position = tree_.positions;
      link.rate = tree_.rates;
      tree_.positions += link.position_count();
      tree_.rates += link.rate_count();
    }
    if (link.coordinate >= 0)
      tree_.link_of_coordinate[at(link.coordinate)] = static_cast<std::int32_t>(tree_.links.size());
    tree_.links.push_back(link);
  }

  void carry(std::int32_t body, const Pose& in_link) {
    tree_.link_of_body[at(body)] = static_cast<std::int32_t>(tree_.links.size()) - 1;
    tree_.body_in_link[at(body)] = snapped(in_link, params_.length);
    tree_.links.back().body = body;
  }

  const system::System& system_;
  const system::Params& params_;
  Tree tree_;
  std::vector<std::int32_t> depth_;  // of each body
  std::vector<bool> is_used_, is_driven_;
};

void read_link(const Link& link, const system::System& system, const mechanics::Motion<double>& A,
               const mechanics::Motion<double>& B, const system::State& state, TreeState& result) {
  if (link.kind == Link::Kind::fixed) return;
  const auto x = result.positions.begin() + link.position;
  const auto v = result.rates.begin() + link.rate;
  if (link.kind == Link::Kind::ball) {
    const Quaternion q = quaternion_from_rotation(A.R.transpose() * B.R);
    std::copy_n(std::array{q.w(), q.x(), q.y(), q.z()}.begin(), 4, x);
    const Vector3 w = B.R.transpose() * (B.w - A.w);
    std::copy_n(w.data(), 3, v);
    return;
  }
  if (link.coordinate < 0) {  // of a body that floats
    *x = B.p(link.axis);
    *v = B.v(link.axis);
    return;
  }
  // A and B are in the order of the joint.
  const system::Coordinate& c = system.coordinates[at(link.coordinate)];
  const double value = mechanics::coordinate_value<double>(*c.type, A, B, nullptr);
  *x = c.tracked < 0 ? value : mechanics::unwrapped(value, state.extra[at(c.tracked)]);
  *v = mechanics::coordinate_rate<double>(*c.type, A, B, nullptr);
}

mechanics::Motion<double> body_motion(const system::State& state, std::int32_t body) {
  if (body < 0) return {};
  const auto b = at(body);
  Vector3 p = state.position[b];
  if (!state.origin.empty()) p += state.origin[b];
  return {p, state.orientation[b].toRotationMatrix(), Vector3::Map(&state.velocity[6 * b]),
          Vector3::Map(&state.velocity[6 * b + 3])};
}

}  // namespace

Pose snapped(Pose pose, double length) {
  constexpr double kRounding = 1e-12;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(pose.position(i)) < kRounding * length) pose.position(i) = 0.0;
    for (int k = 0; k < 3; ++k) {
      for (const double exact : {0.0, 1.0, -1.0}) {
        if (std::abs(pose.rotation(i, k) - exact) < kRounding) pose.rotation(i, k) = exact;
      }
    }
  }
  return pose;
}

TreeState read_tree_state(const Tree& tree, const system::System& system, const system::Params& params,
                          const system::State& state) {
  TreeState result{std::vector<double>(at(tree.positions)), std::vector<double>(at(tree.rates))};
  const auto frame_motion = [&](std::int32_t frame) {
    const std::int32_t body = system.frames[at(frame)].body;
    return mechanics::frame_on(body_motion(state, body), place_of(system, params, frame));
  };
  for (const Link& link : tree.links) {
    if (link.joint < 0) {
      if (link.kind == Link::Kind::ball) {
        read_link(link, system, {}, body_motion(state, link.body), state, result);
      } else {  // slides of a body that floats come before the turn that carries it
        const auto of_body =
            std::find_if(&link, tree.links.data() + tree.links.size(), [](const Link& next) { return next.body >= 0; });
        read_link(link, system, {}, body_motion(state, of_body->body), state, result);
      }
      continue;
    }
    const system::Joint& joint = system.joints[at(link.joint)];
    const mechanics::Motion<double> A = frame_motion(joint.frame_a), B = frame_motion(joint.frame_b);
    const bool is_backwards = link.kind == Link::Kind::ball && link.sign < 0.0;
    read_link(link, system, is_backwards ? B : A, is_backwards ? A : B, state, result);
  }
  return result;
}

Tree plan_tree(const system::System& system, const system::Params& params) { return Planner(system, params).plan(); }

}  // namespace gelenk::minimal
