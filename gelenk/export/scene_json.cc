#include <cstring>

#include "gelenk/base/json.h"
#include "gelenk/base/signing.h"
#include "gelenk/export/flat_json.h"
#include "gelenk/export/scene.h"

namespace gelenk::exporting {
namespace {

constexpr int kSceneFormat = 1;

void write_vector(JsonWriter& json, std::string_view key, const Vector3& vector) {
  json.key(key).begin_array();
  for (int i = 0; i < 3; ++i) json.value(vector[i]);
  json.end_array();
}

void add_quaternion(JsonWriter& json, const Matrix3& rotation) {
  const Quaternion q = quaternion_from_rotation(rotation);
  for (const double number : {q.w(), q.x(), q.y(), q.z()}) json.value(number);
}

void write_pose(JsonWriter& json, const Pose& pose) {
  json.begin_array();
  for (int i = 0; i < 3; ++i) json.value(pose.position[i]);
  add_quaternion(json, pose.rotation);
  json.end_array();
}

void write_color(JsonWriter& json, const Color& color) {
  json.key("color").begin_array();
  for (const double component : color) json.value(component);
  json.end_array();
}

void write_source(JsonWriter& json, const SceneElement& element) {
  json.member("file", element.file).member("line", element.line).key("data").begin_array();
  for (const auto& [name, text] : element.data) json.begin_array().value(name).value(text).end_array();
  json.end_array();
}

void write_shape(JsonWriter& json, const SceneShape& shape) {
  json.begin_object().member("kind", kind_name(shape.kind)).key("at");
  write_pose(json, shape.X_PS);
  switch (shape.kind) {
    case SceneShape::Kind::box:
      write_vector(json, "size", shape.size);
      break;
    case SceneShape::Kind::mesh:
      json.member("mesh", shape.mesh);
      break;
    case SceneShape::Kind::sphere:
      json.member("radius", shape.radius);
      break;
    default:
      json.member("radius", shape.radius).member("length", shape.length);
      if (shape.kind == SceneShape::Kind::cone) json.member("top", shape.top);
  }
  if (shape.color) write_color(json, *shape.color);
  json.end_object();
}

void write_shapes(JsonWriter& json, const std::vector<SceneShape>& shapes) {
  json.key("shapes").begin_array();
  for (const SceneShape& shape : shapes) write_shape(json, shape);
  json.end_array();
}

void write_part(JsonWriter& json, const ScenePart& part) {
  json.begin_object().member("path", part.path).key("at");
  write_pose(json, part.X_WP);
  const MassProperties& body = part.mass_properties;
  json.member("mass", body.mass);
  write_vector(json, "center", body.center);
  json.key("inertia").begin_array();
  for (const auto& [i, j] : {std::pair{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}) json.value(body.inertia(i, j));
  json.end_array();
  write_color(json, part.color);
  json.member("isDefaultShape", part.has_default_shape);
  write_shapes(json, part.shapes);
  json.key("frames").begin_array();
  for (const SceneFrame& frame : part.frames) {
    json.begin_object().member("name", frame.path).key("at");
    write_pose(json, frame.X_PF);
    json.end_object();
  }
  json.end_array();
  write_source(json, part);
  json.end_object();
}

std::string as_bytes(const void* data, std::size_t size) {
  std::string bytes(size, '\0');
  if (size > 0) std::memcpy(bytes.data(), data, size);
  return bytes;
}

void write_mesh(JsonWriter& json, const SceneMesh& mesh) {
  std::vector<float> positions;
  positions.reserve(3 * mesh.mesh->vertices.size());
  for (const Vector3& vertex : mesh.mesh->vertices) {
    for (int i = 0; i < 3; ++i) positions.push_back(static_cast<float>(vertex[i]));
  }
  const std::vector<geometry::Triangle>& triangles = mesh.mesh->triangles;
  json.begin_object().member("name", mesh.name);
  json.member("positions", to_base64(as_bytes(positions.data(), positions.size() * sizeof(float))));
  json.member("indices", to_base64(as_bytes(triangles.data(), triangles.size() * sizeof(geometry::Triangle))));
  json.end_object();
}

void write_joint(JsonWriter& json, const SceneJoint& joint) {
  json.begin_object().member("path", joint.path).member("type", joint.type);
  json.key("parts").begin_array().value(joint.parts[0]).value(joint.parts[1]).end_array().key("frames").begin_array();
  for (const Pose& frame : joint.frames) write_pose(json, frame);
  json.end_array();
  if (joint.axis) {
    write_vector(json, "axis", *joint.axis);
  } else {
    json.key("axis").null();
  }
  json.key("reactionAxes");
  if (joint.reaction_axes) {
    json.begin_array();
    add_quaternion(json, *joint.reaction_axes);
    json.end_array();
  } else {
    json.null();
  }
  write_source(json, joint);
  json.end_object();
}

void write_direction(JsonWriter& json, const std::optional<SceneDirection>& direction) {
  if (!direction) return;
  write_vector(json, "direction", direction->unit);
  json.member("directionPart", direction->part);
}

void write_force(JsonWriter& json, const SceneForce& force) {
  json.begin_object().member("path", force.path).member("type", force.type).key("ends").begin_array();
  for (const SceneForce::End& end : force.ends) {
    json.begin_object().member("part", end.part);
    write_vector(json, "point", end.point);
    json.end_object();
  }
  json.end_array();
  if (!force.drives.empty()) json.member("drives", force.drives);
  write_direction(json, force.direction);
  write_source(json, force);
  json.end_object();
}

template <class List, class Write>
void write_list(JsonWriter& json, std::string_view key, const List& list, const Write& write) {
  json.key(key).begin_array();
  for (const auto& one : list) write(json, one);
  json.end_array();
}

}  // namespace

std::string scene_json(const Scene& scene) {
  JsonWriter json;
  json.begin_object().member("format", kSceneFormat).member("name", scene.name);
  write_vector(json, "up", scene.up);
  write_vector(json, "gravity", scene.gravity);
  json.member("size", scene.size);
  write_vector(json, "center", scene.center);
  json.member("symbol", scene.symbol);
  write_list(json, "assemblies", scene.assemblies, [](JsonWriter& out, const SceneAssembly& assembly) {
    out.begin_object().member("path", assembly.path).member("sealed", assembly.is_sealed);
    write_source(out, assembly);
    out.end_object();
  });
  write_list(json, "parts", scene.parts, write_part);
  json.key("ground").begin_object();
  write_color(json, scene.ground_color);
  write_shapes(json, scene.ground_shapes);
  json.end_object();
  write_list(json, "meshes", scene.meshes, write_mesh);
  write_list(json, "joints", scene.joints, write_joint);
  write_list(json, "forces", scene.forces, write_force);
  write_list(json, "drivers", scene.drivers, [](JsonWriter& out, const SceneDriver& driver) {
    out.begin_object().member("path", driver.path).member("drives", driver.drives);
    write_direction(out, driver.direction);
    write_source(out, driver);
    out.end_object();
  });
  write_list(json, "couplings", scene.couplings, [](JsonWriter& out, const SceneCoupling& coupling) {
    out.begin_object().member("path", coupling.path).member("type", coupling.type).key("couples").begin_array();
    for (const std::string& coordinate : coupling.couples) out.value(coordinate);
    out.end_array();
    write_source(out, coupling);
    out.end_object();
  });
  write_list(json, "frames", scene.frames, [](JsonWriter& out, const SceneFrame& frame) {
    out.begin_object().member("path", frame.path).member("part", frame.part).key("at");
    write_pose(out, frame.X_PF);
    out.end_object();
  });
  write_list(json, "motions", scene.motions, [](JsonWriter& out, const SceneFreeMotion& motion) {
    out.begin_object().member("name", motion.name).key("twists").begin_array();
    for (const std::array<double, 6>& twist : motion.twists) {
      out.begin_array();
      for (const double number : twist) out.value(number);
      out.end_array();
    }
    out.end_array().end_object();
  });
  return flat_json(json.end_object().take());
}

}  // namespace gelenk::exporting
