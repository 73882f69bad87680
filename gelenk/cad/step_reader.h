#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/cad/feature.h"
#include "gelenk/cad/polyline.h"
#include "gelenk/cad/progress.h"
#include "gelenk/formats/imported.h"

class TopoDS_Shape;

namespace gelenk::cad {

struct StepContent {
  formats::ImportedModel model;
  // Of each part: surfaces; edges where its faces meet at an angle; and the shape itself, for the files of this layer.
  std::vector<std::vector<Feature>> features;
  std::vector<std::vector<Polyline>> edges = {};
  std::vector<std::shared_ptr<const TopoDS_Shape>> shapes = {};
};

// Reads a STEP file (AP203, AP214, AP242) and the files that it refers to: tree, names, placements, colors, materials,
// mass properties, surfaces. Parts without a density are taken for steel. Nothing, with a sentence in `error`, when it
// cannot be read or has no solid.
std::optional<StepContent> read_step(const std::string& path, const Progress& progress, std::string& error);

}  // namespace gelenk::cad
