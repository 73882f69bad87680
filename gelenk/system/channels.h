#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gelenk/model/machine.h"
#include "gelenk/system/signal.h"

namespace gelenk::system {

struct System;

// The channels that a force records, in the order of its numbers; only the effort that fits its coordinate exists.
std::vector<const model::Channel*> force_channels(const model::Machine& machine, const model::ForceNode& force);
std::size_t channel_width(const model::Channel& channel);

// What an expression reads, for messages.
struct ReadChannel {
  std::string words;  // "the acceleration of part 'rod'"
  std::string name;   // "rod.acceleration"
};
ReadChannel describe(const model::Machine& machine, const model::ChannelUse& use);

// Resolves what an expression reads. The joints and coordinates of the system must be there already.
ChannelRef resolve_channel(const System& system, const model::Machine& machine, const model::ChannelUse& use);

}  // namespace gelenk::system
