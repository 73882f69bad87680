#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/base/platform.h"
#include "gelenk/model/machine.h"
#include "gelenk/model/model.h"

namespace gelenk::model {

// A parameter set from outside, as by `--set front_left.k="45 kN/m"`.
struct ParameterSetting {
  std::string path;
  Value value;
};

// What a sealed component reports when its parameters are known: where its ports are drawn, in its own coordinates.
struct SealedDrawing {
  std::vector<Pose> ports;
  std::vector<SealedOutput> outputs;
  std::vector<SealedOutput> signals;  // outputs that are known before forces are
  std::string error;                  // why there is none
  std::vector<SealedShaft> shafts = {};
};
// Its path, file and parameters are known.
using DrawSealed = std::function<SealedDrawing(const SealedNode& component)>;

struct ExpandOptions {
  std::vector<ParameterSetting> settings;
  // Parameters of the root, SI, in their order; those that are NaN, and all when it is empty: as written.
  std::vector<double> root_parameters = {};
  // Inputs of the root stay open: SymbolUse::Kind::input. Otherwise they have their `value`.
  bool has_open_inputs = false;
  // Of the root: a component of somebody else's machine does not stand at the origin.
  Standing standing = {};
  DrawSealed draw_sealed = {};
  // Where meshes come from; replaced where there are no files.
  std::function<ReadResult(const std::string& path, std::size_t max_bytes)> read = read_file;
  // Beyond this a file is a mistake (`repeat: 1e6` in a repeated assembly), and memory would run out silently.
  std::size_t max_elements = 1'000'000;
};

// Writes the machine out: instances, numbers, mirrors, references. Everything that is wrong is reported; the machine
// holds what could be built and is fit for use only when there are no errors.
// Deterministic: the order of all arrays follows the order of the files.
Machine expand(const Model& model, const ExpandOptions& options, Diagnostics& diagnostics);

}  // namespace gelenk::model
