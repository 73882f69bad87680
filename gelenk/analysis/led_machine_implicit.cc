// A led machine in implicit methods.
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "gelenk/analysis/led_machine.h"
#include "gelenk/base/index.h"

namespace gelenk::analysis {
namespace {

// Iterations that do not converge end in no-numbers, which must not cross the border.
bool all_finite(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

gelenk_status LedMachine::newton(const gelenk_command& c) {
  MachineProblem& problem = *mounted_->problem;
  const std::span<const double> in(c.in, c.in_count);
  const std::span<double> out(c.out, c.out_count);
  switch (c.code) {
    case GELENK_NEWTON: {
      const bool is_done = c.flags == GELENK_AT_STAGE
                               ? problem.factor_stage_for_owner(in.subspan(2), out)
                               : problem.factor_newton_for_owner(c.slot, in[0], in[1], in.subspan(2), out);
      return is_done ? GELENK_OK : GELENK_NOT_SOLVABLE;
    }
    case GELENK_NEWTON_RIGHT_SIDE:
      problem.put_newton_right_side_for_owner(c.other, out);
      break;
    case GELENK_NEWTON_UP:
      problem.newton_up(out);
      break;
    case GELENK_NEWTON_DOWN:
      problem.newton_down(in, out);
      break;
    default:
      problem.take_newton(c.slot, c.other);
      given_.set_power(at(c.other), given_.power(c.slot));
  }
  return all_finite(out) ? GELENK_OK : GELENK_NOT_SOLVABLE;
}

gelenk_status LedMachine::stage(const gelenk_command& c) {
  MachineProblem& problem = *mounted_->problem;
  switch (c.code) {
    case GELENK_STAGE_BEGIN:
      begin_stage(c);
      break;
    case GELENK_STAGE_PLACE:
      problem.place_stage_for_owner();
      place_stage();
      break;
    case GELENK_STAGE_LOADS:
      std::copy_n(c.in, c.in_count, loads_.begin());
      given_.set_power(at(problem.stage().rate), power_of_mounts(problem.stage().to));
      c.out[0] = problem.put_stage_loads(loads_);
      if (const gelenk_status status = code_status(problem.stage().to); status != GELENK_OK) return status;
      break;
    case GELENK_STAGE_TAKE:
      c.out[0] = problem.take_stage();
      break;
    default:
      problem.end_stage();
      place_stage();
  }
  return all_finite({c.out, c.out_count}) ? GELENK_OK : GELENK_NOT_SOLVABLE;
}

void LedMachine::begin_stage(const gelenk_command& c) {
  const std::vector<integrate::StageTerm> terms =
      integrate::stage_terms(std::span(c.in, c.in_count).subspan(integrate::kStageTermSize));
  mounted_->problem->begin_stage({.from = c.slot,
                                  .to = c.other,
                                  .time = c.time,
                                  .known = terms,
                                  .position_gain = c.in[0],
                                  .velocity_gain = c.in[1],
                                  .rate = static_cast<int>(c.in[2])});
  given_.combine_stage(at(c.slot), terms, at(c.other));
  stage_energy_ = given_[at(c.other)];
}

// The energy that came in goes along.
void LedMachine::place_stage() {
  const integrate::Stage& stage = mounted_->problem->stage();
  given_.set(at(stage.to), stage_energy_ + stage.velocity_gain * given_.power(stage.rate));
}

}  // namespace gelenk::analysis
