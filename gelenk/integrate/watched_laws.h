#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace gelenk::integrate {

// Laws of a problem that may do something between the places where a step looks. Where the motion goes is known only
// after the step: what the laws read is taken from three states of it, and their way is made of that. Numbers of states
// are those of Problem.
class WatchedLaws {
 public:
  // What laws read at the start, in the middle and at the end of a step.
  struct Way {
    std::span<const double> start, middle, end;
  };

  // Laws of the motion: how many numbers they read, and these numbers in a state.
  virtual std::size_t argument_count() const = 0;
  virtual void arguments(int state, std::span<double> values) = 0;
  // The law that does something on the way that the step from the state does not see; -1: none. `longest`: the longest
  // step, in steps; `parts`: something counts when it hides in one of so many parts of the step.
  virtual std::int32_t hidden(int state, const Way& way, double longest, int parts) = 0;
  // The law, of the motion or of time, that does something in the middle of a step of this length from the state on
  // which nothing at its ends shows; -1: none.
  virtual std::int32_t between_ends(int state, const Way& way, double length) = 0;

  // Slacks that dip below zero between the places where events are searched for: what they read, and the first dip
  // before the place `until` (0 at the start of the step, 1 at its end). A slack may move too often to be followed.
  struct Dip {
    std::size_t which = 0;  // of the slacks
    double place = 0.0;
  };
  struct DipSearch {
    std::optional<Dip> dip;
    std::int32_t unsearched = -1;  // the law of a slack that was not followed up to there; -1: all were
  };
  virtual std::size_t dip_argument_count() const = 0;
  virtual void dip_arguments(int state, std::span<double> values) = 0;
  virtual DipSearch first_dip(int state, const Way& way, double until) = 0;

 protected:
  ~WatchedLaws() = default;
};

}  // namespace gelenk::integrate
