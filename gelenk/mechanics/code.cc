#include "gelenk/mechanics/code.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gelenk/base/index.h"

namespace gelenk::mechanics {
namespace {

// W takes world vectors as written to those of the machine, M axes likewise: R = W R' Mᵀ, p = W p', and what turns with
// the right-hand rule changes its sign in a mirror: w = det(W) W w'.
void tell_motion(const system::CodeParams& params, const Motion<double>& m, double* out) {
  const Matrix3 from_world = params.world_mirror.transpose();
  const double axial = from_world.determinant() < 0.0 ? -1.0 : 1.0;
  const Matrix3 R = from_world * m.R * params.mirror;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out[3 * i + j] = R(i, j);
  }
  Eigen::Map<Vector3>{out + 9} = from_world * m.p;
  Eigen::Map<Vector3>{out + 12} = from_world * m.v;
  Eigen::Map<Vector3>{out + 15} = axial * (from_world * m.w);
}

void take_wrench(const system::CodeParams& params, double* wrench) {
  const Matrix3& W = params.world_mirror;
  const double axial = W.determinant() < 0.0 ? -1.0 : 1.0;
  const Vector3 force = W * Vector3::Map(wrench);
  const Vector3 moment = axial * (W * Vector3::Map(wrench + 3));
  Eigen::Map<Vector3>{wrench} = force;
  Eigen::Map<Vector3>{wrench + 3} = moment;
}

}  // namespace

void evaluate_codes(const Context& context, Workspace& workspace) {
  for (std::size_t c = 0; c < context.system.codes.size(); ++c) {
    call_code(context, workspace, c, code_states(context, c), workspace.codes[c]);
  }
}

std::span<const double> code_states(const Context& context, std::size_t which) {
  const system::NativeCode& code = context.system.codes[which];
  return std::span(context.state.extra).subspan(at(code.first_state), code.state_count);
}

void call_code(const Context& context, Workspace& workspace, std::size_t which, std::span<const double> states,
               CodeWork& work) {
  const system::NativeCode& code = context.system.codes[which];
  const system::CodeParams& params = context.params.codes[which];
  const View<double> now = view(context, workspace);
  for (std::size_t f = 0; f < code.frames.size(); ++f) {
    tell_motion(params, now.frame(code.frames[f]), &work.motions[system::kCodeMotion * f]);
  }
  for (std::size_t i = 0; i < code.inputs.size(); ++i) work.inputs[i] = now.signal(code.inputs[i]);
  const auto fill = [&](double value) {
    for (std::vector<double>* const numbers : {&work.wrenches, &work.rates, &work.outputs}) {
      std::fill(numbers->begin(), numbers->end(), value);
    }
  };
  fill(std::numeric_limits<double>::quiet_NaN());  // what is not written must not look like an answer
  system::CodeCall call;
  call.time = context.state.time;
  call.parameters = params.parameters;
  call.motions = work.motions;
  call.states = states;
  call.inputs = work.inputs;
  call.wrenches = work.wrenches;
  call.rates = work.rates;
  call.outputs = work.outputs;
  work.outcome = code.function ? code.function(call) : system::CodeOutcome::no_answer;
  const auto is_finite = [](const std::vector<double>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
  };
  if (work.outcome == system::CodeOutcome::good &&
      !(is_finite(work.wrenches) && is_finite(work.rates) && is_finite(work.outputs))) {
    work.outcome = system::CodeOutcome::broken_numbers;
  }
  if (work.outcome != system::CodeOutcome::good) fill(0.0);
  for (std::size_t f = 0; f < code.frames.size(); ++f) take_wrench(params, &work.wrenches[6 * f]);
}

Wrench<double> code_wrench(const CodeWork& work, std::size_t frame) {
  const double* const wrench = &work.wrenches[6 * frame];
  return {Vector3::Map(wrench), Vector3::Map(wrench + 3)};
}

}  // namespace gelenk::mechanics
