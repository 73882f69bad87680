#include "apps/gelenk/info_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/base/json.h"
#include "gelenk/base/si_unit.h"
#include "gelenk/base/text.h"
#include "gelenk/system/compile.h"

namespace gelenk::app {
namespace {

struct StateRow {
  std::string name, kind, unit;
  std::size_t count = 1;
  std::optional<double> start, scale;  // SI
};

constexpr std::string_view kind_of(system::StateOwner owner) {
  switch (owner) {
    case system::StateOwner::driver:
      return "position of a driver";
    case system::StateOwner::state:
      return "state";
    case system::StateOwner::code:
      return "states of code";
    case system::StateOwner::coordinate:
      return "turns of a coordinate";
    case system::StateOwner::work:
      return "work";
  }
  return "";
}

StateRow row_of(const system::System& system, const model::Machine& machine, const system::StateEntry& entry) {
  StateRow row;
  row.kind = kind_of(entry.owner);
  row.count = static_cast<std::size_t>(entry.count);
  const auto index = static_cast<std::size_t>(entry.index);
  switch (entry.owner) {
    case system::StateOwner::driver:
      row.name = system.drivers[index].path;
      if (entry.count == 2) row.kind = "position and rate of a driver";
      break;
    case system::StateOwner::state: {
      const model::StateNode& node = machine.states[index];
      row.name = node.path;
      row.unit = node.measures == Quantity::any ? si_unit(node.dimension)
                                                : std::string(quantity_info(node.measures).si_symbol);
      row.start = node.start;
      row.scale = node.scale;
      break;
    }
    case system::StateOwner::code:
      row.name = system.codes[index].path;
      break;
    case system::StateOwner::coordinate: {
      const system::Coordinate& c = system.coordinates[index];
      row.name = system.joints[static_cast<std::size_t>(c.joint)].path + "." + std::string(c.type->name);
      row.unit = "rad";
      break;
    }
    case system::StateOwner::work: {
      constexpr std::string_view kNames[] = {"work_of_forces", "work_of_drivers", "work_of_impacts"};
      row.name = "energy." + std::string(kNames[index]);
      row.unit = "J";
      break;
    }
  }
  return row;
}

std::vector<StateRow> rows_of(const system::System& system, const model::Machine& machine) {
  std::vector<StateRow> rows;
  for (const system::Body& body : system.bodies) {
    const std::string& lead = system.parts[static_cast<std::size_t>(body.parts.front())].path;
    const std::size_t others = body.parts.size() - 1;
    const std::string name = others == 0 ? lead : fmt::format("{} and {} welded to it", lead, others);
    rows.push_back({name, "pose and velocity of a body", "", 13, {}, {}});
  }
  for (const system::StateEntry& entry : system.extra.entries()) rows.push_back(row_of(system, machine, entry));
  return rows;
}

std::string json_of(const std::string& file, const std::vector<StateRow>& rows) {
  JsonWriter json;
  json.begin_object().member("file", file).member("kind", "model").key("states").begin_array();
  for (const StateRow& row : rows) {
    json.begin_object().member("name", row.name).member("kind", row.kind).member("count", row.count);
    json.member("unit", row.unit);
    if (row.start) json.member("start", *row.start);
    if (row.scale) json.member("scale", *row.scale);
    json.end_object();
  }
  return json.end_array().end_object().take();
}

std::string text_of(const std::vector<StateRow>& rows) {
  std::size_t name_width = 0;
  std::size_t kind_width = 0;
  std::size_t total = 0;
  for (const StateRow& row : rows) {
    name_width = std::max(name_width, row.name.size());
    kind_width = std::max(kind_width, row.kind.size());
    total += row.count;
  }
  std::string text;
  for (const StateRow& row : rows) {
    std::string line =
        fmt::format("{:<{}}  {:<{}}  {:>2}  {}", row.name, name_width, row.kind, kind_width, row.count, row.unit);
    if (row.start) {
      line += fmt::format("  start {}, scale {}", format_rounded(*row.start, 6), format_rounded(*row.scale, 6));
    }
    text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  }
  return text + fmt::format("{} numbers in all\n", total);
}

}  // namespace

ExitCode show_states(const ModelRequest& request, Console& console) {
  ModelInput input;
  if (const std::optional<ExitCode> usage = read_model(request, console, input)) return *usage;
  std::optional<system::System> system;
  if (input.machine && !input.diagnostics.has_errors()) {
    system = system::compile(*input.machine, {}, input.diagnostics);
  }
  if (!system) {
    print_to_stderr(input.diagnostics, input.loaded.sources, console);
    return exit_code_of(input.diagnostics);
  }
  const std::vector<StateRow> rows = rows_of(*system, *input.machine);
  console.out(console.json ? json_of(request.file, rows) : text_of(rows));
  return ExitCode::ok;
}

}  // namespace gelenk::app
