#include <algorithm>
#include <array>
#include <cmath>

#include "gelenk/contact/pairs/pairs.h"

namespace gelenk::contact {
namespace {

// A face wins over edges within this (m), and the first box's face over the second's: otherwise the points of resting
// boxes would change with every rounding.
constexpr double kFaceWins = 1e-5;
// Edges whose directions differ by a smaller sine have no axis of their own.
constexpr double kParallelEdges = 1e-6;
// When edges win whose normal is as near as this to that of a face, the face's points count as well.
constexpr double kAlmostFace = 0.9;

struct Separation {
  double distance = 0.0;
  Vector3 normal = Vector3::Zero();  // from a to b
  int code = -1;                     // 0-2 faces of a, 3-5 faces of b, 6-14 pairs of edges
};

struct Boxes {
  const Contour& a;
  const Contour& b;
  const Pose& X_WA;
  const Pose& X_WB;

  Separation along(Vector3 axis, int code) const {
    const Vector3 way = X_WB.position - X_WA.position;
    if (axis.dot(way) < 0.0) axis = -axis;
    const double reach = (X_WA.rotation.transpose() * axis).cwiseAbs().dot(a.half) +
                         (X_WB.rotation.transpose() * axis).cwiseAbs().dot(b.half);
    return {axis.dot(way) - reach, axis, code};
  }
};

// A corner of the clipped face, with the edges before and after it: 0-3 of the face itself, 4-7 of the face that clips.
struct Corner {
  Vector3 place;
  int before = 0, after = 0;
};
struct Polygon {
  std::array<Corner, 8> corners;
  std::size_t count = 0;
};

// What is on the inner side of a plane: normal · p <= offset. The new edge is `label`.
Polygon clipped(const Polygon& in, const Vector3& normal, double offset, int label) {
  Polygon out;
  const auto add = [&](const Corner& corner) {
    if (out.count < out.corners.size()) out.corners[out.count++] = corner;
  };
  for (std::size_t i = 0; i < in.count; ++i) {
    const Corner& here = in.corners[i];
    const Corner& next = in.corners[(i + 1) % in.count];
    const double outside_here = normal.dot(here.place) - offset;
    const double outside_next = normal.dot(next.place) - offset;
    const bool leaves = outside_here <= 0.0 && outside_next > 0.0;
    const bool enters = outside_here > 0.0 && outside_next <= 0.0;
    if (outside_here <= 0.0) add(here);
    if (!leaves && !enters) continue;
    const double share = outside_here / (outside_here - outside_next);
    const Vector3 crossing = here.place + share * (next.place - here.place);
    add(leaves ? Corner{crossing, here.after, label} : Corner{crossing, label, here.after});
  }
  return out;
}

// The face of `box` that looks most against `normal`.
Polygon opposite_face(const Contour& box, const Pose& X, const Vector3& normal, int& face_axis) {
  const Vector3 local = X.rotation.transpose() * normal;
  local.cwiseAbs().maxCoeff(&face_axis);
  const int u = (face_axis + 1) % 3;
  const int w = (face_axis + 2) % 3;
  const double side = local[face_axis] > 0.0 ? -1.0 : 1.0;
  Polygon face;
  face.count = 4;
  for (int i = 0; i < 4; ++i) {
    Vector3 corner = Vector3::Zero();
    corner[face_axis] = side * box.half[face_axis];
    corner[u] = (i == 0 || i == 3 ? -1.0 : 1.0) * box.half[u];
    corner[w] = (i < 2 ? -1.0 : 1.0) * box.half[w];
    face.corners[static_cast<std::size_t>(i)] = {X * corner, (i + 3) % 4, i};
  }
  return face;
}

void add_face_points(const Boxes& boxes, const Separation& best, double margin, ContactPoints& points) {
  const bool is_of_a = best.code < 3;
  const int axis = best.code % 3;
  const Contour& reference = is_of_a ? boxes.a : boxes.b;
  const Pose& X_WR = is_of_a ? boxes.X_WA : boxes.X_WB;
  const Vector3 outward = is_of_a ? best.normal : Vector3(-best.normal);
  int other_axis = 0;
  Polygon face = opposite_face(is_of_a ? boxes.b : boxes.a, is_of_a ? boxes.X_WB : boxes.X_WA, outward, other_axis);
  for (int side = 0; side < 4; ++side) {
    const int along = (axis + 1 + side / 2) % 3;
    const Vector3 normal = (side % 2 == 0 ? 1.0 : -1.0) * X_WR.rotation.col(along);
    face = clipped(face, normal, normal.dot(X_WR.position) + reference.half[along], 4 + side);
  }
  const double surface = outward.dot(X_WR.position) + reference.half[axis];
  for (std::size_t i = 0; i < face.count; ++i) {
    const Corner& corner = face.corners[i];
    const double gap = outward.dot(corner.place) - surface;
    if (!(gap < margin)) continue;
    const Vector3 on_reference = corner.place - gap * outward;
    const std::int32_t feature = 512 + 192 * best.code + 64 * (other_axis) + 8 * corner.before + corner.after;
    points.push_back(
        {is_of_a ? on_reference : corner.place, is_of_a ? corner.place : on_reference, best.normal, gap, feature});
  }
}

// The edge of `box` along one of its axes that reaches furthest along `direction`: its middle.
Vector3 outer_edge(const Contour& box, const Pose& X, int axis, const Vector3& direction) {
  const Vector3 local = X.rotation.transpose() * direction;
  Vector3 middle = Vector3::Zero();
  for (int k = 0; k < 3; ++k) {
    if (k != axis) middle[k] = local[k] < 0.0 ? -box.half[k] : box.half[k];
  }
  return X * middle;
}

void add_edge_point(const Boxes& boxes, const Separation& best, double margin, ContactPoints& points) {
  if (!(best.distance < margin)) return;
  const int axis_a = (best.code - 6) / 3;
  const int axis_b = (best.code - 6) % 3;
  const Vector3 u = boxes.X_WA.rotation.col(axis_a);
  const Vector3 w = boxes.X_WB.rotation.col(axis_b);
  const Vector3 middle_a = outer_edge(boxes.a, boxes.X_WA, axis_a, best.normal);
  const Vector3 middle_b = outer_edge(boxes.b, boxes.X_WB, axis_b, -best.normal);
  const Vector3 way = middle_b - middle_a;
  const double cosine = u.dot(w);
  const double sine_squared = 1.0 - cosine * cosine;
  const double s = (u.dot(way) - cosine * w.dot(way)) / sine_squared;
  const double t = (cosine * u.dot(way) - w.dot(way)) / sine_squared;
  const Vector3 on_a = middle_a + std::clamp(s, -boxes.a.half[axis_a], boxes.a.half[axis_a]) * u;
  const Vector3 on_b = middle_b + std::clamp(t, -boxes.b.half[axis_b], boxes.b.half[axis_b]) * w;
  points.push_back({on_a, on_b, best.normal, best.normal.dot(on_b - on_a), best.code});
}

}  // namespace

void box_with_box(const Contour& a, const Pose& X_WA, const Contour& b, const Pose& X_WB, double margin,
                  ContactPoints& points) {
  const Boxes boxes{a, b, X_WA, X_WB};
  Separation face = boxes.along(X_WA.rotation.col(0), 0);
  for (int k = 1; k < 6; ++k) {
    const Vector3 axis = k < 3 ? X_WA.rotation.col(k) : X_WB.rotation.col(k - 3);
    const Separation found = boxes.along(axis, k);
    const double lead = face.code < 3 && k >= 3 ? kFaceWins : 0.0;
    if (found.distance > face.distance + lead) face = found;
  }
  if (!(face.distance < margin)) return;
  Separation edge{.distance = face.distance + kFaceWins};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vector3 axis = X_WA.rotation.col(i).cross(X_WB.rotation.col(j));
      const double length = axis.norm();
      if (length < kParallelEdges) continue;
      const Separation found = boxes.along(axis / length, 6 + 3 * i + j);
      if (found.distance > edge.distance) edge = found;
    }
  }
  if (edge.code < 0) {
    add_face_points(boxes, face, margin, points);
    return;
  }
  if (edge.normal.dot(face.normal) > kAlmostFace) add_face_points(boxes, face, margin, points);
  add_edge_point(boxes, edge, margin, points);
}

}  // namespace gelenk::contact
