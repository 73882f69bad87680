#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gelenk/geometry/mesh_reader.h"

namespace gelenk::geometry {
namespace {

// What every caller may rely on, whatever the bytes were.
bool keeps_its_promises(const MeshReadResult& result) {
  if ((result.mesh == nullptr) == result.error.empty()) return false;
  if (result.mesh == nullptr) return true;
  for (const Triangle& t : result.mesh->triangles) {
    for (const std::uint32_t v : t) {
      if (v >= result.mesh->vertices.size()) return false;
    }
  }
  const MassProperties body = mass_properties(*result.mesh, 1.0);
  if (!std::isfinite(body.mass) || !body.center.allFinite() || !body.inertia.allFinite()) return false;
  return !result.has_volume() || (result.edges.is_closed() && body.mass > 0.0);
}

}  // namespace
}  // namespace gelenk::geometry

// The first byte chooses the format: odd for OBJ, even for STL.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto format = (data[0] & 1U) != 0 ? gelenk::geometry::MeshFormat::obj : gelenk::geometry::MeshFormat::stl;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (!gelenk::geometry::keeps_its_promises(gelenk::geometry::read_mesh(bytes, format))) std::abort();
  return 0;
}
