#include "gelenk/analysis/rank_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/base/name_list.h"
#include "gelenk/base/text.h"

namespace gelenk::analysis {
namespace {

constexpr std::size_t kMostChangedNames = 4;

std::int32_t element_of_row(const system::System& system, std::int32_t row) {
  const std::int32_t coupling = system.coupling_of_row(row);
  if (coupling >= 0) return static_cast<std::int32_t>(system.joints.size() + system.drivers.size()) + coupling;
  const system::Row& one = system.rows[at(row)];
  return one.driver >= 0 ? static_cast<std::int32_t>(system.joints.size()) + one.driver : one.joint;
}

std::string names(const system::System& system, const std::vector<std::int32_t>& elements) {
  std::vector<std::string> quoted = element_paths(system, elements);
  for (std::string& path : quoted) path = fmt::format("'{}'", path);
  return list_names(std::move(quoted), kMostChangedNames);
}

// Joints of the layout that are in the second list only, as joints of the machine; both lists are sorted.
std::vector<std::int32_t> added(const system::System& system, const JointRowLayout& layout,
                                const std::vector<std::int32_t>& before, const std::vector<std::int32_t>& after) {
  std::vector<std::int32_t> joints;
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(joints));
  for (std::int32_t& joint : joints) {
    joint = system.rows[at(layout.row_numbers[at(layout.joints[at(joint)].first_row)])].joint;
  }
  return joints;
}

}  // namespace

std::size_t element_count(const system::System& system) {
  return system.joints.size() + system.drivers.size() + system.couplings.size();
}

const std::string& element_path(const system::System& system, std::int32_t element) {
  const std::size_t joints = system.joints.size();
  if (at(element) < joints) return system.joints[at(element)].path;
  const std::size_t number = at(element) - joints;
  const std::size_t drivers = system.drivers.size();
  return number < drivers ? system.drivers[number].path : system.couplings[number - drivers].path;
}

std::vector<std::string> element_paths(const system::System& system, const std::vector<std::int32_t>& elements) {
  std::vector<std::string> paths;
  for (const std::int32_t element : elements) paths.push_back(element_path(system, element));
  return paths;
}

std::optional<RankChange> find_rank_change(const system::System& system, const JointRowLayout& layout, double time,
                                           const solve::PivotSet& before, const solve::PivotSet& after) {
  const bool has_rank = before.rank > 0;
  const bool is_other_rank = has_rank && before.rank != after.rank;
  if (!is_other_rank && before.freed == after.freed) return std::nullopt;
  RankChange change;
  change.time = time;
  change.after = after.rank;
  change.before = has_rank ? before.rank : after.rank;
  change.locked = added(system, layout, before.freed, after.freed);
  if (!is_other_rank) return change;
  std::vector<std::int32_t> dropped(element_count(system), 0);
  for (const std::int32_t row : after.dropped) ++dropped[at(element_of_row(system, row))];
  for (const std::int32_t row : before.dropped) --dropped[at(element_of_row(system, row))];
  for (std::size_t e = 0; e < dropped.size(); ++e) {
    if (dropped[e] > 0) change.lost.push_back(static_cast<std::int32_t>(e));
    if (dropped[e] < 0) change.regained.push_back(static_cast<std::int32_t>(e));
  }
  return change;
}

std::string rank_change_text(const system::System& system, const RankChange& change) {
  if (change.is_passed()) {
    return fmt::format("rows of {} are not independent there, and the machine moves on ({} independent rows, {} there)",
                       names(system, change.lost), change.before, change.after);
  }
  std::vector<std::string> sentences;
  if (!change.lost.empty()) {
    sentences.push_back(fmt::format("rows of {} are no longer independent", names(system, change.lost)));
  }
  if (!change.regained.empty()) {
    sentences.push_back(fmt::format("rows of {} are independent again", names(system, change.regained)));
  }
  if (change.is_rank_change() && !sentences.empty()) {
    sentences.back() += fmt::format(" ({} independent rows, now {})", change.before, change.after);
  }
  if (!change.locked.empty()) {
    sentences.push_back(
        fmt::format("joint {} is near its own singular pose (gimbal lock): its rows are solved with the loop",
                    names(system, change.locked)));
  }
  return join(sentences, "; ");
}

void RankChange::save(ByteWriter& out) const {
  out.put(time);
  out.put(before);
  out.put(after);
  for (const std::vector<std::int32_t>* elements : {&lost, &regained, &locked}) out.put(*elements);
}

void RankChange::load(ByteReader& in, std::size_t count) {
  in.get(time);
  in.get(before);
  in.get(after);
  for (std::vector<std::int32_t>* elements : {&lost, &regained, &locked}) {
    in.get(*elements);
    const bool exist = std::all_of(elements->begin(), elements->end(),
                                   [&](std::int32_t element) { return element >= 0 && at(element) < count; });
    if (exist) continue;
    in.fail();
    elements->clear();
  }
}

}  // namespace gelenk::analysis
