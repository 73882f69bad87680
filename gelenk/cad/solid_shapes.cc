#include "gelenk/cad/solid_shapes.h"

#include <fmt/format.h>

#include <BRepAlgoAPI_Cut.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakeSolid.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRep_Builder.hxx>
#include <GC_MakeArcOfCircle.hxx>
#include <Precision.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <TopoDS_Shell.hxx>
#include <TopoDS_Vertex.hxx>
#include <TopoDS_Wire.hxx>
#include <cmath>
#include <gp_Pln.hxx>
#include <map>
#include <utility>
#include <vector>

#include "gelenk/cad/shape_facts.h"

namespace gelenk::cad {
namespace {

// STEP has a face, three edges and their points for each triangle, about 1 kB.
constexpr std::size_t kMostTriangles = 50'000;

double mm(double meters) { return meters / kMillimeter; }
gp_Pnt point_of(const Vector3& p) { return {mm(p.x()), mm(p.y()), mm(p.z())}; }

// Flat faces that share their edges, so that the shell is closed where the mesh is.
class MeshShell {
 public:
  explicit MeshShell(const geometry::Mesh& mesh) : mesh_(*mesh.mesh), vertices_(mesh_.vertices.size()) {
    builder_.MakeShell(shell_);
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      builder_.MakeVertex(vertices_[i], point_of(mesh.scale * mesh_.vertices[i]), Precision::Confusion());
    }
    for (const geometry::Triangle& triangle : mesh_.triangles) add(triangle);
  }

  TopoDS_Shape solid() {
    shell_.Closed(geometry::check_edges(mesh_).is_closed());
    return shell_.Closed() ? TopoDS_Shape(BRepBuilderAPI_MakeSolid(shell_).Solid()) : TopoDS_Shape(shell_);
  }

 private:
  void add(const geometry::Triangle& triangle) {
    const Vector3 &a = mesh_.vertices[triangle[0]], &b = mesh_.vertices[triangle[1]], &c = mesh_.vertices[triangle[2]];
    const std::optional<Vector3> normal = unit_vector((b - a).cross(c - a));
    if (!normal) return;
    TopoDS_Wire wire;
    builder_.MakeWire(wire);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::optional<TopoDS_Edge> edge = edge_between(triangle[i], triangle[(i + 1) % 3]);
      if (!edge) return;
      builder_.Add(wire, *edge);
    }
    wire.Closed(Standard_True);
    const gp_Pln plane(BRep_Tool::Pnt(vertices_[triangle[0]]), gp_Dir(normal->x(), normal->y(), normal->z()));
    builder_.Add(shell_, BRepBuilderAPI_MakeFace(plane, wire, Standard_False).Face());
  }

  // Runs from the first vertex to the second; none when they are in one place.
  std::optional<TopoDS_Edge> edge_between(std::uint32_t from, std::uint32_t to) {
    const auto key = std::pair{std::min(from, to), std::max(from, to)};
    auto found = edges_.find(key);
    if (found == edges_.end()) {
      BRepBuilderAPI_MakeEdge made(vertices_[key.first], vertices_[key.second]);
      if (!made.IsDone()) return std::nullopt;
      found = edges_.emplace(key, made.Edge()).first;
    }
    return TopoDS::Edge(from == key.first ? found->second : found->second.Reversed());
  }

  const geometry::TriangleMesh& mesh_;
  BRep_Builder builder_;
  std::vector<TopoDS_Vertex> vertices_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, TopoDS_Edge> edges_;
  TopoDS_Shell shell_;
};

// In axes of the shape S.
struct SolidMaker {
  std::string& error;

  TopoDS_Shape operator()(const geometry::Box& it) const {
    return BRepPrimAPI_MakeBox(point_of(-0.5 * it.size), point_of(0.5 * it.size)).Shape();
  }
  TopoDS_Shape operator()(const geometry::Cylinder& it) const {
    return BRepPrimAPI_MakeCylinder(mm(it.radius), mm(it.length)).Shape();
  }
  TopoDS_Shape operator()(const geometry::Tube& it) const {
    return BRepAlgoAPI_Cut(BRepPrimAPI_MakeCylinder(mm(it.radius), mm(it.length)).Shape(),
                           BRepPrimAPI_MakeCylinder(mm(it.inner_radius), mm(it.length)).Shape())
        .Shape();
  }
  TopoDS_Shape operator()(const geometry::Sphere& it) const { return BRepPrimAPI_MakeSphere(mm(it.radius)).Shape(); }
  // Half of its outline, turned about the axis.
  TopoDS_Shape operator()(const geometry::Capsule& it) const {
    const double r = mm(it.radius), l = mm(it.length), diagonal = r * std::sqrt(0.5);
    const gp_Pnt bottom(0, 0, -r), low(r, 0, 0), high(r, 0, l), top(0, 0, l + r);
    BRepBuilderAPI_MakeWire wire;
    wire.Add(BRepBuilderAPI_MakeEdge(GC_MakeArcOfCircle(bottom, gp_Pnt(diagonal, 0, -diagonal), low).Value()));
    wire.Add(BRepBuilderAPI_MakeEdge(low, high));
    wire.Add(BRepBuilderAPI_MakeEdge(GC_MakeArcOfCircle(high, gp_Pnt(diagonal, 0, l + diagonal), top).Value()));
    wire.Add(BRepBuilderAPI_MakeEdge(top, bottom));
    return BRepPrimAPI_MakeRevol(BRepBuilderAPI_MakeFace(wire.Wire()).Face(), gp::OZ()).Shape();
  }
  TopoDS_Shape operator()(const geometry::Cone& it) const {
    constexpr double kStraight = 1e-9;  // OpenCASCADE makes no cone without a tip
    if (std::abs(it.radius - it.end_radius) <= kStraight * it.radius) {
      return (*this)(geometry::Cylinder{it.radius, it.length});
    }
    return BRepPrimAPI_MakeCone(mm(it.radius), mm(it.end_radius), mm(it.length)).Shape();
  }
  TopoDS_Shape operator()(const geometry::Mesh& it) const {
    if (it.mesh->triangles.size() > kMostTriangles) {
      error = fmt::format("its mesh has {} triangles, and STEP is not meant for more than {}",
                          it.mesh->triangles.size(), kMostTriangles);
      return {};
    }
    return MeshShell(it).solid();
  }
};

}  // namespace

TopoDS_Shape transformed(const TopoDS_Shape& shape, const Pose& X, const Matrix3& S) {
  const Matrix3 A = X.rotation * S;
  gp_Trsf transformation;
  transformation.SetValues(A(0, 0), A(0, 1), A(0, 2), mm(X.position.x()), A(1, 0), A(1, 1), A(1, 2), mm(X.position.y()),
                           A(2, 0), A(2, 1), A(2, 2), mm(X.position.z()));
  return BRepBuilderAPI_Transform(shape, transformation, Standard_True).Shape();
}

TopoDS_Shape shape_of(std::span<const geometry::Shape> solids, std::string& error) {
  std::vector<TopoDS_Shape> made, holes;
  for (const geometry::Shape& solid : solids) {
    const TopoDS_Shape shape = std::visit(SolidMaker{error}, solid.primitive);
    if (!error.empty()) return {};
    const bool is_in_place = solid.X_PS.position.isZero(0.0) && solid.X_PS.rotation.isIdentity(0.0);
    (solid.hole ? holes : made).push_back(is_in_place ? shape : transformed(shape, solid.X_PS, Matrix3::Identity()));
  }
  for (TopoDS_Shape& shape : made) {
    for (const TopoDS_Shape& hole : holes) {
      BRepAlgoAPI_Cut cut(shape, hole);
      if (!cut.IsDone()) {
        error = "OpenCASCADE cannot cut one of its holes";
        return {};
      }
      shape = cut.Shape();
    }
  }
  if (made.size() == 1) return made.front();
  TopoDS_Compound all;
  BRep_Builder builder;
  builder.MakeCompound(all);
  for (const TopoDS_Shape& shape : made) builder.Add(all, shape);
  if (made.empty()) error = "it has no solid";
  return all;
}

}  // namespace gelenk::cad
