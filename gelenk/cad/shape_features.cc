#include <BRepAdaptor_Surface.hxx>
#include <BRepTools.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Face.hxx>
#include <gp_Cylinder.hxx>
#include <gp_Pln.hxx>
#include <gp_Sphere.hxx>

#include "gelenk/cad/face_triangles.h"
#include "gelenk/cad/feature_merge.h"
#include "gelenk/cad/shape_facts.h"
#include "gelenk/cad/surface_fit.h"

namespace gelenk::cad {
namespace {

constexpr int kSamples = 9;  // in each direction of a surface

Vector3 vector_of(const gp_Pnt& p) { return kMillimeter * Vector3(p.X(), p.Y(), p.Z()); }
Vector3 vector_of(const gp_Dir& d) { return {d.X(), d.Y(), d.Z()}; }

std::vector<SurfaceSample> samples_of(const TopoDS_Face& face, const BRepAdaptor_Surface& surface) {
  double u_low = 0.0, u_high = 0.0, v_low = 0.0, v_high = 0.0;
  BRepTools::UVBounds(face, u_low, u_high, v_low, v_high);
  std::vector<SurfaceSample> samples;
  for (int i = 0; i < kSamples; ++i) {
    for (int j = 0; j < kSamples; ++j) {
      gp_Pnt point;
      gp_Vec along_u, along_v;
      surface.D1(u_low + (u_high - u_low) * (i + 0.5) / kSamples, v_low + (v_high - v_low) * (j + 0.5) / kSamples,
                 point, along_u, along_v);
      const gp_Vec n = along_u.Crossed(along_v);
      if (const std::optional<Vector3> unit = unit_vector({n.X(), n.Y(), n.Z()})) {
        samples.push_back({vector_of(point), *unit});
      }
    }
  }
  return samples;
}

std::optional<FittedSurface> surface_of(const TopoDS_Face& face) {
  const BRepAdaptor_Surface surface(face);
  switch (surface.GetType()) {
    case GeomAbs_Plane:
      return FittedSurface{Feature::Kind::plane, vector_of(surface.Plane().Location()),
                           vector_of(surface.Plane().Axis().Direction()), 0.0};
    case GeomAbs_Cylinder:
      return FittedSurface{Feature::Kind::cylinder, vector_of(surface.Cylinder().Location()),
                           vector_of(surface.Cylinder().Axis().Direction()), kMillimeter * surface.Cylinder().Radius()};
    case GeomAbs_Sphere:
      return FittedSurface{Feature::Kind::sphere, vector_of(surface.Sphere().Location()), Vector3::UnitZ(),
                           kMillimeter * surface.Sphere().Radius()};
    case GeomAbs_Cone:
    case GeomAbs_Torus:
      return std::nullopt;
    default:
      return fit_surface(samples_of(face, surface));
  }
}

}  // namespace

std::vector<Feature> surface_features(const TopoDS_Shape& shape) {
  std::vector<FaceOnSurface> faces;
  for (TopExp_Explorer solid(shape, TopAbs_SOLID); solid.More(); solid.Next()) {
    for (TopExp_Explorer it(solid.Current(), TopAbs_FACE); it.More(); it.Next()) {
      const TopoDS_Face& face = TopoDS::Face(it.Current());
      if (const std::optional<FittedSurface> surface = surface_of(face)) {
        append_triangles(face, faces.emplace_back(FaceOnSurface{*surface, {}}).triangles);
      }
    }
  }
  return merged_features(faces);
}

}  // namespace gelenk::cad
