#include "gelenk/cad/shape_facts.h"

#include <BRepBndLib.hxx>
#include <BRepGProp.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <Bnd_Box.hxx>
#include <GProp_GProps.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Face.hxx>
#include <algorithm>
#include <cmath>

#include "gelenk/cad/face_triangles.h"

namespace gelenk::cad {
namespace {

// How far triangles may be off: this part of the size of the shape, and this angle (rad) from triangle to triangle.
constexpr double kDeflection = 1e-3;
constexpr double kAngularDeflection = 0.3;

MassProperties unit_properties(const GProp_GProps& found) {
  constexpr double kArea = kMillimeter * kMillimeter, kVolume = kArea * kMillimeter;
  MassProperties result;
  result.mass = found.Mass() * kVolume;
  const gp_Pnt center = found.CentreOfMass();
  result.center = kMillimeter * Vector3(center.X(), center.Y(), center.Z());
  const gp_Mat inertia = found.MatrixOfInertia();  // about the center of mass
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result.inertia(i, j) = inertia.Value(i + 1, j + 1) * kVolume * kArea;
  }
  result.inertia = 0.5 * (result.inertia + result.inertia.transpose()).eval();
  return result;
}

}  // namespace

SolidFacts solid_facts(const TopoDS_Shape& shape) {
  SolidFacts facts;
  for (TopExp_Explorer solid(shape, TopAbs_SOLID); solid.More(); solid.Next()) {
    GProp_GProps properties;
    // Not the variant with a tolerance: that one watches the volume only and spoils the inertia (up to 1e-7).
    BRepGProp::VolumeProperties(solid.Current(), properties, Standard_True, Standard_False);
    MassProperties unit = unit_properties(properties);
    if (unit.mass < 0.0) {
      facts.is_turned = true;
      unit.mass = -unit.mass;
      unit.inertia = -unit.inertia;
    }
    facts.unit = facts.solids == 0 ? unit : combined(facts.unit, unit);
    ++facts.solids;
  }
  facts.volume = facts.unit.mass;
  return facts;
}

std::size_t count_faces(const TopoDS_Shape& shape) {
  TopTools_IndexedMapOfShape faces;
  TopExp::MapShapes(shape, TopAbs_FACE, faces);
  return static_cast<std::size_t>(faces.Extent());
}

SolidTriangles triangles_of(const TopoDS_Shape& shape) {
  Bnd_Box box;
  BRepBndLib::Add(shape, box);
  const double size = box.IsVoid() ? 1.0 : std::max(1e-3, std::sqrt(box.SquareExtent()));
  const BRepMesh_IncrementalMesh mesher(shape, kDeflection * size, Standard_False, kAngularDeflection, Standard_False);
  SolidTriangles result;
  for (TopExp_Explorer solid(shape, TopAbs_SOLID); solid.More(); solid.Next()) {
    for (TopExp_Explorer it(solid.Current(), TopAbs_FACE); it.More(); it.Next()) {
      if (!append_triangles(TopoDS::Face(it.Current()), result.mesh)) ++result.missing_faces;
    }
  }
  return result;
}

}  // namespace gelenk::cad
