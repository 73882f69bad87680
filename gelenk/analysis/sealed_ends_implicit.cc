// What implicit methods ask sealed components for.
#include <algorithm>
#include <cmath>
#include <limits>

#include "gelenk/analysis/sealed_ends.h"
#include "gelenk/base/index.h"

namespace gelenk::analysis {

solve::ImplicitFunctions SealedEnds::implicit_functions_of(End& end) {
  solve::ImplicitFunctions functions;
  functions.self = &end;
  functions.factor = [](void* self, double* D) {
    End& one = *static_cast<End*>(self);
    const std::size_t size = one.carrier->sizes().motions();
    return one.perform(GELENK_NEWTON, one.newton_kind, 0, one.newton, {D, 2 * size * size});
  };
  functions.up = [](void* self, double* r) {
    End& one = *static_cast<End*>(self);
    one.perform(GELENK_NEWTON_UP, 0, 0, {}, {r, 2 * one.carrier->sizes().motions()});
  };
  functions.down = [](void* self, const double* tau, double* x) {
    End& one = *static_cast<End*>(self);
    const std::size_t size = one.carrier->sizes().motions();
    one.perform(GELENK_NEWTON_DOWN, 0, 0, {tau, size}, {x, 2 * size});
  };
  return functions;
}

void SealedEnds::set_newton(gelenk_newton kind, double velocity_gain, double position_gain,
                            std::span<const double> loads) {
  for (const std::unique_ptr<End>& end : ends_) {
    end->newton_kind = kind;
    end->newton.assign({velocity_gain, position_gain});
    for (const std::size_t port : end->ports) {
      end->newton.insert(end->newton.end(), &loads[6 * port], &loads[6 * port] + 6);
    }
  }
}

void SealedEnds::put_newton_right_side(int rate, std::span<double> motions) {
  const auto answer_of = [](End& end) { return std::span(end.answer).first(kNewtonMotions * end.ports.size()); };
  for (const std::unique_ptr<End>& end : ends_) end->begin(GELENK_NEWTON_RIGHT_SIDE, rate, {}, answer_of(*end));
  for (const std::unique_ptr<End>& end : ends_) {
    const std::span<double> answer = answer_of(*end);
    end->perform(GELENK_NEWTON_RIGHT_SIDE, 0, rate, {}, answer);
    for (std::size_t i = 0; i < end->ports.size(); ++i) {
      std::copy_n(&answer[kNewtonMotions * i], kNewtonMotions, &motions[kNewtonMotions * end->ports[i]]);
    }
  }
}

void SealedEnds::take_newton(int rate, int to) {
  for (const std::unique_ptr<End>& end : ends_) {
    const gelenk_command take{GELENK_NEWTON_TAKE, 0, rate, to, 0.0, nullptr, nullptr, 0, 0};
    if (!end->carrier->perform({&take, 1})) end->has_failed = true;
  }
}

void SealedEnds::begin_stage(const integrate::Stage& stage) {
  if (ends_.empty()) return;
  std::vector<double> in{stage.position_gain, stage.velocity_gain, static_cast<double>(stage.rate), 0.0, 0.0};
  integrate::append_terms(stage.known, in);
  for (const std::unique_ptr<End>& end : ends_) {
    const gelenk_command begin{GELENK_STAGE_BEGIN, 0,       stage.from, stage.to, stage.time,
                               in.data(),          nullptr, in.size(),  0};
    if (!end->carrier->perform({&begin, 1})) end->has_failed = true;
  }
}

double SealedEnds::perform_all(gelenk_code code) {
  double largest = 0.0;
  double answer = 0.0;
  const std::span<double> wanted = code == GELENK_STAGE_TAKE ? std::span(&answer, 1) : std::span<double>{};
  for (const std::unique_ptr<End>& end : ends_) end->begin(code, 0, {}, wanted);
  for (const std::unique_ptr<End>& end : ends_) {
    answer = 0.0;
    end->perform(code, 0, 0, {}, wanted);
    // A component that failed answers with no number, which must not get lost.
    if (!(answer <= largest)) largest = answer;
  }
  return largest;
}

void SealedEnds::place_stage() { perform_all(GELENK_STAGE_PLACE); }
double SealedEnds::take_stage() { return perform_all(GELENK_STAGE_TAKE); }
void SealedEnds::end_stage() { perform_all(GELENK_STAGE_END); }

double SealedEnds::send_stage_loads(std::span<double> loads) {
  double largest = 0.0;
  double change = 0.0;
  for (const std::unique_ptr<End>& end : ends_) {
    end->loads.clear();
    for (const std::size_t port : end->ports) {
      end->loads.insert(end->loads.end(), &loads[6 * port], &loads[6 * port] + 6);
      std::fill_n(&loads[6 * port], 6, 0.0);
    }
    end->begin(GELENK_STAGE_LOADS, 0, end->loads, {&change, 1});
  }
  for (const std::unique_ptr<End>& end : ends_) {
    change = 0.0;
    end->perform(GELENK_STAGE_LOADS, 0, 0, end->loads, {&change, 1});
    largest = std::max(largest, change);
  }
  return largest;
}

}  // namespace gelenk::analysis
