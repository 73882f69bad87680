#include "gelenk/base/checksum.h"

#include <gtest/gtest.h>

#include <string>

namespace gelenk::checksum_test {
namespace {

// The check value of the catalogue of CRC algorithms.
TEST(Checksum, IsTheCrc32ThatOthersCompute) {
  EXPECT_EQ(crc32_of("123456789"), 0xCBF43926u);
  EXPECT_EQ(crc32_of(""), 0u);
}

TEST(Checksum, DoesNotDependOnHowTheBytesAreCut) {
  EXPECT_EQ(crc32_of("6789", crc32_of("12345")), crc32_of("123456789"));
  EXPECT_EQ(crc32_of("", crc32_of("12345")), crc32_of("12345"));
}

TEST(Checksum, EveryFlippedBitChangesIt) {
  std::string bytes(100, 'x');
  const std::uint32_t whole = crc32_of(bytes);
  for (char& byte : bytes) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1u << bit));
      EXPECT_NE(crc32_of(bytes), whole);
      byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1u << bit));
    }
  }
}

}  // namespace
}  // namespace gelenk::checksum_test
