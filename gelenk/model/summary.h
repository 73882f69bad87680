#pragma once

#include <span>
#include <string>

#include "gelenk/base/json.h"
#include "gelenk/geometry/bounds.h"
#include "gelenk/model/machine.h"
#include "gelenk/model/mobility.h"

namespace gelenk::model {

struct SummaryOptions {
  bool details = false;  // row and rank counts, all parameters, open joints
  // How it moves in another pose than the drawn one, as when it is assembled.
  const MobilityReport* mobility = nullptr;
  std::span<const Pose> poses = {};          // X_WP of the parts there; none: as drawn
  const geometry::Bounds* bounds = nullptr;  // around all that is seen of the parts there; null: around what is known
  const SourceMap* sources = nullptr;        // parameters are in the units in which they are written there
};

// What a checked machine is, in everyday words: tree of assemblies, parts, mass, size, expected motions.
std::string summary_text(const Machine& machine, const SummaryOptions& options);
// How it moves, in one line: "1 free motion: the crank turns (main_bearing.angle)".
std::string motion_text(const Machine& machine, const MobilityReport& mobility);
// One of its motions: "crank turns (main_bearing.angle)", "block moves along x".
std::string motion_name(const Machine& machine, const FreeMotion& motion);
// The summary as an object's members; the caller opens and closes the object.
void write_summary_json(JsonWriter& json, const Machine& machine, const SummaryOptions& options = {});

}  // namespace gelenk::model
