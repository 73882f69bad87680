#pragma once

#include <string_view>

#include "gelenk/model/descriptor.h"

// Types of values whose keys are names of the model, not keys of the format: `set: {k: ...}`, `start: {angle: ...}`.
namespace gelenk::model {

struct NamedField {
  std::string_view name;
  Field field;
};

extern const Field kNamedNumberField;  // key "value"; any quantity
extern const Field kNamedSignalField;  // key "value"; any quantity
extern const Field kNamedTextField;    // key "value"
extern const ObjectType kNamedValueType;

// How the start value of a coordinate or rate of this joint is written; null when the joint has none of this name.
const NamedField* coordinate_field(const ObjectType& joint, std::string_view name);
// {min, max} of the coordinate's quantity; null when the joint has no such coordinate or rate.
const ObjectType* limit_type(const ObjectType& joint, std::string_view name);

}  // namespace gelenk::model
