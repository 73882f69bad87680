#pragma once

#include "gelenk/system/system.h"

namespace gelenk::system {

// Structure and numbers of the contacts of a machine.
void add_contacts(const model::Machine& machine, System& system);
void set_contacts(const System& system, const model::Machine& machine, Params& params);

}  // namespace gelenk::system
