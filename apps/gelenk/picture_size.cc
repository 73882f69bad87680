#include "apps/gelenk/picture_size.h"

#include <fmt/format.h>

#include <charconv>

#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

constexpr std::size_t kSmallest = 16;
constexpr std::size_t kLargest = 8192;

bool read_whole(const char* begin, const char* end, std::size_t& number) {
  const auto [stop, problem] = std::from_chars(begin, end, number);
  return problem == std::errc() && stop == end;
}

}  // namespace

std::optional<PictureSize> read_picture_size(const std::string& text, bool is_video, std::string& problem) {
  PictureSize size;
  if (text.empty()) return size;
  const std::size_t cross = text.find('x');
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (cross == std::string::npos || !read_whole(begin, begin + cross, size.width) ||
      !read_whole(begin + cross + 1, end, size.height)) {
    problem = fmt::format("{} is not a size in pixels", shown(text));
    return std::nullopt;
  }
  for (const std::size_t side : {size.width, size.height}) {
    if (side < kSmallest || side > kLargest) {
      problem = fmt::format("a side must have {} to {} pixels, not {}", kSmallest, kLargest, side);
      return std::nullopt;
    }
    if (is_video && side % 2 != 0) {
      problem = fmt::format("sides of videos must have an even number of pixels, not {}", side);
      return std::nullopt;
    }
  }
  return size;
}

}  // namespace gelenk::app
