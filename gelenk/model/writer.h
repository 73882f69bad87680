#pragma once

#include "gelenk/base/document.h"
#include "gelenk/model/object.h"

namespace gelenk::model {

// The document that read_object reads back to the same object: same keys in the same order, numbers equal to the last
// bit, shorthands where nothing else is said. Nodes that read well in one line are marked as flow; they have no ranges.
Node write_object(const Object& object);

// The same for one value of a field.
Node write_value(const Value& value, const Field& field);

}  // namespace gelenk::model
