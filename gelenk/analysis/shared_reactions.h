#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gelenk/analysis/equations.h"
#include "gelenk/base/bytes.h"
#include "gelenk/mechanics/quantities.h"
#include "gelenk/solve/reaction_groups.h"

// Which of the reactions that results show are unique, and which joints share the others.
namespace gelenk::analysis {

// Directions as results show them: force x y z and moment x y z of every joint, then the effort of every driver,
// then that of every coupling.
std::size_t direction_count(const system::System& system);
// "crank_pin.reaction.force.y", "motor.torque"
std::string direction_channel(const system::System& system, std::size_t direction);
// Path of the joint, driver or coupling.
const std::string& direction_element(const system::System& system, std::size_t direction);

struct SharedDirections {
  std::vector<std::int32_t> group;  // of every direction; solve::ReactionGroups::kUnique: nobody shares it
  std::int32_t count = 0;
  bool has_partners = true;  // false: too many to find out who shares with whom, every direction is a group of its own

  bool is_unique(std::size_t direction) const { return group[direction] == solve::ReactionGroups::kUnique; }
  std::size_t shared_count() const;
  // Paths of the elements with a direction in this group, each once.
  std::vector<std::string> elements_of(const system::System& system, std::int32_t which) const;
};

// Looks at one pose: equations that are factored there, and have its frames in the workspace (load_rows()).
class SharingFinder {
 public:
  SharingFinder(const system::System& system, const system::Params& params);

  // Marks the shared directions. One solve, nothing when no row is redundant.
  void find(Equations& equations, const system::State& state, std::vector<char>& is_shared);
  // Joins directions that share with each other; false when there are too many. A solve for each redundant row.
  bool join(Equations& equations, const system::State& state, solve::Sets& sets);

 private:
  void mark(Equations& equations, const system::State& state, std::vector<char>& is_shared);

  const system::System& system_;
  const system::Params& params_;
  mechanics::Reactions reactions_;
  std::vector<double> multipliers_, wrenches_, sizes_;
  std::vector<char> touched_;
};

// The assembled machine, or any other state on its constraints.
SharedDirections shared_directions(const system::System& system, const system::Params& params,
                                   const system::State& state, double rank_tolerance);

// The same over all recorded rows of a run. A value, so that a continued run can go on with it.
struct SharingAudit {
  std::uint64_t rows = 0;
  std::vector<std::uint64_t> shared_rows;  // of every direction; empty: none ever was
  std::vector<std::int32_t> sets;          // another direction that it shared with in some row, or itself
  std::uint64_t redundant_rows = 0;        // in the last recorded row
  bool has_partners = true;

  void note(SharingFinder& finder, Equations& equations, const system::State& state, std::size_t directions);
  SharedDirections result() const;
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
};

}  // namespace gelenk::analysis
