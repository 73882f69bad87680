#pragma once

#include <span>
#include <string_view>

#include "gelenk/base/diagnostics.h"
#include "gelenk/base/document.h"
#include "gelenk/model/object.h"

namespace gelenk::model {

// Reads a document as an object of the given type, led by its descriptor alone: unknown and missing keys, wrong kinds,
// units and syntax of expressions are reported; nothing is evaluated. Always returns what could be understood.
Object read_object(const Node& node, const ObjectType& type, const SourceMap& sources, Diagnostics& diagnostics);

// The same for one value of a field, for edits and command-line settings.
Value read_value(const Node& node, const Field& field, const SourceMap& sources, Diagnostics& diagnostics);

// Names that may not be used for elements because expressions or paths give them a meaning.
std::span<const std::string_view> reserved_names();
bool is_reserved_name(std::string_view name);

}  // namespace gelenk::model
