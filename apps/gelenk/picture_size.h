#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace gelenk::app {

struct PictureSize {
  std::size_t width = 1280, height = 720;  // pixels
};

// "640x480"; the usual size for nothing. Videos need even numbers. Nothing, with a sentence in `problem`.
std::optional<PictureSize> read_picture_size(const std::string& text, bool is_video, std::string& problem);

}  // namespace gelenk::app
