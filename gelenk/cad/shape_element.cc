#include "gelenk/cad/shape_element.h"

#include <BRepAdaptor_Curve.hxx>
#include <BRepAdaptor_Surface.hxx>
#include <BRep_Tool.hxx>
#include <TopExp.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Vertex.hxx>
#include <gp_Circ.hxx>
#include <gp_Cone.hxx>
#include <gp_Cylinder.hxx>
#include <gp_Lin.hxx>
#include <gp_Pln.hxx>
#include <gp_Sphere.hxx>
#include <gp_Torus.hxx>

#include "gelenk/base/text.h"
#include "gelenk/cad/shape_facts.h"

namespace gelenk::cad {
namespace {

using Kind = ShapeElement::Kind;

Vector3 place(const gp_Pnt& p) { return kMillimeter * Vector3(p.X(), p.Y(), p.Z()); }
Vector3 direction(const gp_Dir& d) { return {d.X(), d.Y(), d.Z()}; }
ShapeElement on_axis(const gp_Ax1& axis) { return {Kind::axis, place(axis.Location()), direction(axis.Direction())}; }

std::optional<ShapeElement> of_face(const TopoDS_Face& face) {
  const BRepAdaptor_Surface surface(face);
  switch (surface.GetType()) {
    case GeomAbs_Plane: {
      const gp_Pln plane = surface.Plane();
      const bool is_turned = (face.Orientation() == TopAbs_REVERSED) == plane.Direct();
      const Vector3 normal = direction(plane.Axis().Direction());
      return ShapeElement{Kind::plane, place(plane.Location()), is_turned ? Vector3(-normal) : normal};
    }
    case GeomAbs_Cylinder:
      return on_axis(surface.Cylinder().Axis());
    case GeomAbs_Cone:
      return on_axis(surface.Cone().Axis());
    case GeomAbs_Torus:
      return on_axis(surface.Torus().Axis());
    case GeomAbs_Sphere:
      return ShapeElement{Kind::center, place(surface.Sphere().Location()), Vector3::UnitZ()};
    default:
      return std::nullopt;
  }
}

std::optional<ShapeElement> of_edge(const TopoDS_Edge& edge) {
  if (BRep_Tool::Degenerated(edge)) return std::nullopt;
  const BRepAdaptor_Curve curve(edge);
  switch (curve.GetType()) {
    case GeomAbs_Line:
      return on_axis(curve.Line().Position());
    case GeomAbs_Circle:
      return on_axis(curve.Circle().Axis());
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<ShapeElement> shape_element(const TopoDS_Shape& shape, std::string_view name) {
  const auto numbered = [&](std::string_view word, TopAbs_ShapeEnum kind) -> std::optional<TopoDS_Shape> {
    if (!name.starts_with(word)) return std::nullopt;
    const std::optional<double> number = parse_number(name.substr(word.size()));
    TopTools_IndexedMapOfShape all;
    TopExp::MapShapes(shape, kind, all);
    if (!number || !(*number >= 1.0 && *number <= static_cast<double>(all.Extent()))) return std::nullopt;
    return all(static_cast<int>(*number));
  };
  if (const auto face = numbered("Face", TopAbs_FACE)) return of_face(TopoDS::Face(*face));
  if (const auto edge = numbered("Edge", TopAbs_EDGE)) return of_edge(TopoDS::Edge(*edge));
  if (const auto vertex = numbered("Vertex", TopAbs_VERTEX)) {
    return ShapeElement{Kind::corner, place(BRep_Tool::Pnt(TopoDS::Vertex(*vertex))), Vector3::UnitZ()};
  }
  return std::nullopt;
}

}  // namespace gelenk::cad
