#include "apps/gelenk/seal_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "apps/gelenk/embedded_text.h"
#include "apps/gelenk/seal_code.h"
#include "gelenk/analysis/published_outputs.h"
#include "gelenk/base/helper_files.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/si_unit.h"
#include "gelenk/base/text.h"
#include "gelenk/component/gelenk_component.h"
#include "gelenk/component/sealed_model.h"
#include "gelenk/formats/model_bundle.h"
#include "gelenk/geometry/glb_writer.h"
#include "gelenk/geometry/tessellate.h"
#include "gelenk/model/expand.h"
#include "gelenk/model/joints/laws.h"
#include "gelenk/system/compile.h"

namespace gelenk::app {
namespace {

using component::ContainerDraft;
using component::Manifest;

constexpr std::size_t kMostLibraryBytes = std::size_t{256} << 20;
constexpr std::size_t kMostTextBytes = std::size_t{64} << 20;

std::string text_of(const model::Object& object, std::string_view key) {
  const std::string* text = object.text(key);
  return text == nullptr ? std::string() : std::string(trim(*text));
}

std::string unit_of(const Dimension& dimension) { return dimension.is_none() ? std::string() : si_unit(dimension); }

component::About about_of(const model::Machine& machine, const model::Object& root) {
  component::About about;
  if (const model::Object* written = root.object("about")) {
    about = {text_of(*written, "name"),    text_of(*written, "version"), text_of(*written, "maker"),
             text_of(*written, "contact"), text_of(*written, "licence"), text_of(*written, "doc"),
             text_of(*written, "validity")};
  }
  if (about.name.empty()) about.name = machine.name;
  if (about.version.empty()) about.version = "0";
  return about;
}

std::vector<component::Port> ports_of(ModelInput& input) {
  const model::Object& root = input.loaded.model.root().object;
  const std::vector<model::PortNode>& ports = input.machine->ports;
  if (ports.empty()) {
    input.diagnostics.error(Code::cannot_be_sealed, {}, "the model has no ports: nothing could be joined to it",
                            "name frames of its parts: `ports: {eye: rod.eye}`");
  }
  for (const model::CouplingNode& coupling : input.machine->couplings) {
    const ElementScope element(input.diagnostics, coupling.path, "joint");
    input.diagnostics.error(Code::cannot_be_sealed, coupling.where,
                            fmt::format("a component with {} {} cannot be sealed yet",
                                        coupling.type == &model::kExpression ? "an" : "a", coupling.type->name),
                            "keep the assembly open, or leave what couples its joints to the owner");
  }
  for (const model::ContactNode& contact : input.machine->contacts) {
    const ElementScope element(input.diagnostics, contact.path, "contact");
    input.diagnostics.error(Code::cannot_be_sealed, contact.where, "a component with contacts cannot be sealed yet",
                            "keep the assembly open");
  }
  for (const model::ForceNode& force : input.machine->forces) {
    if (!force.type->is_hard) continue;
    const ElementScope element(input.diagnostics, force.path, "force");
    input.diagnostics.error(Code::cannot_be_sealed, force.where,
                            fmt::format("a component with a {} cannot be sealed yet", force.type->name),
                            "keep the assembly open, or take a soft force: `stop`, `joint_friction`");
  }
  std::vector<component::Port> result;
  for (const model::PortNode& port : ports) {
    if (port.frame.is_on_ground()) {
      const ElementScope element(input.diagnostics, port.name, "port");
      input.diagnostics.error(Code::cannot_be_sealed, port.where,
                              "it is on the ground, but a component is mounted at parts that move",
                              "name a frame of a part, or leave the port out");
    }
    component::Port& made = result.emplace_back();
    made.name = port.name;
    for (const model::Object& written : root.section("ports")) {
      if (written.name == port.name) made.doc = text_of(written, "doc");
    }
  }
  return result;
}

// Names of several options, and several in one with commas.
std::vector<std::string> named_in(const std::vector<std::string>& texts) {
  std::vector<std::string> names;
  for (const std::string& text : texts) {
    for (const std::string& name : split(text, ',')) names.emplace_back(trim(name));
  }
  return names;
}

std::optional<SealProblem> unknown_name(std::string_view kind, const std::string& name,
                                        const std::vector<std::string>& known, const std::string& otherwise) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return std::nullopt;
  std::string hint = did_you_mean(name, known);
  if (hint.empty()) hint = known.empty() ? otherwise : "there are " + join(known, ", ");
  return SealProblem{ExitCode::usage_error, fmt::format("the model has no {} {}", kind, shown(name)), hint};
}

std::optional<SealProblem> publish(const SealRequest& request, ModelInput& input, Manifest& manifest) {
  const std::vector<model::ParameterValue>& parameters = input.machine->assemblies.front().parameters;
  std::vector<std::string> known;
  for (const model::ParameterValue& parameter : parameters) known.push_back(parameter.name);
  const std::vector<std::string> wanted = named_in(request.publish);
  for (const std::string& name : wanted) {
    if (auto problem = unknown_name("parameter", name, known, "it has no parameters at its top level")) return problem;
  }
  // In the order of the model: the order of options says nothing.
  for (const model::ParameterValue& parameter : parameters) {
    if (std::find(wanted.begin(), wanted.end(), parameter.name) == wanted.end()) continue;
    const expression::Expression* formula = parameter.source->expression("value");
    if (formula != nullptr && !formula->symbols().empty()) {
      const ElementScope element(input.diagnostics, parameter.name, "parameter");
      input.diagnostics.error(Code::cannot_be_sealed, parameter.source->range_of("value"),
                              "it is computed from others, so it cannot be published",
                              "publish those that it is computed from");
    }
    component::Parameter& made = manifest.parameters.emplace_back();
    made.name = parameter.name;
    made.unit = unit_of(parameter.dimension);
    made.default_value = parameter.value;
    made.min = parameter.min.value_or(made.min);
    made.max = parameter.max.value_or(made.max);
    made.doc = text_of(*parameter.source, "doc");
  }
  return std::nullopt;
}

// An entry of the model's `outputs:`, or a channel: the library reads both in the same way.
std::optional<SealProblem> show_outputs(const SealRequest& request, const ModelInput& input, Manifest& manifest) {
  std::vector<std::string> wanted;
  for (const std::string& name : named_in(request.outputs)) {
    if (name.ends_with(".gkc")) {
      return SealProblem{ExitCode::usage_error, fmt::format("{} is not an output", shown(name)),
                         "the file is named by -o"};
    }
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) wanted.push_back(name);
  }
  model::Model model = input.loaded.model;
  Diagnostics diagnostics;
  const std::optional<std::vector<std::string>> names = analysis::publish_outputs(model, wanted, diagnostics);
  model::ExpandOptions options;
  options.draw_sealed = [&](const model::SealedNode& node) {
    model::SealedDrawing drawing;
    input.sealed->carry(node, drawing);
    return drawing;
  };
  options.has_open_inputs = true;
  const model::Machine machine = model::expand(model, options, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity != Severity::error) continue;
    std::string hint = diagnostic.hint;
    std::vector<std::string> known;
    for (const model::Object& written : input.loaded.model.root().object.section("outputs"))
      known.push_back(written.name);
    if (hint.empty() && !known.empty()) hint = "outputs of the model are " + join(known, ", ");
    return SealProblem{ExitCode::usage_error, fmt::format("--output: {}", diagnostic.message), hint};
  }
  const std::optional<system::System> system = system::compile(machine, {}, diagnostics);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    component::Output& made = manifest.outputs.emplace_back();
    made.name = wanted[i];
    for (const model::OutputNode& output : machine.outputs) {
      if (output.path == (*names)[i]) made.unit = unit_of(output.value.dimension);
    }
    for (const model::Object& written : input.loaded.model.root().object.section("outputs")) {
      if (written.name == wanted[i]) made.doc = text_of(written, "doc");
    }
    // What is known before forces are, an owner may read in his own expressions. Channels have no name for a port.
    if (system && made.name == (*names)[i] &&
        analysis::can_be_signal(*system, analysis::find_output(*system, made.name))) {
      manifest.ports.push_back({made.name, component::PortKind::signal_out, 1, made.unit, made.doc});
    }
  }
  return std::nullopt;
}

// Inputs of the model, which its owner gives.
void add_inputs(ModelInput& input, Manifest& manifest) {
  for (const model::InputNode& node : input.machine->inputs) {
    component::Port& made = manifest.ports.emplace_back();
    made.name = node.name;
    made.kind = component::PortKind::signal_in;
    made.width = 1;
    made.unit = unit_of(node.dimension);
    made.doc = node.source == nullptr ? "" : text_of(*node.source, "doc");
  }
  // Laws of drivers that read them are found there.
  if (!input.diagnostics.has_errors()) system::compile(*input.machine, {}, input.diagnostics);
}

std::optional<SealProblem> add_file(const std::string& file, const std::string& path, std::size_t most,
                                    ContainerDraft& draft) {
  ReadResult read = read_file(file, most);
  if (!read.text) {
    return SealProblem{ExitCode::file_error, fmt::format("the file '{}' cannot be read: {}", file, read.reason)};
  }
  const auto same_path = [&](const ZipEntry& other) { return other.path == path; };
  if (std::any_of(draft.files.begin(), draft.files.end(), same_path)) {
    return SealProblem{ExitCode::usage_error, fmt::format("two files would both be '{}' in the component", path),
                       "give one of them another name"};
  }
  draft.files.push_back({path, *std::move(read.text)});
  return std::nullopt;
}

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

// FMI looks for license.txt or license.html.
std::string licence_path(const std::string& file) {
  const bool is_page = file.ends_with(".html") || file.ends_with(".htm");
  return is_page ? "documentation/licenses/license.html" : "documentation/licenses/license.txt";
}

std::optional<SealProblem> add_texts(const SealRequest& request, ContainerDraft& draft) {
  std::optional<SealProblem> problem;
  if (!request.licence.empty()) {
    const std::string path = licence_path(request.licence);
    problem = add_file(request.licence, path, kMostTextBytes, draft);
    if (draft.manifest.about.licence.empty()) draft.manifest.about.licence = path;
  }
  if (!problem && !request.doc.empty()) {
    problem = add_file(request.doc, "documentation/" + file_name(request.doc), kMostTextBytes, draft);
  }
  for (const std::string& file : request.cases) {
    if (!problem) problem = add_file(file, std::string(kCasesFolder) + file_name(file), kMostTextBytes, draft);
  }
  return problem;
}

// The parts as they are drawn, in the coordinates of the component.
std::optional<SealProblem> draw_shape(const model::Machine& machine, std::string& bytes) {
  constexpr int kSegments = 32;
  std::vector<geometry::TriangleMesh> meshes;
  for (const model::PartNode& part : machine.parts) {
    for (const geometry::Shape& shape : part.shapes) {
      if (shape.hole) continue;
      for (Vector3& vertex : meshes.emplace_back(geometry::tessellate(shape, kSegments)).vertices) {
        vertex = part.X_WP * vertex;
      }
    }
  }
  if (meshes.empty()) return SealProblem{ExitCode::usage_error, "no part of the model has a shape that could be shown"};
  bytes = geometry::write_glb(meshes);
  return std::nullopt;
}

// Of a sealed component inside only its model goes along: the library that reads the outer one reads it, too.
void keep_inside(ModelInput& input, formats::BundledFile& file) {
  const component::OpenResult opened = component::read_container(file.content);
  const std::string* const resource = opened.container ? opened.container->find(component::kResourcePath) : nullptr;
  if (resource != nullptr && component::has_code(*opened.container)) {
    input.diagnostics.error(
        Code::cannot_be_sealed, {},
        fmt::format("the component in '{}' has code in C, which cannot be put into another one", file.path),
        "give both to your customers, who can use them side by side");
    return;
  }
  if (resource != nullptr && component::decode_sealed_model(*resource)) {
    file.content = *resource;
    return;
  }
  input.diagnostics.error(Code::cannot_be_sealed, {},
                          fmt::format("the component in '{}' is a library of its own, which cannot be put into "
                                      "another one",
                                      file.path),
                          "only components that 'gelenk seal' made of models can be sealed again");
}

}  // namespace

std::optional<SealProblem> describe_component(const SealRequest& request, ModelInput& input, Manifest& manifest) {
  manifest.abi = {GELENK_COMPONENT_ABI_MAJOR, GELENK_COMPONENT_ABI_MINOR};
  manifest.about = about_of(*input.machine, input.loaded.model.root().object);
  manifest.ports = ports_of(input);
  add_inputs(input, manifest);
  if (auto problem = publish(request, input, manifest)) return problem;
  return show_outputs(request, input, manifest);
}

std::optional<SealProblem> add_files(const SealRequest& request, ModelInput& input, ContainerDraft& draft) {
  component::SealedModel sealed;
  for (formats::BundledFile& file : formats::bundle_model(input.loaded, input.diagnostics)) {
    if (file.path.ends_with(".gkc")) keep_inside(input, file);
    sealed.files.push_back({std::move(file.path), std::move(file.content)});
  }
  if (input.diagnostics.has_errors()) return std::nullopt;
  std::string shape;
  if (request.shows_shape) {
    if (auto problem = draw_shape(*input.machine, shape)) return problem;
    // Beside the file for other programs, so that who has the component at work needs no container.
    sealed.files.push_back({std::string(component::kShapeFile), shape});
  }
  sealed.ports = draft.manifest.ports;
  sealed.parameters = draft.manifest.parameters;
  sealed.outputs = draft.manifest.outputs;
  draft.files.push_back({std::string(component::kResourcePath), component::encode(sealed)});

  const std::string library = installed_file(std::string(kRuntimeLibrary.name));
  if (library.empty()) {
    MissingHelper missing = missing_helper(kRuntimeLibrary);
    return SealProblem{ExitCode::file_error, std::move(missing.message), std::move(missing.hint)};
  }
  const std::string path = component::library_path(component::host_platform(), draft.manifest.about.name);
  if (auto problem = add_file(library, path, kMostLibraryBytes, draft)) return problem;
  if (auto problem = add_code(request, input, draft)) return problem;
  const std::string_view notices = find_text(runtime_licences(), "gelenk-runtime")->text;
  draft.files.push_back({std::string(kNoticesPath), std::string(notices)});
  if (!shape.empty()) draft.files.push_back({std::string(kShapePath), std::move(shape)});
  return add_texts(request, draft);
}

}  // namespace gelenk::app
