#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gelenk {

// Lines that are longer than the width are broken between words. They continue below the text after their label:
//   reactions     shared in this pose by main_bearing,
//                 crank_pin and bore
//   verdict: needs a look: limit of hinge.angle
//     exceeded
std::string folded(std::string_view text, std::size_t width);

// Characters, not bytes.
std::size_t text_width(std::string_view text);

}  // namespace gelenk
