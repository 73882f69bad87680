#pragma once

#include <string_view>

#include "gelenk/formats/imported.h"

namespace gelenk::formats {

// What a frame of such a joint is called before its number: "axis", "center", "face", "seat".
std::string_view frame_word(std::string_view joint_type);

// Gives every end of a joint that has none the name of a frame: that of a frame of its part at the same place, else a
// new one with the next free number. Names that are there stay.
void name_frames(ImportedModel& model);

}  // namespace gelenk::formats
