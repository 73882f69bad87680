#include "gelenk/contact/interval_law.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gelenk/math/small_dense.h"

namespace gelenk::contact {
namespace {

enum class Side : std::uint8_t { low, inside, high };

// Principal pivoting: sides are guessed, impulses inside follow from u = 0, and rows that contradict change sides.
class IntervalSolver {
 public:
  IntervalSolver(std::span<const double> D, std::span<const double> q, std::span<const double> low,
                 std::span<const double> high, std::span<const double> guess)
      : D_(D), q_(q), low_(low), high_(high), r_(guess.begin(), guess.end()), sides_(q.size()) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double wanted = r_[i] - velocity(i) / D_[i * q_.size() + i];
      sides_[i] = wanted <= low_[i] ? Side::low : wanted >= high_[i] ? Side::high : Side::inside;
      if (low_[i] >= high_[i]) sides_[i] = Side::low;
    }
  }

  bool run() {
    constexpr int kMostTrials = 200;
    constexpr int kPatience = 5;  // trials that may get worse before one row changes at a time, which ends
    std::size_t least = q_.size() + 1;
    int patience = kPatience;
    for (int trial = 0; trial < kMostTrials; ++trial) {
      if (!fill()) return false;
      find_wrong();
      if (wrong_.empty()) return true;
      if (wrong_.size() < least) {
        least = wrong_.size();
        patience = kPatience;
      } else {
        --patience;
      }
      if (patience < 0) wrong_.erase(wrong_.begin(), wrong_.end() - 1);
      for (const std::size_t i : wrong_) {
        sides_[i] = sides_[i] != Side::inside ? Side::inside : r_[i] < low_[i] ? Side::low : Side::high;
      }
    }
    return false;
  }

  double impulse(std::size_t row) const { return std::clamp(r_[row], low_[row], high_[row]); }

 private:
  double velocity(std::size_t row) const {
    double u = q_[row];
    for (std::size_t j = 0; j < q_.size(); ++j) u += D_[row * q_.size() + j] * r_[j];
    return u;
  }

  // Impulses that go with the sides.
  bool fill() {
    const std::size_t n = q_.size();
    inside_.clear();
    for (std::size_t i = 0; i < n; ++i) {
      if (sides_[i] == Side::inside) inside_.push_back(i);
      r_[i] = sides_[i] == Side::low ? low_[i] : sides_[i] == Side::high ? high_[i] : 0.0;
    }
    const std::size_t m = inside_.size();
    if (m == 0) return true;
    matrix_.resize(m * m);
    inverse_.resize(m * m);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j) matrix_[i * m + j] = D_[inside_[i] * n + inside_[j]];
    }
    if (!invert_dense(matrix_, m, inverse_)) return false;
    // Twice: the second time removes what rounding left.
    found_.resize(m);
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t i = 0; i < m; ++i) found_[i] = velocity(inside_[i]);
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < m; ++j) r_[inside_[i]] -= inverse_[i * m + j] * found_[j];
      }
    }
    return std::all_of(r_.begin(), r_.end(), [](double r) { return std::isfinite(r); });
  }

  void find_wrong() {
    constexpr double kRounding = 1e-12;
    wrong_.clear();
    for (std::size_t i = 0; i < q_.size(); ++i) {
      if (low_[i] >= high_[i]) continue;
      const double u = velocity(i);
      double size = std::abs(q_[i]);
      for (std::size_t j = 0; j < q_.size(); ++j) size += std::abs(D_[i * q_.size() + j] * r_[j]);
      const double small = kRounding * size;
      const double small_impulse = small / D_[i * q_.size() + i];
      const bool is_wrong = sides_[i] == Side::low ? u < -small
                            : sides_[i] == Side::high
                                ? u > small
                                : r_[i] < low_[i] - small_impulse || r_[i] > high_[i] + small_impulse;
      if (is_wrong) wrong_.push_back(i);
    }
  }

  std::span<const double> D_, q_, low_, high_;
  std::vector<double> r_;
  std::vector<Side> sides_;
  std::vector<std::size_t> inside_, wrong_;
  std::vector<double> matrix_, inverse_, found_;
};

}  // namespace

double nearest_in_interval(double impulse, double low, double high) { return std::clamp(impulse, low, high); }

double interval_map(double velocity, double impulse, double low, double high, double mobility) {
  return std::abs(impulse - nearest_in_interval(impulse - velocity / mobility, low, high)) * mobility;
}

bool solve_intervals(std::span<const double> D, std::span<const double> q, std::span<const double> low,
                     std::span<const double> high, std::span<double> impulses) {
  IntervalSolver solver(D, q, low, high, impulses);
  if (!solver.run()) return false;
  for (std::size_t i = 0; i < q.size(); ++i) impulses[i] = solver.impulse(i);
  return true;
}

}  // namespace gelenk::contact
