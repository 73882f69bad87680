#pragma once

#include <string>
#include <string_view>

#include "gelenk/model/descriptor.h"

// What users of other programs write, answered with the way it is written here. All return a hint, or nothing. Single
// words are in `also_called` of the descriptors; here are those whose place or meaning differs.
namespace gelenk::model {

// For a key that an object does not have. `owner` is the name of its type, or of its family.
std::string hint_for_key(std::string_view owner, std::string_view key);
// For a type that a family does not have: a force written as a joint, "RevoluteJoint", "contact".
std::string hint_for_type(const Family& family, const std::string& word);
// For a method of integration: "'ode45' is called 'dopri5' here".
std::string hint_for_method(std::string_view word);
// For a frame: "'world' is called 'ground' here".
std::string hint_for_frame(std::string_view word);

}  // namespace gelenk::model
