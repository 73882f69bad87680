#include "gelenk/model/part_types.h"

#include "gelenk/model/contact_types.h"

namespace gelenk::model {
namespace {

constexpr std::array kOrientationFields{
    Field{.key = "quaternion",
          .kind = FieldKind::numbers,
          .quantity = Quantity::number,
          .doc = "`[w, x, y, z]`; normalized when read"},
    Field{.key = "axis", .kind = FieldKind::direction, .doc = "axis of a rotation by `angle`"},
    Field{.key = "angle", .kind = FieldKind::number, .quantity = Quantity::angle, .doc = "right-handed about `axis`"},
    Field{.key = "angles",
          .kind = FieldKind::vector,
          .quantity = Quantity::angle,
          .doc = "three successive rotations about the axes of `sequence`"},
    Field{.key = "sequence",
          .kind = FieldKind::text,
          .doc = "axes of `angles`, each turned by the rotations before it (intrinsic)",
          .fallback = "zyx"},
    Field{.key = "x", .kind = FieldKind::direction, .doc = "direction of the x axis; two of x, y, z are given"},
    Field{.key = "y", .kind = FieldKind::direction, .doc = "direction of the y axis"},
    Field{.key = "z", .kind = FieldKind::direction, .doc = "direction of the z axis"},
};

constexpr std::array kPlacementFields{
    Field{.key = "position",
          .kind = FieldKind::vector,
          .quantity = Quantity::length,
          .doc = "position in the axes of `relative_to`",
          .fallback = "[0, 0, 0]"},
    Field{.key = "orientation",
          .kind = FieldKind::object,
          .doc = "direction of the axes; see *orientation*",
          .object = &kOrientationType},
    Field{.key = "relative_to",
          .kind = FieldKind::reference,
          .doc = "frame that position and orientation are relative to; by default, the part or assembly it belongs to",
          .refers_to = Refers::frame},
};

constexpr std::array<std::string_view, 7> kNodeDirections{"x", "y", "z", "xy", "xz", "yz", "xyz"};
constexpr std::array kFrameFields{
    Field{.key = "at",
          .kind = FieldKind::placement,
          .quantity = Quantity::length,
          .doc = "where the frame is on its part or assembly",
          .fallback = "[0, 0, 0]"},
    Field{.key = "moves",
          .kind = FieldKind::choice,
          .doc = "for a frame of an assembly: makes it a node, a point without mass that moves along these of its axes "
                 "to where the forces at it balance; in the others it is held. `xyz`: it hangs in its forces alone",
          .choices = kNodeDirections,
          .also_called = "node massless floating"},
    Field{.key = "note", .kind = FieldKind::text, .doc = "free text for people"},
    Field{.key = "meta", .kind = FieldKind::free, .doc = "free data for other programs"},
};

constexpr Field kHoleField{
    .key = "hole", .kind = FieldKind::flag, .doc = "`true`: subtracted instead of added", .fallback = "false"};
constexpr Field kShapeColorField{.key = "color",
                                 .kind = FieldKind::text,
                                 .doc = "what it is painted with, `\"#rrggbb\"`; by default, the color of the part",
                                 .also_called = "colour paint rgb"};
constexpr Field kShapeAtField{.key = "at",
                              .kind = FieldKind::placement,
                              .quantity = Quantity::length,
                              .doc = "where the shape is on the part",
                              .fallback = "[0, 0, 0]"};

constexpr Field length_field(std::string_view key, std::string_view doc, bool required) {
  return {.key = key,
          .kind = FieldKind::number,
          .quantity = Quantity::length,
          .doc = doc,
          .required = required,
          .range = kPositive};
}

// Shapes with an axis run between two points, or along z of `at` for `length`.
constexpr std::array kAxisShapeFields{
    Field{.key = "from",
          .kind = FieldKind::point,
          .quantity = Quantity::length,
          .doc = "center of the first end: a point, or a frame of the part"},
    Field{.key = "to", .kind = FieldKind::point, .quantity = Quantity::length, .doc = "center of the second end"},
    length_field("length", "length along z of `at`, instead of `from` and `to`", false),
    kShapeAtField,
    kHoleField,
    kShapeColorField,
};

constexpr std::array kBoxFields{
    Field{.key = "size",
          .kind = FieldKind::vector,
          .quantity = Quantity::length,
          .doc = "edge lengths along x, y, z",
          .required = true,
          .range = kPositive},
    kShapeAtField,
    kHoleField,
    kShapeColorField,
};
constexpr auto kCylinderFields =
    join_fields(std::array{length_field("radius", "radius of the cylinder", true)}, kAxisShapeFields);
constexpr auto kTubeFields = join_fields(
    std::array{length_field("radius", "outer radius", true), length_field("inner_radius", "radius of the bore", true)},
    kAxisShapeFields);
constexpr std::array kSphereFields{length_field("radius", "radius of the sphere", true), kShapeAtField, kHoleField,
                                   kShapeColorField};
constexpr auto kCapsuleFields = join_fields(
    std::array{length_field("radius", "radius of the cylinder and of its round ends", true)}, kAxisShapeFields);
constexpr auto kConeFields = join_fields(
    std::array{length_field("radius", "radius of the first end", true), Field{.key = "end_radius",
                                                                              .kind = FieldKind::number,
                                                                              .quantity = Quantity::length,
                                                                              .doc = "radius of the second end",
                                                                              .fallback = "0",
                                                                              .range = kNotNegative}},
    kAxisShapeFields);
constexpr std::array kMeshFields{
    Field{.key = "file",
          .kind = FieldKind::text,
          .doc = "closed triangle mesh, STL or OBJ, relative to this file",
          .required = true},
    Field{.key = "scale",
          .kind = FieldKind::number,
          .quantity = Quantity::number,
          .doc = "meters per unit of the file; 0.001 for a file in millimeters",
          .fallback = "1",
          .range = kPositive},
    kShapeAtField,
    kHoleField,
    kShapeColorField,
};

constexpr std::array kExtrusionFields{
    Field{.key = "x",
          .kind = FieldKind::numbers,
          .quantity = Quantity::length,
          .doc = "x of the corners of the outline, one after another around it"},
    Field{.key = "y", .kind = FieldKind::numbers, .quantity = Quantity::length, .doc = "y of the corners"},
    Field{.key = "file",
          .kind = FieldKind::text,
          .doc = "instead of `x` and `y`: a DXF drawing, relative to this file; lines within others are holes"},
    Field{.key = "scale",
          .kind = FieldKind::number,
          .quantity = Quantity::number,
          .doc = "meters per unit of the drawing; by default, what the drawing says",
          .range = kPositive},
    length_field("height", "along z of `at`, from the xy plane", true),
    kShapeAtField,
    kHoleField,
    kShapeColorField,
};

constexpr std::array<const ObjectType*, 8> kShapeTypes{&kBoxType,     &kCylinderType, &kTubeType, &kSphereType,
                                                       &kCapsuleType, &kConeType,     &kMeshType, &kExtrusionType};

constexpr Field inertia_field(std::string_view key, std::string_view doc, bool required) {
  return {.key = key,
          .kind = FieldKind::number,
          .quantity = Quantity::inertia,
          .doc = doc,
          .fallback = required ? "" : "0",
          .required = required};
}
constexpr std::array kInertiaFields{
    inertia_field("xx", "∫(y² + z²) dm", true), inertia_field("yy", "∫(x² + z²) dm", true),
    inertia_field("zz", "∫(x² + y²) dm", true), inertia_field("xy", "-∫ x y dm", false),
    inertia_field("xz", "-∫ x z dm", false),    inertia_field("yz", "-∫ y z dm", false),
};
constexpr ObjectType kInertiaType{
    .name = "inertia", .doc = "inertia tensor about the center of mass, in part axes", .fields = kInertiaFields};

constexpr std::array kPartStartFields{
    Field{.key = "velocity",
          .kind = FieldKind::vector,
          .quantity = Quantity::speed,
          .doc = "of the part's origin, world axes",
          .fallback = "[0, 0, 0]"},
    Field{.key = "angular_velocity",
          .kind = FieldKind::vector,
          .quantity = Quantity::angular_rate,
          .doc = "world axes",
          .fallback = "[0, 0, 0]"},
};
constexpr ObjectType kPartStartType{
    .name = "part_start", .doc = "velocity of a part at the start", .fields = kPartStartFields};

constexpr std::array kPointMassFields{
    Field{.key = "mass",
          .kind = FieldKind::number,
          .quantity = Quantity::mass,
          .doc = "without extent of its own",
          .required = true,
          .range = kPositive,
          .also_called = "m"},
    Field{.key = "at",
          .kind = FieldKind::point,
          .quantity = Quantity::length,
          .doc = "point in part axes, or a frame of the part",
          .fallback = "[0, 0, 0]"},
    Field{.key = "note", .kind = FieldKind::text, .doc = "free text for people"},
};
constexpr ObjectType kPointMassType{
    .name = "point_mass", .doc = "a mass in a point of a part", .fields = kPointMassFields, .shorthand = "mass"};

constexpr std::array<std::string_view, 3> kPartPlanes{"xy", "yz", "xz"};

constexpr Field kShapeField{.key = "shape",
                            .kind = FieldKind::tagged,
                            .doc = "one shape, or a list of shapes of which some may be holes",
                            .family = &kShapeFamily};
constexpr Field kFramesField{.key = "frames", .kind = FieldKind::section, .doc = "named places", .object = &kFrameType};

constexpr auto kPartFields = join_fields(
    std::array{
        Field{.key = "at",
              .kind = FieldKind::placement,
              .quantity = Quantity::length,
              .doc = "where the part is drawn; the joints then move it into place",
              .fallback = "[0, 0, 0]",
              .also_called = "pose origin pos location frame_in_world"},
        Field{.key = "mass",
              .kind = FieldKind::number,
              .quantity = Quantity::mass,
              .doc = "given mass; overrides that of the shape",
              .range = kPositive,
              .also_called = "m"},
        Field{.key = "center_of_mass",
              .kind = FieldKind::point,
              .quantity = Quantity::length,
              .doc = "point in part axes, or a frame of the part; by default, that of the shape, or the origin",
              .also_called = "com cog cm centre_of_mass center_of_gravity"},
        Field{.key = "inertia",
              .kind = FieldKind::object,
              .doc = "tensor about the center of mass; by default, that of the shape",
              .object = &kInertiaType,
              .also_called = "I moment_of_inertia inertia_tensor"},
        Field{.key = "material",
              .kind = FieldKind::reference,
              .doc = "sets the density of the shape",
              .refers_to = Refers::material},
        Field{.key = "density",
              .kind = FieldKind::number,
              .quantity = Quantity::density,
              .doc = "density of the shape, instead of a material",
              .range = kPositive},
        kShapeField,
        Field{.key = "point_masses",
              .kind = FieldKind::section,
              .doc = "masses in points, in addition to all else: ballast, bolts, what is carried",
              .object = &kPointMassType,
              .also_called = "masses lumped_masses ballast"},
        kFramesField,
        kContoursField,
        Field{.key = "copy_of",
              .kind = FieldKind::reference,
              .doc = "another part of this assembly; whatever is not given here is taken from it, and frames of both "
                     "are there",
              .refers_to = Refers::instance},
        Field{.key = "mirror_of",
              .kind = FieldKind::reference,
              .doc = "another part of this assembly, mirrored with its place, shape, mass and frames",
              .refers_to = Refers::instance},
        Field{.key = "plane",
              .kind = FieldKind::choice,
              .doc = "mirror plane through the origin of the assembly",
              .choices = kPartPlanes},
        Field{.key = "start", .kind = FieldKind::object, .doc = "velocities at the start", .object = &kPartStartType},
    },
    kElementFields);

constexpr std::array kGroundFields{kFramesField, kShapeField, kContoursField,
                                   Field{.key = "note", .kind = FieldKind::text, .doc = "free text for people"}};

constexpr std::array kMaterialFields{
    Field{.key = "density",
          .kind = FieldKind::number,
          .quantity = Quantity::density,
          .doc = "mass per volume",
          .required = true,
          .range = kPositive},
    Field{.key = "doc", .kind = FieldKind::text, .doc = "what it is, and where the number comes from"},
};

constexpr std::array kPartChannels{
    Channel{"position", Quantity::length, Channel::Shape::vector, false, "of the part's origin"},
    Channel{"orientation", Quantity::number, Channel::Shape::orientation, false, "unit quaternion w, x, y, z"},
    Channel{"velocity", Quantity::speed, Channel::Shape::vector, false, "of the part's origin"},
    Channel{"angular_velocity", Quantity::angular_rate, Channel::Shape::vector, true, ""},
    Channel{"acceleration", Quantity::acceleration, Channel::Shape::vector, false, "of the part's origin"},
    Channel{"angular_acceleration", Quantity::angular_acceleration, Channel::Shape::vector, true, ""},
};

constexpr std::array kPartEnergies{
    Channel{"kinetic_energy", Quantity::energy, Channel::Shape::scalar, false, "of its motion in the world"},
    Channel{"potential_energy", Quantity::energy, Channel::Shape::scalar, false,
            "of its weight, zero at the world's origin"},
};

constexpr std::array kFrameChannels{
    Channel{"position", Quantity::length, Channel::Shape::vector, false, "of the frame's origin, world axes"},
    Channel{"orientation", Quantity::number, Channel::Shape::orientation, false, "of its axes in the world"},
    Channel{"velocity", Quantity::speed, Channel::Shape::vector, false, "of the frame's origin, world axes"},
    Channel{"angular_velocity", Quantity::angular_rate, Channel::Shape::vector, true, "world axes"},
    Channel{"acceleration", Quantity::acceleration, Channel::Shape::vector, false, "of the frame's origin, world axes"},
    Channel{"angular_acceleration", Quantity::angular_acceleration, Channel::Shape::vector, true, "world axes"},
};

constexpr std::array kRelativeChannels{
    Channel{"position", Quantity::length, Channel::Shape::vector, false,
            "from the origin of b to that of a, axes of b"},
    Channel{"orientation", Quantity::number, Channel::Shape::orientation, false, "of the axes of a in those of b"},
    Channel{"velocity", Quantity::speed, Channel::Shape::vector, false,
            "rate of change of that position: as b sees it"},
    Channel{"angular_velocity", Quantity::angular_rate, Channel::Shape::vector, true, "of a less that of b, axes of b"},
    Channel{"acceleration", Quantity::acceleration, Channel::Shape::vector, false, "rate of change of that velocity"},
    Channel{"angular_acceleration", Quantity::angular_acceleration, Channel::Shape::vector, true,
            "rate of change of that angular velocity"},
};

}  // namespace

constinit const Channel kAngleChannel{"angle", Quantity::angle, Channel::Shape::scalar, true,
                                      "by which a is turned about z of b"};
constinit const ObjectType kOrientationType{
    .name = "orientation",
    .doc =
        "direction of axes, in one of four forms: `quaternion`; `axis` and `angle`; `angles` and `sequence`; two of "
        "the directions `x`, `y`, `z`",
    .fields = kOrientationFields};
constinit const ObjectType kPlacementType{
    .name = "placement", .doc = "position and orientation relative to a frame", .fields = kPlacementFields};
constinit const ObjectType kFrameType{
    .name = "frame", .doc = "a named point with axes", .fields = kFrameFields, .shorthand = "at"};
constinit const ObjectType kGroundType{
    .name = "ground", .doc = "the world: its frames are written `ground.NAME`", .fields = kGroundFields};
constinit const ObjectType kMaterialType{
    .name = "material", .doc = "a named density", .fields = kMaterialFields, .shorthand = "density"};
constinit const ObjectType kBoxType{.name = "box",
                                    .doc = "block, centered on `at`",
                                    .fields = kBoxFields,
                                    .also_called = "cube cuboid block brick plate"};
constinit const ObjectType kCylinderType{
    .name = "cylinder", .doc = "round bar", .fields = kCylinderFields, .also_called = "disc disk bar rod wheel"};
constinit const ObjectType kTubeType{
    .name = "tube", .doc = "round bar with a bore", .fields = kTubeFields, .also_called = "pipe hollow_cylinder ring"};
constinit const ObjectType kSphereType{
    .name = "sphere", .doc = "ball, centered on `at`", .fields = kSphereFields, .also_called = "ball"};
constinit const ObjectType kCapsuleType{.name = "capsule",
                                        .doc = "round bar with round ends beyond the two points",
                                        .fields = kCapsuleFields,
                                        .also_called = "pill"};
constinit const ObjectType kConeType{
    .name = "cone", .doc = "cone or frustum", .fields = kConeFields, .also_called = "frustum taper"};
constinit const ObjectType kMeshType{.name = "mesh",
                                     .doc = "closed triangle mesh from a file",
                                     .fields = kMeshFields,
                                     .also_called = "stl obj file geometry"};
constinit const ObjectType kExtrusionType{.name = "extrusion",
                                          .doc = "plate of any outline: straight edges, or a DXF drawing",
                                          .fields = kExtrusionFields,
                                          .also_called = "extrude prism plate polygon outline profile dxf"};
constinit const Family kShapeFamily{.name = "shape",
                                    .doc = "solid bodies whose mass properties are computed exactly",
                                    .types = kShapeTypes,
                                    .common = {},
                                    .is_tagged = true};
constinit const ObjectType kPartType{.name = "part",
                                     .doc = "what has mass: given, or from shapes and a material",
                                     .fields = kPartFields,
                                     .channels = kPartChannels};

bool names_mesh_file(const ObjectType* type, const Field& field) {
  return (type == &kMeshType || type == &kExtrusionType) && field.key == "file";
}

std::span<const Channel> part_channels() { return kPartChannels; }
std::span<const Channel> part_energies() { return kPartEnergies; }
std::span<const Channel> frame_channels() { return kFrameChannels; }
std::span<const Channel> relative_channels() { return kRelativeChannels; }

}  // namespace gelenk::model
