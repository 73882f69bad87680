#include "gelenk/model/named_values.h"

#include <array>

#include "gelenk/model/part_types.h"

namespace gelenk::model {
namespace {

constexpr Field number_field(Quantity quantity) {
  return {.key = "value", .kind = FieldKind::number, .quantity = quantity};
}

constexpr std::array kScalarFields{
    NamedField{"", number_field(Quantity::angle)},
    NamedField{"", number_field(Quantity::length)},
    NamedField{"", number_field(Quantity::angular_rate)},
    NamedField{"", number_field(Quantity::speed)},
};
constexpr NamedField kOrientationField{"orientation",
                                       {.key = "value", .kind = FieldKind::object, .object = &kOrientationType}};
constexpr NamedField kAngularVelocityField{
    "angular_velocity", {.key = "value", .kind = FieldKind::vector, .quantity = Quantity::angular_rate}};

template <Quantity quantity>
constexpr std::array kLimitFields{
    Field{.key = "min", .kind = FieldKind::number, .quantity = quantity, .doc = "smallest allowed value"},
    Field{.key = "max", .kind = FieldKind::number, .quantity = quantity, .doc = "largest allowed value"},
};
constexpr std::array kLimitTypes{
    ObjectType{.name = "limits", .doc = "", .fields = kLimitFields<Quantity::angle>},
    ObjectType{.name = "limits", .doc = "", .fields = kLimitFields<Quantity::length>},
    ObjectType{.name = "limits", .doc = "", .fields = kLimitFields<Quantity::angular_rate>},
    ObjectType{.name = "limits", .doc = "", .fields = kLimitFields<Quantity::speed>},
};

// Index into the arrays above of a scalar coordinate or rate; -1: none of this name; -2, -3: orientation and its rate.
int find_index(const ObjectType& joint, std::string_view name) {
  for (const Coordinate& coordinate : joint.coordinates) {
    const bool is_rate = coordinate.rate == name;
    if (!is_rate && coordinate.name != name) continue;
    if (coordinate.motion == Coordinate::Motion::orientation) return is_rate ? -3 : -2;
    const int kind = coordinate.motion == Coordinate::Motion::translation ? 1 : 0;
    return is_rate ? kind + 2 : kind;
  }
  return -1;
}

constexpr std::array kNamedValueFields{Field{.key = "value", .kind = FieldKind::number}};

}  // namespace

constinit const Field kNamedNumberField{.key = "value", .kind = FieldKind::number};
constinit const Field kNamedSignalField{.key = "value", .kind = FieldKind::signal};
constinit const Field kNamedTextField{.key = "value", .kind = FieldKind::text};
constinit const ObjectType kNamedValueType{.name = "value", .doc = "", .fields = kNamedValueFields};

const NamedField* coordinate_field(const ObjectType& joint, std::string_view name) {
  const int index = find_index(joint, name);
  if (index >= 0) return &kScalarFields[static_cast<std::size_t>(index)];
  if (index == -2) return &kOrientationField;
  return index == -3 ? &kAngularVelocityField : nullptr;
}

const ObjectType* limit_type(const ObjectType& joint, std::string_view name) {
  const int index = find_index(joint, name);
  return index >= 0 ? &kLimitTypes[static_cast<std::size_t>(index)] : nullptr;
}

}  // namespace gelenk::model
