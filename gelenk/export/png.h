#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gelenk::exporting {

// A picture of dots, row by row from the upper left corner: red, green, blue.
struct Pixels {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;
};

// As the bytes of a PNG file. Equal pictures give equal bytes.
std::string png_file(const Pixels& pixels);

}  // namespace gelenk::exporting
