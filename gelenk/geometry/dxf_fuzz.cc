#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gelenk/geometry/dxf_reader.h"

namespace gelenk::geometry {
namespace {

// What every caller may rely on, whatever the bytes were.
bool keeps_its_promises(const DxfReadResult& result) {
  if (result.outline.empty() == result.error.empty()) return false;
  if (result.outline.empty()) return true;
  return problem(result.outline).empty() && check_edges(extruded(result.outline, 1.0)).is_closed();
}

}  // namespace
}  // namespace gelenk::geometry

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (!gelenk::geometry::keeps_its_promises(gelenk::geometry::read_dxf(bytes))) std::abort();
  return 0;
}
