#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "gelenk/geometry/mesh_reader.h"
#include "gelenk/geometry/mesh_text.h"
#include "gelenk/geometry/raw_mesh.h"

namespace gelenk::geometry {
namespace {

// Binary STL, little-endian: 80 bytes of header, the number of triangles in 4, then per triangle 50 bytes: normal and
// three corners in single precision, 2 bytes of attributes. Normals and attributes are not used.
constexpr std::size_t kStlHeaderBytes = 84;
constexpr std::size_t kCountOffset = 80;
constexpr std::size_t kTriangleBytes = 50;
constexpr std::size_t kNormalBytes = 12;

std::uint32_t read_uint32(std::string_view bytes, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[offset + i]);
  return value;
}

double read_float(std::string_view bytes, std::size_t offset) {
  const std::uint32_t bits = read_uint32(bytes, offset);
  float value = 0.0F;
  std::memcpy(&value, &bits, sizeof value);
  return static_cast<double>(value);
}

bool equals_ignoring_case(std::string_view word, std::string_view lower) {
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == static_cast<unsigned char>(b);
  });
}

void add_triangle(TriangleMesh& mesh) {
  const auto last = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.triangles.push_back({last - 3, last - 2, last - 1});
}

RawMesh read_binary(std::string_view bytes, std::uint64_t count) {
  RawMesh result;
  // The caller has compared the count with the size of the file: it is no lie.
  result.mesh.vertices.reserve(3 * count);
  result.mesh.triangles.reserve(count);
  for (std::size_t t = 0; t < count; ++t) {
    const std::size_t corners = kStlHeaderBytes + t * kTriangleBytes + kNormalBytes;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      Vector3 v;
      for (int i = 0; i < 3; ++i) {
        v[i] = read_float(bytes, corners + 12 * corner + 4 * static_cast<std::size_t>(i));
        if (const std::string text = coordinate_problem(v[i]); !text.empty()) {
          result.error = fmt::format("triangle {} of {}: {}", t + 1, count, text);
          return result;
        }
      }
      result.mesh.vertices.push_back(v);
    }
    add_triangle(result.mesh);
  }
  return result;
}

// solid NAME { facet normal X Y Z outer loop { vertex X Y Z }³ endloop endfacet } endsolid NAME, any number of solids.
class TextReader {
 public:
  explicit TextReader(std::string_view text) : words_(text) {}

  RawMesh read() {
    while (result_.error.empty()) {
      const std::string_view word = words_.next();
      if (word.empty()) break;
      if (!equals_ignoring_case(word, "solid")) {
        fail_expecting("solid", word);
        break;
      }
      words_.skip_line();
      while (result_.error.empty() && read_facet()) continue;
    }
    return std::move(result_);
  }

 private:
  // False at the end of the solid.
  bool read_facet() {
    const std::string_view word = words_.next();
    if (equals_ignoring_case(word, "endsolid")) {
      words_.skip_line();
      return false;
    }
    if (!equals_ignoring_case(word, "facet")) return fail_expecting("facet or endsolid", word);
    if (result_.mesh.triangles.size() == kMaxMeshTriangles) {
      result_.error = fmt::format("the file has more than {} triangles", kMaxMeshTriangles);
      return false;
    }
    if (!expect("normal")) return false;
    // Some exporters write "nan" as the normal of a triangle without area; normals are not needed.
    for (int i = 0; i < 3; ++i) words_.next();
    if (!expect("outer") || !expect("loop")) return false;
    for (int corner = 0; corner < 3; ++corner) {
      if (!expect("vertex") || !read_vertex()) return false;
    }
    if (!expect("endloop") || !expect("endfacet")) return false;
    add_triangle(result_.mesh);
    return true;
  }

  bool read_vertex() {
    Vector3 v;
    for (int i = 0; i < 3; ++i) {
      const std::string_view word = words_.next();
      if (word.empty()) return fail_expecting("a coordinate", word);
      const std::optional<double> value = parse_coordinate(word);
      const std::string text =
          value ? coordinate_problem(*value) : fmt::format("coordinate '{}' is not a finite number", printable(word));
      if (!text.empty()) return fail(text);
      v[i] = *value;
    }
    result_.mesh.vertices.push_back(v);
    return true;
  }

  bool expect(std::string_view keyword) {
    const std::string_view word = words_.next();
    return equals_ignoring_case(word, keyword) || fail_expecting(keyword, word);
  }

  bool fail_expecting(std::string_view expected, std::string_view word) {
    if (word.empty()) return fail(fmt::format("the file ends where '{}' is expected; it may be cut off", expected));
    return fail(fmt::format("'{}' is expected, but there is '{}'", expected, printable(word)));
  }

  bool fail(std::string_view text) {
    result_.error = fmt::format("line {}: {}", words_.line(), text);
    return false;
  }

  WordReader words_;
  RawMesh result_;
};

bool looks_like_text(std::string_view bytes) {
  WordReader words(bytes.substr(0, kStlHeaderBytes));
  if (!equals_ignoring_case(words.next(), "solid")) return false;
  // Headers of binary files are filled up with zero bytes; no text has any.
  return bytes.substr(0, kStlHeaderBytes).find('\0') == std::string_view::npos;
}

}  // namespace

RawMesh read_stl(std::string_view bytes) {
  const bool has_header = bytes.size() >= kStlHeaderBytes;
  const std::uint64_t count = has_header ? read_uint32(bytes, kCountOffset) : 0;
  if (has_header && bytes.size() == kStlHeaderBytes + kTriangleBytes * count) {
    if (count <= kMaxMeshTriangles) return read_binary(bytes, count);
    return {{}, fmt::format("the file has {} triangles, more than {}", count, kMaxMeshTriangles)};
  }
  if (looks_like_text(bytes)) return TextReader(bytes).read();
  if (!has_header) {
    return {{},
            fmt::format("the file is not an STL file: it does not begin with 'solid', and its {} bytes are too few for "
                        "a binary one",
                        bytes.size())};
  }
  return {
      {},
      fmt::format(
          "the file is not an STL file or is damaged: its header announces {} triangles, but there are bytes for {}",
          count, (bytes.size() - kStlHeaderBytes) / kTriangleBytes)};
}

}  // namespace gelenk::geometry
