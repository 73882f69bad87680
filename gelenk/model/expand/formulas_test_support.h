#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gelenk/model/expand/channels.h"
#include "gelenk/model/expand/drivers.h"
#include "gelenk/model/expand/forces.h"
#include "gelenk/model/expand/signals.h"
#include "gelenk/model/expand/stage_test_support.h"
#include "gelenk/model/expand/states.h"

// A Stage in which everything with channels is listed, so that formulas can be bound.
namespace gelenk::model::expanding {

struct Formulas : Stage {
  std::vector<Pending> drivers, forces;
  FrameChannels frame_channels{places, elements, machine, reports};
  Channels channels;
  Signals signals{options, numbers, frame_channels, channels, machine, text.diagnostics};
  std::vector<PendingState> states;

  explicit Formulas(const Texts& texts, ExpandOptions given = {})
      : Stage(texts, std::move(given)),
        drivers((add_all_joints(), list_drivers(instances(), machine, elements))),
        forces(list_forces(instances(), machine, elements, reports)),
        channels(frame_channels, forces, elements, machine, reports),
        states(list_states(instances(), forces, numbers, signals, machine, elements, text.diagnostics)) {}
  explicit Formulas(const std::string& root) : Formulas(Texts{{"machine", root}}) {}

  void bind() {
    bind_drivers(drivers, signals, elements, machine, reports);
    bind_forces(forces, numbers, places, signals, machine, text.diagnostics);
    bind_states(states, signals, elements, machine, text.diagnostics);
  }
};

// A part on a hinge, and whatever else.
inline std::string hinged(const std::string& more) {
  return "{gelenk: 1, parameters: {k: 3}, parts: {arm: {" + kOneKilogram +
         ", frames: {tip: [1, 0, 0]}}}, joints: {hinge: {type: revolute, between: [ground, arm], axis: z}}, " + more +
         "}";
}

}  // namespace gelenk::model::expanding
