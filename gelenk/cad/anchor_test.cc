#include "gelenk/cad/anchor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <BRepFilletAPI_MakeFillet.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <cmath>

#include "gelenk/cad/shape_facts.h"
#include "gelenk/cad/step_test_support.h"

namespace gelenk::cad::anchor_test {
namespace {

const gp_Dir kZ(0, 0, 1);

// A connecting rod along x with an eye at each end, lengths in mm.
struct Rod {
  double length = 120.0;
  double big_bore = 12.0, small_bore = 8.0;  // radii
  bool is_reordered = false, has_holes = false, has_oil_hole = false, has_fillets = false;
};

TopoDS_Shape rounded(const TopoDS_Shape& shape, double radius) {
  BRepFilletAPI_MakeFillet fillet(shape);
  // The long edges of the web: those along x.
  for (TopExp_Explorer it(shape, TopAbs_EDGE); it.More(); it.Next()) {
    const TopoDS_Edge edge = TopoDS::Edge(it.Current());
    double first = 0.0, last = 0.0;
    const Handle(Geom_Curve) curve = BRep_Tool::Curve(edge, first, last);
    gp_Pnt from, to;
    curve->D0(first, from);
    curve->D0(last, to);
    if (std::abs(to.X() - from.X()) > 20.0 && from.Distance(to) < 1.001 * std::abs(to.X() - from.X())) {
      fillet.Add(radius, edge);
    }
  }
  return fillet.Shape();
}

TopoDS_Shape shape_of(const Rod& rod) {
  const TopoDS_Shape big = cylinder(point(0, 0, -10), kZ, 20, 20);
  const TopoDS_Shape small = cylinder(point(rod.length, 0, -10), kZ, 14, 20);
  const TopoDS_Shape web = box(point(0, -7, -6), point(rod.length, 7, 6));
  const TopoDS_Shape big_bore = cylinder(point(0, 0, -20), kZ, rod.big_bore, 40);
  const TopoDS_Shape small_bore = cylinder(point(rod.length, 0, -20), kZ, rod.small_bore, 40);
  TopoDS_Shape body = rod.is_reordered ? fuse(fuse(web, small), big) : fuse(fuse(big, web), small);
  if (rod.has_fillets) body = rounded(body, 2.0);
  body = rod.is_reordered ? cut(cut(body, small_bore), big_bore) : cut(cut(body, big_bore), small_bore);
  if (rod.has_holes) {
    for (const double x : {0.4, 0.6}) {
      body = cut(body, cylinder(point(x * rod.length, 0, -20), kZ, 5, 40));
    }
  }
  if (rod.has_oil_hole) body = cut(body, cylinder(point(0, 0, 0), gp_Dir(-1, 0, 0), 1.5, 30));
  return body;
}

std::vector<Feature> features_of(const Rod& rod) {
  const TopoDS_Shape shape = shape_of(rod);
  EXPECT_EQ(triangles_of(shape).missing_faces, 0u);
  return surface_features(shape);
}

// What a frame is tied to, and where that is: the bores, and the upper faces of the eyes.
struct Reference {
  const char* name;
  bool is_bore, is_small;
};
constexpr std::array<Reference, 4> kReferences{
    {{"big bore", true, false}, {"small bore", true, true}, {"big face", false, false}, {"small face", false, true}}};

Pose frame_of(const Reference& reference, const Rod& rod) {
  const double x = reference.is_small ? rod.length : 0.0;
  // Beside the axis: on it, the bore is what a frame is tied to.
  return {Matrix3::Identity(),
          Vector3(x, reference.is_bore ? 0.0 : 12.0, reference.is_bore ? 0.0 : 10.0) * kMillimeter};
}

bool is_at(const Feature& feature, const Reference& reference, const Rod& rod) {
  constexpr double kNear = 1e-7;
  if (feature.kind != (reference.is_bore ? Feature::Kind::cylinder : Feature::Kind::plane)) return false;
  const Vector3 from =
      feature.point - Vector3(reference.is_small ? rod.length : 0.0, 0, reference.is_bore ? 0.0 : 10.0) * kMillimeter;
  if (reference.is_bore) return from.head<2>().norm() < kNear && feature.is_hollow;
  // The middle of the face is that of its box.
  return std::abs(from.z()) < kNear && from.head<2>().norm() < 1e-3 && feature.direction.z() > 0.5;
}

TEST(Anchor, FramesOfARodAreFoundAgainAfterEdits) {
  const Rod before;
  const std::vector<Feature> features = features_of(before);
  const std::vector<std::pair<const char*, Rod>> edits{
      {"features in another order", {.is_reordered = true}},
      {"larger bores", {.big_bore = 14.0, .small_bore = 9.5}},
      {"holes in the web", {.has_holes = true}},
      {"fillets", {.has_fillets = true}},
      {"17 % longer", {.length = 140.4}},
      {"50 % longer", {.length = 180.0}},
      {"oil hole", {.has_oil_hole = true}},
      {"all together",
       {.length = 140.4,
        .big_bore = 13.0,
        .small_bore = 9.0,
        .is_reordered = true,
        .has_holes = true,
        .has_oil_hole = true,
        .has_fillets = true}},
  };
  std::size_t right = 0, flagged = 0;
  for (const auto& [name, rod] : edits) {
    const std::vector<Feature> now = features_of(rod);
    for (const Reference& reference : kReferences) {
      SCOPED_TRACE(std::string(reference.name) + ", " + name);
      const Pose X_PF = frame_of(reference, before);
      const std::optional<Anchor> anchor = anchor_of(X_PF, features);
      ASSERT_TRUE(anchor);
      const std::optional<FoundAnchor> found = find_anchor(*anchor, now);
      ASSERT_TRUE(found);
      if (!found->is_sure) {
        ++flagged;
        continue;
      }
      ASSERT_TRUE(is_at(now[found->feature], reference, rod));
      ++right;
      const Pose moved = moved_frame(*anchor, X_PF, now[found->feature]);
      const Pose expected = frame_of(reference, rod);
      // Faces are known by their middle to the accuracy of their triangles, axes and planes exactly.
      EXPECT_LT((moved.position - expected.position).norm(), reference.is_bore ? 1e-9 : 1e-4);
      EXPECT_LT(std::abs(moved.position.z() - expected.position.z()), 1e-9);
      EXPECT_LT((moved.rotation - expected.rotation).norm(), 1e-9);
    }
  }
  EXPECT_GE(right, 31u) << flagged << " flagged";
  EXPECT_EQ(right + flagged, 32u);
}

Feature bore_at(const Vector3& point, double radius) {
  Feature feature;
  feature.kind = Feature::Kind::cylinder;
  feature.point = point;
  feature.radius = radius;
  feature.is_hollow = true;
  feature.low = -0.01;
  feature.high = 0.01;
  feature.area = 2.0 * 3.14159 * radius * 0.02;
  feature.box.add(point - Vector3(radius, radius, 0.01));
  feature.box.add(point + Vector3(radius, radius, 0.01));
  return feature;
}

TEST(Anchor, TwoSurfacesThatAreEquallyNearAreFlagged) {
  const std::vector<Feature> before{bore_at({0, 0, 0}, 0.005), bore_at({0.2, 0, 0}, 0.005)};
  const std::optional<Anchor> anchor = anchor_of({Matrix3::Identity(), Vector3::Zero()}, before);
  ASSERT_TRUE(anchor);
  const std::vector<Feature> now{bore_at({0, 0.02, 0}, 0.005), bore_at({0, -0.021, 0}, 0.005)};
  const std::optional<FoundAnchor> found = find_anchor(*anchor, now);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->feature, 0u);
  EXPECT_FALSE(found->is_sure);
}

TEST(Anchor, ABoreIsNoShaft) {
  const std::vector<Feature> before{bore_at({0, 0, 0}, 0.005)};
  const std::optional<Anchor> anchor = anchor_of({Matrix3::Identity(), Vector3::Zero()}, before);
  ASSERT_TRUE(anchor);
  std::vector<Feature> shaft = before;
  shaft.front().is_hollow = false;
  EXPECT_FALSE(find_anchor(*anchor, shaft));
  EXPECT_FALSE(anchor_of({Matrix3::Identity(), Vector3(0.001, 0, 0)}, before)) << "beside the axis";
}

TEST(Anchor, AFrameAtTheEndOfABoreStaysAtItsEnd) {
  const std::vector<Feature> before{bore_at({0, 0, 0}, 0.005)};
  const Pose X_PF{*rotation_from_axis_angle(Vector3::UnitZ(), 0.3), Vector3(0, 0, 0.01)};
  const std::optional<Anchor> anchor = anchor_of(X_PF, before);
  ASSERT_TRUE(anchor);
  // Longer, elsewhere, and its axis written the other way round
  Feature now = bore_at({0.03, 0, 0.005}, 0.005);
  now.direction = -now.direction;
  now.low = -0.015;
  now.high = 0.015;
  const Pose moved = moved_frame(*anchor, X_PF, now);
  EXPECT_LT((moved.position - Vector3(0.03, 0, 0.02)).norm(), 1e-15);
  EXPECT_LT((moved.rotation - X_PF.rotation).norm(), 1e-15);
}

TEST(Anchor, IsTheSameAfterItWasWritten) {
  const std::vector<Feature> before{bore_at({0.1, 0.2, 0.3}, 0.005)};
  const Anchor anchor = *anchor_of({Matrix3::Identity(), Vector3(0.1, 0.2, 0.3)}, before);
  JsonWriter json;
  write_anchor(json, anchor);
  std::string error;
  const std::optional<JsonValue> text = read_json(json.take(), error);
  ASSERT_TRUE(text) << error;
  const std::optional<Anchor> again = read_anchor(*text);
  ASSERT_TRUE(again);
  EXPECT_EQ(find_anchor(*again, before)->difference, 0.0);
  EXPECT_EQ(again->point, anchor.point);
  EXPECT_EQ(again->part.upper, anchor.part.upper);
  JsonValue damaged = *text;
  damaged.members.erase(damaged.members.begin() + 1);
  EXPECT_FALSE(read_anchor(damaged));
}

}  // namespace
}  // namespace gelenk::cad::anchor_test
