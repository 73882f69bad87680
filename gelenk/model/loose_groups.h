#pragma once

#include <string>
#include <vector>

#include "gelenk/model/machine.h"

namespace gelenk::model {

// Parts that joints or forces connect with each other, but neither with the ground nor with a sealed component, of
// which nobody knows what it stands on; nor with the owner, if the machine is a component of his. Groups in the order
// of their first parts; parts in the order of the machine. Parts that may touch the ground, directly or through others,
// can rest on it: with `contacts_join` they count as connected.
std::vector<std::vector<PartId>> loose_groups(const Machine& machine, bool contacts_join = true);

// "'crank', 'rod' and 6 more"
std::string group_text(const Machine& machine, const std::vector<PartId>& group);

// "2 groups of parts are not joined to the ground: 'crank' and 'rod'; 'valve'"; empty when there are none.
std::string loose_text(const Machine& machine);

}  // namespace gelenk::model
