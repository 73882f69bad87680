#include "apps/gelenk/report_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "apps/gelenk/console.h"
#include "apps/gelenk/stored_run.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/base/text.h"
#include "gelenk/component/host.h"
#include "gelenk/export/machine_picture.h"
#include "gelenk/export/machine_raster.h"
#include "gelenk/export/report_moments.h"
#include "gelenk/export/scene.h"
#include "gelenk/export/scene_motion.h"
#include "gelenk/geometry/mesh_reader.h"

namespace gelenk::app {
namespace {

using exporting::ReportMachine;
using exporting::Scene;

// Why it cannot be built, as one line, or nothing.
std::string rebuild(const results::Reader& reader, StoredRun& stored) {
  std::string said;
  Console console;
  console.quiet = true;
  console.overheard = &said;
  try {
    if (!rebuild_run(reader, console, stored, ModelSource::own_files_where_unchanged)) return {};
  } catch (const component::ComponentFailure& failure) {
    said = failure.what();
  }
  constexpr std::string_view kErrorPrefix = "error: ";
  std::string line = split(said, '\n').front();
  if (line.starts_with(kErrorPrefix)) line.erase(0, kErrorPrefix.size());
  return line.empty() ? "the machine cannot be built again" : line;
}

bool is_pure_number(const exporting::ReportParameter& one) { return one.dimension == Dimension{}; }

std::string path_in(const model::AssemblyNode& assembly, const std::string& name) {
  return assembly.path.empty() ? name : assembly.path + "." + name;
}

// What the model says about a parameter: its value as written, what it is, and whether that is an angle.
void add_source(const model::Object& source, const SourceMap& sources, exporting::ReportParameter& one) {
  const model::Value* own = source.value("value");
  if (own != nullptr && own->range.is_known()) one.in_model = trim(sources.text(own->range));
  const std::string* unit = source.text("unit");
  for (const std::string_view angle : {"deg", "rad"}) {
    const bool is_written = one.in_model.ends_with(fmt::format(" {}", angle)) || (unit != nullptr && *unit == angle);
    one.is_angle = one.is_angle || (is_written && is_pure_number(one));
  }
  if (const std::string* doc = source.text("doc")) one.doc = *doc;
}

void add_parameters(const StoredRun& stored, const JsonValue& options, ReportMachine& machine) {
  std::vector<std::string> set;
  for (const std::string& setting : options.texts("set")) {
    set.emplace_back(trim(std::string_view(setting).substr(0, setting.find('='))));
  }
  for (const model::AssemblyNode& assembly : stored.input.machine->assemblies) {
    for (const model::ParameterValue& parameter : assembly.parameters) {
      exporting::ReportParameter one{.path = path_in(assembly, parameter.name),
                                     .value = parameter.value,
                                     .dimension = parameter.dimension,
                                     .is_of_machine = assembly.path.empty()};
      if (parameter.source != nullptr) add_source(*parameter.source, stored.input.loaded.sources, one);
      const bool is_set = std::find(set.begin(), set.end(), one.path) != set.end();
      if (!is_set) one.in_model.clear();
      if (is_set && one.in_model.empty()) one.in_model = "another value";
      machine.parameters.push_back(std::move(one));
    }
  }
}

void add_other_changes(const JsonValue& options, ReportMachine& machine) {
  for (const char* option : {"start", "drive"}) {
    for (const std::string& value : options.texts(option)) {
      machine.other_changes.push_back(fmt::format("--{} {}", option, value));
    }
  }
  const std::string gravity = options.text_or("gravity", "");
  if (!gravity.empty()) machine.other_changes.push_back("--gravity " + gravity);
}

// Where a force acts in the picture; none: nobody knows in which axes it was recorded.
std::optional<exporting::LoadMark> load_mark(const Scene& scene, const std::vector<Pose>& poses,
                                             const exporting::JointLoad& load) {
  const auto joint = std::find_if(scene.joints.begin(), scene.joints.end(),
                                  [&](const exporting::SceneJoint& one) { return one.path == load.path; });
  if (joint == scene.joints.end() || !joint->reaction_axes) return std::nullopt;
  const auto pose = [&](int part) {
    return part == exporting::kGroundPart ? Pose{} : poses[static_cast<std::size_t>(part)];
  };
  const Vector3 direction(load.force.direction[0], load.force.direction[1], load.force.direction[2]);
  return exporting::LoadMark{pose(joint->parts[1]) * joint->frames[1].position,
                             pose(joint->parts[0]).rotation * (*joint->reaction_axes * direction)};
}

class Pictures {
 public:
  Pictures(const results::Reader& reader, const exporting::RunDigest& digest, const StoredRun& stored)
      : digest_(digest), stored_(stored), recorded_(reader, paths(stored), unknown(stored)) {}

  // What went wrong, or nothing.
  std::string draw(const exporting::ReportWords& words, ReportMachine& machine) const {
    const model::Machine& built = *stored_.input.machine;
    if (recorded_.missing().size() == built.parts.size()) return "positions of parts were not recorded";
    const std::vector<exporting::ReportMoment> moments = report_moments(digest_, words);
    std::vector<std::vector<Pose>> poses(moments.size());
    for (std::size_t i = 0; i < moments.size(); ++i) {
      if (std::string error = recorded_.read_pose(moments[i].time, poses[i]); !error.empty()) return error;
    }
    if (moments.empty()) return "the run has no rows";
    std::vector<Pose> start = poses.front();
    for (const std::size_t part : recorded_.missing()) start[part] = built.parts[part].X_WP;
    const model::Model& model = stored_.input.loaded.model;
    const Scene scene = exporting::make_scene({.machine = built,
                                               .model = model,
                                               .poses = start,
                                               .read_picture = [&](const std::string& path, const SourceRange& where) {
                                                 return read_watched(stored_.request, model.resolve_path(path, where),
                                                                     geometry::kMaxMeshBytes);
                                               }});
    const std::vector<geometry::PictureView> views =
        exporting::machine_views(scene, poses, exporting::kMachinePictureWidth, exporting::kMachinePictureHeight);
    const geometry::Bounds floor = exporting::floor_extent(scene, poses);
    for (std::size_t i = 0; i < moments.size(); ++i) {
      exporting::MachinePictureOptions options{moments[i].caption, words.length_unit(), {}, floor};
      if (moments[i].load) options.load = load_mark(scene, poses[i], digest_.loads[*moments[i].load]);
      machine.pictures.push_back(
          {moments[i].name, machine_picture(scene, poses[i], views[i], options), moments[i].caption});
    }
    for (const std::string& note : scene.notes) machine.notes.push_back(note + ".");
    if (const std::size_t missing = recorded_.missing().size(); missing > 0) {
      machine.notes.push_back(fmt::format("{} of {} parts are not in the pictures: their motion was not recorded.",
                                          missing, built.parts.size()));
    }
    return {};
  }

 private:
  static std::vector<std::string> paths(const StoredRun& stored) {
    std::vector<std::string> paths;
    for (const model::PartNode& part : stored.input.machine->parts) paths.push_back(part.path);
    return paths;
  }
  // Nowhere: such parts are not drawn.
  static std::vector<Pose> unknown(const StoredRun& stored) {
    const Vector3 nowhere = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
    return std::vector<Pose>(stored.input.machine->parts.size(), Pose{Matrix3::Identity(), nowhere});
  }

  const exporting::RunDigest& digest_;
  const StoredRun& stored_;
  exporting::RecordedPoses recorded_;
};

}  // namespace

ReportMachine report_machine(const results::Reader& reader, const exporting::RunDigest& digest, bool si_units) {
  ReportMachine machine;
  StoredRun stored;
  if (const std::string why = rebuild(reader, stored); !why.empty()) {
    machine.notes.push_back("There are no pictures and no parameters: " + why);
    return machine;
  }
  std::string unused;
  if (const std::optional<JsonValue> options = read_json(reader.header().options, unused)) {
    add_parameters(stored, *options, machine);
    add_other_changes(*options, machine);
  }
  const exporting::ReportWords words(reader, si_units, digest.scales);
  const std::string why = Pictures(reader, digest, stored).draw(words, machine);
  if (!why.empty()) machine.notes.push_back("There are no pictures: " + why + ".");
  return machine;
}

}  // namespace gelenk::app
