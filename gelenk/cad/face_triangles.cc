#include "gelenk/cad/face_triangles.h"

#include <BRep_Tool.hxx>
#include <Poly_Triangulation.hxx>
#include <TopoDS_Face.hxx>
#include <utility>

#include "gelenk/cad/shape_facts.h"

namespace gelenk::cad {

bool append_triangles(const TopoDS_Face& face, geometry::TriangleMesh& mesh) {
  TopLoc_Location location;
  const Handle(Poly_Triangulation) triangulation = BRep_Tool::Triangulation(face, location);
  if (triangulation.IsNull()) return false;
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  const gp_Trsf& placement = location.Transformation();
  for (int i = 1; i <= triangulation->NbNodes(); ++i) {
    const gp_Pnt node = triangulation->Node(i).Transformed(placement);
    mesh.vertices.push_back(kMillimeter * Vector3(node.X(), node.Y(), node.Z()));
  }
  const bool is_reversed = face.Orientation() == TopAbs_REVERSED;
  for (int i = 1; i <= triangulation->NbTriangles(); ++i) {
    int a = 0, b = 0, c = 0;
    triangulation->Triangle(i).Get(a, b, c);
    if (is_reversed) std::swap(b, c);
    const auto number = [&](int node) { return first + static_cast<std::uint32_t>(node - 1); };
    mesh.triangles.push_back({number(a), number(b), number(c)});
  }
  return true;
}

}  // namespace gelenk::cad
