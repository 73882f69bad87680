#include "gelenk/analysis/taken_branch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/base/text.h"
#include "gelenk/mechanics/evaluate.h"
#include "gelenk/mechanics/quantities.h"

namespace gelenk::analysis {
namespace {

constexpr std::size_t kMostBranchCoordinates = 4;

std::vector<double> coordinates_of(const system::System& system, const system::Params& params,
                                   const system::State& state, mechanics::Workspace& workspace) {
  const mechanics::Context context{system, params, state};
  mechanics::update_positions(context, workspace);
  std::vector<double> values;
  for (std::size_t c = 0; c < system.coordinates.size(); ++c) {
    values.push_back(mechanics::view(context, workspace).coordinate(static_cast<std::int32_t>(c)));
  }
  return values;
}

}  // namespace

std::string taken_branch(const system::System& system, const system::Params& params, const system::State& start,
                         const system::State& now) {
  mechanics::Workspace workspace(system);
  const std::vector<double> before = coordinates_of(system, params, start, workspace);
  const std::vector<double> after = coordinates_of(system, params, now, workspace);
  struct Change {
    std::size_t coordinate;
    double value;  // rad or m
    double size;   // rad or machine lengths
  };
  std::vector<Change> changes;
  for (std::size_t c = 0; c < before.size(); ++c) {
    const bool is_angle = system.coordinates[c].type->motion == model::Coordinate::Motion::rotation;
    const double value = after[c] - before[c];
    changes.push_back({c, value, std::abs(value) / (is_angle ? 1.0 : params.length)});
  }
  std::stable_sort(changes.begin(), changes.end(), [](const Change& p, const Change& q) { return p.size > q.size; });
  if (changes.size() > kMostBranchCoordinates) changes.resize(kMostBranchCoordinates);
  std::vector<std::string> texts;
  for (const Change& change : changes) {
    const system::Coordinate& c = system.coordinates[change.coordinate];
    const bool is_angle = c.type->motion == model::Coordinate::Motion::rotation;
    const double shown = is_angle ? change.value * 180.0 / std::numbers::pi : change.value;
    texts.push_back(fmt::format("{}.{} {}{} {}", system.joints[at(c.joint)].path, c.type->name, shown < 0.0 ? "" : "+",
                                format_rounded(shown, 3), is_angle ? "deg" : "m"));
  }
  const bool moves = mechanics::kinetic_energy(params, start) > 0.0;
  return fmt::format(
      "the start is a singular pose, from which the joints allow more than one motion; {} led to this one: {}",
      moves ? "the velocities at the start" : "the forces on the machine at rest", join(texts, ", "));
}

}  // namespace gelenk::analysis
