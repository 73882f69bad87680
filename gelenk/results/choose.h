#pragma once

#include <span>
#include <string>
#include <vector>

#include "gelenk/base/shown_quantity.h"
#include "gelenk/results/reader.h"

namespace gelenk::results {

struct Choice {
  std::vector<ChannelSource> channels;  // each once, in the order asked for
  std::string error;                    // "there is no channel 'pistn.position.x'"
  std::string hint;
};

// Channels by name, by the name of a vector or an element (then all of its channels), or by pattern: `*.angle`,
// `front_left.*.reaction.force.magnitude`.
Choice choose_channels(const Reader& reader, std::span<const std::string> names);
// All but the time, in the order of the file.
std::vector<ChannelSource> all_channels(const Reader& reader);
// The outputs of the model.
std::vector<ChannelSource> output_channels(const Reader& reader);

ShownUnit si_unit(const ChannelSource& channel);
// As `display:` of the model wants it; where that says nothing, degrees for angles and SI for all else.
ShownUnit display_unit(const Reader& reader, const ChannelSource& channel);

}  // namespace gelenk::results
