#include "gelenk/analysis/kinematic/turning_points.h"

#include <algorithm>
#include <cmath>

#include "gelenk/base/index.h"

namespace gelenk::analysis {
namespace {

using Motion = model::Coordinate::Motion;

// Of the fastest coordinate: slower than this is rounding.
constexpr double kAtRest = 1e-10;
constexpr int kMostTrials = 100;

}  // namespace

TurningPoints::TurningPoints(const system::System& system, const system::Params& params)
    : system_(system), params_(params), signs_(system.coordinates.size()), ranges_(system.coordinates.size()) {
  for (std::size_t i = 0; i < system.coordinates.size(); ++i) {
    if (system.coordinates[i].type->motion != Motion::orientation) scalars_.push_back(static_cast<std::int32_t>(i));
  }
}

double TurningPoints::unit(std::size_t index) const {
  return system_.coordinates[index].type->motion == Motion::translation ? params_.length : 1.0;
}

void TurningPoints::add(std::size_t index, double time, double value, bool is_largest) {
  found_.push_back({static_cast<std::int32_t>(index), time, value, is_largest});
  Range& range = ranges_[index];
  range.smallest = std::min(range.smallest, value);
  range.largest = std::max(range.largest, value);
}

void TurningPoints::find_between(DrivenPoses& poses, std::size_t index, int sign) {
  const DrivenPoses::Place here = poses.place();
  poses.go_back(last_);
  const auto coordinate = static_cast<std::int32_t>(index);
  if (lead_to_turn(poses, coordinate, here.state.time)) {
    add(index, poses.time(), poses.coordinate(coordinate), sign < 0);
  }
  poses.go_back(here);
}

void TurningPoints::note(DrivenPoses& poses) {
  std::vector<double> rates;
  double fastest = 0.0;
  for (const std::int32_t c : scalars_) {
    rates.push_back(poses.rate(c));
    fastest = std::max(fastest, std::abs(rates.back()) / unit(at(c)));
  }
  for (std::size_t k = 0; k < scalars_.size(); ++k) {
    const std::size_t i = at(scalars_[k]);
    const double value = poses.coordinate(scalars_[k]);
    Range& range = ranges_[i];
    if (poses_ == 0) range = {value, value, rates[k], rates[k]};
    range.smallest = std::min(range.smallest, value);
    range.largest = std::max(range.largest, value);
    range.smallest_rate = std::min(range.smallest_rate, rates[k]);
    range.largest_rate = std::max(range.largest_rate, rates[k]);
    Sign& sign = signs_[i];
    if (std::abs(rates[k]) <= kAtRest * fastest * unit(i)) {
      if (poses_ == 0) sign.starts_at_rest = true;
      if (!sign.rests) {
        sign.rest_time = poses.time();
        sign.rest_value = value;
      }
      sign.rests = true;
      continue;
    }
    const int now = rates[k] > 0.0 ? 1 : -1;
    if (sign.rests && (sign.last == -now || (sign.last == 0 && sign.starts_at_rest))) {
      add(i, sign.rest_time, sign.rest_value, now < 0);
    } else if (!sign.rests && sign.last == -now) {
      find_between(poses, i, now);
    }
    sign.last = now;
    sign.rests = false;
    sign.starts_at_rest = false;
  }
  last_ = poses.place();
  ++poses_;
}

void TurningPoints::finish() {
  for (const std::int32_t c : scalars_) {
    const Sign& sign = signs_[at(c)];
    if (sign.rests && sign.last != 0) add(at(c), sign.rest_time, sign.rest_value, sign.last > 0);
  }
}

// Regula falsi, with the side that stays weighted less, and halving where that is slow.
bool lead_to_turn(DrivenPoses& poses, std::int32_t coordinate, double time) {
  DrivenPoses::Place before = poses.place();
  double a = poses.time(), rate_a = poses.rate(coordinate);
  if (!poses.lead_to(time)) return false;
  double b = time, rate_b = poses.rate(coordinate);
  if (!((rate_a < 0.0) != (rate_b < 0.0))) return false;
  double slope_a = rate_a, slope_b = rate_b;
  for (int i = 0; i < kMostTrials; ++i) {
    double next = i % 4 == 3 ? 0.5 * (a + b) : (a * slope_b - b * slope_a) / (slope_b - slope_a);
    if (!(std::min(a, b) < next && next < std::max(a, b))) next = 0.5 * (a + b);
    if (next == a || next == b) break;
    poses.go_back(before);
    if (!poses.lead_to(next)) return false;
    const double rate = poses.rate(coordinate);
    if (rate == 0.0) return true;
    if ((rate < 0.0) == (rate_a < 0.0)) {
      a = next;
      rate_a = slope_a = rate;
      slope_b *= 0.5;
      before = poses.place();
    } else {
      b = next;
      rate_b = slope_b = rate;
      slope_a *= 0.5;
    }
  }
  return true;
}

}  // namespace gelenk::analysis
