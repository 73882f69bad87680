#pragma once

#include <string>

#include "gelenk/analysis/machine/contact_memory.h"
#include "gelenk/system/system.h"

namespace gelenk::analysis {

// Path of the contact or of the hard force.
const std::string& contact_event_element(const system::System& system, const ContactEvent& event);
// "impact at 3.1 m/s of 'ball.skin' and 'ground.base', which changes the energy by -1.2 J".
std::string contact_event_text(const system::System& system, const ContactEvent& event);

}  // namespace gelenk::analysis
