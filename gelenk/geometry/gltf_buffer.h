#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/base/json.h"
#include "gelenk/geometry/color.h"
#include "gelenk/geometry/mesh.h"

// The numbers of a file of glTF 2.0, and the two forms of such a file.
namespace gelenk::geometry {

// Collects numbers as the format stores them; what is added is known by the number of its accessor from then on.
class GltfBuffer {
 public:
  // For meshes. Points have their bounds with them, as the format wants it.
  std::size_t add_points(std::span<const Vector3> points);
  std::size_t add_normals(std::span<const Vector3> normals);
  std::size_t add_triangles(std::span<const Triangle> triangles);
  // For animations: times in s, ascending; `width` numbers for each time, 3 for places, 4 for quaternions x, y, z, w.
  std::size_t add_times(std::span<const float> times);
  std::size_t add_track(std::span<const float> values, std::size_t width);

  // The members "accessors", "bufferViews" and "buffers" of the file; the last one holds `uri` where there is one.
  void write(JsonWriter& json, std::string_view uri = {}) const;
  const std::string& bytes() const { return bytes_; }

 private:
  struct Accessor {
    std::size_t begin = 0, size = 0, count = 0;
    int component = 0;  // type of the numbers
    int target = 0;     // 0: no vertices
    std::string_view type;
    std::vector<float> min, max;  // empty: not given
  };
  std::size_t add_vectors(std::span<const Vector3> vectors, bool has_bounds);
  std::size_t add_floats(std::span<const float> values, std::size_t width, int target, bool has_bounds);
  std::size_t close(Accessor accessor);

  std::string bytes_;
  std::vector<Accessor> accessors_;
};

// A material that looks like a machined part. The format has linear colors.
void write_gltf_material(JsonWriter& json, const Color& color);
// The other way: what a file has as linear color.
Color color_from_linear(const Color& linear);

// The file in its binary form.
std::string glb_file(std::string_view description, std::string_view bytes);
// The bytes as text that can stand in a description.
std::string gltf_data_uri(std::string_view bytes);

}  // namespace gelenk::geometry
