#include "gelenk/model/contact_types.h"

#include <array>

#include "gelenk/model/part_types.h"

namespace gelenk::model {
namespace {

constexpr std::array<std::string_view, 1> kFromShape{"shape"};

constexpr std::array kPlaneContourFields{
    Field{.key = "normal", .kind = FieldKind::direction, .doc = "out of what is solid", .fallback = "z"},
    Field{.key = "at",
          .kind = FieldKind::placement,
          .quantity = Quantity::length,
          .doc = "a point of the plane",
          .fallback = "[0, 0, 0]"},
};

constexpr Field surface(std::string_view key, std::string_view doc, const ObjectType& type) {
  return {.key = key, .kind = FieldKind::object, .doc = doc, .object = &type};
}

constexpr std::array kContourFields{
    Field{.key = "from",
          .kind = FieldKind::choice,
          .doc = "`shape`: the solids of the part itself, which may be boxes, spheres, cylinders and capsules",
          .choices = kFromShape},
    surface("sphere", "a ball", kSphereType),
    surface("box", "a block", kBoxType),
    surface("cylinder", "a round bar; it touches planes and spheres", kCylinderType),
    surface("capsule", "a round bar with round ends; it touches planes, spheres and capsules", kCapsuleType),
    surface("plane", "everything below a plane", kPlaneContourType),
    Field{.key = "note", .kind = FieldKind::text, .doc = "free text for people"},
};

constexpr std::array kOwnContactFields{
    Field{.key = "between",
          .kind = FieldKind::pair,
          .doc = "two contours, `[ball.skin, ground.base]`; the name of a part stands for all of its contours",
          .refers_to = Refers::contour},
    Field{.key = "among",
          .kind = FieldKind::references,
          .doc = "instead: contours, parts and sub-assemblies, all of which touch each other",
          .refers_to = Refers::contour},
    Field{.key = "with",
          .kind = FieldKind::references,
          .doc = "with `among`: contours, parts and sub-assemblies that these touch, too, but not each other",
          .refers_to = Refers::contour},
    Field{.key = "friction",
          .kind = FieldKind::number,
          .quantity = Quantity::number,
          .doc = "coefficient of Coulomb's friction, the same for sticking and sliding",
          .fallback = "0",
          .range = kNotNegative,
          .also_called = "mu friction_coefficient"},
    Field{.key = "restitution",
          .kind = FieldKind::number,
          .quantity = Quantity::number,
          .doc = "Newton's coefficient: speed of departure per speed of approach",
          .fallback = "0",
          .range = {0.0, 1.0},
          .also_called = "bounce e coefficient_of_restitution bounciness"},
};
constexpr auto kContactFields = join_fields(kOwnContactFields, kElementFields);

}  // namespace

constinit const ObjectType kPlaneContourType{
    .name = "plane", .doc = "half-space: everything below a plane", .fields = kPlaneContourFields};
constinit const ObjectType kContourType{
    .name = "contour", .doc = "a surface that touches others; exactly one of its forms", .fields = kContourFields};
constinit const ObjectType kContactType{.name = "contact",
                                        .doc = "hard contact with Coulomb's friction and impacts",
                                        .fields = kContactFields,
                                        .channels = kContactChannels};

}  // namespace gelenk::model
