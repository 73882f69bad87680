#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/cad/anchor.h"
#include "gelenk/cad/step_reader.h"

namespace gelenk::cad {

// What an import writes down about itself (NAME.cad/import.json), so that the next one can go on from it.
struct ImportMemory {
  struct Part {
    std::string path;     // "crank_group.pin"
    std::string product;  // as the file called it
    double volume = 0.0;  // m³
  };
  struct Frame {
    std::string part, name;
    Pose X_PF;
    std::optional<Anchor> anchor;
  };
  struct Joint {
    std::string name, type;
    std::array<std::string, 2> parts, frames;  // paths of the parts, names of the frames on them
    formats::Origin origin = formats::Origin::inferred;
    double score = 0.0;
  };

  std::vector<Part> parts;
  std::vector<Frame> frames;
  std::vector<Joint> joints;
  std::vector<std::string> files;  // generated ones, relative to the folder of the model
};

// Nothing, with a sentence in `error`, when the text is no such report.
std::optional<ImportMemory> read_memory(std::string_view report, std::string& error);

// The members "placed" and "frames" of the report: all parts in their places, all frames with what they sit on.
void write_placed(JsonWriter& json, const formats::ImportedModel& model);
void write_frames(JsonWriter& json, const StepContent& content);

}  // namespace gelenk::cad
