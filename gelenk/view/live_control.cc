#include "gelenk/view/live_control.h"

#include <algorithm>

namespace gelenk::view {

std::optional<LiveControl> LiveControl::create(std::string& error) {
  std::optional<SharedMemory> memory = SharedMemory::create(sizeof(Shared), error);
  if (!memory) return std::nullopt;
  return LiveControl(*std::move(memory));
}

std::optional<LiveControl> LiveControl::attach(Descriptor file, std::string& error) {
  std::optional<SharedMemory> memory = SharedMemory::attach(std::move(file), error);
  if (!memory) return std::nullopt;
  if (memory->bytes().size() < sizeof(Shared)) {
    error = "it is too small";
    return std::nullopt;
  }
  return LiveControl(*std::move(memory));
}

void LiveControl::set_token(const std::string& token) {
  std::copy_n(token.begin(), std::min(token.size(), kMostToken - 1), shared().token);
}

std::string LiveControl::token() const {
  const char* begin = shared().token;
  return {begin, std::find(begin, begin + kMostToken, '\0')};
}

}  // namespace gelenk::view
