#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gelenk/integrate/problem.h"
#include "gelenk/integrate/stepper.h"

namespace gelenk::integrate {

// Finds the first event in a step: the first slack that becomes negative on the dense output.
//
// A slack counts only after it was seen non-negative. A switch that has just flipped starts within rounding of zero, on
// either side, and would else flip back at once. A slack that was negative from the start of the step and goes on
// falling, however, says that the side in force does not hold: an event at the start itself.
class EventSearch {
 public:
  EventSearch(Problem& problem, Stepper& stepper, double tolerance);

  // Reads the slacks at the start of the step. After Stepper::begin().
  void begin();
  // First event in the step taken last, located to a tenth of the tolerance, on the far side of the crossing. It may
  // be the start of the step.
  std::optional<double> find();
  // The switches of that event: all that become negative within the tolerance.
  std::span<const std::size_t> found() const { return found_; }
  double location_tolerance(double time) const;
  // The law of a switch that moves too often in the step for all its crossings to be searched for; -1: there is none.
  std::int32_t unsearched_law() const { return unsearched_law_; }

  // A function of time that falls through zero at the event: the smallest slack of the switches found.
  struct Point {
    double time = 0.0;
    double value = 0.0;
  };
  // Its slope at the event, from there to a point of the step itself, or, where it is bent too much for that, on the
  // dense output.
  double slope_to(const Point& here) const;
  // At the end of the step tried last, by the step itself instead of the dense output.
  Point at_step_end();

 private:
  static constexpr std::size_t kSamples = 5;  // with both ends

  struct Bracket {
    std::size_t below = 0;  // sample before the event
    double above = 0.0;     // time behind it
  };

  std::span<double> sample(std::size_t k);
  double sample_time(std::size_t k) const;
  void probe(double time);
  bool armed(std::size_t which, std::size_t until) const;
  bool find_at_start();
  std::optional<Bracket> first_negative_sample() const;
  std::optional<Bracket> first_dip(std::size_t last_sample);
  std::optional<double> dip_time(std::size_t which, std::size_t middle) const;
  std::optional<Bracket> dip_of_laws(double until);
  std::span<double> dip_arguments(std::size_t row);
  double locate(const Bracket& bracket);
  void collect(std::size_t armed_until);
  std::size_t first_of_found() const;
  double smallest(std::span<const double> values) const;
  double slope_before(double time);

  Problem& problem_;
  Stepper& stepper_;
  double tolerance_;
  std::size_t count_;
  std::vector<double> samples_;        // kSamples rows of slacks
  std::vector<double> probe_;          // slacks at the time probed last
  WatchedLaws* laws_;                  // null: there are none
  std::vector<double> dip_arguments_;  // at the start, in the middle and at the end
  std::vector<std::size_t> found_;
  std::int32_t unsearched_law_ = -1;
  Point before_;             // a point before the event
  double bent_slope_ = 0.0;  // zero: a straight line is good enough
};

}  // namespace gelenk::integrate
