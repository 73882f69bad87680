#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "gelenk/model/expand/scope.h"

namespace gelenk::model::expanding {

struct ElementRef {
  ChannelUse::Element element;
  std::size_t index;  // in its array of the machine
};

// Elements of the machine whose channels can be read, by full path.
using Elements = std::unordered_map<std::string, ElementRef>;

// An element that is listed and not bound yet: its formulas may read channels of any other.
struct Pending {
  std::size_t index;  // in its array of the machine
  const Object* written;
  Instance* scope;
};

}  // namespace gelenk::model::expanding
