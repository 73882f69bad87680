#include "gelenk/minimal/traced_motions.h"

#include <fmt/format.h>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/coordinates.h"
#include "gelenk/minimal/trace_scope.h"

namespace gelenk::minimal {
namespace {

const std::string& name_of(const system::System& system, std::int32_t body) { return system.lead_part(at(body)).path; }

// Numbers of the links, those of bodies in the axes of the link and about its origin.
std::vector<LinkNumbers<Traced>> link_numbers(const system::System& system, const system::Params& params,
                                              const Tree& tree, Parameters& parameters) {
  std::vector<LinkNumbers<Traced>> result;
  for (const Link& link : tree.links) {
    LinkNumbers<Traced> own;
    if (link.joint >= 0) {
      const std::string name = system.joints[at(link.joint)].path + ".from";
      own.C = parameters.matrix(name, link.from_parent.rotation);
      own.r = parameters.vector(name, "m", link.from_parent.position);
    }
    if (link.body >= 0) {
      const std::string& name = name_of(system, link.body);
      const system::BodyParams& body = params.bodies[at(link.body)];
      const Pose& in_link = tree.body_in_link[at(link.body)];
      own.mass = parameters(name + ".mass", "kg", body.mass);
      const Vec3<Traced> center = parameters.vector(name + ".center", "m", in_link.position);
      own.moment = center * own.mass;
      Matrix3 J = in_link.rotation * body.inertia() * in_link.rotation.transpose();
      const double largest = J.diagonal().maxCoeff();
      static constexpr std::string_view kAxes = "xyz";
      const Traced square = center.dot(center);
      for (int i = 0; i < 3; ++i) {
        for (int k = i; k < 3; ++k) {
          if (std::abs(J(i, k)) < 1e-12 * largest) J(i, k) = 0.0;
          own.inertia(i, k) = parameters(fmt::format("{}.inertia.{}{}", name, kAxes[static_cast<std::size_t>(i)],
                                                     kAxes[static_cast<std::size_t>(k)]),
                                         "kg*m^2", J(i, k)) +
                              own.mass * ((i == k ? square : Traced(0.0)) - center(i) * center(k));
        }
      }
    }
    result.push_back(own);
  }
  return result;
}

Vec3<Traced> uniform_gravity(const system::Params& params, Parameters& parameters) {
  const auto* uniform = std::get_if<model::UniformGravity>(&params.gravity);
  if (uniform == nullptr) return Vec3<Traced>::Zero();
  const double size = uniform->acceleration.norm();
  if (size == 0.0) return Vec3<Traced>::Zero();
  return parameters.direction("gravity.direction",
                              snapped({Matrix3::Identity(), uniform->acceleration / size}, 1.0).position) *
         parameters("gravity", "m/s^2", size);
}

std::vector<Traced> symbols(symbolic::Graph& graph, const std::vector<Id>& ids) {
  std::vector<Traced> result;
  for (const Id id : ids) result.emplace_back(graph, id);
  return result;
}

// Who uses each frame.
std::vector<std::string> frame_names(const system::System& system) {
  std::vector<std::string> names(system.frames.size());
  for (std::size_t f = 0; f < names.size(); ++f) names[f] = fmt::format("frame_{}", f);
  const auto set = [&](std::int32_t frame, const std::string& name) {
    if (frame >= 0) names[at(frame)] = name;
  };
  for (const system::Force& force : system.forces) {
    set(force.axes, force.path + ".axes");
    set(force.frame_a, force.path + ".first");
    set(force.frame_b, force.path + ".second");
  }
  for (const system::Joint& joint : system.joints) {
    set(joint.frame_a, joint.path + ".first");
    set(joint.frame_b, joint.path + ".second");
  }
  return names;
}

}  // namespace

TracedMotions::TracedMotions(const system::System& system, const system::Params& params, TracedMachine& machine,
                             Parameters& parameters)
    : system_(system),
      params_(params),
      machine_(machine),
      numbers_(link_numbers(system, params, machine.tree, parameters)),
      x_(symbols(machine.graph, machine.x)),
      v_(symbols(machine.graph, machine.v)),
      kernel_(machine.tree, numbers_, uniform_gravity(params, parameters)),
      world_(machine.tree.links.size()) {
  kernel_.move(x_, v_);
  for (std::size_t i = 0; i < world_.size(); ++i) world_[i] = carried_by(i);
  place_frames(parameters);
}

void TracedMotions::place_frames(Parameters& parameters) {
  const std::vector<std::string> names = frame_names(system_);
  for (std::size_t f = 0; f < names.size(); ++f) {
    Pose pose = params_.frames[f];
    if (system_.frames[f].body == system::kGround) pose.position += params_.ground_origin;
    frames_.push_back(place_on(system_.frames[f].body, pose, names[f], parameters));
  }
  for (std::size_t p = 0; p < system_.parts.size(); ++p) {
    parts_.push_back(
        place_on(system_.parts[p].body, params_.parts[p].X_BP, system_.parts[p].path + ".origin", parameters));
  }
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    const auto body = static_cast<std::int32_t>(b);
    bodies_.push_back(place_on(body, Pose(), name_of(system_, body) + ".center", parameters));
  }
}

TracedMotions::Place TracedMotions::place_on(std::int32_t body, const Pose& pose, const std::string& name,
                                             Parameters& parameters) const {
  if (body < 0) return {-1, parameters.vector(name, "m", pose.position), parameters.matrix(name, pose.rotation)};
  const Pose in_link = snapped(machine_.tree.body_in_link[at(body)] * pose, params_.length);
  return {machine_.tree.link_of_body[at(body)], parameters.vector(name, "m", in_link.position),
          parameters.matrix(name, in_link.rotation)};
}

TracedMotions::World TracedMotions::carried_by(std::size_t i) const {
  const Link& link = machine_.tree.links[i];
  const World parent = link.parent < 0 ? World() : world_[at(link.parent)];
  World result;
  result.before = parent.R * numbers_[i].C;
  const Vec3<Traced> arm = parent.R * numbers_[i].r + result.before * kernel_.shifted(i);
  result.p = parent.p + arm;
  for (int k = 0; k < 3; ++k) {
    result.R.col(k) = result.before * kernel_.turned(i, Vec3<Traced>(Vector3::Unit(k).cast<Traced>()));
  }
  Vec3<Traced> turn = Vec3<Traced>::Zero(), slide = turn;
  if (link.kind == Link::Kind::turn) turn = result.before.col(link.axis) * (v_[at(link.rate)] * Traced(link.sign));
  if (link.kind == Link::Kind::slide) slide = result.before.col(link.axis) * (v_[at(link.rate)] * Traced(link.sign));
  if (link.kind == Link::Kind::ball) {
    turn = result.R * Vec3<Traced>(v_[at(link.rate)], v_[at(link.rate) + 1], v_[at(link.rate) + 2]);
  }
  result.w = parent.w + turn;
  result.v = parent.v + parent.w.cross(arm) + slide;
  result.alpha = parent.alpha + parent.w.cross(turn);
  const Vec3<Traced> around = parent.w.cross(arm) + slide * Traced(2.0);
  result.a = parent.a + parent.alpha.cross(arm) + parent.w.cross(around);
  return result;
}

Motion<Traced> TracedMotions::motion(const Place& place) const {
  if (place.link < 0) return {place.arm, place.axes};
  const World& link = world_[at(place.link)];
  const Vec3<Traced> arm = link.R * place.arm;
  return {link.p + arm, link.R * place.axes, link.v + link.w.cross(arm), link.w};
}

Motion<Traced> TracedMotions::body(std::int32_t body) const {
  return body < 0 ? Motion<Traced>() : motion(bodies_[at(body)]);
}
Motion<Traced> TracedMotions::part(std::int32_t part) const { return motion(parts_[at(part)]); }
Motion<Traced> TracedMotions::frame(std::int32_t frame) const { return motion(frames_[at(frame)]); }

TracedMotions::Bias TracedMotions::frame_bias(std::int32_t frame) const {
  const Place& place = frames_[at(frame)];
  if (place.link < 0) return {};
  const World& link = world_[at(place.link)];
  const Vec3<Traced> arm = link.R * place.arm;
  const Vec3<Traced> around = link.w.cross(arm);
  return {link.a + link.alpha.cross(arm) + link.w.cross(around), link.alpha};
}

void TracedMotions::project(std::int32_t frame, const mechanics::Wrench<Traced>& wrench,
                            std::span<Traced> forces) const {
  project(frames_[at(frame)], wrench, forces);
}

void TracedMotions::project_on_body(std::int32_t body, const Vec3<Traced>& force, std::span<Traced> forces) const {
  project(bodies_[at(body)], {force, Vec3<Traced>::Zero()}, forces);
}

void TracedMotions::project(const Place& place, const mechanics::Wrench<Traced>& wrench,
                            std::span<Traced> forces) const {
  if (place.link < 0) return;
  const Vec3<Traced> point = motion(place).p;
  for (std::int32_t l = place.link; l >= 0; l = machine_.tree.links[at(l)].parent) {
    const Link& link = machine_.tree.links[at(l)];
    const World& world = world_[at(l)];
    if (link.kind == Link::Kind::fixed) continue;
    if (link.kind == Link::Kind::slide) {
      const Vec3<Traced> axis = world.before.col(link.axis);
      forces[at(link.rate)] += axis.dot(wrench.force) * Traced(link.sign);
      continue;
    }
    const Vec3<Traced> arm = point - world.p;
    const Vec3<Traced> moment = wrench.moment + arm.cross(wrench.force);
    if (link.kind == Link::Kind::turn) {
      const Vec3<Traced> axis = world.before.col(link.axis);
      forces[at(link.rate)] += axis.dot(moment) * Traced(link.sign);
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      forces[at(link.rate + k)] += Vec3<Traced>(world.R.col(k)).dot(moment);
    }
  }
}

Traced TracedMotions::coordinate(std::int32_t coordinate) const {
  const std::int32_t link = machine_.tree.link_of_coordinate[at(coordinate)];
  if (link >= 0) return x_[at(machine_.tree.links[at(link)].position)];
  const system::Coordinate& c = system_.coordinates[at(coordinate)];
  if (c.curve >= 0) throw NotKnown{"a curve"};
  const auto [A, B] = frames_of(system_.joints[at(c.joint)]);
  return mechanics::coordinate_value<Traced>(*c.type, A, B, nullptr);
}

Traced TracedMotions::rate(std::int32_t coordinate) const {
  const std::int32_t link = machine_.tree.link_of_coordinate[at(coordinate)];
  if (link >= 0) return v_[at(machine_.tree.links[at(link)].rate)];
  const system::Coordinate& c = system_.coordinates[at(coordinate)];
  if (c.curve >= 0) throw NotKnown{"a curve"};
  const auto [A, B] = frames_of(system_.joints[at(c.joint)]);
  return mechanics::coordinate_rate<Traced>(*c.type, A, B, nullptr);
}

}  // namespace gelenk::minimal
