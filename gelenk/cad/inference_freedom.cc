#include "gelenk/cad/inference_freedom.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gelenk/base/text.h"
#include "gelenk/cad/inference_motion.h"
#include "gelenk/math/vector.h"

namespace gelenk::cad {
namespace {

using Kind = Contact::Kind;

bool is_cylinder(const Contact& contact) {
  return contact.kind == Kind::shaft_in_bore || contact.kind == Kind::aligned_bores;
}

Vector3 middle_of(std::span<const Contact> contacts) {
  Vector3 sum = Vector3::Zero();
  for (const Contact& contact : contacts) sum += contact.on_first.point;
  return sum / static_cast<double>(contacts.size());
}

// A length by which turns and shifts are compared: how far the contacts are spread.
double spread_of(std::span<const Contact> contacts, const Vector3& middle) {
  double spread = 0.0;
  for (const Contact& contact : contacts) {
    spread = std::max({spread, contact.radius, (contact.on_first.point - middle).norm()});
  }
  return spread;
}

std::vector<Hold> holds_of(std::span<const Contact> contacts) {
  std::vector<Hold> holds;
  for (const Contact& contact : contacts) {
    const Matrix3 axes = rotation_with_z(contact.on_first.direction);
    const Vector3& point = contact.on_first.point;
    if (contact.kind == Kind::ball_in_socket) {
      for (int i = 0; i < 3; ++i) holds.push_back({Hold::Kind::shift, point, axes.col(i)});
      continue;
    }
    holds.push_back({Hold::Kind::turn, point, axes.col(0)});
    holds.push_back({Hold::Kind::turn, point, axes.col(1)});
    if (contact.kind == Kind::touching_planes) {
      holds.push_back({Hold::Kind::shift, point, axes.col(2)});
    } else {
      holds.push_back({Hold::Kind::shift, point, axes.col(0)});
      holds.push_back({Hold::Kind::shift, point, axes.col(1)});
    }
  }
  return holds;
}

// The contact whose surfaces carry the joint: the surest that has the joint's axis, normal or center.
const Contact* carrier(std::span<const Contact> contacts, const FreeMotion& motion) {
  const Contact* best = nullptr;
  for (const Contact& contact : contacts) {
    bool fits = false;
    if (motion.type == "spherical") fits = contact.kind == Kind::ball_in_socket;
    if (motion.type == "planar") fits = contact.kind == Kind::touching_planes;
    if (motion.type == "revolute" || motion.type == "cylindrical" || motion.type == "prismatic") {
      fits = is_cylinder(contact) && are_parallel_axes(contact.on_first.direction, motion.direction);
    }
    // Of equals the larger one: its axis is drawn with the longer lever.
    if (fits && (best == nullptr || contact.score > best->score + 1e-9 ||
                 (contact.score > best->score - 1e-9 && contact.radius > best->radius))) {
      best = &contact;
    }
  }
  return best;
}

// The sign of an axis means nothing: the largest component counts up.
Vector3 with_sign(const Vector3& direction) {
  Eigen::Index largest = 0;
  // Equal within rounding: the first one.
  for (Eigen::Index i = 1; i < 3; ++i) {
    if (std::abs(direction[i]) > std::abs(direction[largest]) + 1e-6) largest = i;
  }
  return direction[largest] < 0.0 ? Vector3(-direction) : direction;
}

double score_of(std::span<const Contact> contacts, const FreeMotion& motion) {
  // Of joints that only planes make: a slide between two planes is likely meant, a seat in a corner perhaps.
  constexpr double kSlide = 0.7, kSeat = 0.6, kRests = 0.45;
  double best = 0.0;
  for (const Contact& contact : contacts) {
    if (contact.kind != Kind::touching_planes) best = std::max(best, contact.score);
  }
  if (best > 0.0) return best;
  if (motion.type == "prismatic") return kSlide;
  return motion.type == "fixed" ? kSeat : kRests;
}

// Whether planes hold a slide from opposite sides: a dovetail, a T-slot, a groove; not a corner, whose planes are
// square to each other.
bool is_guided(std::span<const Contact> contacts) {
  constexpr double kOpposite = -0.1;  // cosine of the angle between two normals
  for (const Contact& a : contacts) {
    for (const Contact& b : contacts) {
      if (a.on_first.direction.dot(b.on_first.direction) < kOpposite) return true;
    }
  }
  return false;
}

std::string counted_words(std::size_t count, const char* one, const char* many) {
  return count == 1 ? one : fmt::format("{} {}", count, many);
}

std::string reason_of(std::span<const Contact> contacts) {
  constexpr double kMillimeters = 1e3;
  std::vector<std::string> words;
  const auto add_words = [&](Kind kind, const char* one, const char* many, bool with_size) {
    std::size_t count = 0;
    double radius = 0.0;
    for (const Contact& contact : contacts) {
      if (contact.kind != kind) continue;
      ++count;
      radius = std::max(radius, contact.radius);
    }
    if (count == 0) return;
    words.push_back(counted_words(count, one, many));
    if (with_size) words.back() += fmt::format(" of {} mm", format_rounded(2.0 * radius * kMillimeters, 4));
  };
  add_words(Kind::ball_in_socket, "ball in socket", "balls in sockets", true);
  add_words(Kind::shaft_in_bore, "shaft in bore", "shafts in bores", true);
  add_words(Kind::aligned_bores, "aligned bores without a pin", "pairs of aligned bores without pins", true);
  add_words(Kind::touching_planes, "touching planes", "pairs of touching planes", false);
  const bool is_loose = std::any_of(contacts.begin(), contacts.end(), [](const Contact& c) { return c.is_loose; });
  return join(words, ", ") + (is_loose ? ", drawn apart" : "");
}

}  // namespace

std::optional<InferredJoint> infer_joint(std::span<const Contact> contacts) {
  if (contacts.empty()) return std::nullopt;
  const Vector3 middle = middle_of(contacts);
  const double length = spread_of(contacts, middle);
  const std::optional<FreeMotion> motion = motion_left_by(holds_of(contacts), middle, length);
  if (!motion) return std::nullopt;
  InferredJoint joint;
  joint.type = motion->type;
  joint.score = score_of(contacts, *motion);
  joint.reason = reason_of(contacts);
  joint.only_planes =
      std::all_of(contacts.begin(), contacts.end(), [](const Contact& c) { return c.kind == Kind::touching_planes; });
  joint.is_guide = joint.only_planes && motion->type == "prismatic" && is_guided(contacts);
  for (const Contact& contact : contacts) {
    if (contact.kind == Kind::touching_planes) joint.area += std::numbers::pi * contact.radius * contact.radius;
  }
  joint.first = contacts.front().first;
  joint.second = contacts.front().second;
  joint.X_WA.position = motion->point;
  joint.X_WA.rotation = rotation_with_z(with_sign(motion->direction));
  joint.X_WB = joint.X_WA;
  // Where surfaces of the parts say it exactly, each frame sits on its own surface.
  if (const Contact* contact = carrier(contacts, *motion)) {
    joint.first = contact->first;
    joint.second = contact->second;
    joint.X_WA.position = contact->on_first.point;
    joint.X_WB.position = contact->on_second.point;
    if (motion->type != "spherical") {
      const Vector3 z = with_sign(contact->on_first.direction);
      const double sign = z.dot(contact->on_first.direction);
      joint.X_WA.rotation = rotation_with_z(z);
      joint.X_WB.rotation =
          rotation_with_z_x(sign < 0.0 ? Vector3(-contact->on_second.direction) : contact->on_second.direction,
                            joint.X_WA.rotation.col(0));
    }
  }
  return joint;
}

std::optional<InferredJoint> infer_joint_of_type(std::span<const Contact> contacts, std::string_view type) {
  const auto has_axis = [](std::string_view name) {
    return name == "revolute" || name == "cylindrical" || name == "prismatic";
  };
  const std::optional<InferredJoint> all = infer_joint(contacts);
  if (all && (type == "fixed" || all->type == type || (has_axis(type) && has_axis(all->type)))) return all;
  // One of the contacts alone: the largest of the right kind.
  const Contact* best = nullptr;
  for (const Contact& contact : contacts) {
    const bool fits = type == "spherical" ? contact.kind == Kind::ball_in_socket
                      : type == "planar"  ? contact.kind == Kind::touching_planes
                                          : has_axis(type) && is_cylinder(contact);
    if (fits && (best == nullptr || contact.radius > best->radius)) best = &contact;
  }
  return best == nullptr ? std::nullopt : infer_joint({best, 1});
}

}  // namespace gelenk::cad
