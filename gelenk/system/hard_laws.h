#pragma once

#include <string>

#include "gelenk/system/system.h"

namespace gelenk::system {

// Structure of the contacts and hard forces of a machine. The joints and forces of the system must be there.
void add_jumps(const model::Machine& machine, System& system);
// Numbers of its hard forces.
void set_hard_laws(const System& system, const model::Machine& machine, Params& params);

// "contacts, such as 'pile'", "hard forces, such as 'brake'": why only `moreau` runs the machine. It has jumps.
std::string jumps_text(const System& system);

}  // namespace gelenk::system
