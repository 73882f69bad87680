#pragma once

#include <array>

namespace gelenk::integrate {

// Coefficients of an explicit Runge-Kutta method. Stage i is at t + cᵢ h in the state y ⊞ h Σ aᵢⱼ kⱼ, the step ends in
// y ⊞ h Σ bᵢ kᵢ, its error estimate is h Σ errorᵢ kᵢ, and inside, at t + θ h, the state is y ⊞ h Σ bᵢ(θ) kᵢ with
// bᵢ(θ) = Σ denseᵢₚ θᵖ⁺¹.
struct Tableau {
  static constexpr int kMaxStages = 7;
  static constexpr int kDensePowers = 4;
  using Row = std::array<double, kMaxStages>;

  int stages = 0;
  int order = 0;
  int error_order = 0;             // order of the embedded solution, 0: fixed step only
  bool last_stage_is_end = false;  // the last row of a is b: the last stage is the rate at the end
  Row c{};
  std::array<Row, kMaxStages> a{};
  Row b{};
  Row error{};
  std::array<std::array<double, kDensePowers>, kMaxStages> dense{};

  double dense_weight(int stage, double theta) const {
    const auto& p = dense[static_cast<std::size_t>(stage)];
    return theta * (p[0] + theta * (p[1] + theta * (p[2] + theta * p[3])));
  }
};

// The classical method of fourth order, with the continuous extension of third order that needs no further evaluation
// (Zennaro, Math. Comp. 46, 1986): its error over a step is O(h⁴), as large as that of the motion itself.
const Tableau& rk4();
// Dormand and Prince 5(4) with dense output of fourth order (Hairer, Nørsett, Wanner: Solving ODEs I, II.4 and II.6).
const Tableau& dopri5();

}  // namespace gelenk::integrate
