#pragma once

#include <TDF_Label.hxx>
#include <TDocStd_Document.hxx>
#include <TopoDS_Shape.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_MaterialTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/formats/imported.h"

// For the files of this layer that include OpenCASCADE.
namespace gelenk::cad {

struct StepMaterial {
  std::string name;
  double density = 0.0;  // kg/m³; 0: not said
};

// What the document of a STEP file says, asked in our words.
class StepLabels {
 public:
  // `density_factor`: what the densities of the document are to be multiplied with; 0: they are of no use.
  StepLabels(const Handle(TDocStd_Document) & document, double density_factor);

  std::vector<TDF_Label> free_shapes() const;
  bool is_assembly(const TDF_Label& label) const;
  std::vector<TDF_Label> components(const TDF_Label& assembly) const;
  TDF_Label referred(const TDF_Label& component) const;
  // Nothing when it is no rigid motion: a mirror or a scale.
  std::optional<Pose> placement(const TDF_Label& component) const;
  TopoDS_Shape shape(const TDF_Label& label) const;
  std::string name(const TDF_Label& label) const;
  // Differs from label to label.
  std::string entry(const TDF_Label& label) const;
  // Of the part, or of its first solid or face that has one.
  std::optional<formats::Color> color(const TDF_Label& label) const;
  StepMaterial material(const TDF_Label& label) const;
  std::size_t part_count() const { return part_count_; }

 private:
  Handle(XCAFDoc_ShapeTool) shapes_;
  Handle(XCAFDoc_ColorTool) colors_;
  Handle(XCAFDoc_MaterialTool) materials_;
  double density_factor_;
  std::size_t part_count_ = 0;
};

}  // namespace gelenk::cad
