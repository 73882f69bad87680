#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gelenk/system/law_way.h"

namespace gelenk::system {

// Switches whose slack goes below zero and comes back within a step, between the places where events are searched for:
// max(0, cos(angle) - 0.9999) of a shaft that turns by half a radian in a step. What the bounds of a slack cannot rule
// out is looked at more and more closely, the earliest part of the step first. Slacks of low degree, which the samples
// of an event search show, are not looked at.
class SwitchDips {
 public:
  SwitchDips(const System& system, const Params& params);

  std::span<const LawArgument> arguments() const { return track_.arguments(); }

  struct Dip {
    std::size_t which = 0;  // of System::state_switches
    double place = 0.0;     // 0 at the start of the way, 1 at its end
  };
  struct Search {
    std::optional<Dip> dip;        // the first one
    std::int32_t unsearched = -1;  // signal of a slack that moves too often to be followed up to there; -1: none does
  };
  // On the sides of the step, before the place `until`.
  Search first(const ArgumentWay& way, double until, std::span<const std::int32_t> sides);

 private:
  struct Watched {
    LawTrack::Law law;
    std::size_t which = 0;
  };
  // The slack of one switch.
  class Slack;

  const System& system_;
  LawTrack track_;
  std::vector<Watched> watched_;
};

}  // namespace gelenk::system
