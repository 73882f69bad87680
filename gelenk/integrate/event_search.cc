#include "gelenk/integrate/event_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gelenk::integrate {
namespace {

// From a step of 100 s to 1e-11 s there are 43 halvings, and every third step is one.
constexpr int kMaxLocationSteps = 150;
constexpr double kStraight = 1e-4;
constexpr double kUlps = 4.0 * std::numeric_limits<double>::epsilon();

}  // namespace

EventSearch::EventSearch(Problem& problem, Stepper& stepper, double tolerance)
    : problem_(problem),
      stepper_(stepper),
      tolerance_(tolerance),
      count_(problem.switch_count()),
      samples_(kSamples * count_),
      probe_(count_),
      laws_(problem.watched_laws()),
      dip_arguments_(laws_ == nullptr ? 0 : 3 * laws_->dip_argument_count()) {
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
  if (count_ == 0) return;
  problem_.slacks(Stepper::kStartState, sample(0));
  if (!dip_arguments_.empty()) laws_->dip_arguments(Stepper::kStartState, dip_arguments(0));
}

std::span<double> EventSearch::dip_arguments(std::size_t row) {
  const std::size_t count = dip_arguments_.size() / 3;
  return std::span(dip_arguments_).subspan(row * count, count);
}

std::optional<double> EventSearch::find() {
  found_.clear();
  unsearched_law_ = -1;
  if (count_ == 0) return std::nullopt;
  for (std::size_t k = 1; k + 1 < kSamples; ++k) {
    probe(sample_time(k));
    std::ranges::copy(probe_, sample(k).begin());
    if (k == kSamples / 2 && !dip_arguments_.empty()) laws_->dip_arguments(Stepper::kProbeState, dip_arguments(1));
  }
  problem_.slacks(Stepper::kEndState, sample(kSamples - 1));
  if (!dip_arguments_.empty()) laws_->dip_arguments(Stepper::kEndState, dip_arguments(2));

  if (find_at_start()) return stepper_.start_time();
  const std::optional<Bracket> sampled = first_negative_sample();
  std::optional<Bracket> dip = first_dip(sampled ? sampled->below : kSamples - 1);
  const double until = dip ? dip->above : sampled ? sampled->above : stepper_.end_time();
  const std::optional<Bracket> narrow = dip_of_laws(until);
  if (narrow) dip = narrow;
  const bool is_bent = narrow.has_value();
  bent_slope_ = 0.0;
  if (dip) {
    probe(dip->above);
    const double time = locate(*dip);
    if (is_bent) bent_slope_ = slope_before(time);
    return time;
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
  const std::span<double> start = sample(0);
  const std::span<const double> end = sample(kSamples - 1);
  for (std::size_t i = 0; i < count_; ++i) {
    if (end[i] < start[i] && !armed(i, kSamples - 1)) found_.push_back(i);
  }
  if (found_.empty()) return false;
  // Where it begins by rising out of rounding, it holds, and ends before the first sample.
  probe(stepper_.start_time() + 10.0 * location_tolerance(stepper_.start_time()));
  std::erase_if(found_, [&](std::size_t i) {
    if (probe_[i] >= 0.0) start[i] = probe_[i];
    return probe_[i] >= 0.0;
  });
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

// A dip too narrow for the samples, as the problem knows its slacks: the first one before `until`.
std::optional<EventSearch::Bracket> EventSearch::dip_of_laws(double until) {
  if (dip_arguments_.empty()) return std::nullopt;
  const double begin = stepper_.start_time();
  const double length = stepper_.end_time() - begin;
  const auto [dip, unsearched] = laws_->first_dip(
      Stepper::kStartState, {dip_arguments(0), dip_arguments(1), dip_arguments(2)}, (until - begin) / length);
  unsearched_law_ = unsearched;
  if (!dip) return std::nullopt;
  const double time = begin + dip->place * length;
  std::size_t below = 0;
  while (below + 2 < kSamples && sample_time(below + 1) < time) ++below;
  probe(time);
  if (!(probe_[dip->which] < 0.0) || !armed(dip->which, below)) return std::nullopt;
  return Bracket{below, time};
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

double EventSearch::slope_to(const Point& here) const {
  return bent_slope_ != 0.0 ? bent_slope_ : (here.value - before_.value) / (here.time - before_.time);
}

// Of the slack that was found, over so little that it is straight.
double EventSearch::slope_before(double time) {
  const double earlier = time - std::max(100.0 * location_tolerance(time), kStraight * (time - before_.time));
  probe(earlier);
  const double value = smallest(probe_);
  probe(time);
  return (smallest(probe_) - value) / (time - earlier);
}

EventSearch::Point EventSearch::at_step_end() {
  problem_.slacks(Stepper::kEndState, probe_);
  return {stepper_.end_time(), smallest(probe_)};
}

}  // namespace gelenk::integrate
