#include "gelenk/analysis/shared_reactions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "gelenk/base/index.h"

namespace gelenk::analysis {
namespace {

constexpr std::size_t kDirections = 6;
constexpr std::string_view kDirectionNames[kDirections] = {"force.x",  "force.y",  "force.z",
                                                           "moment.x", "moment.y", "moment.z"};
// A component below this part of all that was added up to it is rounding: the same number as for rows,
// reaction_share.cc.
constexpr double kRoundingOfWrench = 1e-7;
// Each redundant direction costs a solve: for machines with thousands of them the names would help nobody.
constexpr std::size_t kMostRedundant = 2000;

std::size_t driver_direction(const system::System& system, std::size_t driver) {
  return kDirections * system.joints.size() + driver;
}

std::size_t coupling_direction(const system::System& system, std::size_t coupling) {
  return driver_direction(system, system.drivers.size()) + coupling;
}

// The coordinate that a driver or coupling has its effort on; `direction` is behind those of joints.
std::int32_t effort_coordinate(const system::System& system, std::size_t direction) {
  const std::size_t first = coupling_direction(system, 0);
  if (direction < first) return system.drivers[direction - driver_direction(system, 0)].coordinate;
  return system.coupling_terms[at(system.couplings[direction - first].first_term)].coordinate;
}

solve::Sets sets_of(const std::vector<std::int32_t>& owners) {
  solve::Sets sets(owners.size());
  for (std::size_t d = 0; d < owners.size(); ++d) sets.join(static_cast<std::int32_t>(d), owners[d]);
  return sets;
}

}  // namespace

std::size_t direction_count(const system::System& system) {
  return coupling_direction(system, system.couplings.size());
}

const std::string& direction_element(const system::System& system, std::size_t direction) {
  if (direction >= coupling_direction(system, 0)) {
    return system.couplings[direction - coupling_direction(system, 0)].path;
  }
  if (direction >= driver_direction(system, 0)) return system.drivers[direction - driver_direction(system, 0)].path;
  return system.joints[direction / kDirections].path;
}

std::string direction_channel(const system::System& system, std::size_t direction) {
  const std::string& path = direction_element(system, direction);
  if (direction < driver_direction(system, 0)) {
    return path + ".reaction." + std::string(kDirectionNames[direction % kDirections]);
  }
  const system::Coordinate& coordinate = system.coordinates[at(effort_coordinate(system, direction))];
  return path + (coordinate.type->motion == model::Coordinate::Motion::translation ? ".force" : ".torque");
}

std::size_t SharedDirections::shared_count() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(group, [](std::int32_t g) { return g != solve::ReactionGroups::kUnique; }));
}

std::vector<std::string> SharedDirections::elements_of(const system::System& system, std::int32_t which) const {
  std::vector<std::string> names;
  for (std::size_t d = 0; d < group.size(); ++d) {
    if (group[d] != which) continue;
    const std::string& name = direction_element(system, d);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

SharingFinder::SharingFinder(const system::System& system, const system::Params& params)
    : system_(system),
      params_(params),
      reactions_(system),
      multipliers_(system.row_count()),
      wrenches_(kDirections * system.joints.size()),
      sizes_(2 * system.joints.size()),
      touched_(direction_count(system)) {}

// The directions that forces in balance, scaled and in multipliers_, change.
void SharingFinder::mark(Equations& equations, const system::State& state, std::vector<char>& is_shared) {
  const std::span<const double> scales = equations.solver().row_scales();
  for (std::size_t j = 0; j < multipliers_.size(); ++j) multipliers_[j] *= scales[j];
  reactions_.respond({system_, params_, state}, equations.workspace(), multipliers_, wrenches_, sizes_);
  for (std::size_t d = 0; d < wrenches_.size(); ++d) {
    if (std::abs(wrenches_[d]) > kRoundingOfWrench * sizes_[d / 3]) is_shared[d] = 1;
  }
  for (std::size_t i = 0; i < system_.drivers.size(); ++i) {
    if (multipliers_[at(system_.drivers[i].row)] != 0.0) is_shared[driver_direction(system_, i)] = 1;
  }
  for (std::size_t k = 0; k < system_.couplings.size(); ++k) {
    if (multipliers_[system_.rows.size() + k] != 0.0) is_shared[coupling_direction(system_, k)] = 1;
  }
}

void SharingFinder::find(Equations& equations, const system::State& state, std::vector<char>& is_shared) {
  is_shared.assign(touched_.size(), 0);
  if (equations.solver().dropped_rows().empty()) return;
  equations.solver().all_balanced_forces(multipliers_);
  mark(equations, state, is_shared);
}

bool SharingFinder::join(Equations& equations, const system::State& state, solve::Sets& sets) {
  const std::span<const std::int32_t> dropped = equations.solver().dropped_rows();
  if (dropped.size() > kMostRedundant) return false;
  for (const std::int32_t row : dropped) {
    equations.solver().balanced_forces(row, multipliers_);
    std::ranges::fill(touched_, 0);
    mark(equations, state, touched_);
    std::int32_t first = -1;
    for (std::size_t d = 0; d < touched_.size(); ++d) {
      if (touched_[d] == 0) continue;
      const auto direction = static_cast<std::int32_t>(d);
      if (first < 0) first = direction;
      sets.join(first, direction);
    }
  }
  return true;
}

SharedDirections shared_directions(const system::System& system, const system::Params& params,
                                   const system::State& state, double rank_tolerance) {
  Equations equations(system, params);
  equations.set_rank_tolerance(rank_tolerance);
  equations.load(state);
  solve::PivotSet pivots;
  equations.factor(pivots);
  equations.load_rows(state);
  SharingFinder finder(system, params);
  SharingAudit audit;
  audit.note(finder, equations, state, direction_count(system));
  SharedDirections result = audit.result();
  result.group.resize(direction_count(system), solve::ReactionGroups::kUnique);
  return result;
}

void SharingAudit::note(SharingFinder& finder, Equations& equations, const system::State& state,
                        std::size_t directions) {
  ++rows;
  const std::size_t redundant = equations.solver().dropped_rows().size();
  const bool is_changed = redundant != redundant_rows;
  redundant_rows = redundant;
  if (redundant == 0) return;
  if (shared_rows.empty()) {
    shared_rows.assign(directions, 0);
    for (std::size_t d = 0; d < directions; ++d) sets.push_back(static_cast<std::int32_t>(d));
  }
  std::vector<char> is_shared;
  finder.find(equations, state, is_shared);
  bool is_new = false;
  for (std::size_t d = 0; d < directions; ++d) {
    if (is_shared[d] == 0) continue;
    is_new = is_new || shared_rows[d] == 0;
    ++shared_rows[d];
  }
  // Who shares with whom is the same in almost all poses: it is looked up again where something changed, and now and
  // then, should the first pose have been a special one.
  if (!is_new && !is_changed && !std::has_single_bit(rows)) return;
  solve::Sets joined = sets_of(sets);
  has_partners = finder.join(equations, state, joined) && has_partners;
  for (std::size_t d = 0; d < directions; ++d) sets[d] = joined.name_of(static_cast<std::int32_t>(d));
}

SharedDirections SharingAudit::result() const {
  SharedDirections result;
  result.has_partners = has_partners;
  std::vector<char> takes_part;
  for (const std::uint64_t count : shared_rows) takes_part.push_back(count > 0 ? 1 : 0);
  result.count = solve::number_groups(sets_of(sets), takes_part, result.group);
  return result;
}

void SharingAudit::save(ByteWriter& out) const {
  out.put(rows);
  out.put(shared_rows);
  out.put(sets);
  out.put(redundant_rows);
  out.put(has_partners);
}

void SharingAudit::load(ByteReader& in) {
  in.get(rows);
  in.get(shared_rows);
  in.get(sets);
  in.get(redundant_rows);
  in.get(has_partners);
  // Bytes of another machine are found out by their length; what is used as an index is looked at here.
  const auto is_place = [&](std::int32_t d) { return d >= 0 && at(d) < sets.size(); };
  if (sets.size() != shared_rows.size() || !std::ranges::all_of(sets, is_place)) {
    *this = {};
    in.fail();
  }
}

}  // namespace gelenk::analysis
