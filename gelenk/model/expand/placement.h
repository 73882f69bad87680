#pragma once

#include <functional>
#include <optional>
#include <string>

#include "gelenk/model/expand/numbers.h"

// Places as they are written: numbers, names of frames, orientations in several forms.
namespace gelenk::model::expanding {

// Finds the place of a named frame.
using FrameFinder = std::function<std::optional<Pose>(const std::string& name, const SourceRange& where)>;

// Nothing when something is wrong, which is reported.
std::optional<Pose> placement(const Value& value, const Field& field, Instance& scope, const Locals& locals,
                              const FrameFinder& frame, Numbers& numbers, Diagnostics& diagnostics);
std::optional<Matrix3> orientation(const Object& object, Instance& scope, const Locals& locals, Numbers& numbers,
                                   Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
