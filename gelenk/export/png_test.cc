#include "gelenk/export/png.h"

#include <gtest/gtest.h>

#include "gelenk/base/deflate.h"

namespace gelenk::exporting::png_test {
namespace {

// Rows of the picture as they are stored: how they are filtered, then differences from the row above.
TEST(Png, HoldsTheRowsOfThePicture) {
  const std::string file = png_file({2, 2, {255, 0, 0, 0, 255, 0, 250, 1, 0, 0, 255, 7}});
  EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1A\n");
  EXPECT_EQ(file.substr(12, 4), "IHDR");
  EXPECT_EQ(file.substr(16, 8), std::string("\0\0\0\2\0\0\0\2", 8));
  const std::size_t data = file.find("IDAT");
  const std::size_t end = file.find("IEND");
  ASSERT_LT(data, end);
  // Two bytes of head before, checksum of the content, of the chunk, and the size of the next behind.
  const std::string compressed = file.substr(data + 6, end - data - 6 - 12);
  const std::optional<std::string> rows = inflate_bytes(compressed, 100);
  ASSERT_TRUE(rows);
  EXPECT_EQ(*rows, std::string("\2\xFF\0\0\0\xFF\0\2\xFB\1\0\0\0\7", 14));
  // The checksum of that: 1 + the sum of bytes, and the sum of those sums.
  std::uint32_t sum = 1, sums = 0;
  for (const char c : *rows) sums += sum += static_cast<std::uint8_t>(c);
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(file[end - 12 + i]); };
  EXPECT_EQ(static_cast<std::uint32_t>(byte(0) << 8U | byte(1)), sums);
  EXPECT_EQ(static_cast<std::uint32_t>(byte(2) << 8U | byte(3)), sum);
}

}  // namespace
}  // namespace gelenk::exporting::png_test
