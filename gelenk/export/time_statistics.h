#pragma once

#include <array>
#include <cstddef>

namespace gelenk::exporting {

// A value and when it was reached. Where a value comes back again and again, as in a periodic motion, the first time:
// what differs by rounding only (kSameValue) is the same value.
struct Extreme {
  double value = 0.0;
  double time = 0.0;
};
inline constexpr double kSameValue = 1e-9;  // relative

// What one quantity did over time. Means are over time, not over rows: rows need not be equidistant.
struct Summary {
  std::size_t count = 0;  // finite values; the rest means nothing when there are none
  std::size_t gaps = 0;   // values that are no numbers
  Extreme min, max;
  Extreme peak;       // the value of largest magnitude, with its sign
  double mean = 0.0;  // ∫ x dt / ∫ dt by the trapezoidal rule
  double rms = 0.0;   // (∫ x² dt / ∫ dt)^½, likewise
  double start = 0.0, end = 0.0;

  bool is_empty() const { return count == 0; }
  double range() const { return max.value - min.value; }
};

// Collects a Summary row by row. Intervals with a gap at one of their ends count in no mean.
class TimeStatistics {
 public:
  void add(double time, double value);
  Summary summary() const;

 private:
  // The time stays at `anchor` until that is exceeded by more than rounding.
  struct Candidate {
    double value = 0.0;
    double anchor = 0.0;
    double time = 0.0;

    void offer(double measure, double when);
  };

  std::size_t count_ = 0;
  std::size_t gaps_ = 0;
  Candidate low_, high_;  // low_ holds the negative
  double start_ = 0.0;
  double last_value_ = 0.0, last_time_ = 0.0;
  bool has_last_ = false;
  double covered_time_ = 0.0;
  double integral_ = 0.0, square_integral_ = 0.0;
  double sum_ = 0.0, square_sum_ = 0.0;  // for runs that cover no time
};

// The same for the magnitude of a vector, with the vector at the peak.
class VectorStatistics {
 public:
  using Components = std::array<double, 3>;

  void add(double time, const Components& value);
  Summary summary() const { return magnitude_.summary(); }
  // At the time of Summary::peak.
  const Components& at_peak() const { return at_peak_; }

 private:
  TimeStatistics magnitude_;
  Components at_peak_{};
  double peak_ = -1.0;
};

}  // namespace gelenk::exporting
