#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "gelenk/base/units.h"

// Descriptors: what a model file may contain, as data. Reader, writer, "did you mean", JSON Schema and the reference
// page all come from them, so a key is described in exactly one place.
namespace gelenk::model {

struct ObjectType;
struct Family;

// Signs of three axes.
struct AxisSigns {
  std::int8_t x = 1, y = 1, z = 1;
  constexpr int operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
};

enum class FieldKind : std::uint8_t {
  number,      // constant scalar: literal with unit, or expression over parameters
  signal,      // scalar that may change: expression over time and channels too, or {table: ...}
  vector,      // three numbers of one quantity
  numbers,     // list of numbers of any length (tables, quaternions)
  direction,   // x, -z ..., or three pure numbers
  text,        // anything
  flag,        // true or false
  choice,      // one of `choices`
  reference,   // a name: see `refers_to`
  pair,        // [A, B]: two references
  references,  // [A, B, ...]: any number of them
  point,       // three lengths, or the name of a frame
  placement,   // three lengths, the name of a frame, or a map {position, orientation, relative_to}
  object,      // a map with the fields of `object`
  tagged,      // a map with exactly one of the keys of `family`, each an object: {cylinder: {...}}, or a list of them
  section,     // named objects of one type: parts, frames
  typed_section,  // named objects of a family, chosen by `type:`: joints, forces
  coordinates,    // values of joint coordinates: {angle: 30 deg}
  limits,         // limits of joint coordinates: {angle: {min: ..., max: ...}}
  settings,       // named numbers: `set:`
  signals,        // named scalars that may change: `inputs:` of an instance
  units,          // quantity -> unit symbol: `display:`
  gravity,        // none, earth, three accelerations, or {point: {...}}
  free,           // kept as it is: `meta:`
};

// What a name must denote.
enum class Refers : std::uint8_t { nothing, frame, contour, coordinate, channel, material, definition, instance };

struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool min_excluded = false;
};
inline constexpr Range kPositive{0.0, std::numeric_limits<double>::infinity(), true};
inline constexpr Range kNotNegative{0.0, std::numeric_limits<double>::infinity(), false};

// One key of a map.
struct Field {
  std::string_view key{};
  FieldKind kind = FieldKind::text;
  Quantity quantity = Quantity::any;
  std::string_view doc{};       // one line
  std::string_view fallback{};  // the default as one would write it; empty: none
  bool required = false;
  Range range{};
  Refers refers_to = Refers::nothing;
  std::span<const std::string_view> choices{};
  const ObjectType* object = nullptr;
  const Family* family = nullptr;
  // Writes an evaluated number into the element's data struct; see kNumberInto<>.
  void (*store)(void* data, double value) = nullptr;
  void (*store_vector)(void* data, std::span<const double, 3> value) = nullptr;
  std::string_view also_called{};  // words of other programs, with blanks between them: hints for who writes those
  // Keys of a force on a joint coordinate: their quantity where that is a travel or an angle; `quantity` is any then.
  Quantity on_travel = Quantity::any, on_angle = Quantity::any;
  double absent = 0.0;  // what ObjectType::law reads where the key is left out and has no fallback
};

// Field::store for a member of a data struct: .store = kNumberInto<&Distance::length>.
template <auto Member>
struct MemberOf;
template <class Struct, class Type, Type Struct::*Member>
struct MemberOf<Member> {
  static void store_vector(void* data, std::span<const double, 3> value) {
    static_cast<Struct*>(data)->*Member = Type(value[0], value[1], value[2]);
  }
  static void store_number(void* data, double value) { static_cast<Struct*>(data)->*Member = value; }
};
template <auto Member>
inline constexpr auto kNumberInto = &MemberOf<Member>::store_number;
template <auto Member>
inline constexpr auto kVectorInto = &MemberOf<Member>::store_vector;

// A coordinate of a joint, measured from the first to the second joint frame, right-handed, about or along an axis of
// the joint frame (z is the joint's own axis).
struct Coordinate {
  enum class Motion : std::uint8_t { rotation, translation, orientation };
  std::string_view name;  // "angle"
  std::string_view rate;  // "rate"
  Motion motion = Motion::rotation;
  int axis = 2;              // of the joint frame: 0 x, 1 y, 2 z
  bool is_on_curve = false;  // a travel along the curve of the joint instead of an axis

  constexpr Quantity quantity() const { return motion == Motion::translation ? Quantity::length : Quantity::angle; }
  constexpr Quantity rate_quantity() const {
    return motion == Motion::translation ? Quantity::speed : Quantity::angular_rate;
  }
  constexpr Quantity acceleration_quantity() const {
    return motion == Motion::translation ? Quantity::acceleration : Quantity::angular_acceleration;
  }
  constexpr Quantity effort_quantity() const {
    return motion == Motion::translation ? Quantity::force : Quantity::torque;
  }
};

// Of a key on a joint coordinate.
constexpr Quantity quantity_on(const Field& field, const Coordinate& coordinate) {
  if (field.on_travel == Quantity::any) return field.quantity;
  return coordinate.motion == Coordinate::Motion::translation ? field.on_travel : field.on_angle;
}

// What a joint holds, as reusable groups of constraint rows: primitives.h.
enum class Primitive : std::uint8_t;

// A recorded quantity of an element: `path.quantity[.component]`.
struct Channel {
  enum class Shape : std::uint8_t { scalar, vector, orientation };
  std::string_view name;  // "reaction.force"
  Quantity quantity = Quantity::any;
  Shape shape = Shape::scalar;
  bool axial = false;  // turns with the right-hand rule, so it mirrors like an angular velocity
  std::string_view doc{};
};

// Holds the sum of factor × coordinate of some joints constant: one row on all of their parts.
struct CouplingType {
  // Keys of the object that name the coordinates; none: its own ones, in their order.
  std::span<const std::string_view> keys{};
  enum class Between : std::uint8_t { angles, angle_and_travel, any } between = Between::any;
  // As many as there are coordinates, of which each is a travel or an angle.
  void (*put_factors)(const void* data, std::span<const bool> is_travel, std::span<double> factors) = nullptr;
  // What the sum is; null: what it is where the machine is drawn.
  double (*constant)(const void* data) = nullptr;
  // A formula that is zero takes the place of the sum: that of the key `of`, or ObjectType::law, which knows the
  // coordinates of `keys` as `first` and `coordinate`.
  bool has_law = false;
};

// A map with named fields: a part, a frame, a box, a kind of joint.
struct ObjectType {
  std::string_view name{};  // "revolute"
  std::string_view doc{};
  std::span<const Field> fields{};
  std::string_view shorthand{};  // the field that a bare value stands for: `rod_length: 150 mm`

  // Joints only.
  std::span<const Coordinate> coordinates{};
  std::span<const Primitive> primitives{};
  // Signs of the joint frame's axes in a mirror, det = -1: chosen so that the coordinates keep their values where
  // geometry allows (translation k keeps its sign when +1, rotation k when -1).
  AxisSigns mirror_axes{};
  const CouplingType* coupling = nullptr;
  // Elements that record something.
  std::span<const Channel> channels{};
  // Forces only: the value as a formula of their keys and of `coordinate` and `rate`, or of `length` and `speed`.
  std::string_view law{};
  std::string_view also_called{};  // as in Field
  bool stores_energy = false;      // forces only: their kernel knows their potential
  bool is_hard = false;            // forces only: a set in the place of a formula, hard_force.h
};

// Whether a word is one of those that other programs use.
bool is_also_called(std::string_view also_called, std::string_view word);

// Sign that coordinate number `index` of a joint gets in a mirror: a translation goes with its axis of the joint frame,
// a rotation against it.
constexpr double mirror_sign(const ObjectType& joint, std::size_t index) {
  const Coordinate& coordinate = joint.coordinates[index];
  if (coordinate.is_on_curve) return 1.0;  // which is mirrored, too
  const int axis_sign = joint.mirror_axes[coordinate.axis];
  if (coordinate.motion == Coordinate::Motion::translation) return axis_sign;
  return coordinate.motion == Coordinate::Motion::rotation ? -axis_sign : 1.0;
}

// Object types of one kind, chosen by `type:` or by key, with the fields that all of them share.
struct Family {
  std::string_view name;  // "joint"
  std::string_view doc{};
  std::span<const ObjectType* const> types;
  std::span<const Field> common;                 // fields that every type has here
  std::span<const std::string_view> left_out{};  // fields of the types that make no sense here
  bool is_tagged = false;                        // chosen by key, {box: {...}}, instead of by `type:`

  const ObjectType* find(std::string_view type_name) const {
    for (const ObjectType* type : types) {
      if (type->name == type_name) return type;
    }
    return nullptr;
  }
  bool leaves_out(std::string_view key) const {
    for (const std::string_view other : left_out) {
      if (other == key) return true;
    }
    return false;
  }
};

// The field of the type itself, not one that all members of its family have; null when there is none.
inline const Field* find_field(const ObjectType& type, std::string_view key) {
  for (const Field& field : type.fields) {
    if (field.key == key) return &field;
  }
  return nullptr;
}

// Calls f(field) for every field that an object of this type may have in this family (or none), common ones first.
template <class F>
void for_each_field(const ObjectType& type, const Family* family, F&& f) {
  if (family != nullptr) {
    for (const Field& field : family->common) f(field);
  }
  for (const Field& field : type.fields) {
    if (family == nullptr || !family->leaves_out(field.key)) f(field);
  }
}

}  // namespace gelenk::model
