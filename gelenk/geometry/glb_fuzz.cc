#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gelenk/geometry/glb_reader.h"

namespace gelenk::geometry {
namespace {

// What every caller may rely on, whatever the bytes were.
bool keeps_its_promises(const GlbPicture& picture) {
  if (picture.mesh.triangles.empty() == picture.error.empty()) return false;
  for (const Triangle& t : picture.mesh.triangles) {
    for (const std::uint32_t v : t) {
      if (v >= picture.mesh.vertices.size() || !picture.mesh.vertices[v].allFinite()) return false;
    }
  }
  return true;
}

}  // namespace
}  // namespace gelenk::geometry

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (!gelenk::geometry::keeps_its_promises(gelenk::geometry::read_glb(bytes))) std::abort();
  return 0;
}
