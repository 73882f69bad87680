#include "gelenk/analysis/force_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <variant>

#include "gelenk/base/index.h"
#include "gelenk/base/text.h"

namespace gelenk::analysis {
namespace {

// Before half a turn, so that a step does not get past it unseen.
constexpr double kMostTurn = 170.0 / 180.0 * std::numbers::pi;

}  // namespace

ForceRanges::ForceRanges(const system::System& system, const system::Params& params) {
  for (std::size_t f = 0; f < system.forces.size(); ++f) {
    const auto* bushing = std::get_if<model::Bushing>(&params.forces[f]);
    if (bushing == nullptr) continue;
    const bool has_moment = bushing->rotational_stiffness.norm() > 0.0 || bushing->preload_moment.norm() > 0.0;
    if (has_moment) bushings_.push_back(static_cast<std::int32_t>(f));
  }
}

std::optional<Diagnostic> ForceRanges::find_left(const mechanics::Context& context,
                                                 mechanics::Workspace& workspace) const {
  const mechanics::View<double> now = mechanics::view(context, workspace);
  for (const std::int32_t number : bushings_) {
    const system::Force& force = context.system.forces[at(number)];
    const Matrix3 R_AB = now.frame(force.frame_a).R.transpose() * now.frame(force.frame_b).R;
    const double turn = std::acos(std::clamp(0.5 * (R_AB.trace() - 1.0), -1.0, 1.0));
    if (turn < kMostTurn) continue;
    Diagnostic d;
    d.code = Code::law_left_its_range;
    d.element = force.path;
    d.element_kind = "force";
    d.where = force.where;
    d.message = fmt::format("its frames are turned by {} deg at {} s, but a bushing is defined only below half a turn",
                            format_rounded(turn * 180.0 / std::numbers::pi, 4), format_rounded(context.state.time, 9));
    d.hint = "for large angles use a joint, with a rotational_spring_damper on its angle, which counts turns";
    return d;
  }
  return std::nullopt;
}

}  // namespace gelenk::analysis
