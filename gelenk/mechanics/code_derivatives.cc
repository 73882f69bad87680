#include "gelenk/mechanics/code_derivatives.h"

#include <algorithm>
#include <cmath>

#include "gelenk/base/index.h"
#include "gelenk/math/rotation.h"

namespace gelenk::mechanics {
namespace {

// Third root of the rounding of numbers: there, errors of central differences by curvature and by rounding are alike.
constexpr double kStep = 6e-6;
constexpr std::size_t kDirections = 12;

// Of a difference in one of the directions of a ForceBlock.
double step_along(std::size_t direction, const Motion<double>& m, double length) {
  switch (direction / 3) {
    case 0:
      return kStep * length;
    case 1:
      return kStep;
    case 2:
      return kStep * std::max(length, m.v.norm());
    default:
      return kStep * std::max(1.0, m.w.norm());
  }
}

Motion<double> moved(Motion<double> m, std::size_t direction, double step) {
  const Vector3 way = step * Vector3::Unit(static_cast<Eigen::Index>(direction % 3));
  switch (direction / 3) {
    case 0:
      m.p += way;
      break;
    case 1:
      m.R = rotation_exp(way).toRotationMatrix() * m.R;
      break;
    case 2:
      m.v += way;
      break;
    default:
      m.w += way;
  }
  return m;
}

ForceBlock& block_of(std::int32_t on_body, std::int32_t by_body, std::vector<ForceBlock>& blocks) {
  const auto found = std::find_if(blocks.begin(), blocks.end(), [&](const ForceBlock& block) {
    return block.on_body == on_body && block.by_body == by_body;
  });
  return found != blocks.end() ? *found : blocks.emplace_back(ForceBlock{on_body, by_body, {}});
}

}  // namespace

CodeDerivatives::CodeDerivatives(const system::System& system, const Ports& ports)
    : bodies_(system.codes.size()), state_matrices_(system.codes.size()) {
  for (std::size_t c = 0; c < system.codes.size(); ++c) {
    std::vector<std::int32_t>& bodies = bodies_[c];
    for (const std::int32_t frame : system.codes[c].frames) {
      const std::int32_t body = ports.carrier(system, frame);
      if (body != system::kGround) bodies.push_back(body);
    }
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  }
}

// With the motion that the workspace has, about the centers of mass or origins of ports.
bool CodeDerivatives::find_wrenches(std::size_t which, const Context& context, Workspace& workspace,
                                    std::vector<double>& wrenches) {
  const system::NativeCode& code = context.system.codes[which];
  work_ = workspace.codes[which];
  call_code(context, workspace, which, code_states(context, which), work_);
  wrenches = work_.wrenches;
  for (std::size_t f = 0; f < code.frames.size(); ++f) {
    const std::int32_t frame = code.frames[f];
    const std::int32_t body = workspace.ports.carrier(context.system, frame);
    if (body == system::kGround || workspace.ports.at_frame(frame) >= 0) continue;
    const Vector3 arm = workspace.bodies[at(body)].R * context.params.frames[at(frame)].position;
    Eigen::Map<Vector3>{&wrenches[6 * f + 3]} += arm.cross(Vector3::Map(&wrenches[6 * f]));
  }
  return work_.outcome == system::CodeOutcome::good;
}

void CodeDerivatives::append_blocks(std::size_t which, const Context& context, Workspace& workspace,
                                    std::vector<ForceBlock>& blocks) {
  const std::vector<std::int32_t>& frames = context.system.codes[which].frames;
  for (const std::int32_t body : bodies_[which]) {
    const Motion<double> kept = workspace.bodies[at(body)];
    for (std::size_t k = 0; k < kDirections; ++k) {
      const double step = step_along(k, kept, context.params.length);
      workspace.bodies[at(body)] = moved(kept, k, step);
      const bool has_plus = find_wrenches(which, context, workspace, plus_);
      workspace.bodies[at(body)] = moved(kept, k, -step);
      const bool is_known = find_wrenches(which, context, workspace, minus_) && has_plus;
      for (std::size_t f = 0; f < frames.size(); ++f) {
        const std::int32_t on_body = workspace.ports.carrier(context.system, frames[f]);
        if (on_body == system::kGround) continue;
        ForceBlock& block = block_of(on_body, body, blocks);  // also without numbers: patterns are kept
        if (!is_known) continue;
        for (std::size_t i = 0; i < 6; ++i) {
          block.values[kDirections * i + k] += (plus_[6 * f + i] - minus_[6 * f + i]) / (2.0 * step);
        }
      }
    }
    workspace.bodies[at(body)] = kept;
  }
}

void CodeDerivatives::evaluate(const Context& context, Workspace& workspace, std::span<const std::int32_t> homes,
                               std::span<std::vector<ForceBlock>> blocks) {
  for (std::size_t c = 0; c < context.system.codes.size(); ++c) {
    append_blocks(c, context, workspace, blocks[homes.empty() ? 0 : at(homes[c])]);
  }
  find_state_matrices(context, workspace);
}

void CodeDerivatives::find_state_matrices(const Context& context, Workspace& workspace) {
  for (std::size_t c = 0; c < context.system.codes.size(); ++c) find_state_matrix(c, context, workspace);
}

void CodeDerivatives::find_state_matrix(std::size_t which, const Context& context, Workspace& workspace) {
  const std::span<const double> now = code_states(context, which);
  const std::size_t n = now.size();
  states_.assign(now.begin(), now.end());
  std::vector<double>& matrix = state_matrices_[which];
  matrix.assign(n * n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    const double kept = states_[j];
    const double step = kStep * (1.0 + std::abs(kept));
    work_ = workspace.codes[which];
    states_[j] = kept + step;
    call_code(context, workspace, which, states_, work_);
    bool is_known = work_.outcome == system::CodeOutcome::good;
    plus_ = work_.rates;
    states_[j] = kept - step;
    call_code(context, workspace, which, states_, work_);
    is_known = is_known && work_.outcome == system::CodeOutcome::good;
    states_[j] = kept;
    if (!is_known) continue;
    for (std::size_t i = 0; i < n; ++i) matrix[n * i + j] = (plus_[i] - work_.rates[i]) / (2.0 * step);
  }
}

void CodeDerivatives::solve_states(std::size_t which, double gain, std::span<double> r) const {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto n = static_cast<Eigen::Index>(r.size());
  const std::vector<double>& kept = state_matrices_[which];
  if (kept.size() != r.size() * r.size()) return;
  const Matrix matrix = Matrix::Identity(n, n) - gain * Eigen::Map<const Matrix>(kept.data(), n, n);
  Eigen::Map<Eigen::VectorXd> right(r.data(), n);
  const Eigen::VectorXd solution = matrix.partialPivLu().solve(right);
  if (solution.allFinite()) right = solution;
}

}  // namespace gelenk::mechanics
