#include "gelenk/export/time_statistics.h"

#include <algorithm>
#include <cmath>

namespace gelenk::exporting {
namespace {

bool exceeds(double value, double anchor) { return value - anchor > kSameValue * std::abs(anchor); }

}  // namespace

void TimeStatistics::Candidate::offer(double measure, double when) {
  value = std::max(value, measure);
  if (!exceeds(measure, anchor)) return;
  anchor = measure;
  time = when;
}

void TimeStatistics::add(double time, double value) {
  if (!std::isfinite(value) || !std::isfinite(time)) {
    ++gaps_;
    has_last_ = false;
    return;
  }
  if (count_ == 0) {
    start_ = value;
    high_ = {value, value, time};
    low_ = {-value, -value, time};
  }
  high_.offer(value, time);
  low_.offer(-value, time);
  // Only a damaged file goes back in time.
  if (has_last_ && time > last_time_) {
    const double dt = time - last_time_;
    covered_time_ += dt;
    integral_ += 0.5 * dt * (last_value_ + value);
    square_integral_ += 0.5 * dt * (last_value_ * last_value_ + value * value);
  }
  sum_ += value;
  square_sum_ += value * value;
  last_value_ = value;
  last_time_ = time;
  has_last_ = true;
  ++count_;
}

Summary TimeStatistics::summary() const {
  Summary result;
  result.count = count_;
  result.gaps = gaps_;
  if (count_ == 0) return result;
  result.min = {-low_.value, low_.time};
  result.max = {high_.value, high_.time};
  const bool is_low = exceeds(low_.value, high_.value) ||
                      (!exceeds(high_.value, low_.value) && low_.time < high_.time && low_.value > 0.0);
  result.peak = is_low ? result.min : result.max;
  result.start = start_;
  result.end = last_value_;
  const bool has_time = covered_time_ > 0.0;
  const double weight = has_time ? covered_time_ : static_cast<double>(count_);
  result.mean = (has_time ? integral_ : sum_) / weight;
  result.rms = std::sqrt((has_time ? square_integral_ : square_sum_) / weight);
  return result;
}

void VectorStatistics::add(double time, const Components& value) {
  const double magnitude = std::hypot(value[0], value[1], value[2]);
  magnitude_.add(time, magnitude);
  if (!std::isfinite(magnitude) || !std::isfinite(time)) return;
  if (peak_ >= 0.0 && !exceeds(magnitude, peak_)) return;
  peak_ = magnitude;
  at_peak_ = value;
}

}  // namespace gelenk::exporting
