#pragma once

#include <array>
#include <span>
#include <type_traits>
#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/acceleration_results.h"
#include "gelenk/mechanics/coordinates.h"
#include "gelenk/mechanics/follow_nodes.h"
#include "gelenk/mechanics/forces/all.h"
#include "gelenk/mechanics/gravity.h"
#include "gelenk/mechanics/motion.h"
#include "gelenk/mechanics/ports.h"
#include "gelenk/mechanics/quaternion_elements.h"
#include "gelenk/mechanics/relative_motion.h"
#include "gelenk/mechanics/seeds.h"
#include "gelenk/model/contact_types.h"
#include "gelenk/system/system.h"

namespace gelenk::mechanics {

// The machine at one instant as elements, laws and outputs read it, over any scalar. It stands on the motion of the
// bodies alone; a frame is made when it is read. With dual numbers it carries the derivatives by the motion of one body
// (twelve: displacement, small turn, velocity, angular velocity; world axes) or, along the motion, by time.
template <class T>
class View {
 public:
  enum class Seed { none, body, time, state };

  // `ports`: motions of these follow those of the bodies; none: every frame is on its body.
  View(const system::System& system, const system::Params& params, const system::State& state,
       std::span<const Motion<double>> bodies, Scratch<T>& scratch, const Ports* ports = nullptr)
      : system_(system), params_(params), state_(state), bodies_(bodies), scratch_(scratch), ports_(ports) {
    const std::size_t needed = system.formula_depth * (system.largest_formula + system.most_symbols);
    if (scratch.values.size() < needed) scratch.values.resize(needed);
    scratch.used = 0;
  }

  // As balance_nodes() left them. `are_held`: derivatives are those while no node follows what is seeded; that of a
  // node itself is taken by seed_body() with its number as a body.
  void set_nodes(const NodeMotions& nodes, bool are_held = false) {
    nodes_ = &nodes;
    nodes_are_held_ = are_held;
    forget_nodes();
  }
  void set_results(const AccelerationResults& results) { results_ = results; }
  // What sealed components report; their derivatives are not known and count as zero.
  void set_sealed_signals(std::span<const double> signals) { sealed_signals_ = signals; }
  // Derivatives by the motion of this body.
  void seed_body(std::int32_t body) {
    seed_ = Seed::body;
    seeded_ = body;
    forget_nodes();
  }
  // Derivatives by time of what depends on time, positions and states, whose rates are given: one for each number of
  // State::extra, those that no law reads may be anything.
  void seed_time(std::span<const double> extra_rates = {}) {
    seed_ = Seed::time;
    extra_rates_ = extra_rates;
    forget_nodes();
  }
  // Derivative by the number at this place of State::extra.
  void seed_state(std::int32_t place) {
    seed_ = Seed::state;
    seeded_ = place;
    forget_nodes();
  }

  Motion<T> body(std::int32_t index) const {
    if (index == system::kGround) return {};
    const Motion<double>& m = bodies_[static_cast<std::size_t>(index)];
    Motion<T> result = cast<T>(m);
    if constexpr (!std::is_same_v<T, double>) {
      if (seed_ == Seed::body && index == seeded_) seed_twelve(m, result);
      if (seed_ == Seed::time) seed_along(m, result);
    }
    return result;
  }

  Motion<T> frame(std::int32_t index) const {
    const auto i = static_cast<std::size_t>(index);
    if (ports_ != nullptr && ports_->at_frame(index) >= 0) return body(ports_->carrier(system_, index));
    const std::int32_t carrier = system_.frames[i].body;
    const Pose& X_BF = params_.frames[i];
    if (carrier == system::kGround) return {X_BF.position.cast<T>(), X_BF.rotation.cast<T>()};
    if (system::is_node(carrier)) return node(system::node_of_body(carrier));
    // Every force asks for frames in every evaluation: no copy of the body where none is needed.
    if constexpr (std::is_same_v<T, double>) {
      return frame_on(bodies_[static_cast<std::size_t>(carrier)], X_BF);
    } else {
      return frame_on(body(carrier), X_BF);
    }
  }

  T time() const {
    T result(state_.time);
    if constexpr (!std::is_same_v<T, double>) {
      if (seed_ == Seed::time) result.partials[0] = 1.0;
    }
    return result;
  }

  T coordinate(std::int32_t index) const {
    const system::Coordinate& c = system_.coordinates[static_cast<std::size_t>(index)];
    const system::Joint& joint = system_.joints[static_cast<std::size_t>(c.joint)];
    return coordinate_between(c, frame(joint.frame_a), frame(joint.frame_b));
  }

  T rate(std::int32_t index) const {
    const system::Coordinate& c = system_.coordinates[static_cast<std::size_t>(index)];
    const system::Joint& joint = system_.joints[static_cast<std::size_t>(c.joint)];
    return coordinate_rate<T>(*c.type, frame(joint.frame_a), frame(joint.frame_b), params_.curve(c.curve));
  }

  T signal(std::int32_t index) const {
    const std::size_t before = scratch_.used;
    const std::span<T> nodes = evaluate_nodes(index);
    const T value = nodes.empty() ? T(0.0) : nodes.back();
    scratch_.used = before;
    return value * params_.signals[static_cast<std::size_t>(index)].factor;
  }

  // All nodes of a signal's formula. They stay valid until the next signal is evaluated.
  std::span<T> signal_nodes(std::int32_t index) const {
    const std::size_t before = scratch_.used;
    const std::span<T> nodes = evaluate_nodes(index);
    scratch_.used = before;
    return nodes;
  }

  ForceResult<T> force(std::int32_t index) const {
    const auto i = static_cast<std::size_t>(index);
    const system::Force& force = system_.forces[i];
    ForceInput<T> in;
    ForceResult<T> out;
    if (force.value >= 0) in.value = signal(force.value);
    if (force.coordinate >= 0) {
      const system::Coordinate& c = system_.coordinates[static_cast<std::size_t>(force.coordinate)];
      const system::Joint& joint = system_.joints[static_cast<std::size_t>(c.joint)];
      const Motion<T> A = frame(joint.frame_a);
      const Motion<T> B = frame(joint.frame_b);
      in.coordinate = coordinate_between(c, A, B);
      in.rate = coordinate_rate<T>(*c.type, A, B, params_.curve(c.curve));
      std::visit([&](const auto& data) { evaluate(data, in, out); }, params_.forces[i]);
      const RowJacobian<T> J = coordinate_jacobian<T>(*c.type, A, B, params_.curve(c.curve));
      out.frame_a = joint.frame_a;
      out.frame_b = joint.frame_b;
      out.on_a = {J.a_linear * out.effort, J.a_angular * out.effort};
      out.on_b = {J.b_linear * out.effort, J.b_angular * out.effort};
      return out;
    }
    out.frame_a = force.frame_a;
    out.frame_b = force.frame_b;
    if (force.frame_a >= 0) {
      in.a = frame(force.frame_a);
      in.has_a = true;
    }
    in.b = frame(force.frame_b);
    // Most elements have none.
    const Vector3& direction = params_.force_directions[i];
    if (!direction.isZero(0.0)) in.direction = frame(force.axes).R * direction.template cast<T>();
    std::visit([&](const auto& data) { evaluate(data, in, out); }, params_.forces[i]);
    return out;
  }

  T channel(const system::ChannelRef& ref) const {
    using Kind = system::ChannelRef::Kind;
    switch (ref.kind) {
      case Kind::part_position:
        return picked(ref, place(ref.element));
      case Kind::part_velocity:
        return picked(ref, part(ref.element).v);
      case Kind::part_angular_velocity:
        return picked(ref, part(ref.element).w);
      case Kind::part_orientation:
        return quaternion_elements<T>(part(ref.element).R)[static_cast<std::size_t>(ref.component)];
      case Kind::joint_coordinate:
        return coordinate(ref.coordinate) * ref.weights[0];
      case Kind::joint_rate:
        return rate(ref.coordinate) * ref.weights[0];
      case Kind::joint_orientation: {
        const system::Joint& joint = system_.joints[static_cast<std::size_t>(ref.element)];
        const Mat3<T> R_AB = frame(joint.frame_a).R.transpose() * frame(joint.frame_b).R;
        return quaternion_elements<T>(R_AB)[static_cast<std::size_t>(ref.component)];
      }
      case Kind::joint_angular_velocity: {
        const system::Joint& joint = system_.joints[static_cast<std::size_t>(ref.element)];
        const Motion<T> A = frame(joint.frame_a);
        return picked(ref, A.R.transpose() * Vec3<T>(frame(joint.frame_b).w - A.w));
      }
      case Kind::force_channel: {
        const ForceResult<T> result = force(ref.element);
        const auto first = static_cast<std::size_t>(ref.coordinate);
        if (ref.pick == model::ChannelUse::Pick::scalar) return result.channels[first] * ref.weights[0];
        return picked(ref, Vec3<T>(result.channels[first], result.channels[first + 1], result.channels[first + 2]));
      }
      case Kind::hard_channel:
        return recorded(ref, results_.hard_forces,
                        system_.forces[static_cast<std::size_t>(ref.element)].first_channel + ref.coordinate);
      case Kind::contact_channel:
        return recorded(ref, results_.contacts,
                        static_cast<std::int32_t>(model::kContactNumbers) * ref.element + ref.coordinate);
      case Kind::force_power: {
        T power = power_of(ref.element);
        for (std::int32_t section = 1; section < ref.coordinate; ++section) power += power_of(ref.element + section);
        return power;
      }
      case Kind::force_energy:
        return force(ref.element).potential;
      case Kind::part_kinetic_energy:
        return kinetic_energy(ref.element);
      case Kind::part_potential_energy:
        return potential_energy(ref.element);
      case Kind::sealed_signal:
        return T(sealed_signals_.empty() ? 0.0 : sealed_signals_[static_cast<std::size_t>(ref.coordinate)]);
      case Kind::state:
        return integrated(ref.coordinate);
      case Kind::part_acceleration:
        return recorded(ref, results_.parts, 6 * ref.element);
      case Kind::part_angular_acceleration:
        return recorded(ref, results_.parts, 6 * ref.element + 3);
      case Kind::joint_reaction_force:
        return ref.relative_to < 0 ? recorded(ref, results_.reactions, 6 * ref.element)
                                   : picked(ref, reaction(ref).force);
      case Kind::joint_reaction_moment:
        return ref.relative_to < 0 ? recorded(ref, results_.reactions, 6 * ref.element + 3)
                                   : picked(ref, reaction(ref).moment);
      case Kind::driver_effort:
        return recorded(ref, results_.drivers, 2 * ref.element);
      case Kind::driver_power:
        return recorded(ref, results_.drivers, 2 * ref.element + 1);
      case Kind::coupling_effort:
        return recorded(ref, results_.couplings, ref.element);
      case Kind::code_state:
        return integrated(ref.coordinate);
      case Kind::code_output:
        if (results_.codes.empty()) return T(0.0);
        return T(results_.codes[at(ref.element)].outputs[at(ref.component)]);
      case Kind::frame_position:
        return picked(ref, read_motion(ref).p);
      case Kind::frame_orientation:
        return quaternion_elements<T>(read_motion(ref).R)[static_cast<std::size_t>(ref.component)];
      case Kind::frame_velocity:
        return picked(ref, read_motion(ref).v);
      case Kind::frame_angular_velocity:
        return picked(ref, read_motion(ref).w);
      case Kind::frame_angle:
        return turn_about_z<T>(read_motion(ref).R) * ref.weights[0];
      case Kind::frame_distance_rate:
        return distance_rate<T>(read_motion(ref));
      case Kind::node_rate: {
        const Motion<T> motion = node(ref.element);
        return motion.v.dot(Vec3<T>(motion.R.col(ref.component)));
      }
      case Kind::frame_acceleration:
        return results_.parts.empty() ? T(0.0) : picked(ref, read_acceleration(ref).linear);
      case Kind::frame_angular_acceleration:
        return results_.parts.empty() ? T(0.0) : picked(ref, read_acceleration(ref).angular);
    }
    return T(0.0);
  }

 private:
  void forget_nodes() {
    if constexpr (!std::is_same_v<T, double>) {
      if (nodes_ == nullptr || system_.nodes.empty()) return;
      scratch_.nodes.resize(system_.nodes.size());
      scratch_.is_node_known.assign(system_.node_groups.size(), 0);
    }
  }

  Motion<T> node(std::int32_t number) const {
    if (nodes_ == nullptr) return {};
    const auto n = static_cast<std::size_t>(number);
    if constexpr (std::is_same_v<T, double>) {
      return nodes_->motions[n];
    } else {
      if (nodes_are_held_) return held_node(number);
      const auto held = [&](std::int32_t other) { return held_node(other); };
      if (seed_ == Seed::time) {
        Motion<T> result = cast<T>(nodes_->motions[n]);
        for (int i = 0; i < 3; ++i) result.p(i).partials[0] = nodes_->motions[n].v(i);
        return result;
      }
      const auto group = static_cast<std::size_t>(system_.nodes[n].group);
      if (scratch_.is_node_known[group] == 0) {
        scratch_.is_node_known[group] = 1;  // their own forces see them held
        follow_nodes<T>(
            system_, *nodes_, group, held, [&](std::int32_t f) { return force(f); }, scratch_);
      }
      return scratch_.nodes[n];
    }
  }
  Motion<T> held_node(std::int32_t number) const {
    const system::Node& node = system_.nodes[static_cast<std::size_t>(number)];
    const Motion<double>& m = nodes_->motions[static_cast<std::size_t>(number)];
    Motion<T> result = cast<T>(m);
    if (seed_ == Seed::body && system::node_of_body(seeded_) == number) seed_twelve(m, result);
    if (seed_ == Seed::time && node.flows) {
      for (int i = 0; i < 3; ++i) result.p(i).partials[0] = m.v(i);
    }
    if (seed_ == Seed::state) move_along_state(node, seeded_, result);
    return result;
  }

  // About the origin of a frame, in its axes; recorded in axes of the joint's first frame, about that of the second.
  Wrench<T> reaction(const system::ChannelRef& ref) const {
    Wrench<T> result;
    if (results_.reactions.empty()) return result;
    const system::Joint& joint = system_.joints[static_cast<std::size_t>(ref.element)];
    const double* const own = &results_.reactions[6 * static_cast<std::size_t>(ref.element)];
    const Motion<T> B = frame(joint.frame_b);
    const Motion<T> F = frame(read_frame(ref.relative_to));
    const Mat3<T> R_WF = frame(joint.frame_a).R *
                         params_.joint_axes[static_cast<std::size_t>(ref.element)].transpose().template cast<T>();
    const Vector3 shift = origin_of_frame(joint.frame_b) - read_origin(ref.relative_to);
    const Vec3<T> arm = B.p - F.p + shift.template cast<T>();
    const Vec3<T> force = R_WF * Vector3::Map(own).template cast<T>();
    const Vec3<T> moment = R_WF * Vector3::Map(own + 3).template cast<T>();
    result.force = F.R.transpose() * force;
    result.moment = F.R.transpose() * Vec3<T>(moment + arm.cross(force));
    return result;
  }

  T integrated(std::int32_t place) const {
    T result(state_.extra[static_cast<std::size_t>(place)]);
    if constexpr (!std::is_same_v<T, double>) {
      if (seed_ == Seed::state && place == seeded_) result.partials[0] = 1.0;
      if (seed_ == Seed::time && !extra_rates_.empty())
        result.partials[0] = extra_rates_[static_cast<std::size_t>(place)];
    }
    return result;
  }

  T power_of(std::int32_t number) const {
    const ForceResult<T> result = force(number);
    return power_of(result.frame_a, result.on_a) + power_of(result.frame_b, result.on_b);
  }

  T power_of(std::int32_t index, const Wrench<T>& wrench) const {
    if (index < 0) return T(0.0);
    const Motion<T> F = frame(index);
    return wrench.force.dot(F.v) + wrench.moment.dot(F.w);
  }

  T kinetic_energy(std::int32_t index) const {
    const auto i = static_cast<std::size_t>(index);
    if (system_.parts[i].body == system::kGround) return T(0.0);
    const system::PartParams& own = params_.parts[i];
    const Motion<T> B = body(system_.parts[i].body);
    const Vec3<T> v = B.v + B.w.cross(Vec3<T>(B.R * own.center.template cast<T>()));
    const Vec3<T> w = B.R.transpose() * B.w;
    const Vec3<T> spin = own.inertia.template cast<T>() * w;
    return (v.dot(v) * own.mass + w.dot(spin)) * 0.5;
  }

  T potential_energy(std::int32_t index) const {
    const auto i = static_cast<std::size_t>(index);
    const system::PartParams& own = params_.parts[i];
    const std::int32_t carrier = system_.parts[i].body;
    if (carrier == system::kGround) return T(gravity_potential(params_.gravity, own.mass, own.center));
    const Motion<T> B = body(carrier);
    Vec3<T> center = B.p + B.R * own.center.template cast<T>();
    if (!state_.origin.empty()) center += state_.origin[static_cast<std::size_t>(carrier)].template cast<T>();
    return gravity_potential_of<T>(params_.gravity, own.mass, center);
  }

  T coordinate_between(const system::Coordinate& c, const Motion<T>& A, const Motion<T>& B) const {
    const T value = coordinate_value<T>(*c.type, A, B, params_.curve(c.curve));
    return c.tracked < 0 ? value : unwrapped(value, state_.extra[at(c.tracked)], params_.curve(c.curve));
  }

  // Of a part in the world.
  Vec3<T> place(std::int32_t index) const {
    const std::int32_t body = system_.parts[static_cast<std::size_t>(index)].body;
    const Vec3<T> from_origin = part(index).p;
    if (body == system::kGround || state_.origin.empty()) return from_origin;
    return from_origin + state_.origin[static_cast<std::size_t>(body)].template cast<T>();
  }

  Motion<T> part(std::int32_t index) const {
    const auto i = static_cast<std::size_t>(index);
    return frame_on(body(system_.parts[i].body), params_.parts[i].X_BP);
  }

  // A frame that signals read, in the world, or as another one sees it.
  Motion<T> read_motion(const system::ChannelRef& ref) const {
    Motion<T> A = frame(read_frame(ref.element));
    const Vector3 from = read_origin(ref.element);
    if (ref.relative_to < 0) {
      A.p += from.template cast<T>();
      return A;
    }
    const Motion<T> B = frame(read_frame(ref.relative_to));
    const Vector3 shift = from - read_origin(ref.relative_to);
    return seen_from<T>(A, B, A.p - B.p + shift.template cast<T>());
  }

  FrameAcceleration<T> read_acceleration(const system::ChannelRef& ref) const {
    const FrameAcceleration<T> a = acceleration_in_world(ref.element);
    if (ref.relative_to < 0) return a;
    const Motion<T> A = frame(read_frame(ref.element));
    const Motion<T> B = frame(read_frame(ref.relative_to));
    const Vector3 shift = read_origin(ref.element) - read_origin(ref.relative_to);
    return seen_from<T>(A, B, A.p - B.p + shift.template cast<T>(), a, acceleration_in_world(ref.relative_to));
  }

  FrameAcceleration<T> acceleration_in_world(std::int32_t number) const {
    const std::int32_t index = system_.frames[static_cast<std::size_t>(read_frame(number))].part;
    if (index == system::kGround) return {};
    const double* const of_part = &results_.parts[6 * static_cast<std::size_t>(index)];
    const Motion<T> P = part(index);
    const Vec3<T> arm = frame(read_frame(number)).p - P.p;
    return carried<T>({Vector3::Map(of_part).template cast<T>(), Vector3::Map(of_part + 3).template cast<T>()}, P.w,
                      arm);
  }

  std::int32_t read_frame(std::int32_t number) const { return system_.read_frames[static_cast<std::size_t>(number)]; }

  // What its positions are counted from: those on the ground are in the world.
  Vector3 read_origin(std::int32_t number) const { return origin_of_frame(read_frame(number)); }
  Vector3 origin_of_frame(std::int32_t frame) const {
    const std::int32_t body = system_.frames[static_cast<std::size_t>(frame)].body;
    if (system::is_node(body)) return params_.ground_origin;
    if (body < 0 || state_.origin.empty()) return Vector3::Zero();
    return state_.origin[static_cast<std::size_t>(body)];
  }

  static T picked(const system::ChannelRef& ref, const Vec3<T>& v) {
    using std::sqrt;
    if (ref.pick == model::ChannelUse::Pick::magnitude) {
      const T square = v.dot(v);
      return vanishes(square) ? T(0.0) : T(sqrt(square));  // its derivatives do not exist there: none
    }
    return v.x() * ref.weights[0] + v.y() * ref.weights[1] + v.z() * ref.weights[2];
  }

  static T recorded(const system::ChannelRef& ref, std::span<const double> from, std::int32_t first) {
    const auto i = static_cast<std::size_t>(first);
    if (from.empty()) return T(0.0);
    if (ref.pick == model::ChannelUse::Pick::scalar) return T(from[i] * ref.weights[0]);
    return picked(ref, Vec3<T>(T(from[i]), T(from[i + 1]), T(from[i + 2])));
  }

  // Leaves the values of all nodes at the top of the scratch.
  std::span<T> evaluate_nodes(std::int32_t index) const {
    const auto i = static_cast<std::size_t>(index);
    const system::Signal& signal = system_.signals[i];
    const std::vector<double>& constants = params_.signals[i].constants;
    const std::span<T> room = std::span<T>(scratch_.values).subspan(scratch_.used);
    const std::span<T> symbols = room.first(signal.symbols.size());
    const std::span<T> nodes = room.subspan(symbols.size(), signal.formula.scratch_size());
    scratch_.used += symbols.size() + nodes.size();
    for (std::size_t s = 0; s < symbols.size(); ++s) {
      const system::Symbol& symbol = signal.symbols[s];
      switch (symbol.kind) {
        case system::Symbol::Kind::constant:
          symbols[s] = T(constants[s]);
          break;
        case system::Symbol::Kind::time:
          symbols[s] = time();
          break;
        case system::Symbol::Kind::channel:
          symbols[s] = channel(symbol.channel);
          break;
        case system::Symbol::Kind::input:
          symbols[s] = T(params_.inputs[static_cast<std::size_t>(symbol.input)]);
          break;
      }
    }
    system::evaluate_on_sides<T>(signal, symbols, state_.sides, nodes);
    return nodes;
  }

  const system::System& system_;
  const system::Params& params_;
  const system::State& state_;
  std::span<const Motion<double>> bodies_;
  Scratch<T>& scratch_;
  const Ports* ports_;
  const NodeMotions* nodes_ = nullptr;
  bool nodes_are_held_ = false;
  AccelerationResults results_{};
  std::span<const double> sealed_signals_;
  std::span<const double> extra_rates_;
  Seed seed_ = Seed::none;
  std::int32_t seeded_ = -1;
};

}  // namespace gelenk::mechanics
