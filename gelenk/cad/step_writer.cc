#include "gelenk/cad/step_writer.h"

#include <fmt/format.h>

#include <APIHeaderSection_MakeHeader.hxx>
#include <BRepBuilderAPI_Copy.hxx>
#include <Interface_Static.hxx>
#include <Quantity_Color.hxx>
#include <STEPCAFControl_Writer.hxx>
#include <StepData_Protocol.hxx>
#include <StepData_StepModel.hxx>
#include <StepData_StepWriter.hxx>
#include <TCollection_ExtendedString.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopoDS_Shape.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_MaterialTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <XSControl_WorkSession.hxx>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "gelenk/base/text.h"
#include "gelenk/cad/file_ending.h"
#include "gelenk/cad/freecad_reader.h"
#include "gelenk/cad/opencascade_guard.h"
#include "gelenk/cad/shape_facts.h"
#include "gelenk/cad/solid_shapes.h"
#include "gelenk/cad/step_reader.h"
#include "gelenk/formats/imported_names.h"

namespace gelenk::cad {
namespace {

using formats::StepNode;
using formats::StepShape;

Handle(TCollection_HAsciiString) words(const std::string& text) { return new TCollection_HAsciiString(text.c_str()); }

bool is_identity(const Pose& pose) { return pose.position.isZero(0.0) && pose.rotation.isIdentity(0.0); }

TopLoc_Location location_of(const Pose& pose) {
  if (is_identity(pose)) return {};
  const Matrix3& R = pose.rotation;
  const Vector3 p = pose.position / kMillimeter;
  gp_Trsf placement;
  placement.SetValues(R(0, 0), R(0, 1), R(0, 2), p.x(), R(1, 0), R(1, 1), R(1, 2), p.y(), R(2, 0), R(2, 1), R(2, 2),
                      p.z());
  return placement;
}

// Shapes of the parts of CAD files, each of which is read once.
class Sources {
 public:
  explicit Sources(const Progress& progress) : progress_(progress) {}

  // Null, with a sentence in `error`.
  TopoDS_Shape shape(const std::string& file, const std::string& part, std::string& error) {
    const auto [known, is_new] = files_.try_emplace(file);
    if (is_new) read(file, known->second);
    if (!known->second.error.empty()) error = known->second.error;
    if (!error.empty()) return {};
    const auto found = known->second.parts.find(part);
    if (found != known->second.parts.end()) return found->second;
    error = fmt::format("{} has no part {}", shown(file), shown(part));
    return {};
  }

 private:
  struct File {
    std::string error;
    std::map<std::string, TopoDS_Shape> parts;
  };

  void read(const std::string& path, File& file) {
    std::optional<StepContent> content;
    if (is_freecad_file(path)) {
      std::optional<FreecadContent> found = read_freecad(path, "", progress_, file.error);
      if (found) content = std::move(found->content);
    } else {
      content = read_step(path, progress_, file.error);
    }
    if (!content) return;
    for (std::size_t i = 0; i < content->model.parts.size(); ++i) {
      file.parts.emplace(content->model.parts[i].name, *content->shapes[i]);
    }
  }

  const Progress& progress_;
  std::map<std::string, File> files_;
};

class TreeWriter {
 public:
  TreeWriter(const Handle(TDocStd_Document) & document, const Progress& progress, std::vector<std::string>& notes)
      : shapes_(XCAFDoc_DocumentTool::ShapeTool(document->Main())),
        colors_(XCAFDoc_DocumentTool::ColorTool(document->Main())),
        materials_(XCAFDoc_DocumentTool::MaterialTool(document->Main())),
        sources_(progress),
        progress_(progress),
        notes_(notes) {}

  // Nothing when there is nothing to show in it.
  std::optional<TDF_Label> add(const StepNode& node) {
    if (node.shape) return part(node);
    std::vector<std::pair<const StepNode*, TDF_Label>> made;
    for (const StepNode& child : node.children) {
      if (const std::optional<TDF_Label> label = add(child)) made.emplace_back(&child, *label);
    }
    if (made.empty()) return std::nullopt;
    const TDF_Label assembly = shapes_->NewShape();
    set_name(assembly, node.name);
    for (const auto& [child, label] : made) {
      set_name(shapes_->AddComponent(assembly, label, location_of(child->X_ON)), child->name);
    }
    return assembly;
  }

 private:
  static void set_name(const TDF_Label& label, const std::string& name) {
    TDataStd_Name::Set(label, TCollection_ExtendedString(name.c_str(), Standard_True));
  }

  // Equal pieces of one CAD file are one product.
  std::optional<TDF_Label> part(const StepNode& node) {
    const StepShape& shape = *node.shape;
    std::string product = node.product.empty() ? node.name : node.product;
    // OpenCASCADE writes no name for a piece that stands in the axes of its owner: that of the product must do.
    if (is_identity(node.X_ON) && formats::model_name(product, "part") != node.name) product = node.name;
    std::string key = shape.source.empty()
                          ? fmt::format("#{}", products_.size())
                          : fmt::format("{}\n{}\n{}\n{}", shape.source, shape.part, product, shape.mass);
    if (!shape.source.empty()) {
      for (const double number : shape.mirror.reshaped()) key += fmt::format("\n{}", number);
      for (const double number : shape.color.value_or(formats::Color{})) key += fmt::format("\n{}", number);
    }
    const auto [known, is_new] = products_.try_emplace(key);
    if (is_new) known->second = make(node, product);
    return known->second;
  }

  std::optional<TDF_Label> make(const StepNode& node, const std::string& product) {
    progress_(fmt::format("part {}", products_.size()));
    const StepShape& shape = *node.shape;
    std::string error;
    TopoDS_Shape made;
    if (shape.source.empty()) {
      made = shape_of(shape.solids, error);
    } else {
      made = sources_.shape(shape.source, shape.part, error);
      const bool is_mirrored = !shape.mirror.isIdentity(0.0);
      if (error.empty() && is_mirrored) made = transformed(made, Pose{}, shape.mirror);
      // Another product of the same shape needs a copy: labels are found by their shapes.
      const bool is_used = !used_.emplace(shape.source, shape.part).second;
      if (error.empty() && is_used && !is_mirrored) made = BRepBuilderAPI_Copy(made).Shape();
    }
    if (!error.empty()) {
      notes_.push_back(fmt::format("left out: {}: {}", shown(node.name), error));
      return std::nullopt;
    }
    const TDF_Label label = shapes_->AddShape(made, Standard_False);
    set_name(label, product);
    if (shape.color) {
      const formats::Color& color = *shape.color;
      colors_->SetColor(label, Quantity_Color(color[0], color[1], color[2], Quantity_TOC_sRGB), XCAFDoc_ColorSurf);
    }
    if (shape.mass > 0.0) set_mass(label, made, shape.mass, product);
    return label;
  }

  // Materials of one name are one material to OpenCASCADE, whatever their densities.
  void set_mass(const TDF_Label& label, const TopoDS_Shape& shape, double mass, const std::string& product) {
    constexpr double kGramPerCubicCentimeter = 1e3;
    const double volume = solid_facts(shape).volume;
    if (!(volume > 0.0)) return;
    materials_->SetMaterial(label, words(material_names_.unique("material of " + product)), words(""),
                            mass / volume / kGramPerCubicCentimeter, words("density measure"),
                            words("POSITIVE_RATIO_MEASURE"));
  }

  Handle(XCAFDoc_ShapeTool) shapes_;
  Handle(XCAFDoc_ColorTool) colors_;
  Handle(XCAFDoc_MaterialTool) materials_;
  Sources sources_;
  const Progress& progress_;
  std::vector<std::string>& notes_;
  std::map<std::string, std::optional<TDF_Label>> products_;
  std::set<std::pair<std::string, std::string>> used_;
  formats::NameRegister material_names_;
};

// Nothing in it that changes from day to day.
void write_header(const Handle(StepData_StepModel) & model, const std::string& name) {
  APIHeaderSection_MakeHeader header(model);
  header.SetName(words(name));
  header.SetTimeStamp(words("1970-01-01T00:00:00"));
  header.SetAuthorValue(1, words(""));
  header.SetOrganizationValue(1, words(""));
  header.SetOriginatingSystem(words("Gelenk"));
}

void write_document(const formats::StepRequest& request, const Progress& progress, StepWriting& result) {
  const Handle(XCAFApp_Application) application = XCAFApp_Application::GetApplication();
  Handle(TDocStd_Document) document;
  application->NewDocument("BinXCAF", document);
  XCAFDoc_DocumentTool::SetLengthUnit(document, kMillimeter);
  TreeWriter tree(document, progress, result.notes);
  if (!tree.add(request.root)) {
    result.error = "there is nothing to write: no part has a shape";
    application->Close(document);
    return;
  }
  XCAFDoc_DocumentTool::ShapeTool(document->Main())->UpdateAssemblies();
  progress("transferring");
  STEPCAFControl_Writer writer;  // the settings are known from here on only
  Interface_Static::SetCVal("write.step.schema", "AP214IS");
  Interface_Static::SetCVal("write.step.unit", "MM");
  writer.ChangeWriter().Model(Standard_True);
  bool is_made = writer.Transfer(document, STEPControl_AsIs);
  if (is_made) {
    progress("writing");
    const Handle(StepData_StepModel) model = writer.ChangeWriter().Model();
    write_header(model, std::filesystem::path(request.file).filename().string());
    StepData_StepWriter sender(model);
    sender.SendModel(Handle(StepData_Protocol)::DownCast(writer.ChangeWriter().WS()->Protocol()));
    std::ostringstream text;
    is_made = sender.Print(text) && text.good();
    result.text = std::move(text).str();
  }
  application->Close(document);
  if (!is_made) result.error = fmt::format("{} cannot be written", shown(request.file));
}

}  // namespace

StepWriting step_text(const formats::StepRequest& request, const Progress& progress) {
  StepWriting result;
  guarded(
      request.file, result.error, [&] { write_document(request, progress, result); }, "write");
  return result;
}

}  // namespace gelenk::cad
