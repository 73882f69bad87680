#include "gelenk/component/sealed_newton.h"

#include "gelenk/component/sealed_verbs.h"

namespace gelenk::component {

bool SealedNewton::factor(const Point& point, double* D) {
  const std::size_t size = host_.sizes().motions();
  numbers_.assign({point.velocity_gain, point.position_gain});
  numbers_.insert(numbers_.end(), point.loads.begin(), point.loads.end());
  const unsigned at = point.at == At::stage ? GELENK_AT_STAGE : GELENK_AT_STATE;
  return perform(host_, command(GELENK_NEWTON, at, point.slot, 0, numbers_, {D, 2 * size * size}));
}

bool SealedNewton::put_right_side(int rate, std::span<double> motions) {
  return perform(host_, command(GELENK_NEWTON_RIGHT_SIDE, 0, 0, rate, {}, motions));
}

bool SealedNewton::up(double* r) {
  return perform(host_, command(GELENK_NEWTON_UP, 0, 0, 0, {}, {r, 2 * host_.sizes().motions()}));
}

bool SealedNewton::down(const double* loads, double* motions) {
  const std::size_t size = host_.sizes().motions();
  return perform(host_, command(GELENK_NEWTON_DOWN, 0, 0, 0, {loads, size}, {motions, 2 * size}));
}

bool SealedNewton::take(int rate, int to) { return perform(host_, command(GELENK_NEWTON_TAKE, 0, rate, to)); }

bool SealedNewton::begin_stage(const integrate::Stage& stage) {
  numbers_.assign({stage.position_gain, stage.velocity_gain, static_cast<double>(stage.rate), 0.0, 0.0});
  integrate::append_terms(stage.known, numbers_);
  gelenk_command one = command(GELENK_STAGE_BEGIN, 0, stage.from, stage.to, numbers_);
  one.time = stage.time;
  return perform(host_, one);
}

bool SealedNewton::place_stage() { return perform(host_, command(GELENK_STAGE_PLACE, 0, 0, 0)); }

bool SealedNewton::put_stage_loads(std::span<const double> loads, double& change) {
  return perform(host_, command(GELENK_STAGE_LOADS, 0, 0, 0, loads, {&change, 1}));
}

bool SealedNewton::take_stage(double& size) {
  return perform(host_, command(GELENK_STAGE_TAKE, 0, 0, 0, {}, {&size, 1}));
}

bool SealedNewton::end_stage() { return perform(host_, command(GELENK_STAGE_END, 0, 0, 0)); }

}  // namespace gelenk::component
