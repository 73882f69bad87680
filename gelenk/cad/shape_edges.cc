#include "gelenk/cad/shape_edges.h"

#include <BRepAdaptor_Surface.hxx>
#include <BRep_Tool.hxx>
#include <Geom2d_Curve.hxx>
#include <Poly_PolygonOnTriangulation.hxx>
#include <Poly_Triangulation.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedDataMapOfShapeListOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Face.hxx>
#include <cmath>
#include <optional>

#include "gelenk/cad/shape_facts.h"

namespace gelenk::cad {
namespace {

// Faces whose normals differ by less than this (rad) go on smoothly.
constexpr double kSmooth = 0.1;

// Outward normal of a face at the middle of one of its edges.
std::optional<Vector3> normal_at(const TopoDS_Edge& edge, const TopoDS_Face& face) {
  double first = 0.0, last = 0.0;
  const Handle(Geom2d_Curve) curve = BRep_Tool::CurveOnSurface(edge, face, first, last);
  if (curve.IsNull()) return std::nullopt;
  const gp_Pnt2d place = curve->Value(0.5 * (first + last));
  gp_Pnt point;
  gp_Vec along_u, along_v;
  BRepAdaptor_Surface(face, Standard_False).D1(place.X(), place.Y(), point, along_u, along_v);
  const gp_Vec n = along_u.Crossed(along_v);
  const double sign = face.Orientation() == TopAbs_REVERSED ? -1.0 : 1.0;
  return unit_vector(sign * Vector3(n.X(), n.Y(), n.Z()));
}

bool is_drawn(const TopoDS_Edge& edge, const TopTools_ListOfShape& faces) {
  if (BRep_Tool::Degenerated(edge)) return false;
  const TopoDS_Face& first = TopoDS::Face(faces.First());
  if (BRep_Tool::IsClosed(edge, first)) return false;
  if (faces.Extent() != 2) return true;
  const std::optional<Vector3> a = normal_at(edge, first), b = normal_at(edge, TopoDS::Face(faces.Last()));
  return !a || !b || a->dot(*b) < std::cos(kSmooth);
}

Polyline points_of(const TopoDS_Edge& edge, const TopoDS_Face& face) {
  Polyline points;
  TopLoc_Location location;
  const Handle(Poly_Triangulation) triangulation = BRep_Tool::Triangulation(face, location);
  if (triangulation.IsNull()) return points;
  const Handle(Poly_PolygonOnTriangulation) polygon = BRep_Tool::PolygonOnTriangulation(edge, triangulation, location);
  if (polygon.IsNull()) return points;
  for (int i = 1; i <= polygon->NbNodes(); ++i) {
    const gp_Pnt node = triangulation->Node(polygon->Node(i)).Transformed(location.Transformation());
    points.push_back(kMillimeter * Vector3(node.X(), node.Y(), node.Z()));
  }
  return points;
}

}  // namespace

std::vector<Polyline> sharp_edges(const TopoDS_Shape& shape) {
  TopTools_IndexedDataMapOfShapeListOfShape faces_of;
  for (TopExp_Explorer solid(shape, TopAbs_SOLID); solid.More(); solid.Next()) {
    TopExp::MapShapesAndAncestors(solid.Current(), TopAbs_EDGE, TopAbs_FACE, faces_of);
  }
  std::vector<Polyline> edges;
  for (int i = 1; i <= faces_of.Extent(); ++i) {
    const TopoDS_Edge& edge = TopoDS::Edge(faces_of.FindKey(i));
    const TopTools_ListOfShape& faces = faces_of.FindFromIndex(i);
    if (!is_drawn(edge, faces)) continue;
    Polyline points = points_of(edge, TopoDS::Face(faces.First()));
    if (points.size() > 1) edges.push_back(std::move(points));
  }
  return edges;
}

}  // namespace gelenk::cad
