// The pose in which a machine rests under its loads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/gelenk/analyze.h"
#include "gelenk/base/index.h"
#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"
#include "gelenk/mechanics/evaluate.h"

namespace gelenk::app {
namespace {

constexpr std::size_t kMostRows = 25;
// Of the size of the machine, or rad: smaller changes are rounding.
constexpr double kRounding = 1e-10;

struct Change {
  JointValue rest;
  double start = 0.0;
  double size = 0.0;  // of the change, in lengths of the machine or rad
};

std::vector<Change> changes(const AssembledMachine& machine, const analysis::Equilibrium& found) {
  const std::vector<JointValue> before = joint_values(machine, machine.assembly.state);
  std::vector<Change> result;
  std::vector<JointValue> after = joint_values(machine, found.state);
  for (std::size_t i = 0; i < after.size(); ++i) {
    const double unit = after[i].motion == model::Coordinate::Motion::translation ? machine.params.length : 1.0;
    const double size = std::abs(after[i].value - before[i].value) / unit;
    result.push_back({std::move(after[i]), before[i].value, size});
  }
  return result;
}

std::string neutral_text(int count) {
  if (count == 0) return {};
  return fmt::format("; {} in which it rests anywhere", counted(static_cast<std::size_t>(count), "motion"));
}

}  // namespace

std::vector<JointValue> joint_values(const AssembledMachine& machine, const system::State& state) {
  const system::System& system = machine.system;
  mechanics::Workspace workspace(system);
  mechanics::update_positions({system, machine.params, state}, workspace);
  const mechanics::View<double> view = mechanics::view({system, machine.params, state}, workspace);
  std::vector<JointValue> result;
  for (std::size_t i = 0; i < system.coordinates.size(); ++i) {
    const system::Coordinate& c = system.coordinates[i];
    if (c.type->motion == model::Coordinate::Motion::orientation) continue;
    result.push_back({fmt::format("{}.{}", system.joints[at(c.joint)].path, c.type->name), c.type->motion,
                      c.type->quantity(), view.coordinate(static_cast<std::int32_t>(i))});
  }
  return result;
}

std::string equilibrium_text(const ModelInput& input, const AssembledMachine& machine,
                             const analysis::Equilibrium& found) {
  const Display& display = input.machine->display;
  std::string text = fmt::format(
      "{}: {}{}\n", machine.system.name,
      found.is_stable ? "rests, and stays there when it is pushed" : "rests, but does not stay there when it is pushed",
      neutral_text(found.neutral_motions));
  if (found.left_unstable)
    text += "it starts where it is balanced, but would not stay; this is where it goes from there\n";
  std::vector<Change> all = changes(machine, found);
  std::stable_sort(all.begin(), all.end(), [](const Change& a, const Change& b) { return a.size > b.size; });
  const auto moved = static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const Change& one) { return one.size > kRounding; }));
  if (moved == 0) text += "it starts in this pose\n";
  for (std::size_t i = 0; i < std::min(moved, kMostRows); ++i) {
    const Change& one = all[i];
    text += fmt::format("  {:<32} {} (starts at {})\n", one.rest.path,
                        shown_quantity(display, one.rest.value, one.rest.quantity, 6),
                        shown_quantity(display, one.start, one.rest.quantity, 6));
  }
  if (moved > kMostRows) text += fmt::format("  and {} more\n", moved - kMostRows);
  return text;
}

void write_equilibrium_json(JsonWriter& json, const AssembledMachine& machine, const analysis::Equilibrium& found) {
  json.key("equilibrium").begin_object().member("found", found.is_found).member("stable", found.is_stable);
  json.member("neutralMotions", found.neutral_motions).member("leftUnstable", found.left_unstable);
  json.member("steps", found.steps).key("coordinates").begin_object();
  for (const JointValue& one : joint_values(machine, found.state)) json.member(one.path, one.value);
  json.end_object().key("parts").begin_object();
  for (std::size_t p = 0; p < machine.system.parts.size(); ++p) {
    const Pose X_WP = analysis::part_pose(machine.system, machine.params, found.state, p);
    json.key(machine.system.parts[p].path).begin_array();
    for (int i = 0; i < 3; ++i) json.value(X_WP.position[i]);
    const Quaternion q = Quaternion(X_WP.rotation);
    for (const double x : {q.w(), q.x(), q.y(), q.z()}) json.value(x);
    json.end_array();
  }
  json.end_object().end_object();
}

}  // namespace gelenk::app
