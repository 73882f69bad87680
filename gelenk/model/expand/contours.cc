#include <fmt/format.h>

#include <variant>

#include "gelenk/model/contact_types.h"
#include "gelenk/model/expand/contacts.h"
#include "gelenk/model/part_types.h"

namespace gelenk::model::expanding {
namespace {

// In axes of S; what has an axis begins at its origin there, and is centered in a contour.
std::optional<contact::Contour> contour_of(const geometry::Primitive& solid, double& shift) {
  using contact::ContourKind;
  const auto round = [&](ContourKind kind, double radius, double length) {
    shift = 0.5 * length;
    return contact::Contour{.kind = kind, .radius = radius, .half = Vector3(0.0, 0.0, 0.5 * length)};
  };
  if (const auto* sphere = std::get_if<geometry::Sphere>(&solid)) {
    return contact::Contour{.kind = ContourKind::sphere, .radius = sphere->radius, .half = Vector3::Zero()};
  }
  if (const auto* box = std::get_if<geometry::Box>(&solid)) {
    return contact::Contour{.kind = ContourKind::box, .radius = 0.0, .half = 0.5 * box->size};
  }
  if (const auto* bar = std::get_if<geometry::Cylinder>(&solid)) {
    return round(ContourKind::cylinder, bar->radius, bar->length);
  }
  if (const auto* capsule = std::get_if<geometry::Capsule>(&solid)) {
    return round(ContourKind::capsule, capsule->radius, capsule->length);
  }
  return std::nullopt;
}

// Contours of one owner, a part or the ground of an assembly.
class ContourPass {
 public:
  ContourPass(Numbers& numbers, Places& places, Shapes& shapes, Machine& machine, Diagnostics& diagnostics)
      : numbers_(numbers), places_(places), shapes_(shapes), machine_(machine), diagnostics_(diagnostics) {}

  // `mirror`: of what is written to what is on the machine. X_WO: of the ground's owner in the world.
  struct Owner {
    const Object& written;
    std::string path;
    Instance& scope;
    std::optional<std::size_t> number;  // of the part in its assembly
    PartId part;
    Matrix3 mirror;
    Pose X_WO;
  };

  void add_all(const Owner& owner) {
    for (const Object& written : owner.written.section("contours")) {
      const std::string path = owner.path + "." + written.name;
      const ElementScope element(diagnostics_, path, "contour");
      add(owner, written, path);
    }
  }

 private:
  void add(const Owner& owner, const Object& written, const std::string& path) {
    const Property* form = nullptr;
    int count = 0;
    for (const Property& property : written.properties) {
      if (property.field->key == "note") continue;
      form = &property;
      ++count;
    }
    if (count != 1) {
      if (written.is_incomplete) return;
      diagnostics_.error(count == 0 ? Code::missing_key : Code::conflicting_keys, written.name_range,
                         count == 0 ? "it has no form" : "it has more than one form",
                         "give one of `from: shape`, `sphere`, `box`, `cylinder`, `capsule`, `plane`");
      return;
    }
    if (form->field->key == "from") return add_shapes(owner, written, path);
    const Object* given = written.object(form->field->key);
    if (given == nullptr) return;
    if (given->type == &kPlaneContourType) return add_plane(owner, written, *given, path);
    for (const std::string_view key : {"hole", "color"}) {
      if (given->find(key) == nullptr) continue;
      diagnostics_.error(Code::key_without_effect, given->range_of(key),
                         fmt::format("`{}` belongs to shapes: a contour is what touches, and is not drawn", key),
                         "leave it out");
      return;
    }
    const std::optional<geometry::Shape> shape = shapes_.shape(*given, owner.scope, owner.number);
    if (shape) add_solid(owner, written, *shape, path);
  }

  // The shapes that the part has, by its own pass already reported where they are wrong.
  void add_shapes(const Owner& owner, const Object& written, const std::string& path) {
    const std::vector<geometry::Shape> solids = shapes_.shapes(owner.written, owner.scope, owner.number);
    if (solids.empty()) {
      diagnostics_.error(Code::missing_key, written.name_range, "there is no shape that it could be made from",
                         "give the part a `shape`, or the contour a form of its own, such as `sphere: {radius: ...}`");
    }
    for (const geometry::Shape& solid : solids) {
      if (solid.hole) {
        diagnostics_.error(Code::bad_shape, written.name_range, "the shape has a hole, and contours cannot have one",
                           "describe what touches by contours of their own, such as `box: {size: ...}`");
        return;
      }
      add_solid(owner, written, solid, path);
    }
  }

  void add_solid(const Owner& owner, const Object& written, const geometry::Shape& shape, const std::string& path) {
    double shift = 0.0;
    const std::optional<contact::Contour> contour = contour_of(shape.primitive, shift);
    if (!contour) {
      diagnostics_.error(Code::bad_shape, written.name_range, "contours cannot be tubes, cones or meshes yet",
                         "describe what touches by boxes, spheres, cylinders or capsules");
      return;
    }
    const Pose on_part = geometry::mirrored(shape, owner.mirror).X_PS * Pose{Matrix3::Identity(), {0.0, 0.0, shift}};
    put(owner, written, *contour, on_part, path);
  }

  void add_plane(const Owner& owner, const Object& written, const Object& given, const std::string& path) {
    Pose X;
    if (const Value* at = given.value("at")) {
      const Field& field = field_of(given, "at");
      const std::optional<Pose> pose = owner.number ? places_.placement_on_part(*at, field, owner.scope, *owner.number)
                                                    : places_.placement_in(*at, field, owner.scope);
      if (!pose) return;
      X = *pose;
    }
    Vector3 normal = X.rotation.col(2);
    if (const Value* value = given.value("normal")) {
      const std::optional<Vector3> direction = numbers_.direction(*value, "normal", owner.scope);
      if (!direction) return;
      normal = X.rotation * *direction;
    }
    // A mirror keeps what is outside outside.
    const Pose on_part{rotation_with_z(owner.mirror * normal), owner.mirror * X.position};
    put(owner, written, {.kind = contact::ContourKind::plane}, on_part, path);
  }

  void put(const Owner& owner, const Object& written, const contact::Contour& contour, const Pose& on_part,
           const std::string& path) {
    machine_.contours.push_back({path, {owner.part, owner.X_WO * on_part}, contour, written.name_range});
  }

  Numbers& numbers_;
  Places& places_;
  Shapes& shapes_;
  Machine& machine_;
  Diagnostics& diagnostics_;
};

}  // namespace

void add_contours(Instances& instances, Numbers& numbers, Places& places, Shapes& shapes, Machine& machine,
                  Diagnostics& diagnostics) {
  ContourPass pass(numbers, places, shapes, machine, diagnostics);
  for (Instance& instance : instances) {
    const AssemblyNode node = machine.assemblies[instance.id.index()];
    const std::vector<Object>& parts = instance.object().section("parts");
    for (std::size_t i = 0; i < instance.part_ids.size(); ++i) {
      if (!instance.part_ids[i].is_set()) continue;
      const PartPlan plan = instance.index->part_plan(i);
      const Matrix3 mirror = plan.is_mirror ? Matrix3(node.mirror * plan.mirror) : node.mirror;
      pass.add_all({parts[plan.source], element_path(instance, parts[i].name), instance, plan.source,
                    instance.part_ids[i], mirror, Pose{}});
    }
    if (const Object* ground = instance.object().object("ground")) {
      pass.add_all({*ground, element_path(instance, "ground"), instance, std::nullopt, {}, node.mirror, node.X_WA});
    }
  }
}

}  // namespace gelenk::model::expanding
