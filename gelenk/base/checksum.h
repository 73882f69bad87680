#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace gelenk {

// CRC-32 as in ZIP and PNG files, of bytes that come in pieces: `before` is that of the pieces before. It differs when
// one bit is flipped, or up to 32 that lie side by side, and for one in four thousand million of all other damages it
// does not.
std::uint32_t crc32_of(std::span<const std::byte> bytes, std::uint32_t before = 0);
std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before = 0);

}  // namespace gelenk
