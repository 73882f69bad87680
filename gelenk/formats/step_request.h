#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/formats/imported.h"
#include "gelenk/geometry/shape.h"

namespace gelenk::formats {

// What a part looks like: as a part of a CAD file does, or put together from solids. Part axes.
struct StepShape {
  std::string source = {};                // the CAD file; empty: solids
  std::string part = {};                  // of that file, as the importer calls it
  Matrix3 mirror = Matrix3::Identity();   // every point p of that part becomes mirror * p
  std::vector<geometry::Shape> solids{};  // holes are taken away from the others
  double mass = 0.0;                      // kg; 0: not said
  std::optional<Color> color = {};
};

// A part, or an assembly with what is in it.
struct StepNode {
  std::string name;
  std::string product = {};             // what it is a piece of; empty: called like the piece
  Pose X_ON = {};                       // in the axes of the owner; of the root in the world
  std::optional<StepShape> shape = {};  // none: an assembly
  std::vector<StepNode> children = {};
};

// What the program gelenk-cad is asked for, as JSON on its input with the member "job": a STEP file of a machine in a
// pose.
struct StepRequest {
  std::string file;  // to be written
  StepNode root;
  std::size_t memory_limit = 0;  // bytes; 0: none
};
inline constexpr std::string_view kStepJob = "export-step";

std::string write_step_request(const StepRequest& request);
std::optional<StepRequest> read_step_request(std::string_view text, std::string& error);

// Whether a request is one of these. The job is their first member.
bool is_step_request(std::string_view text);

}  // namespace gelenk::formats
