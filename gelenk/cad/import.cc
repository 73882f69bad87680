#include "gelenk/cad/import.h"

#include "gelenk/base/json.h"
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
    json.member("isAssumed", request.ground.empty()).member("reason", outcome.ground->reason).end_object();
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

// It says all about its joints.
std::optional<StepContent> read_robot(const formats::ImportRequest& request, const Progress& progress,
                                      std::string& error) {
  const UrdfOptions options{{request.packages.begin(), request.packages.end()}, request.ground != "none"};
  std::optional<formats::ImportedModel> model = read_urdf(request.file, options, progress, error);
  if (!model) return std::nullopt;
  return StepContent{*std::move(model), {}};
}

}  // namespace

ImportResult import_file(const formats::ImportRequest& request, const Progress& progress) {
  ImportResult result;
  const bool is_robot = request.file.ends_with(".urdf") || request.file.ends_with(".URDF");
  std::optional<StepContent> content =
      is_robot ? read_robot(request, progress, result.error) : read_step(request.file, progress, result.error);
  if (!content) return result;
  formats::ImportedModel& model = content->model;
  result.is_users_mistake = true;
  result.error = apply_choices(model, request);
  if (!result.error.empty()) return result;
  InferenceReport inference;
  inference.bodies = model.assemblies.front().children.size();
  if (request.infers_joints && !is_robot) inference = infer_joints(*content, progress);
  std::optional<formats::GroundChoice> ground;
  if (request.ground.empty()) {
    ground = is_robot ? formats::GroundChoice{0, "it is the base of the robot"} : proposed_ground(model);
  } else if (request.ground != "none") {
    ground = named_ground(model, request.ground, result.error);
    if (!ground) return result;
  }
  progress("writing");
  formats::ImportedWriting writing{request.name, request.up, {}};
  if (ground) writing.ground = ground->child;
  result.files = write_imported(model, writing);
  result.files.push_back({request.name + ".cad/import.json", report_text(request, {model, inference, ground}), false});
  return result;
}

}  // namespace gelenk::cad
