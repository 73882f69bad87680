#include "gelenk/cad/inference_contacts.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "gelenk/cad/plane_overlap.h"

namespace gelenk::cad {
namespace {

// Boxes nearer than this may belong to parts that guide each other, m.
constexpr double kNear = 1e-3;
// Clearance of a shaft as a part of the bore's radius: press fits are drawn up to 5 % too large, loose ones 25 % too
// small, or half a millimeter where that is more.
constexpr double kMostInterference = 0.05, kMostClearance = 0.25, kSmallClearance = 0.5e-3;
// A shaft guides when it is in the bore along this part of the shorter one.
constexpr double kLeastOverlap = 0.15;
// Planes touch from this depth to this gap, m.
constexpr double kDepth = 0.05e-3, kGap = 0.1e-3;
// Less common area than this part of the smaller plane is a chance.
constexpr double kLeastCommon = 0.02;
constexpr double kOffsetOfRadius = 1e-3;
constexpr double kEqualRadius = 1e-3;

bool are_near(const geometry::Bounds& a, const geometry::Bounds& b, double distance) {
  return ((a.lower.array() - distance) <= b.upper.array()).all() &&
         ((b.lower.array() - distance) <= a.upper.array()).all();
}

geometry::Bounds moved(const geometry::Bounds& box, const Pose& X) {
  geometry::Bounds result;
  for (int corner = 0; corner < 8; ++corner) {
    result.add(X * Vector3((corner & 1) != 0 ? box.upper.x() : box.lower.x(),
                           (corner & 2) != 0 ? box.upper.y() : box.lower.y(),
                           (corner & 4) != 0 ? box.upper.z() : box.lower.z()));
  }
  return result;
}

bool has_fit(double bore, double shaft) {
  const double clearance = bore - shaft;
  return clearance >= -kMostInterference * bore && clearance <= std::max(kSmallClearance, kMostClearance * bore);
}

// 1 for a shaft as large as the bore, 0 for the loosest fit.
double fit_quality(double bore, double shaft) {
  return 1.0 - std::min(1.0, std::abs(bore - shaft) / std::max(kSmallClearance, kMostClearance * bore));
}

// Extent of b along the axis of a, from the point of a.
struct Extent {
  double low, high;
};
Extent extent_along(const Feature& a, const Feature& b) {
  const double middle = a.direction.dot(b.point - a.point), half = 0.5 * (b.high - b.low);
  return {middle - half, middle + half};
}

// Two cylinders on one axis; the common stretch may be negative: the gap between them.
struct CommonAxis {
  double stretch = 0.0;  // m
  double middle = 0.0;   // of the stretch or gap, along the axis of the first, from its point
};
std::optional<CommonAxis> common_axis(const Feature& a, const Feature& b, const ContactTolerances& tolerances) {
  const Vector3 across = a.direction.cross(b.direction);
  if (across.norm() > std::sin(tolerances.angle)) return std::nullopt;
  const Extent other = extent_along(a, b);
  const double low = std::max(a.low, other.low), high = std::min(a.high, other.high);
  const CommonAxis common{high - low, 0.5 * (low + high)};
  // Distance of the axes where the parts meet.
  const Vector3 there = a.point + common.middle * a.direction;
  const Vector3 between = there - b.point;
  const double offset = (between - b.direction * b.direction.dot(between)).norm();
  if (offset > tolerances.offset + kOffsetOfRadius * std::max(a.radius, b.radius)) return std::nullopt;
  return common;
}

Contact::Side axis_side(const Feature& feature, const Vector3& near, const Vector3& direction) {
  const Vector3 turned = feature.direction.dot(direction) < 0.0 ? Vector3(-feature.direction) : feature.direction;
  return {feature.point + turned * turned.dot(near - feature.point), turned};
}

std::optional<Contact> cylinders(const Feature& a, const Feature& b, const ContactTolerances& tolerances) {
  constexpr double kFair = 0.7, kFine = 0.25;  // scores: any shaft in a bore, and what a good fit adds
  constexpr double kPinMissing = 0.5;
  const std::optional<CommonAxis> common = common_axis(a, b, tolerances);
  if (!common) return std::nullopt;
  const double shorter = std::min(a.high - a.low, b.high - b.low);
  Contact contact;
  contact.radius = std::max(a.radius, b.radius);
  if (a.is_hollow != b.is_hollow) {
    const double bore = a.is_hollow ? a.radius : b.radius, shaft = a.is_hollow ? b.radius : a.radius;
    if (!has_fit(bore, shaft) || common->stretch < kLeastOverlap * shorter) return std::nullopt;
    contact.radius = bore;
    contact.score = kFair + kFine * fit_quality(bore, shaft);
  } else if (a.is_hollow && !tolerances.is_loose) {
    const double diameter = 2.0 * a.radius;
    if (std::abs(a.radius - b.radius) > kEqualRadius * a.radius) return std::nullopt;
    if (-common->stretch > diameter || common->stretch > kLeastOverlap * shorter) return std::nullopt;
    contact.kind = Contact::Kind::aligned_bores;
    contact.score = kPinMissing;
  } else {
    return std::nullopt;
  }
  const Vector3 there = a.point + common->middle * a.direction;
  contact.on_first = axis_side(a, there, a.direction);
  contact.on_second = axis_side(b, there, a.direction);
  return contact;
}

std::optional<Contact> spheres(const Feature& a, const Feature& b, const ContactTolerances& tolerances) {
  constexpr double kFair = 0.7, kFine = 0.25;
  if (a.is_hollow == b.is_hollow) return std::nullopt;
  const double socket = a.is_hollow ? a.radius : b.radius, ball = a.is_hollow ? b.radius : a.radius;
  if (!has_fit(socket, ball)) return std::nullopt;
  if ((a.point - b.point).norm() > tolerances.offset + kOffsetOfRadius * socket) return std::nullopt;
  Contact contact;
  contact.kind = Contact::Kind::ball_in_socket;
  contact.on_first.point = a.point;
  contact.on_second.point = b.point;
  contact.radius = socket;
  contact.score = kFair + kFine * fit_quality(socket, ball);
  return contact;
}

std::optional<Contact> planes(const Feature& a, const Feature& b, const ContactTolerances& tolerances) {
  constexpr double kTouch = 0.45;
  if (a.direction.dot(b.direction) > -std::cos(tolerances.angle)) return std::nullopt;
  const double gap = a.direction.dot(b.point - a.point);
  if (gap < -kDepth || gap > kGap) return std::nullopt;
  const PlaneOverlap overlap = plane_overlap(a.surface, b.surface, a.point, a.direction);
  if (overlap.area < kLeastCommon * std::min(a.area, b.area)) return std::nullopt;
  Contact contact;
  contact.kind = Contact::Kind::touching_planes;
  contact.on_first = {overlap.center, a.direction};
  contact.on_second = {overlap.center + a.direction * gap, -b.direction};
  contact.radius = std::sqrt(overlap.area / std::numbers::pi);
  contact.score = kTouch;
  return contact;
}

std::optional<Contact> contact_of(const Feature& a, const Feature& b, const ContactTolerances& tolerances) {
  if (a.kind != b.kind || !are_near(a.box, b.box, a.kind == Feature::Kind::cylinder ? 2.0 * a.radius + kNear : kNear)) {
    return std::nullopt;
  }
  switch (a.kind) {
    case Feature::Kind::cylinder:
      return cylinders(a, b, tolerances);
    case Feature::Kind::sphere:
      return spheres(a, b, tolerances);
    case Feature::Kind::plane:
      break;
  }
  return tolerances.is_loose ? std::nullopt : planes(a, b, tolerances);
}

bool has_shaft(std::span<const PlacedFeatures> parts, const Feature& bore) {
  for (const PlacedFeatures& part : parts) {
    if (!are_near(part.box, bore.box, kNear)) continue;
    for (const Feature& feature : part.features) {
      if (feature.kind != Feature::Kind::cylinder || feature.is_hollow) continue;
      const std::optional<Contact> contact = contact_of(bore, feature, kDrawnWell);
      if (contact && contact->kind == Contact::Kind::shaft_in_bore) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<PlacedFeatures> place_features(std::span<const formats::ImportedLeaf> leaves,
                                           std::span<const std::vector<Feature>> features) {
  std::vector<PlacedFeatures> placed;
  for (const formats::ImportedLeaf& leaf : leaves) {
    PlacedFeatures& part = placed.emplace_back();
    for (Feature feature : features[leaf.part]) {
      feature.point = leaf.X_WP * feature.point;
      feature.direction = leaf.X_WP.rotation * feature.direction;
      for (Vector3& vertex : feature.surface.vertices) vertex = leaf.X_WP * vertex;
      feature.box = moved(feature.box, leaf.X_WP);
      part.box.add(feature.box);
      part.features.push_back(std::move(feature));
    }
  }
  return placed;
}

std::vector<Contact> find_contacts(std::span<const PlacedFeatures> parts, std::size_t first, std::size_t second,
                                   const ContactTolerances& tolerances) {
  constexpr double kLooseFactor = 0.6;
  std::vector<Contact> contacts;
  // Aligned bores may be a diameter apart: the boxes of the features decide.
  const double reach = 0.1 * std::min(parts[first].box.diagonal(), parts[second].box.diagonal()) + kNear;
  if (!are_near(parts[first].box, parts[second].box, reach)) return contacts;
  for (const Feature& a : parts[first].features) {
    for (const Feature& b : parts[second].features) {
      std::optional<Contact> contact = contact_of(a, b, tolerances);
      if (!contact) continue;
      if (contact->kind == Contact::Kind::aligned_bores && (has_shaft(parts, a) || has_shaft(parts, b))) continue;
      contact->first = first;
      contact->second = second;
      contact->is_loose = tolerances.is_loose;
      if (tolerances.is_loose) contact->score *= kLooseFactor;
      contacts.push_back(*contact);
    }
  }
  return contacts;
}

}  // namespace gelenk::cad
