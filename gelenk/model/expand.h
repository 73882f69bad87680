#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/model/machine.h"
#include "gelenk/model/model.h"

namespace gelenk::model {

// A parameter set from outside, as by `--set front_left.k="45 kN/m"`.
struct ParameterSetting {
  std::string path;
  Value value;
};

struct ExpandOptions {
  std::vector<ParameterSetting> settings;
  // Beyond this a file is a mistake (`repeat: 1e6` in a repeated assembly), and memory would run out silently.
  std::size_t max_elements = 1'000'000;
};

// Writes the machine out: instances, numbers, mirrors, references. Everything that is wrong is reported; the machine
// holds what could be built and is fit for use only when there are no errors.
// Deterministic: the order of all arrays follows the order of the files.
Machine expand(const Model& model, const ExpandOptions& options, Diagnostics& diagnostics);

}  // namespace gelenk::model
