#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <vector>

#include "gelenk/geometry/mesh_reader.h"
#include "gelenk/geometry/mesh_text.h"
#include "gelenk/geometry/raw_mesh.h"

namespace gelenk::geometry {
namespace {

bool is_keyword(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

class ObjReader {
 public:
  explicit ObjReader(std::string_view text) : text_(text) {}

  RawMesh read() {
    while (result_.error.empty() && position_ < text_.size()) read_line();
    if (result_.error.empty() && largest_number_ > result_.mesh.vertices.size()) {
      line_ = largest_number_line_;
      fail(fmt::format("the face names vertex {}, but the file has {}", largest_number_, result_.mesh.vertices.size()));
    }
    return std::move(result_);
  }

 private:
  // A line of the file, or several joined by a backslash at the end, as words without the comment.
  void take_words() {
    words_.clear();
    bool continues = true;
    while (continues && position_ < text_.size()) {
      std::size_t end = text_.find('\n', position_);
      if (end == std::string_view::npos) end = text_.size();
      std::string_view line = text_.substr(position_, end - position_);
      position_ = end + 1;
      ++line_;
      line = line.substr(0, line.find('#'));
      while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
      continues = !line.empty() && line.back() == '\\';
      if (continues) line.remove_suffix(1);
      WordReader reader(line);
      // More corners than a face may have are not collected; the face is refused for those that are.
      for (std::string_view word = reader.next(); !word.empty() && words_.size() < kMaxWords; word = reader.next()) {
        words_.push_back(word);
      }
    }
  }

  void read_line() {
    take_words();
    if (words_.empty()) return;
    if (words_[0] == "v") return read_vertex();
    if (words_[0] == "f") return read_face();
    if (!is_keyword(words_[0])) fail(fmt::format("'{}' is not a statement of an OBJ file", printable(words_[0])));
  }

  // v x y z, sometimes followed by a weight or a color
  void read_vertex() {
    if (words_.size() < 4) return fail(fmt::format("a vertex needs 3 coordinates, but has {}", words_.size() - 1));
    if (result_.mesh.vertices.size() == kMaxMeshVertices) {
      return fail(fmt::format("the file has more than {} vertices", kMaxMeshVertices));
    }
    Vector3 v;
    for (int i = 0; i < 3; ++i) {
      const std::string_view word = words_[static_cast<std::size_t>(i) + 1];
      const std::optional<double> value = parse_coordinate(word);
      if (!value) return fail(fmt::format("coordinate '{}' is not a finite number", printable(word)));
      if (const std::string text = coordinate_problem(*value); !text.empty()) return fail(text);
      v[i] = *value;
    }
    result_.mesh.vertices.push_back(v);
  }

  // f a b c ...: corners as "vertex", "vertex/texture", "vertex//normal" or "vertex/texture/normal"
  void read_face() {
    const std::size_t corners = words_.size() - 1;
    if (corners < 3) return fail(fmt::format("a face needs at least 3 corners, but has {}", corners));
    if (corners - 2 > kMaxMeshTriangles - result_.mesh.triangles.size()) {
      return fail(fmt::format("the file has more than {} triangles", kMaxMeshTriangles));
    }
    const std::optional<std::uint32_t> first = vertex_number(words_[1]);
    std::optional<std::uint32_t> previous = vertex_number(words_[2]);
    for (std::size_t i = 3; i < words_.size(); ++i) {
      const std::optional<std::uint32_t> current = vertex_number(words_[i]);
      if (!first || !previous || !current) return;
      result_.mesh.triangles.push_back({*first, *previous, *current});
      previous = current;
    }
  }

  // Counted from 0. In the file: from 1, or backwards from the vertex read last, which is -1.
  std::optional<std::uint32_t> vertex_number(std::string_view corner) {
    const std::string_view word = corner.substr(0, corner.find('/'));
    const std::size_t count = result_.mesh.vertices.size();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size() || number == 0) {
      fail(fmt::format("'{}' is not a vertex number", printable(corner)));
      return std::nullopt;
    }
    if (number > static_cast<std::int64_t>(kMaxMeshVertices) || number < -static_cast<std::int64_t>(count)) {
      fail(fmt::format("the face names vertex {}, but the file has {} so far", number, count));
      return std::nullopt;
    }
    if (number < 0) return static_cast<std::uint32_t>(static_cast<std::int64_t>(count) + number);
    // Vertices may come after the faces; whether they did is known at the end.
    if (static_cast<std::size_t>(number) > largest_number_) {
      largest_number_ = static_cast<std::size_t>(number);
      largest_number_line_ = line_;
    }
    return static_cast<std::uint32_t>(number - 1);
  }

  void fail(std::string_view text) {
    if (result_.error.empty()) result_.error = fmt::format("line {}: {}", line_, text);
  }

  static constexpr std::size_t kMaxWords = kMaxMeshTriangles + 4;

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t line_ = 0;  // the last one taken
  std::vector<std::string_view> words_;
  std::size_t largest_number_ = 0;
  std::size_t largest_number_line_ = 0;
  RawMesh result_;
};

}  // namespace

RawMesh read_obj(std::string_view bytes) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  return ObjReader(bytes).read();
}

}  // namespace gelenk::geometry
