#include "gelenk/analysis/reaction_split.h"

#include <array>
#include <utility>

#include "gelenk/base/index.h"

namespace gelenk::analysis {
namespace {

constexpr std::array<std::pair<ReactionSplit, std::string_view>, 2> kSplitNames{
    {{ReactionSplit::by_mass, "by_mass"}, {ReactionSplit::equal, "equal"}}};

struct Compliance {
  double shift = 0.0, turn = 0.0;
};

// equations.md (6.3): mobility of a frame on its body with D_ref = diag(1/m, 1/J̄), as in the
// row scales s_j⁻² = G_j D_ref G_jᵀ, the mean over all directions of the force: the arm ρ counts with |n × ρ|² = 2/3
// ρ².
void add_mobility(const system::System& system, const system::Params& params, std::int32_t frame, Compliance& sum) {
  const std::int32_t body = system.frames[at(frame)].body;
  if (body < 0) return;
  const system::BodyParams& b = params.bodies[at(body)];
  sum.shift += 1.0 / b.mass + 2.0 / 3.0 * params.frames[at(frame)].position.squaredNorm() * b.mean_inverse_inertia;
  sum.turn += b.mean_inverse_inertia;
}

bool is_turn(system::RowKind kind) {
  using system::RowKind;
  return kind == RowKind::dot || kind == RowKind::angle_at_a || kind == RowKind::angle_at_b ||
         kind == RowKind::curve_turn;
}

}  // namespace

std::string_view split_name(ReactionSplit split) { return kSplitNames[static_cast<std::size_t>(split)].second; }

std::optional<ReactionSplit> split_of_name(std::string_view name) {
  for (const auto& [split, known] : kSplitNames) {
    if (known == name) return split;
  }
  return std::nullopt;
}

std::string_view split_words(ReactionSplit split) {
  return split == ReactionSplit::equal ? "as if all joints were equally compliant"
                                       : "as if each joint were as compliant as its parts";
}

std::vector<double> row_compliances(const system::System& system, const system::Params& params, ReactionSplit split) {
  std::vector<double> result;
  result.reserve(system.rows.size());
  for (const system::Row& row : system.rows) {
    const system::Joint& joint = system.joints[at(row.joint)];
    Compliance own{1.0, 1.0 / (params.length * params.length)};
    if (split == ReactionSplit::by_mass) {
      own = {};
      add_mobility(system, params, joint.frame_a, own);
      add_mobility(system, params, joint.frame_b, own);
    }
    result.push_back(params.joint_compliance[at(row.joint)] * (is_turn(row.kind) ? own.turn : own.shift));
  }
  for (const system::Coupling& coupling : system.couplings) {
    double sum = 0.0;
    double plain = 0.0;  // as if all its factors were one
    for (std::int32_t t = 0; t < coupling.term_count; ++t) {
      const std::size_t term = at(coupling.first_term + t);
      const system::Coordinate& c = system.coordinates[at(system.coupling_terms[term].coordinate)];
      const bool is_travel = c.type->motion == model::Coordinate::Motion::translation;
      const double own = is_travel ? 1.0 : 1.0 / (params.length * params.length);
      sum += params.coupling_factors[term] * params.coupling_factors[term] * own;
      plain += own;
    }
    // A formula may have no slope where the machine is drawn.
    result.push_back(sum > 0.0 ? sum : plain);
  }
  return result;
}

}  // namespace gelenk::analysis
