#pragma once

#include <cstddef>
#include <string>

class XSControl_WorkSession;

namespace gelenk::cad {

// Entities of a STEP file that do not have what their kind needs: references to nothing or to the wrong kind, missing
// numbers. OpenCASCADE reads on, and crashes on most of them when it makes shapes; what it makes may have holes.
struct StepDamage {
  std::string first;       // "#843 = ADVANCED_FACE"; of shapes when there is such a one; empty: none
  std::size_t shapes = 0;  // entities of surfaces and edges among them
};

StepDamage step_damage(const XSControl_WorkSession& session);

}  // namespace gelenk::cad
