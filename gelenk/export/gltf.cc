#include "gelenk/export/gltf.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "gelenk/export/flat_json.h"
#include "gelenk/export/scene_shapes.h"
#include "gelenk/export/scene_symbols.h"
#include "gelenk/geometry/gltf_buffer.h"
#include "gelenk/geometry/mesh_normals.h"

namespace gelenk::exporting {
namespace {

using geometry::GltfBuffer;

struct GltfNode {
  std::string name;
  std::optional<Pose> pose;
  std::optional<std::size_t> mesh;
  std::vector<std::size_t> children;
};

// Accessors of one surface.
struct Surface {
  std::size_t points = 0, normals = 0, triangles = 0;
};

struct Track {
  std::size_t node = 0;
  std::optional<std::size_t> translations, rotations;  // accessors
};

// Bytes of a file are counted by 32 bits; the description needs its share.
constexpr std::size_t kMostBytes = std::numeric_limits<std::uint32_t>::max() - (std::size_t{64} << 20U);

using Quadruple = std::array<float, 4>;

Quadruple quadruple(const Quaternion& q) {
  return {static_cast<float>(q.x()), static_cast<float>(q.y()), static_cast<float>(q.z()), static_cast<float>(q.w())};
}

class GltfMaker {
 public:
  GltfMaker(const Scene& scene, std::span<const Pose> poses, const SceneMotion* motion, const GltfOptions& options)
      : scene_(scene), poses_(poses), motion_(motion), options_(options) {}

  std::string make(std::string& file) {
    add_tree();
    if (motion_ != nullptr && motion_->times.size() > 1) add_motion();
    if (buffer_.bytes().size() > kMostBytes) return "a glTF file cannot be larger than 4 GB; use a lower --fps";
    const std::string uri = options_.is_binary ? std::string() : geometry::gltf_data_uri(buffer_.bytes());
    const std::string description = flat_json(describe(uri));
    file = options_.is_binary ? geometry::glb_file(description, buffer_.bytes()) : description;
    return {};
  }

 private:
  std::size_t add_node(const std::string& name, std::optional<std::size_t> owner) {
    nodes_.push_back({name, {}, {}, {}});
    if (owner) nodes_[*owner].children.push_back(nodes_.size() - 1);
    return nodes_.size() - 1;
  }

  void add_tree() {
    const std::size_t root = add_node(scene_.name, {});
    nodes_[root].pose =
        Pose{Quaternion::FromTwoVectors(scene_.up, Vector3::UnitY()).toRotationMatrix(), Vector3::Zero()};
    std::vector<std::size_t> assemblies;
    for (const SceneAssembly& assembly : scene_.assemblies) {
      assemblies.push_back(add_node(assembly.path, assembly.owner ? assemblies[*assembly.owner] : root));
    }
    for (std::size_t i = 0; i < scene_.parts.size(); ++i) {
      const ScenePart& part = scene_.parts[i];
      part_nodes_.push_back(add_node(part.path, part.assembly ? assemblies[*part.assembly] : root));
      nodes_[part_nodes_.back()].pose = i < poses_.size() ? poses_[i] : part.X_WP;
      for (const SceneShape& shape : part.shapes) add_shape(shape, part.color, part_nodes_.back());
    }
    for (const SceneShape& shape : scene_.ground_shapes) add_shape(shape, scene_.ground_color, ground());
    if (!options_.has_symbols) return;
    for (const SceneJoint& joint : scene_.joints) {
      const std::size_t end = symbol_end(joint);
      const int part = joint.parts[end];
      const std::size_t node =
          add_node(joint.path, part == kGroundPart ? ground() : part_nodes_[static_cast<std::size_t>(part)]);
      nodes_[node].pose = joint.frames[end];
      for (const SceneShape& shape : joint_symbol(joint, scene_.symbol)) add_shape(shape, kSymbolColor, node);
    }
  }

  // There only when something stands on it.
  std::size_t ground() {
    if (!ground_) ground_ = add_node("ground", 0);
    return *ground_;
  }

  void add_shape(const SceneShape& shape, const Color& color, std::size_t owner) {
    const std::optional<std::size_t> mesh = mesh_of(shape, shape.color.value_or(color));
    if (!mesh) return;
    const std::size_t node = add_node(std::string(kind_name(shape.kind)), owner);
    nodes_[node].pose = shape.X_PS;
    nodes_[node].mesh = mesh;
  }

  // Equal shapes of one color are one mesh, of several colors one surface. Nothing: there is nothing to be seen of it.
  std::optional<std::size_t> mesh_of(const SceneShape& shape, const Color& color) {
    const SurfaceKey key{shape.kind,   shape.size.x(), shape.size.y(), shape.size.z(),
                         shape.radius, shape.top,      shape.length,   shape.mesh};
    const auto [known, is_new] = surfaces_.try_emplace(key);
    if (is_new) {
      const geometry::ShadedMesh mesh = geometry::shaded(surface(shape, scene_.meshes));
      if (!mesh.triangles.empty()) {
        known->second = Surface{buffer_.add_points(mesh.vertices), buffer_.add_normals(mesh.normals),
                                buffer_.add_triangles(mesh.triangles)};
      }
    }
    if (!known->second) return std::nullopt;
    const std::size_t material = materials_.try_emplace(color, materials_.size()).first->second;
    if (material == colors_.size()) colors_.push_back(color);
    const auto mesh = meshes_.try_emplace({known->second->points, material}, meshes_.size());
    if (mesh.second) mesh_list_.emplace_back(*known->second, material);
    return mesh.first->second;
  }

  // Times that floats can distinguish; rows that fall together, or are no poses, are left out.
  void add_motion() {
    std::vector<float> times;
    for (std::size_t row = 0; row < motion_->times.size(); ++row) {
      const auto time = static_cast<float>(motion_->times[row] - motion_->times.front());
      if (!times.empty() && !(time > times.back())) continue;
      const std::span<const double> poses = motion_->poses_at(row);
      if (!std::all_of(poses.begin(), poses.end(), [](double number) { return std::isfinite(number); })) continue;
      times.push_back(time);
      rows_.push_back(row);
    }
    if (times.size() < 2) return;
    for (std::size_t part = 0; part < part_nodes_.size(); ++part) add_track(part, times);
  }

  void add_track(std::size_t part, const std::vector<float>& times) {
    std::vector<float> places, turns;
    bool moves = false, rotates = false;
    std::optional<Quaternion> before;
    for (const std::size_t row : rows_) {
      const std::span<const double> pose = motion_->pose(row, part);
      for (std::size_t i = 0; i < 3; ++i) places.push_back(static_cast<float>(pose[i]));
      Quaternion q = Quaternion(pose[3], pose[4], pose[5], pose[6]).normalized();
      // q and -q are the same rotation; on the way between rows only one of them is the short way.
      if (before && before->dot(q) < 0.0) q.coeffs() = -q.coeffs();
      before = q;
      for (const float number : quadruple(q)) turns.push_back(number);
      for (std::size_t i = 0; i < 3; ++i) moves |= places[places.size() - 3 + i] != places[i];
      for (std::size_t i = 0; i < 4; ++i) rotates |= turns[turns.size() - 4 + i] != turns[i];
    }
    if (!moves && !rotates) return;
    if (tracks_.empty()) times_ = buffer_.add_times(times);
    Track track{part_nodes_[part], {}, {}};
    if (moves) track.translations = buffer_.add_track(places, 3);
    if (rotates) track.rotations = buffer_.add_track(turns, 4);
    tracks_.push_back(track);
  }

  void write_node(JsonWriter& json, const GltfNode& node) const {
    json.begin_object().member("name", node.name);
    if (node.pose && !node.pose->position.isZero(0.0)) {
      json.key("translation").begin_array();
      for (int i = 0; i < 3; ++i) json.value(node.pose->position[i]);
      json.end_array();
    }
    if (node.pose && !node.pose->rotation.isIdentity(0.0)) {
      const Quaternion q = quaternion_from_rotation(node.pose->rotation);
      json.key("rotation").begin_array();
      for (const double number : {q.x(), q.y(), q.z(), q.w()}) json.value(number);
      json.end_array();
    }
    if (node.mesh) json.member("mesh", *node.mesh);
    if (!node.children.empty()) {
      json.key("children").begin_array();
      for (const std::size_t child : node.children) json.value(child);
      json.end_array();
    }
    json.end_object();
  }

  void write_animation(JsonWriter& json) const {
    json.key("animations").begin_array().begin_object().member("name", scene_.name).key("samplers").begin_array();
    for (const Track& track : tracks_) {
      for (const std::optional<std::size_t>& output : {track.translations, track.rotations}) {
        if (!output) continue;
        json.begin_object().member("input", times_).member("output", *output);
        json.member("interpolation", "LINEAR").end_object();
      }
    }
    json.end_array().key("channels").begin_array();
    std::size_t sampler = 0;
    for (const Track& track : tracks_) {
      for (const bool is_rotation : {false, true}) {
        if (!(is_rotation ? track.rotations : track.translations)) continue;
        json.begin_object().member("sampler", sampler++).key("target").begin_object().member("node", track.node);
        json.member("path", is_rotation ? "rotation" : "translation").end_object().end_object();
      }
    }
    json.end_array().end_object().end_array();
  }

  std::string describe(const std::string& uri) const {
    JsonWriter json;
    json.begin_object().key("asset").begin_object().member("version", "2.0").member("generator", options_.generator);
    json.end_object().member("scene", 0).key("scenes").begin_array().begin_object().member("name", scene_.name);
    json.key("nodes").begin_array().value(0).end_array().end_object().end_array().key("nodes").begin_array();
    for (const GltfNode& node : nodes_) write_node(json, node);
    json.end_array();
    if (!mesh_list_.empty()) {
      json.key("meshes").begin_array();
      for (const auto& [surface, material] : mesh_list_) {
        json.begin_object().key("primitives").begin_array().begin_object().key("attributes").begin_object();
        json.member("POSITION", surface.points).member("NORMAL", surface.normals).end_object();
        json.member("indices", surface.triangles).member("material", material);
        json.end_object().end_array().end_object();
      }
      json.end_array().key("materials").begin_array();
      for (const Color& color : colors_) geometry::write_gltf_material(json, color);
      json.end_array();
    }
    if (!tracks_.empty()) write_animation(json);
    if (!buffer_.bytes().empty()) buffer_.write(json, uri);
    return json.end_object().take();
  }

  using SurfaceKey = std::tuple<SceneShape::Kind, double, double, double, double, double, double, std::size_t>;

  const Scene& scene_;
  std::span<const Pose> poses_;
  const SceneMotion* motion_;
  const GltfOptions& options_;
  GltfBuffer buffer_;
  std::vector<GltfNode> nodes_;
  std::vector<std::size_t> part_nodes_;
  std::optional<std::size_t> ground_;
  std::map<SurfaceKey, std::optional<Surface>> surfaces_;
  std::map<Color, std::size_t> materials_;
  std::vector<Color> colors_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> meshes_;  // by points and material
  std::vector<std::pair<Surface, std::size_t>> mesh_list_;
  std::vector<std::size_t> rows_;  // of the motion that are shown
  std::size_t times_ = 0;
  std::vector<Track> tracks_;
};

}  // namespace

std::string write_gltf(const Scene& scene, std::span<const Pose> poses, const SceneMotion* motion,
                       const GltfOptions& options, std::string& file) {
  return GltfMaker(scene, poses, motion, options).make(file);
}

}  // namespace gelenk::exporting
