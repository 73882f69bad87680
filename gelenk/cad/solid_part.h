#pragma once

#include <optional>
#include <string>

#include "gelenk/cad/step_reader.h"
#include "gelenk/formats/imported_names.h"

class TopoDS_Shape;

// For the files of this layer that include OpenCASCADE.
namespace gelenk::cad {

struct SolidPart {
  std::string product;   // as the file calls it; may be empty
  std::string material;  // may be empty
  double density = 0.0;  // kg/m³; 0: not said
  std::optional<formats::Color> color;
};

// Adds a part with its mass, picture and surfaces; steel when the density is not said or that of no solid. Its number;
// nothing, with a note, when the shape has no solid.
std::optional<std::size_t> add_part(const TopoDS_Shape& shape, const SolidPart& about, formats::NameRegister& names,
                                    StepContent& content);

// The extent of all placed parts.
void measure(formats::ImportedModel& model);

}  // namespace gelenk::cad
