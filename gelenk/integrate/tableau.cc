#include "gelenk/integrate/tableau.h"

namespace gelenk::integrate {
namespace {

constexpr Tableau make_rk4() {
  Tableau t;
  t.stages = 4;
  t.order = 4;
  t.c = {0.0, 0.5, 0.5, 1.0};
  t.a[1] = {0.5};
  t.a[2] = {0.0, 0.5};
  t.a[3] = {0.0, 0.0, 1.0};
  t.b = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
  t.dense[0] = {1.0, -3.0 / 2.0, 2.0 / 3.0};
  t.dense[1] = {0.0, 1.0, -2.0 / 3.0};
  t.dense[2] = {0.0, 1.0, -2.0 / 3.0};
  t.dense[3] = {0.0, -1.0 / 2.0, 2.0 / 3.0};
  return t;
}

constexpr Tableau make_dopri5() {
  Tableau t;
  t.stages = 7;
  t.order = 5;
  t.error_order = 4;
  t.last_stage_is_end = true;
  t.c = {0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0};
  t.a[1] = {1.0 / 5.0};
  t.a[2] = {3.0 / 40.0, 9.0 / 40.0};
  t.a[3] = {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0};
  t.a[4] = {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0};
  t.a[5] = {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0};
  t.b = {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0};
  t.a[6] = t.b;
  t.error = {71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};
  // The cubic through both ends with their rates, plus d θ²(1-θ)², which vanishes there with its slope and lifts the
  // inside to fourth order: b(θ) = θ b + θ(1-θ) [(δ₁ - b) + θ ((2b - δ₁ - δ₇) + (1-θ) d)].
  constexpr Tableau::Row kBubble = {-12715105075.0 / 11282082432.0,  0.0,
                                    87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                    701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                    69997945.0 / 29380423.0};
  for (std::size_t i = 0; i < kBubble.size(); ++i) {
    const double first = i == 0 ? 1.0 : 0.0;
    const double last = i == 6 ? 1.0 : 0.0;
    const double d = kBubble[i];
    t.dense[i] = {first, 3.0 * t.b[i] - 2.0 * first - last + d, first + last - 2.0 * t.b[i] - 2.0 * d, d};
  }
  return t;
}

constexpr Tableau kRk4 = make_rk4();
constexpr Tableau kDopri5 = make_dopri5();

}  // namespace

const Tableau& rk4() { return kRk4; }
const Tableau& dopri5() { return kDopri5; }

}  // namespace gelenk::integrate
