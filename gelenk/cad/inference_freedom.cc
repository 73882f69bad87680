#include "gelenk/cad/inference_freedom.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gelenk/base/text.h"
#include "gelenk/math/null_space.h"
#include "gelenk/math/vector.h"

namespace gelenk::cad {
namespace {

// Rows nearer to each other than this are one: axes may be drawn 0.2 degrees apart, and planes as well.
constexpr double kRankTolerance = 0.02;
// Directions within this angle (rad) are parallel.
constexpr double kParallel = 0.05;

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

// Rows G with G [v; L ω] = 0 for every motion that the contacts allow: v of the second body at the middle, relative to
// the first, ω its angular velocity, L the length.
MatrixX rows_of(std::span<const Contact> contacts, const Vector3& middle, double length) {
  MatrixX G = MatrixX::Zero(static_cast<Eigen::Index>(4 * contacts.size()), 6);
  Eigen::Index row = 0;
  const auto hold_shift = [&](const Vector3& point, const Vector3& along) {
    G.block<1, 3>(row, 0) = along.transpose();
    G.block<1, 3>(row, 3) = (point - middle).cross(along).transpose() / length;
    ++row;
  };
  const auto hold_turn = [&](const Vector3& about) {
    G.block<1, 3>(row, 3) = about.transpose();
    ++row;
  };
  for (const Contact& contact : contacts) {
    const Matrix3 axes = rotation_with_z(contact.on_first.direction);
    const Vector3& point = contact.on_first.point;
    if (contact.kind == Kind::ball_in_socket) {
      for (int i = 0; i < 3; ++i) hold_shift(point, axes.col(i));
      continue;
    }
    hold_turn(axes.col(0));
    hold_turn(axes.col(1));
    if (contact.kind == Kind::touching_planes) {
      hold_shift(point, axes.col(2));
    } else {
      hold_shift(point, axes.col(0));
      hold_shift(point, axes.col(1));
    }
  }
  return G.topRows(row);
}

// The free motions in terms of shifts and turns.
struct Freedom {
  MatrixX shifts;  // columns: v of motions without a turn
  MatrixX turns;   // columns: v and L ω of motions with a turn
};

Freedom freedom_of(const MatrixX& basis) {
  if (basis.bottomRows(3).norm() <= kRankTolerance) return {basis.topRows(3), MatrixX::Zero(6, 0)};
  const NullSpace pure = null_space(basis.bottomRows(3), kRankTolerance);
  if (pure.basis.cols() == 0) return {MatrixX::Zero(3, 0), basis};
  // What is left of the basis without the shifts: perpendicular to them.
  const NullSpace rest = null_space(pure.basis.transpose(), kRankTolerance);
  return {basis.topRows(3) * pure.basis, basis * rest.basis};
}

bool are_parallel(const Vector3& a, const Vector3& b) {
  return a.cross(b).norm() <= std::sin(kParallel) * a.norm() * b.norm();
}

struct Motion {
  std::string type;
  Vector3 point = Vector3::Zero();
  Vector3 direction = Vector3::UnitZ();
};

// The center about which all three turns go, if there is one: v + ω × (c - middle) = 0.
std::optional<Vector3> center_of(const MatrixX& turns, const Vector3& middle, double length) {
  Vector3 offset = Vector3::Zero();
  Matrix3 square = Matrix3::Zero();
  for (Eigen::Index i = 0; i < turns.cols(); ++i) {
    const Vector3 v = turns.col(i).head<3>(), w = turns.col(i).tail<3>() / length;
    const Matrix3 W = skew<double>(w);
    offset -= W.transpose() * v;
    square += W.transpose() * W;
  }
  if (std::abs(square.determinant()) < 1e-12 * std::pow(square.trace(), 3)) return std::nullopt;
  offset = square.inverse() * offset;
  for (Eigen::Index i = 0; i < turns.cols(); ++i) {
    const Vector3 v = turns.col(i).head<3>(), w = turns.col(i).tail<3>() / length;
    if ((v + w.cross(offset)).norm() > kRankTolerance) return std::nullopt;
  }
  return middle + offset;
}

std::optional<Motion> motion_of(const Freedom& freedom, const Vector3& middle, double length) {
  const Eigen::Index shifts = freedom.shifts.cols(), turns = freedom.turns.cols();
  if (shifts + turns == 0) return Motion{"fixed", middle, Vector3::UnitZ()};
  if (turns == 3 && shifts == 0) {
    const std::optional<Vector3> center = center_of(freedom.turns, middle, length);
    return center ? std::optional(Motion{"spherical", *center, Vector3::UnitZ()}) : std::nullopt;
  }
  if (turns == 0) {
    return shifts == 1 ? std::optional(Motion{"prismatic", middle, freedom.shifts.col(0).normalized()}) : std::nullopt;
  }
  if (turns != 1) return std::nullopt;
  const Vector3 v = freedom.turns.col(0).head<3>(), w = freedom.turns.col(0).tail<3>() / length;
  const Vector3 axis = w.normalized();
  const Vector3 point = middle + w.cross(v) / w.squaredNorm();
  if (shifts == 0) {
    // A thread moves along while it turns; no contact that is looked for is one.
    const double pitch = std::abs(v.dot(w)) / w.squaredNorm();
    return pitch <= kRankTolerance * length ? std::optional(Motion{"revolute", point, axis}) : std::nullopt;
  }
  if (shifts == 1) {
    return are_parallel(freedom.shifts.col(0), axis) ? std::optional(Motion{"cylindrical", point, axis}) : std::nullopt;
  }
  const Vector3 normal = Vector3(freedom.shifts.col(0)).cross(Vector3(freedom.shifts.col(1)));
  return are_parallel(normal, axis) ? std::optional(Motion{"planar", middle, axis}) : std::nullopt;
}

// The contact whose surfaces carry the joint: the surest that has the joint's axis, normal or center.
const Contact* carrier(std::span<const Contact> contacts, const Motion& motion) {
  const Contact* best = nullptr;
  for (const Contact& contact : contacts) {
    bool fits = false;
    if (motion.type == "spherical") fits = contact.kind == Kind::ball_in_socket;
    if (motion.type == "planar") fits = contact.kind == Kind::touching_planes;
    if (motion.type == "revolute" || motion.type == "cylindrical" || motion.type == "prismatic") {
      fits = is_cylinder(contact) && are_parallel(contact.on_first.direction, motion.direction);
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

double score_of(std::span<const Contact> contacts, const Motion& motion) {
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
  const MatrixX G = rows_of(contacts, middle, length);
  const NullSpace free = null_space(G, kRankTolerance);
  const std::optional<Motion> motion = motion_of(freedom_of(free.basis), middle, length);
  if (!motion) return std::nullopt;
  InferredJoint joint;
  joint.type = motion->type;
  joint.rows = static_cast<std::size_t>(G.rows());
  joint.rank = static_cast<std::size_t>(free.rank);
  joint.score = score_of(contacts, *motion);
  joint.reason = reason_of(contacts);
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
