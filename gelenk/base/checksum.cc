#include "gelenk/base/checksum.h"

#include <zlib.h>

namespace gelenk {

std::uint32_t crc32_of(std::span<const std::byte> bytes, std::uint32_t before) {
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  return bytes.empty() ? before : static_cast<std::uint32_t>(crc32_z(before, data, bytes.size()));
}

std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before) {
  return crc32_of(std::as_bytes(std::span(bytes)), before);
}

}  // namespace gelenk
