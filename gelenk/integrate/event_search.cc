#include "gelenk/integrate/event_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gelenk::integrate {
namespace {

// From a step of 100 s to 1e-11 s there are 43 halvings, and every third step is one.
constexpr int kMaxLocationSteps = 150;
constexpr double kUlps = 4.0 * std::numeric_limits<double>::epsilon();

}  // namespace

EventSearch::EventSearch(Problem& problem, Stepper& stepper, double tolerance)
    : problem_(problem),
      stepper_(stepper),
      tolerance_(tolerance),
      count_(problem.switch_count()),
      samples_(kSamples * count_),
      probe_(count_) {
  found_.reserve(count_);
}

std::span<double> EventSearch::sample(std::size_t k) { return std::span(samples_).subspan(k * count_, count_); }

double EventSearch::sample_time(std::size_t k) const {
  if (k == kSamples - 1) return stepper_.end_time();
  const double share = static_cast<double>(k) / static_cast<double>(kSamples - 1);
  return stepper_.start_time() + share * (stepper_.end_time() - stepper_.start_time());
}

double EventSearch::location_tolerance(double time) const { return std::max(0.1 * tolerance_, kUlps * std::abs(time)); }

void EventSearch::probe(double time) {
  stepper_.interpolate(time, Stepper::kProbeState);
  problem_.slacks(Stepper::kProbeState, probe_);
}

void EventSearch::begin() {
  if (count_ > 0) problem_.slacks(Stepper::kStartState, sample(0));
}

std::optional<double> EventSearch::find() {
  found_.clear();
  if (count_ == 0) return std::nullopt;
  for (std::size_t k = 1; k + 1 < kSamples; ++k) {
    probe(sample_time(k));
    std::ranges::copy(probe_, sample(k).begin());
  }
  problem_.slacks(Stepper::kEndState, sample(kSamples - 1));

  if (find_at_start()) return stepper_.start_time();
  const std::optional<Bracket> sampled = first_negative_sample();
  if (const std::optional<Bracket> dip = first_dip(sampled ? sampled->below : kSamples - 1)) {
    probe(dip->above);
    return locate(*dip);
  }
  if (!sampled) return std::nullopt;
  std::ranges::copy(sample(sampled->below + 1), probe_.begin());
  return locate(*sampled);
}

// Was the slack non-negative in one of the samples 0 … until?
bool EventSearch::armed(std::size_t which, std::size_t until) const {
  for (std::size_t k = 0; k <= until; ++k) {
    if (samples_[k * count_ + which] >= 0.0) return true;
  }
  return false;
}

bool EventSearch::find_at_start() {
  const double* start = samples_.data();
  const double* end = start + (kSamples - 1) * count_;
  for (std::size_t i = 0; i < count_; ++i) {
    if (end[i] < start[i] && !armed(i, kSamples - 1)) found_.push_back(i);
  }
  return !found_.empty();
}

std::optional<EventSearch::Bracket> EventSearch::first_negative_sample() const {
  for (std::size_t k = 1; k < kSamples; ++k) {
    for (std::size_t i = 0; i < count_; ++i) {
      if (samples_[k * count_ + i] < 0.0 && armed(i, k - 1)) return Bracket{k - 1, sample_time(k)};
    }
  }
  return std::nullopt;
}

// The samples up to `last_sample` are not negative where armed; a slack may still dip below zero between them.
std::optional<EventSearch::Bracket> EventSearch::first_dip(std::size_t last_sample) {
  std::optional<Bracket> first;
  for (std::size_t middle = 1; middle < last_sample && !first; ++middle) {
    for (std::size_t i = 0; i < count_; ++i) {
      const std::optional<double> time = dip_time(i, middle);
      if (!time || (first && *time >= first->above)) continue;
      probe(*time);
      if (probe_[i] < 0.0) first = Bracket{*time > sample_time(middle) ? middle : middle - 1, *time};
    }
  }
  return first;
}

// Vertex of the parabola through three samples where it is below zero between them.
std::optional<double> EventSearch::dip_time(std::size_t which, std::size_t middle) const {
  const double left = samples_[(middle - 1) * count_ + which];
  const double center = samples_[middle * count_ + which];
  const double right = samples_[(middle + 1) * count_ + which];
  if (!(left >= 0.0 && center >= 0.0 && right >= 0.0)) return std::nullopt;
  const double curvature = left - 2.0 * center + right;
  const double slope = 0.5 * (right - left);
  if (!(curvature > std::abs(slope))) return std::nullopt;  // vertex at -slope / curvature samples from the middle
  if (center - 0.5 * slope * slope / curvature >= 0.0) return std::nullopt;
  const double spacing = sample_time(middle) - sample_time(middle - 1);
  return sample_time(middle) - slope / curvature * spacing;
}

double EventSearch::smallest(std::span<const double> values) const {
  double value = std::numeric_limits<double>::infinity();
  for (const std::size_t i : found_) value = std::min(value, values[i]);
  return value;
}

// Regula falsi with the Illinois weights on the smallest slack, which has a kink where switches change places; every
// third step bisects, so that the bracket shrinks whatever the slacks look like. Expects the slacks above in the probe.
double EventSearch::locate(const Bracket& bracket) {
  collect(bracket.below);
  double below = sample_time(bracket.below);
  double above = bracket.above;
  double value_below = smallest(sample(bracket.below));
  double value_above = smallest(probe_);
  std::size_t first = first_of_found();
  before_ = {below, value_below};
  int last_side = 0;
  for (int step = 1; step <= kMaxLocationSteps && above - below > location_tolerance(above); ++step) {
    double time = below + (above - below) * value_below / (value_below - value_above);
    if (step % 3 == 0 || !(time > below && time < above)) time = below + 0.5 * (above - below);
    probe(time);
    const double value = smallest(probe_);
    const int side = value < 0.0 ? 1 : -1;
    if (side > 0) {
      above = time;
      value_above = value;
      first = first_of_found();
      if (side == last_side) value_below *= 0.5;
    } else {
      below = time;
      value_below = value;
      if (side == last_side) value_above *= 0.5;
    }
    last_side = side;
  }
  // Mirror images reach zero at the same time, but for rounding.
  probe(above + 10.0 * location_tolerance(above));
  found_.assign(1, first);
  collect(bracket.below);
  return above;
}

// The switch with the smallest slack in the probe.
std::size_t EventSearch::first_of_found() const {
  return *std::ranges::min_element(found_, {}, [this](std::size_t i) { return probe_[i]; });
}

// Adds the switches whose slack is negative in the probe and was not before.
void EventSearch::collect(std::size_t armed_until) {
  for (std::size_t i = 0; i < count_; ++i) {
    const bool known = std::ranges::find(found_, i) != found_.end();
    if (!known && probe_[i] < 0.0 && armed(i, armed_until)) found_.push_back(i);
  }
}

EventSearch::Point EventSearch::at_step_end() {
  problem_.slacks(Stepper::kEndState, probe_);
  return {stepper_.end_time(), smallest(probe_)};
}

}  // namespace gelenk::integrate
