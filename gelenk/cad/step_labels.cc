#include "gelenk/cad/step_labels.h"

#include <Quantity_Color.hxx>
#include <TCollection_AsciiString.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDF_Tool.hxx>
#include <TDataStd_Name.hxx>
#include <TDataStd_TreeNode.hxx>
#include <TopExp_Explorer.hxx>
#include <XCAFDoc.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <cmath>
#include <gp_Trsf.hxx>

#include "gelenk/cad/shape_facts.h"

namespace gelenk::cad {
namespace {

std::vector<TDF_Label> list_of(const TDF_LabelSequence& sequence) { return {sequence.begin(), sequence.end()}; }

template <class What>
std::optional<formats::Color> color_of(const Handle(XCAFDoc_ColorTool) & colors, const What& what) {
  Quantity_Color color;
  if (!colors->GetColor(what, XCAFDoc_ColorSurf, color) && !colors->GetColor(what, XCAFDoc_ColorGen, color)) {
    return std::nullopt;
  }
  formats::Color result{};
  color.Values(result[0], result[1], result[2], Quantity_TOC_sRGB);
  return result;
}

}  // namespace

StepLabels::StepLabels(const Handle(TDocStd_Document) & document, double density_factor)
    : shapes_(XCAFDoc_DocumentTool::ShapeTool(document->Main())),
      colors_(XCAFDoc_DocumentTool::ColorTool(document->Main())),
      materials_(XCAFDoc_DocumentTool::MaterialTool(document->Main())),
      density_factor_(density_factor) {
  TDF_LabelSequence all;
  shapes_->GetShapes(all);
  for (const TDF_Label& label : all) part_count_ += XCAFDoc_ShapeTool::IsSimpleShape(label) ? 1U : 0U;
}

std::vector<TDF_Label> StepLabels::free_shapes() const {
  TDF_LabelSequence found;
  shapes_->GetFreeShapes(found);
  return list_of(found);
}

bool StepLabels::is_assembly(const TDF_Label& label) const { return XCAFDoc_ShapeTool::IsAssembly(label); }

std::vector<TDF_Label> StepLabels::components(const TDF_Label& assembly) const {
  TDF_LabelSequence found;
  XCAFDoc_ShapeTool::GetComponents(assembly, found, Standard_False);
  return list_of(found);
}

TDF_Label StepLabels::referred(const TDF_Label& component) const {
  TDF_Label definition;
  return XCAFDoc_ShapeTool::GetReferredShape(component, definition) ? definition : component;
}

std::optional<Pose> StepLabels::placement(const TDF_Label& component) const {
  constexpr double kScaleTolerance = 1e-9;
  const gp_Trsf placement = XCAFDoc_ShapeTool::GetLocation(component).Transformation();
  if (placement.IsNegative() || std::abs(placement.ScaleFactor() - 1.0) > kScaleTolerance) return std::nullopt;
  Pose pose;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose.rotation(i, j) = placement.Value(i + 1, j + 1);
    pose.position[i] = kMillimeter * placement.Value(i + 1, 4);
  }
  return pose;
}

TopoDS_Shape StepLabels::shape(const TDF_Label& label) const { return XCAFDoc_ShapeTool::GetShape(label); }

std::string StepLabels::name(const TDF_Label& label) const {
  Handle(TDataStd_Name) name;
  if (!label.FindAttribute(TDataStd_Name::GetID(), name)) return "";
  const TCollection_AsciiString text(name->Get());  // as UTF-8
  return text.ToCString();
}

std::string StepLabels::entry(const TDF_Label& label) const {
  TCollection_AsciiString text;
  TDF_Tool::Entry(label, text);
  return text.ToCString();
}

std::optional<formats::Color> StepLabels::color(const TDF_Label& label) const {
  if (std::optional<formats::Color> color = color_of(colors_, label)) return color;
  const TopoDS_Shape whole = shape(label);
  for (const TopAbs_ShapeEnum kind : {TopAbs_SOLID, TopAbs_FACE}) {
    for (TopExp_Explorer it(whole, kind); it.More(); it.Next()) {
      if (std::optional<formats::Color> color = color_of(colors_, it.Current())) return color;
    }
  }
  return std::nullopt;
}

StepMaterial StepLabels::material(const TDF_Label& label) const {
  constexpr double kGramPerCubicCentimeter = 1e3;
  StepMaterial material;
  Handle(TDataStd_TreeNode) node;
  if (!label.FindAttribute(XCAFDoc::MaterialRefGUID(), node) || !node->HasFather()) return material;
  Handle(TCollection_HAsciiString) name, description, density_name, density_kind;
  double density = 0.0;
  if (!materials_->GetMaterial(node->Father()->Label(), name, description, density, density_name, density_kind)) {
    return material;
  }
  if (!name.IsNull()) material.name = name->ToCString();
  material.density = density * density_factor_ * kGramPerCubicCentimeter;
  return material;
}

}  // namespace gelenk::cad
