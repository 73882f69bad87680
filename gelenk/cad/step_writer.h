#pragma once

#include <string>
#include <vector>

#include "gelenk/cad/progress.h"
#include "gelenk/formats/step_request.h"

namespace gelenk::cad {

struct StepWriting {
  std::string text;                // of the file
  std::string error;               // empty: there is nothing wrong with it
  std::vector<std::string> notes;  // what is not in it, sentences
};

// A machine in a pose as STEP (AP214, mm): tree, names, colors, and a material that gives each part its mass.
// Parts of CAD files keep their exact surfaces. OpenCASCADE numbers colors in an order of
// its own: equal requests give equal files, but not equal bytes.
StepWriting step_text(const formats::StepRequest& request, const Progress& progress);

}  // namespace gelenk::cad
