#include "gelenk/cad/import.h"

#include <fmt/format.h>

#include <algorithm>

#include "gelenk/base/json.h"
#include "gelenk/cad/file_ending.h"
#include "gelenk/cad/freecad_reader.h"
#include "gelenk/cad/inference_joints.h"
#include "gelenk/cad/joint_picture.h"
#include "gelenk/cad/loose_parts.h"
#include "gelenk/cad/update.h"
#include "gelenk/cad/urdf_reader.h"
#include "gelenk/formats/imported_frames.h"

namespace gelenk::cad {
namespace {

// How sure a joint is, in a word: below the first number a guess, below the second worth a look.
constexpr double kWorthALook = 0.5, kSure = 0.75;

std::string_view certainty(const formats::ImportedJoint& joint) {
  if (joint.origin == formats::Origin::assumed) return "assumed";
  if (joint.origin == formats::Origin::cad || joint.score >= kSure) return "sure";
  return joint.score >= kWorthALook ? "look" : "guess";
}

// By joint: where its picture is, seen from the folder of the report; empty for joints that nobody needs to look at.
using Pictures = std::vector<std::string>;

Pictures draw_doubtful(const formats::ImportRequest& request, const StepContent& content, const Progress& progress,
                       std::vector<formats::ImportedFile>& files) {
  constexpr std::size_t kMost = 200, kLongestName = 100;
  const std::vector<formats::ImportedJoint>& joints = content.model.joints;
  Pictures pictures(joints.size());
  std::vector<std::size_t> doubtful;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if ((certainty(joints[i]) == "look" || certainty(joints[i]) == "guess") && doubtful.size() < kMost) {
      doubtful.push_back(i);
    }
  }
  if (doubtful.empty()) return pictures;
  JointPainter painter(content, request.up);
  for (std::size_t i = 0; i < doubtful.size(); ++i) {
    progress(fmt::format("drawing joint {} of {}", i + 1, doubtful.size()));
    const formats::ImportedJoint& joint = joints[doubtful[i]];
    std::string& picture = pictures[doubtful[i]];
    picture = fmt::format("pictures/{}.svg", joint.name.size() <= kLongestName ? joint.name : fmt::format("{}", i + 1));
    files.push_back(
        {fmt::format("{}.cad/{}", request.name, picture), std::string(kPictureMark) + painter.draw(joint), false});
  }
  return pictures;
}

void write_joints(JsonWriter& json, const formats::ImportedModel& model, const Pictures& pictures) {
  json.key("joints").begin_array();
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const formats::ImportedJoint& joint = model.joints[i];
    json.begin_object().member("name", joint.name).member("type", joint.type);
    json.key("between").begin_array();
    for (const formats::ImportedEnd& end : joint.ends) json.value(path_text(model, end.path));
    json.end_array().key("frames").begin_array();
    for (const formats::ImportedEnd& end : joint.ends) json.value(end.name);
    json.end_array().member("origin", origin_name(joint.origin)).member("score", joint.score);
    json.member("certainty", certainty(joint)).member("reason", joint.reason);
    if (!pictures[i].empty()) json.member("picture", pictures[i]);
    json.end_object();
  }
  json.end_array();
}

void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  json.key(key).begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

struct Outcome {
  const StepContent& content;
  InferenceReport inference = {};
  std::vector<std::string> held = {};  // children of the root that no joint names
  std::optional<UpdateFindings> update = {};
  std::optional<formats::GroundChoice> ground = {};
  bool is_ground_assumed = false;
  Pictures pictures = {};
};

void write_update(JsonWriter& json, const UpdateFindings& findings) {
  json.key("update").begin_object().key("renamed").begin_array();
  for (const auto& [from, to] : findings.renamed)
    json.begin_object().member("from", from).member("to", to).end_object();
  json.end_array();
  write_texts(json, "keptJoints", findings.kept_joints);
  write_texts(json, "doubts", findings.doubts);
  json.end_object();
}

std::string report_text(const formats::ImportRequest& request, const Outcome& outcome,
                        const std::vector<formats::ImportedFile>& files) {
  const formats::ImportedModel& model = outcome.content.model;
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
  write_joints(json, model, outcome.pictures);
  write_texts(json, "held", outcome.held);
  write_texts(json, "notes", model.notes);
  if (outcome.update) write_update(json, *outcome.update);
  // What the next import goes on from
  write_options(json, request);
  write_placed(json, model);
  write_frames(json, outcome.content);
  json.key("files").begin_array();
  for (const formats::ImportedFile& file : files) {
    if (!file.is_users) json.value(file.path);
  }
  json.end_array();
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
  bool is_ground_given = false;  // in so many words
  bool says_joints = false;      // all that it has
  bool is_robot = false;         // what has no joint is meant to float
};

std::optional<Source> read_source(const formats::ImportRequest& request, const Progress& progress, std::string& error) {
  if (is_urdf_file(request.file)) {
    const UrdfOptions options{{request.packages.begin(), request.packages.end()}, request.ground != "none"};
    std::optional<formats::ImportedModel> model = read_urdf(request.file, options, progress, error);
    if (!model) return std::nullopt;
    return Source{{*std::move(model), {}}, formats::GroundChoice{0, "it is the base of the robot"}, false, true, true};
  }
  if (is_freecad_file(request.file)) {
    std::optional<FreecadContent> found = read_freecad(request.file, request.links_folder, progress, error);
    if (!found) return std::nullopt;
    const bool wants_others = !request.infers_joints || request.ignores_joints || !request.joints_file.empty();
    if (wants_others) found->content.model.joints.clear();
    // Parts that the file only pins in their places, as A2plus does with the first ones, say nothing of their joints.
    const bool says_joints =
        std::any_of(found->content.model.joints.begin(), found->content.model.joints.end(),
                    [](const formats::ImportedJoint& joint) { return joint.reason != kBothOnGround; });
    if (!says_joints && request.infers_joints) found->content.model.joints.clear();
    Source source{std::move(found->content), {}, found->ground.has_value(), says_joints};
    if (found->ground) source.ground = formats::GroundChoice{*found->ground, "the file holds it to the ground"};
    return source;
  }
  std::optional<StepContent> content = read_step(request.file, progress, error);
  if (!content) return std::nullopt;
  return Source{*std::move(content), {}, false, false};
}

// Joints of the file, of the user, or of the surfaces; then what was there before, then what nothing holds. Returns
// what the user got wrong, or nothing.
std::string join_parts(const formats::ImportRequest& request, const ImportMemory* memory, Source& source,
                       const Progress& progress, Outcome& outcome) {
  formats::ImportedModel& model = source.content.model;
  outcome.inference.bodies = model.assemblies.front().children.size();
  if (!request.joints_file.empty()) {
    if (source.is_robot) return "--joints: a robot description defines its own joints";
    std::string error;
    const std::optional<std::vector<GivenJoint>> given = read_given_joints(request.joints_file, error);
    if (!given) return "--joints: " + error;
    const std::optional<InferenceReport> report = place_joints(source.content, *given, progress, error);
    if (!report) return "--joints: " + error;
    outcome.inference = *report;
  } else if (request.infers_joints && !source.says_joints) {
    outcome.inference = infer_joints(source.content, progress);
  }
  const bool is_all_said = source.says_joints || !request.infers_joints || !request.joints_file.empty();
  if (memory != nullptr) outcome.update = go_on_from(*memory, is_all_said, source.content);
  return "";
}

// What stands still, and what hangs on nothing. Returns what the user got wrong, or nothing.
std::string choose_ground(const formats::ImportRequest& request, const Source& source, Outcome& outcome,
                          formats::ImportedModel& model) {
  formats::GroundChoice ground = source.ground ? *source.ground : proposed_ground(model, request.up);
  const bool is_named = !request.ground.empty() && request.ground != "none";
  if (is_named) {
    std::string error;
    const std::optional<formats::GroundChoice> named = named_ground(model, request.ground, error);
    if (!named) return error;
    ground = *named;
  }
  if (request.infers_joints && !source.is_robot) outcome.held = hold_loose_groups(model, ground.child);
  outcome.is_ground_assumed = request.ground.empty() && !source.is_ground_given;
  if (outcome.is_ground_assumed && !ground.others.empty()) {
    const formats::ImportedChild& other = model.assemblies.front().children[ground.others.front()];
    model.notes.push_back(fmt::format("{} could be the ground just as well: --ground {}", other.name, other.name));
  }
  if (request.ground != "none") outcome.ground = std::move(ground);
  return "";
}

}  // namespace

ImportResult import_file(const formats::ImportRequest& request, const Progress& progress, const ImportMemory* memory) {
  ImportResult result;
  std::optional<Source> source = read_source(request, progress, result.error);
  if (!source) return result;
  source->content.shapes.clear();  // they take room
  formats::ImportedModel& model = source->content.model;
  Outcome outcome{source->content};
  result.is_users_mistake = true;
  result.error = apply_choices(model, request);
  if (result.error.empty()) result.error = join_parts(request, memory, *source, progress, outcome);
  if (!result.error.empty()) return result;
  result.error = choose_ground(request, *source, outcome, model);
  if (!result.error.empty()) return result;
  progress("writing");
  name_frames(model);
  formats::ImportedWriting writing{request.name, request.up, {}};
  if (outcome.ground) writing.ground = outcome.ground->child;
  result.files = write_imported(model, writing);
  outcome.pictures = draw_doubtful(request, source->content, progress, result.files);
  result.files.push_back({request.name + ".cad/import.json", "", false});
  result.files.back().content = report_text(request, outcome, result.files);
  return result;
}

}  // namespace gelenk::cad
