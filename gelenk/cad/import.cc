#include "gelenk/cad/import.h"

#include <algorithm>
#include <cctype>

#include "gelenk/base/json.h"
#include "gelenk/cad/freecad_reader.h"
#include "gelenk/cad/inference_joints.h"
#include "gelenk/cad/urdf_reader.h"

namespace gelenk::cad {
namespace {

// How sure a joint is, in a word: below the first number a guess, below the second worth a look.
constexpr double kWorthALook = 0.5, kSure = 0.75;

std::string_view certainty(const formats::ImportedJoint& joint) {
  if (joint.origin == formats::Origin::assumed) return "assumed";
  if (joint.origin == formats::Origin::cad || joint.score >= kSure) return "sure";
  return joint.score >= kWorthALook ? "look" : "guess";
}

void write_joints(JsonWriter& json, const formats::ImportedModel& model) {
  json.key("joints").begin_array();
  for (const formats::ImportedJoint& joint : model.joints) {
    json.begin_object().member("name", joint.name).member("type", joint.type);
    json.key("between").begin_array();
    for (const formats::ImportedEnd& end : joint.ends) json.value(path_text(model, end.path));
    json.end_array().member("origin", origin_name(joint.origin)).member("score", joint.score);
    json.member("certainty", certainty(joint)).member("reason", joint.reason).end_object();
  }
  json.end_array();
}

void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  json.key(key).begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

struct Outcome {
  const formats::ImportedModel& model;
  const InferenceReport& inference;
  std::optional<formats::GroundChoice> ground;
  bool is_ground_assumed;
};

std::string report_text(const formats::ImportRequest& request, const Outcome& outcome) {
  const formats::ImportedModel& model = outcome.model;
  const formats::ImportedMass mass = mass_of(model);
  JsonWriter json;
  json.begin_object().member("source", request.file).member("name", request.name);
  json.member("parts", leaves(model).size()).member("products", model.parts.size());
  json.member("bodies", outcome.inference.bodies);
  json.key("size").begin_array();
  for (int i = 0; i < 3; ++i) json.value(model.size.upper[i] - model.size.lower[i]);
  json.end_array().member("mass", mass.mass).member("assumedMass", mass.assumed);
  json.member("fasteners", outcome.inference.fasteners);
  json.key("ground");
  if (outcome.ground) {
    json.begin_object().member("part", model.assemblies.front().children[outcome.ground->child].name);
    json.member("joint", ground_joint_name(model, outcome.ground->child));
    json.member("isAssumed", outcome.is_ground_assumed).member("reason", outcome.ground->reason).end_object();
  } else {
    json.null();
  }
  write_joints(json, model);
  write_texts(json, "held", outcome.inference.held);
  write_texts(json, "notes", model.notes);
  return json.end_object().take();
}

std::string apply_choices(formats::ImportedModel& model, const formats::ImportRequest& request) {
  for (const formats::MaterialChoice& choice : request.materials) {
    if (std::string error = choose_material(model, choice); !error.empty()) return "--material: " + error;
  }
  for (const formats::MassChoice& choice : request.masses) {
    if (std::string error = choose_mass(model, choice); !error.empty()) return "--mass: " + error;
  }
  return "";
}

// What a file says.
struct Source {
  StepContent content;
  std::optional<formats::GroundChoice> ground;
  bool is_ground_given = false;        // in so many words
  bool says_joints = false;            // all that it has
  std::vector<std::string> held = {};  // children of the root that no joint of the file names
};

bool has_suffix(const std::string& file, std::string_view lower_case) {
  std::string end = file.substr(file.size() - std::min(file.size(), lower_case.size()));
  for (char& letter : end) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return end == lower_case;
}

std::optional<Source> read_source(const formats::ImportRequest& request, const Progress& progress, std::string& error) {
  if (has_suffix(request.file, ".urdf")) {
    const UrdfOptions options{{request.packages.begin(), request.packages.end()}, request.ground != "none"};
    std::optional<formats::ImportedModel> model = read_urdf(request.file, options, progress, error);
    if (!model) return std::nullopt;
    return Source{{*std::move(model), {}}, formats::GroundChoice{0, "it is the base of the robot"}, false, true};
  }
  if (has_suffix(request.file, ".fcstd")) {
    std::optional<FreecadContent> found = read_freecad(request.file, progress, error);
    if (!found) return std::nullopt;
    if (!request.infers_joints) found->content.model.joints.clear();
    Source source{std::move(found->content), {}, found->ground.has_value(), false};
    formats::ImportedModel& model = source.content.model;
    source.says_joints = !model.joints.empty();
    if (found->ground) source.ground = formats::GroundChoice{*found->ground, "the file holds it to the ground"};
    if (source.says_joints) {
      source.held = hold_unjoined(model, found->ground.value_or(formats::proposed_ground(model).child));
    }
    return source;
  }
  std::optional<StepContent> content = read_step(request.file, progress, error);
  if (!content) return std::nullopt;
  return Source{*std::move(content), {}, false, false};
}

}  // namespace

ImportResult import_file(const formats::ImportRequest& request, const Progress& progress) {
  ImportResult result;
  std::optional<Source> source = read_source(request, progress, result.error);
  if (!source) return result;
  formats::ImportedModel& model = source->content.model;
  result.is_users_mistake = true;
  result.error = apply_choices(model, request);
  if (!result.error.empty()) return result;
  InferenceReport inference;
  inference.bodies = model.assemblies.front().children.size();
  inference.held = source->held;
  if (request.infers_joints && !source->says_joints) inference = infer_joints(source->content, progress);
  std::optional<formats::GroundChoice> ground = source->ground ? source->ground : proposed_ground(model);
  if (request.ground == "none") {
    ground.reset();
  } else if (!request.ground.empty()) {
    ground = named_ground(model, request.ground, result.error);
    if (!ground) return result;
  }
  const bool is_ground_assumed = request.ground.empty() && !source->is_ground_given;
  progress("writing");
  formats::ImportedWriting writing{request.name, request.up, {}};
  if (ground) writing.ground = ground->child;
  result.files = write_imported(model, writing);
  result.files.push_back(
      {request.name + ".cad/import.json", report_text(request, {model, inference, ground, is_ground_assumed}), false});
  return result;
}

}  // namespace gelenk::cad
