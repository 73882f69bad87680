#include "gelenk/base/cipher.h"

#include <gtest/gtest.h>

#include "gelenk/base/signing.h"

namespace gelenk::cipher_test {
namespace {

const CipherKey kKey = CipherKey::from_secret("secret");

TEST(Cipher, TextsComeBack) {
  for (const std::size_t size : {0u, 1u, 63u, 64u, 65u, 100'000u}) {
    const std::string text(size, 'x');
    const std::string bytes = encipher(text, kKey);
    EXPECT_EQ(decipher(bytes, kKey), text) << size;
    EXPECT_EQ(encipher(text, kKey), bytes) << "the same again";
  }
}

// Files that were written once must be readable by all later programs.
TEST(Cipher, StaysAsItIs) {
  EXPECT_EQ(to_base64(encipher("spring: 40 kN/m", kKey)), "MKHmUDmBR9dE2O913o4y50JF8oLzBoDvnAsCLCZ1Evya18GkUxGT");
}

TEST(Cipher, ShowsNothing) {
  const std::string text = "spring spring spring spring spring spring spring";
  const std::string bytes = encipher(text, kKey);
  EXPECT_EQ(bytes.find("spring"), std::string::npos);
  const std::string other = encipher(text + ".", kKey);
  // Another text has another stream from its first byte on.
  std::size_t equal = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) equal += bytes[i] == other[i] ? 1u : 0u;
  EXPECT_LT(equal, 8u);
}

TEST(Cipher, RefusesAlteredBytes) {
  const std::string bytes = encipher("spring: 40 kN/m", kKey);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string altered = bytes;
    altered[i] = static_cast<char>(altered[i] ^ 1);
    EXPECT_FALSE(decipher(altered, kKey)) << i;
    EXPECT_FALSE(decipher(std::string_view(bytes).substr(0, i), kKey)) << i;
  }
  EXPECT_FALSE(decipher(bytes + "a", kKey));
  EXPECT_FALSE(decipher(bytes, CipherKey::from_secret("Secret")));
}

}  // namespace
}  // namespace gelenk::cipher_test
