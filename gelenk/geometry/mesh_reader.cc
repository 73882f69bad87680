#include "gelenk/geometry/mesh_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "gelenk/geometry/mesh_shells.h"
#include "gelenk/geometry/mesh_weld.h"
#include "gelenk/geometry/raw_mesh.h"

namespace gelenk::geometry {
namespace {

// A volume below this part of the cube of its size is rounding noise of a flat surface.
constexpr double kFlatVolume = 1e-13;

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// Equal coordinates first; the tolerance only where they leave gaps, and only when it closes some.
void weld(TriangleMesh& mesh, MeshReadResult& result) {
  result.dropped_triangles = weld_equal(mesh);
  result.edges = check_edges(mesh);
  const double tolerance = kWeldTolerance * bounds(mesh).diagonal();
  if (result.edges.is_closed() || !(tolerance > 0.0)) return;

  TriangleMesh looser = mesh;
  const std::size_t dropped = weld_within(looser, tolerance);
  const EdgeReport edges = check_edges(looser);
  if (looser.triangles.empty() || edges.count() >= result.edges.count()) return;
  mesh = std::move(looser);
  result.edges = edges;
  result.dropped_triangles += dropped;
  result.welded_with_tolerance = true;
  result.remarks.push_back(fmt::format("vertices closer than {:.3g} were joined to close gaps", tolerance));
}

std::string volume_problem(const TriangleMesh& mesh, const EdgeReport& edges) {
  if (!edges.is_closed()) return "the surface is not closed: " + describe(edges);
  const double size = bounds(mesh).diagonal();
  const MassProperties body = mass_properties(mesh, 1.0);
  if (!(body.mass > kFlatVolume * size * size * size)) {
    return fmt::format("the surface encloses no volume ({:.3g} in a box with a diagonal of {:.3g})", body.mass, size);
  }
  if (!check_inertia(body.inertia).is_physical()) {
    return "the surface crosses itself or faces partly inwards: no solid has the inertia it encloses";
  }
  return {};
}

void add_remarks(MeshReadResult& result) {
  if (result.dropped_triangles > 0) {
    result.remarks.push_back(
        fmt::format("{} without area left out", counted(result.dropped_triangles, "triangle", "triangles")));
  }
  if (result.turned_shells > 0) {
    result.remarks.push_back(
        fmt::format("{} facing inwards turned around", counted(result.turned_shells, "surface", "surfaces")));
  }
}

}  // namespace

std::string coordinate_problem(double value) {
  if (!std::isfinite(value)) return fmt::format("coordinate '{}' is not a finite number", value);
  if (std::abs(value) > kMaxMeshCoordinate) return fmt::format("coordinate {:.6g} is too large", value);
  return {};
}

std::optional<MeshFormat> mesh_format(std::string_view path) {
  if (path.size() < 4) return std::nullopt;
  std::string extension(path.substr(path.size() - 4));
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension == ".stl") return MeshFormat::stl;
  if (extension == ".obj") return MeshFormat::obj;
  return std::nullopt;
}

MeshReadResult read_mesh(std::string_view bytes, MeshFormat format) {
  MeshReadResult result;
  if (bytes.empty()) {
    result.error = "the file is empty";
    return result;
  }
  if (bytes.size() > kMaxMeshBytes) {
    result.error =
        fmt::format("the file is {} MiB, more than the limit of {}", bytes.size() >> 20U, kMaxMeshBytes >> 20U);
    return result;
  }
  RawMesh raw = format == MeshFormat::stl ? read_stl(bytes) : read_obj(bytes);
  result.error = std::move(raw.error);
  if (result.error.empty() && raw.mesh.triangles.empty()) result.error = "the file has no triangles";
  if (!result.error.empty()) return result;

  weld(raw.mesh, result);
  if (raw.mesh.triangles.empty()) {
    result.error = "the file has no triangles with an area";
    return result;
  }
  if (result.edges.is_closed()) result.turned_shells = turn_outwards(raw.mesh);
  result.problem = volume_problem(raw.mesh, result.edges);
  add_remarks(result);
  result.mesh = std::make_shared<const TriangleMesh>(std::move(raw.mesh));
  return result;
}

}  // namespace gelenk::geometry
