#pragma once

#include <span>

#include "gelenk/cad/given_joints.h"
#include "gelenk/cad/step_reader.h"

namespace gelenk::cad {

// The reason of joints that hold a fastener to what it goes with.
inline constexpr std::string_view kFastenerReason = "fastener";

struct InferenceReport {
  std::size_t fasteners = 0;  // placed parts that were merged into a neighbor
  std::size_t bodies = 0;     // children of the root without those
};

// Looks for joints between the children of the root, each of which is rigid, and adds them to the model. Bolts, nuts
// and the like go with what they hold on to.
InferenceReport infer_joints(StepContent& content, const Progress& progress);

// Adds these joints and no others; surfaces say where they are, unless the joint itself does. Nothing when a part is
// unknown or no surface fits, with all mistakes in `error`, one a line.
std::optional<InferenceReport> place_joints(StepContent& content, std::span<const GivenJoint> given,
                                            const Progress& progress, std::string& error);

// Whether a part is a bolt, screw, nut, washer, rivet or the like: by its name, or because it is round with a hexagon.
bool is_fastener(const formats::ImportedPart& part, const std::vector<Feature>& features);

}  // namespace gelenk::cad
