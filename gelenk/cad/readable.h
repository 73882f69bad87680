#pragma once

#include <string>
#include <vector>

#include "gelenk/formats/import_request.h"
#include "gelenk/formats/step_request.h"

namespace gelenk::cad {

// Files and folders that must be read for a request, and no more: the folder of the drawing, because drawings refer to
// others beside them; meshes that a robot description names, wherever they lie; what the user named.
std::vector<std::string> readable_for(const formats::ImportRequest& request);
// The folders of the drawings that parts are taken from.
std::vector<std::string> readable_for(const formats::StepRequest& request);

}  // namespace gelenk::cad
