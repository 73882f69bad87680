#include "gelenk/cad/feature_merge.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gelenk::cad {
namespace {

// Pieces of one surface agree to this part of their radius, or this angle (rad).
constexpr double kSame = 1e-4;
// Vertices of a triangulated circle are nearer to each other than this, rad.
constexpr double kVertexAngle = 0.7;
// Less than this part of a whole sphere is a rounded corner.
constexpr double kLeastSphere = 0.2;

struct FacePiece {
  FittedSurface surface;
  geometry::TriangleMesh triangles;
  double area = 0.0;
  Vector3 outward = Vector3::Zero();  // sum of the triangles' area vectors
  bool is_hollow = false;
  double low = 0.0, high = 0.0;  // along the axis, from the surface's point
};

Vector3 radial(const FittedSurface& surface, const Vector3& point) {
  const Vector3 from_point = point - surface.point;
  if (surface.kind == Feature::Kind::sphere) return from_point;
  return from_point - surface.direction * surface.direction.dot(from_point);
}

FacePiece measured(const FaceOnSurface& face) {
  FacePiece piece{face.surface, face.triangles};
  double facing = 0.0;
  for (const geometry::Triangle& triangle : face.triangles.triangles) {
    const Vector3& a = face.triangles.vertices[triangle[0]];
    const Vector3& b = face.triangles.vertices[triangle[1]];
    const Vector3& c = face.triangles.vertices[triangle[2]];
    const Vector3 area = 0.5 * (b - a).cross(c - a);
    piece.area += area.norm();
    piece.outward += area;
    facing += area.dot(radial(face.surface, (a + b + c) / 3.0));
  }
  piece.is_hollow = face.surface.kind != Feature::Kind::plane && facing < 0.0;
  piece.low = std::numeric_limits<double>::infinity();
  piece.high = -piece.low;
  for (const Vector3& vertex : face.triangles.vertices) {
    const double along = face.surface.direction.dot(vertex - face.surface.point);
    piece.low = std::min(piece.low, along);
    piece.high = std::max(piece.high, along);
  }
  return piece;
}

bool is_one_surface(const FacePiece& a, const FacePiece& b) {
  if (a.surface.kind != b.surface.kind || a.is_hollow != b.is_hollow) return false;
  const double near = kSame * a.surface.radius;
  if (std::abs(a.surface.radius - b.surface.radius) > near) return false;
  const Vector3 between = b.surface.point - a.surface.point;
  if (a.surface.kind == Feature::Kind::sphere) return between.norm() <= near;
  const double cosine = a.surface.direction.dot(b.surface.direction);
  if (std::abs(cosine) < 1.0 - 0.5 * kSame * kSame) return false;
  if (radial(a.surface, b.surface.point).norm() > near) return false;
  // The extent of b along the axis of a.
  const double shift = a.surface.direction.dot(between);
  const double low = shift + (cosine > 0.0 ? b.low : -b.high), high = shift + (cosine > 0.0 ? b.high : -b.low);
  return low <= a.high + near && a.low <= high + near;
}

// Adds b, which lies on the same surface.
void absorb(FacePiece& a, const FacePiece& b) {
  const auto first = static_cast<std::uint32_t>(a.triangles.vertices.size());
  a.triangles.vertices.insert(a.triangles.vertices.end(), b.triangles.vertices.begin(), b.triangles.vertices.end());
  for (const geometry::Triangle& t : b.triangles.triangles) {
    a.triangles.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  a.area += b.area;
  for (const Vector3& vertex : b.triangles.vertices) {
    const double along = a.surface.direction.dot(vertex - a.surface.point);
    a.low = std::min(a.low, along);
    a.high = std::max(a.high, along);
  }
}

// Angle around the axis without the largest gap between vertices.
double coverage(const FacePiece& piece) {
  const Matrix3 R = rotation_with_z(piece.surface.direction);
  std::vector<double> angles;
  for (const Vector3& vertex : piece.triangles.vertices) {
    const Vector3 r = R.transpose() * (vertex - piece.surface.point);
    angles.push_back(std::atan2(r.y(), r.x()));
  }
  if (angles.empty()) return 0.0;
  std::sort(angles.begin(), angles.end());
  double gap = angles.front() + 2.0 * std::numbers::pi - angles.back();
  for (std::size_t i = 1; i < angles.size(); ++i) gap = std::max(gap, angles[i] - angles[i - 1]);
  return 2.0 * std::numbers::pi - (gap > kVertexAngle ? gap : 0.0);
}

Feature feature_of(FacePiece&& piece) {
  Feature feature;
  feature.kind = piece.surface.kind;
  feature.point = piece.surface.point;
  feature.direction = piece.surface.direction;
  feature.radius = piece.surface.radius;
  feature.is_hollow = piece.is_hollow;
  feature.area = piece.area;
  for (const Vector3& vertex : piece.triangles.vertices) feature.box.add(vertex);
  if (feature.kind == Feature::Kind::cylinder) {
    feature.coverage = coverage(piece);
    const double middle = 0.5 * (piece.low + piece.high);
    feature.point += middle * feature.direction;
    feature.low = piece.low - middle;
    feature.high = piece.high - middle;
  } else if (feature.kind == Feature::Kind::plane) {
    // The normal of the surface is as good as the file; only its sign comes from the triangles.
    if (feature.direction.dot(piece.outward) < 0.0) feature.direction = -feature.direction;
    const Vector3 middle = feature.box.center();
    feature.point = middle - feature.direction * feature.direction.dot(middle - piece.surface.point);
    feature.surface = std::move(piece.triangles);
  }
  return feature;
}

bool can_guide(const Feature& feature) {
  if (feature.kind == Feature::Kind::cylinder) return feature.coverage >= kLeastCoverage;
  if (feature.kind == Feature::Kind::plane) return feature.area > 0.0;
  return feature.area >= kLeastSphere * 4.0 * std::numbers::pi * feature.radius * feature.radius;
}

}  // namespace

std::vector<Feature> merged_features(std::span<const FaceOnSurface> faces) {
  std::vector<FacePiece> pieces;
  for (const FaceOnSurface& face : faces) {
    if (face.triangles.triangles.empty()) continue;
    FacePiece piece = measured(face);
    // A new piece may close the gap between two that are there.
    for (std::size_t i = piece.surface.kind == Feature::Kind::plane ? pieces.size() : 0; i < pieces.size();) {
      if (is_one_surface(pieces[i], piece)) {
        absorb(pieces[i], piece);
        piece = std::move(pieces[i]);
        pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(i));
        i = 0;
      } else {
        ++i;
      }
    }
    pieces.push_back(std::move(piece));
  }
  std::vector<Feature> features;
  for (FacePiece& piece : pieces) {
    Feature feature = feature_of(std::move(piece));
    if (can_guide(feature)) features.push_back(std::move(feature));
  }
  return features;
}

}  // namespace gelenk::cad
