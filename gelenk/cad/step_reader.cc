#include "gelenk/cad/step_reader.h"

#include <fmt/format.h>

#include <STEPCAFControl_Reader.hxx>
#include <TDocStd_Document.hxx>
#include <TopoDS_Shape.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <XSControl_WorkSession.hxx>
#include <algorithm>
#include <fstream>
#include <map>

#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"
#include "gelenk/cad/opencascade_guard.h"
#include "gelenk/cad/shape_facts.h"
#include "gelenk/cad/solid_part.h"
#include "gelenk/cad/step_damage.h"
#include "gelenk/cad/step_density.h"
#include "gelenk/cad/step_labels.h"
#include "gelenk/formats/imported_names.h"

namespace gelenk::cad {
namespace {

using formats::ImportedAssembly;
using formats::ImportedChild;

constexpr std::size_t kEdgeBytes = 4096;  // looked at on both ends of the file

// What is wrong with the file before OpenCASCADE sees it; empty: nothing. It reads whatever it can of a broken file,
// without a word.
std::string problem_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fmt::format("{} cannot be opened", shown(path));
  std::string begin(kEdgeBytes, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  if (begin.empty()) return fmt::format("{} is empty", shown(path));
  if (begin.find("ISO-10303-21") == std::string::npos) {
    return fmt::format("{} is not a STEP file: it does not begin with ISO-10303-21", shown(path));
  }
  file.clear();
  file.seekg(0, std::ios::end);
  const auto size = static_cast<std::size_t>(file.tellg());
  std::string end(std::min(size, kEdgeBytes), '\0');
  file.seekg(-static_cast<std::streamoff>(end.size()), std::ios::end);
  file.read(end.data(), static_cast<std::streamsize>(end.size()));
  if (end.find("END-ISO-10303-21") == std::string::npos) {
    return fmt::format("{} is cut off: the line END-ISO-10303-21 at its end is missing", shown(path));
  }
  return "";
}

// A definition of the file as the model has it: a part or an assembly, perhaps deeper inside what the file has.
struct Defined {
  bool is_part = true;
  std::size_t index = 0;
  Pose placement;  // X_DC in the axes of the file's definition
};

class TreeReader {
 public:
  TreeReader(const StepLabels& labels, StepContent& content, const Progress& progress)
      : labels_(labels), content_(content), progress_(progress) {}

  void read(const std::string& stem) {
    content_.model.assemblies.push_back({assembly_names_.unique(formats::model_name(stem, "assembly")), stem, {}});
    std::vector<TDF_Label> top = labels_.free_shapes();
    // A file that holds one assembly: its children are those of the model.
    std::optional<TDF_Label> root;
    while (top.size() == 1 && labels_.is_assembly(top.front())) {
      root = top.front();
      top = labels_.components(*root);
      if (top.size() != 1 || !labels_.is_assembly(labels_.referred(top.front())) || !is_in_place(top.front())) break;
      top = {labels_.referred(top.front())};
    }
    if (root) content_.model.assemblies.front().product = labels_.name(*root);
    add_children(top, 0, root.has_value());
  }

  std::size_t skipped() const { return skipped_; }

 private:
  // Whether a component has the axes of its owner.
  bool is_in_place(const TDF_Label& component) const {
    const std::optional<Pose> pose = labels_.placement(component);
    return pose && pose->position.isZero() && pose->rotation.isIdentity();
  }

  void add_children(const std::vector<TDF_Label>& found, std::size_t assembly, bool are_components) {
    formats::NameRegister names;
    std::vector<ImportedChild> children;
    for (const TDF_Label& label : found) {
      const TDF_Label definition = are_components ? labels_.referred(label) : label;
      const std::optional<Pose> placement = are_components ? labels_.placement(label) : Pose{};
      if (!placement) {
        content_.model.notes.push_back(
            fmt::format("left out: {} is placed by a mirror or a scale", shown(labels_.name(definition))));
        continue;
      }
      const std::optional<Defined> defined = define(definition, content_.model.assemblies[assembly].product);
      if (!defined) continue;
      ImportedChild child;
      child.source = are_components ? labels_.name(label) : std::string();
      child.is_part = defined->is_part;
      child.index = defined->index;
      child.placement = *placement * defined->placement;
      child.name = names.unique(child_name(child));
      children.push_back(std::move(child));
    }
    content_.model.assemblies[assembly].children = std::move(children);
  }

  // The name of the instance, else that of what it is an instance of. Some programs count instances, "rod:1".
  std::string child_name(const ImportedChild& child) const {
    std::string_view source = child.source;
    const std::size_t colon = source.rfind(':');
    if (colon != std::string_view::npos && !formats::is_telling_name(source.substr(colon + 1))) {
      source = source.substr(0, colon);
    }
    if (formats::is_telling_name(source)) return formats::model_name(source, child.is_part ? "part" : "assembly");
    return child.is_part ? content_.model.parts[child.index].name : content_.model.assemblies[child.index].name;
  }

  // `owner`: the product that it is placed in first; a part without a name is called like that.
  std::optional<Defined> define(const TDF_Label& label, const std::string& owner) {
    const std::string key = labels_.entry(label);
    if (const auto known = defined_.find(key); known != defined_.end()) return known->second;
    const std::optional<Defined> result = labels_.is_assembly(label) ? assembly(label) : part(label, owner);
    defined_.emplace(key, result);
    return result;
  }

  std::optional<Defined> assembly(const TDF_Label& label) {
    const std::string product = labels_.name(label);
    const std::size_t number = content_.model.assemblies.size();
    const std::size_t parts_before = content_.model.parts.size();
    content_.model.assemblies.push_back({"", product, {}});
    add_children(labels_.components(label), number, true);
    ImportedAssembly& made = content_.model.assemblies[number];
    if (made.children.empty()) {
      if (number + 1 == content_.model.assemblies.size()) content_.model.assemblies.pop_back();
      return std::nullopt;
    }
    // Some programs write a part as an assembly of an unnamed solid and its datums.
    if (made.children.size() == 1 && made.children.front().is_part && number + 1 == content_.model.assemblies.size() &&
        content_.model.parts.size() == parts_before + 1 && content_.model.parts.back().product == product) {
      const Defined inside{true, made.children.front().index, made.children.front().placement};
      content_.model.assemblies.pop_back();
      return inside;
    }
    made.name = assembly_names_.unique(
        formats::model_name(formats::is_telling_name(product) ? product : std::string(), "assembly"));
    return Defined{false, number, {}};
  }

  std::optional<Defined> part(const TDF_Label& label, const std::string& owner) {
    const std::string own_name = labels_.name(label);
    const std::string product = formats::is_telling_name(own_name) ? own_name : owner;
    progress_(fmt::format("part {} of {}", content_.model.parts.size() + 1, labels_.part_count()));
    progress_.at(fmt::format("part {}", shown(product)));
    const StepMaterial material = labels_.material(label);
    const std::optional<std::size_t> number = add_part(
        labels_.shape(label), {product, material.name, material.density, labels_.color(label)}, part_names_, content_);
    if (!number) {
      ++skipped_;
      return std::nullopt;
    }
    return Defined{true, *number, {}};
  }

  const StepLabels& labels_;
  StepContent& content_;
  const Progress& progress_;
  formats::NameRegister part_names_, assembly_names_;
  std::map<std::string, std::optional<Defined>> defined_;
  std::size_t skipped_ = 0;
};

std::string damage_note(const StepDamage& damage) {
  const std::string others = damage.shapes > 1 ? fmt::format(" and {} others are", damage.shapes - 1) : " is";
  return fmt::format("{}{} damaged in the file: check that the parts are complete", damage.first, others);
}

std::optional<StepContent> read_document(const std::string& path, const Progress& progress, std::string& error) {
  const Handle(XCAFApp_Application) application = XCAFApp_Application::GetApplication();
  Handle(TDocStd_Document) document;
  application->NewDocument("BinXCAF", document);
  XCAFDoc_DocumentTool::SetLengthUnit(document, kMillimeter);
  STEPCAFControl_Reader reader;
  reader.SetNameMode(Standard_True);
  reader.SetColorMode(Standard_True);
  reader.SetPropsMode(Standard_True);
  reader.SetMatMode(Standard_True);
  progress("reading");
  // The whole path: files that it refers to are looked for beside it.
  const std::string whole = real_path(path).value_or(path);
  if (reader.ReadFile(whole.c_str()) != IFSelect_RetDone) {
    error = fmt::format("{} cannot be read as STEP: it is damaged, or needs more memory than is allowed", shown(path));
    return std::nullopt;
  }
  StepContent content;
  content.model.source = path;
  const StepDamage damage = step_damage(*reader.Reader().WS());
  progress.at(damage.first);
  if (damage.shapes > 0) content.model.notes.push_back(damage_note(damage));
  progress("transferring");
  if (!reader.Transfer(document)) {
    error = fmt::format("{} has no shapes", shown(path));
    if (damage.shapes > 0) error += ": " + damage_note(damage);
    return std::nullopt;
  }
  const std::optional<double> correction = density_correction(reader.Reader().WS()->Model());
  if (!correction) content.model.notes.push_back("densities in different units are not read: all are assumed");
  const StepLabels labels(document, correction.value_or(0.0));
  TreeReader tree(labels, content, progress);
  const std::size_t slash = path.rfind('/');
  std::string stem = slash == std::string::npos ? path : path.substr(slash + 1);
  stem = stem.substr(0, stem.rfind('.'));
  tree.read(stem);
  application->Close(document);
  if (content.model.parts.empty()) {
    error = fmt::format("{} has no solid, and only solids have a mass", shown(path));
    if (tree.skipped() > 0) error += fmt::format("; {} parts have surfaces only or are empty", tree.skipped());
    return std::nullopt;
  }
  measure(content.model);
  return content;
}

}  // namespace

std::optional<StepContent> read_step(const std::string& path, const Progress& progress, std::string& error) {
  error = problem_of_file(path);
  if (!error.empty()) return std::nullopt;
  std::optional<StepContent> content;
  guarded(path, error, [&] { content = read_document(path, progress, error); });
  return content;
}

}  // namespace gelenk::cad
