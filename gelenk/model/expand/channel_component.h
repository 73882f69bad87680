#pragma once

#include <string>

#include "gelenk/base/diagnostics.h"
#include "gelenk/model/machine.h"

namespace gelenk::model::expanding {

// Lets `use` read one number of the channel `found`, as the assembly `node` sees it. False, and reported, when there is
// no such component.
bool pick_component(ChannelUse& use, const Channel& found, const std::string& component, const AssemblyNode& node,
                    const SourceRange& where, Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
