#include "apps/gelenk/import_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "gelenk/base/json_copy.h"
#include "gelenk/base/shell_word.h"
#include "gelenk/base/text.h"
#include "gelenk/model/loose_groups.h"
#include "gelenk/model/summary.h"

namespace gelenk::app {
namespace {

constexpr std::size_t kMostImportLines = 5;  // joints to look at, notes
constexpr double kMillimetersPerMeter = 1e3, kBytesPerMegabyte = 1e6;

std::vector<const JsonValue*> items_of(const JsonValue& report, std::string_view key) {
  std::vector<const JsonValue*> found;
  if (const JsonValue* list = report.find(key)) {
    for (const JsonValue& item : list->items) found.push_back(&item);
  }
  return found;
}

std::size_t count_of(const std::vector<const JsonValue*>& joints, std::string_view certainty) {
  return static_cast<std::size_t>(std::count_if(joints.begin(), joints.end(), [&](const JsonValue* joint) {
    return joint->text_or("certainty", "") == certainty;
  }));
}

}  // namespace

std::string import_size_text(const JsonValue& report) {
  std::vector<std::string> sides;
  for (const JsonValue* side : items_of(report, "size")) {
    sides.push_back(format_rounded(side->number * kMillimetersPerMeter, 4));
  }
  return join(sides, " x ") + " mm";
}

std::string import_mass_text(const JsonValue& report) {
  const double mass = report.number_or("mass", 0.0), assumed = report.number_or("assumedMass", 0.0);
  const std::string text = format_rounded(mass) + " kg";
  if (!(assumed > 0.0)) return text;
  return fmt::format("{}, {} of it assumed: no density in the file, taken as steel (--material 'PART=NAME')", text,
                     assumed >= mass * (1.0 - 1e-9) ? "all" : format_rounded(assumed) + " kg");
}

std::string import_ground_text(const JsonValue& report) {
  const JsonValue* ground = report.find("ground");
  if (ground == nullptr || ground->kind != JsonValue::Kind::object) return "none: the machine floats";
  const std::string part = ground->text_or("part", "");
  if (!ground->truth_or("isAssumed", false)) return part;
  return fmt::format("{}, assumed because {} (--ground PART)", part, ground->text_or("reason", ""));
}

namespace {

std::string cut_list(const std::vector<std::string>& names) {
  if (names.size() <= kMostImportLines) return join(names, ", ");
  const std::vector<std::string> first(names.begin(), names.begin() + kMostImportLines);
  return fmt::format("{} and {} more", join(first, ", "), names.size() - kMostImportLines);
}

std::string joints_text(const JsonValue& report) {
  const std::vector<const JsonValue*> joints = items_of(report, "joints");
  const std::size_t sure = count_of(joints, "sure"), look = count_of(joints, "look"), guess = count_of(joints, "guess");
  std::string text =
      fmt::format("joints        {}: {} sure, {} to look at, {} guessed\n", sure + look + guess, sure, look, guess);
  std::vector<const JsonValue*> doubtful;
  for (const JsonValue* joint : joints) {
    const std::string certainty = joint->text_or("certainty", "");
    if (certainty == "look" || certainty == "guess") doubtful.push_back(joint);
  }
  std::stable_sort(doubtful.begin(), doubtful.end(), [](const JsonValue* a, const JsonValue* b) {
    return a->number_or("score", 0.0) < b->number_or("score", 0.0);
  });
  for (std::size_t i = 0; i < std::min(doubtful.size(), kMostImportLines); ++i) {
    text += fmt::format("  {:<12}{}, {}: {}\n", doubtful[i]->text_or("certainty", ""), doubtful[i]->text_or("name", ""),
                        doubtful[i]->text_or("type", ""), doubtful[i]->text_or("reason", ""));
  }
  if (doubtful.size() > kMostImportLines)
    text += fmt::format("  ... and {} more\n", doubtful.size() - kMostImportLines);
  return text;
}

// A joint that can be given a turn: of the ground before any other.
std::string joint_to_turn(const JsonValue& report) {
  const JsonValue* ground = report.find("ground");
  const std::string standing = ground == nullptr ? "" : ground->text_or("part", "");
  std::string other;
  for (const JsonValue* joint : items_of(report, "joints")) {
    const std::string type = joint->text_or("type", "");
    if (type != "revolute" && type != "cylindrical") continue;
    for (const std::string& end : joint->texts("between")) {
      if (split(end, '.').front() == standing) return joint->text_or("name", "");
    }
    if (other.empty()) other = joint->text_or("name", "");
  }
  return other;
}

std::string next_text(const JsonValue& report, const ImportedMachine& machine, const ImportPlaces& places) {
  const std::string model = shell_word(fmt::format("{}/{}.yaml", places.folder, places.name));
  if (machine.input.diagnostics.has_errors()) return fmt::format("correct {0}, then gelenk check {0}", model);
  const std::string joint = joint_to_turn(report);
  return joint.empty() ? "gelenk run " + model : fmt::format("gelenk run {} --start {}.rate=\"60 rpm\"", model, joint);
}

// How well the drawing was put together: joints that were open, the worst first.
std::string fit_text(const ImportedMachine& machine) {
  constexpr double kClosed = 1e-7;  // m and rad: seven digits are as good as drawings get
  constexpr std::size_t kMostJoints = 3;
  std::vector<const ImportedMachine::Joint*> open;
  for (const ImportedMachine::Joint& joint : machine.joints) {
    if (joint.drawn.distance > kClosed || joint.drawn.angle > kClosed) open.push_back(&joint);
  }
  if (open.empty()) return "all joints closed as drawn";
  std::stable_sort(open.begin(), open.end(), [](const ImportedMachine::Joint* a, const ImportedMachine::Joint* b) {
    return a->drawn.distance > b->drawn.distance;
  });
  std::vector<std::string> worst;
  for (std::size_t i = 0; i < std::min(open.size(), kMostJoints); ++i) {
    worst.push_back(fmt::format("{} by {} mm and {} deg", open[i]->name,
                                format_rounded(open[i]->drawn.distance * kMillimetersPerMeter, 3),
                                format_rounded(open[i]->drawn.angle * 180.0 / std::numbers::pi, 3)));
  }
  if (open.size() > kMostJoints) worst.push_back(fmt::format("{} more", open.size() - kMostJoints));
  return fmt::format("{} drawn open and now closed: {}", counted(open.size(), "joint"), join(worst, ", "));
}

}  // namespace

std::string import_summary(const JsonValue& report, const ImportedMachine& machine, const ImportPlaces& places) {
  const auto count = [&](std::string_view key) { return static_cast<std::size_t>(report.number_or(key, 0.0)); };
  std::string text =
      fmt::format("{}: {}, {}\n", places.name, counted(count("parts"), "part"), import_size_text(report));
  text += fmt::format("mass          {}\n", import_mass_text(report));
  const std::size_t fasteners = count("fasteners");
  const std::size_t bodies = count("bodies");
  text += fmt::format(
      "bodies        {} that can move relative to each other{}\n", bodies,
      fasteners > 0 ? fmt::format("; {} merged into the parts they hold", counted(fasteners, "fastener")) : "");
  text += joints_text(report);
  if (const std::vector<std::string> held = report.texts("held"); !held.empty()) {
    text += fmt::format("held          {}: no joint found, so they are fixed as drawn\n", cut_list(held));
  }
  text += fmt::format("ground        {}\n", import_ground_text(report));
  if (machine.mobility) {
    text += fmt::format("motions       {}\n", model::motion_text(*machine.input.machine, *machine.mobility));
    if (const std::string loose = model::loose_text(*machine.input.machine); !loose.empty()) {
      text += fmt::format("loose         {}\n", loose);
    }
    const std::size_t redundant = machine.mobility->redundant();
    if (redundant > 0) text += fmt::format("held twice    {} (fine)\n", counted(redundant, "joint direction"));
    text += fmt::format("fit           {}\n", fit_text(machine));
  }
  const std::vector<std::string> notes = report.texts("notes");
  for (std::size_t i = 0; i < std::min(notes.size(), kMostImportLines); ++i)
    text += fmt::format("note          {}\n", notes[i]);
  if (notes.size() > kMostImportLines)
    text += fmt::format("note          ... and {} more\n", notes.size() - kMostImportLines);
  text += "note          parts do not collide in this version\n";
  text += fmt::format(
      "written       {0}/{1}.cad.yaml and {0}/{1}.cad (generated), {0}/{1}.yaml (yours{2}), import-report.html\n",
      places.folder, places.name, places.is_users_file_kept ? ", left unchanged" : "");
  text += fmt::format("took          {} s, {} MB\n", format_rounded(machine.cost.seconds, 2),
                      format_rounded(static_cast<double>(machine.cost.peak_memory) / kBytesPerMegabyte, 3));
  return text + fmt::format("next          {}\n", next_text(report, machine, places));
}

std::string import_json(const JsonValue& report, const ImportedMachine& machine, const ImportPlaces& places,
                        const std::optional<std::vector<ImportChange>>& changes) {
  JsonWriter json;
  json.begin_object();
  write_report_json(json, machine.input.diagnostics, machine.input.loaded.sources);
  json.member("model", fmt::format("{}/{}.yaml", places.folder, places.name));
  json.member("keptModel", places.is_users_file_kept);
  write_json(json.key("import"), report);
  json.member("seconds", machine.cost.seconds).member("peakMemory", machine.cost.peak_memory);
  json.key("changes");
  if (changes) {
    write_changes(json, *changes);
  } else {
    json.null();
  }
  json.key("assembly");
  if (machine.mobility) {
    json.begin_object().member("freeMotions", machine.mobility->free_motions);
    json.member("redundantRows", machine.mobility->redundant()).member("residual", machine.residual);
    json.key("joints").begin_array();
    for (const ImportedMachine::Joint& joint : machine.joints) {
      json.begin_object().member("name", joint.name).member("drawnDistance", joint.drawn.distance);
      json.member("drawnAngle", joint.drawn.angle).member("residual", joint.residual).end_object();
    }
    json.end_array().end_object();
  } else {
    json.null();
  }
  return json.end_object().take();
}

}  // namespace gelenk::app
