#pragma once

#include <string>

namespace gelenk::formats {

// JSON Schema (draft-07) of a model file, made from the descriptors, for completion and checks in editors. It takes
// everything that the reader takes and refuses what is wrong in structure: keys, kinds, types, choices, lengths, names,
// and literal numbers with an unknown unit or one of another quantity. References and values are left to the check.
std::string json_schema();

}  // namespace gelenk::formats
