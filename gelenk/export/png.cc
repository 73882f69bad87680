#include "gelenk/export/png.h"

#include <string_view>

#include "gelenk/base/checksum.h"
#include "gelenk/base/deflate.h"

namespace gelenk::exporting {
namespace {

std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>((number >> shift) & 0xFFU);
  return bytes;
}

std::string chunk(std::string_view kind, const std::string& content) {
  const std::string checked = std::string(kind) + content;
  return big_endian(static_cast<std::uint32_t>(content.size())) + checked + big_endian(crc32_of(checked));
}

// RFC 1950: the sum of the bytes, and the sum of these sums.
std::uint32_t adler32_of(std::string_view bytes) {
  constexpr std::uint32_t kPrime = 65521;
  std::uint32_t sum = 1, sums = 0;
  for (const char c : bytes) {
    sum = (sum + static_cast<std::uint8_t>(c)) % kPrime;
    sums = (sums + sum) % kPrime;
  }
  return sums << 16U | sum;
}

// Each row as differences from the row above: areas of one color become zeros.
std::string filtered(const Pixels& pixels) {
  constexpr char kUp = 2;
  const std::size_t width = 3 * static_cast<std::size_t>(pixels.width);
  std::string rows;
  for (std::size_t at = 0; at < pixels.rgb.size(); ++at) {
    if (at % width == 0) rows += kUp;
    const std::uint8_t above = at < width ? std::uint8_t{0} : pixels.rgb[at - width];
    rows += static_cast<char>(pixels.rgb[at] - above);
  }
  return rows;
}

}  // namespace

std::string png_file(const Pixels& pixels) {
  // 8 bits for each of three colors; the one way to compress, to filter and to order that this format has.
  const std::string head = big_endian(static_cast<std::uint32_t>(pixels.width)) +
                           big_endian(static_cast<std::uint32_t>(pixels.height)) +
                           std::string("\x08\x02\x00\x00\x00", 5);
  const std::string rows = filtered(pixels);
  std::string compressed = "\x78\x9C";
  Deflater deflater;
  deflater.add(rows, compressed);
  deflater.finish(compressed);
  compressed += big_endian(adler32_of(rows));
  return "\x89PNG\r\n\x1A\n" + chunk("IHDR", head) + chunk("IDAT", compressed) + chunk("IEND", {});
}

}  // namespace gelenk::exporting
