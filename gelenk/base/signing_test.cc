#include "gelenk/base/signing.h"

#include <gtest/gtest.h>

#include <utility>

namespace gelenk::signing_test {
namespace {

std::string from_digits(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

// RFC 8032, section 7.1, test 2.
constexpr std::string_view kSeed = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";
constexpr std::string_view kPublic = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
constexpr std::string_view kSignature =
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";

TEST(Signing, AgreesWithTheStandard) {
  const std::optional<SecretKey> key = SecretKey::from_seed(from_digits(kSeed));
  ASSERT_TRUE(key);
  EXPECT_EQ(key->public_key().view(), from_digits(kPublic));
  EXPECT_EQ(key->seed(), from_digits(kSeed));
  EXPECT_EQ(key->sign("\x72"), from_digits(kSignature));
  EXPECT_TRUE(is_signed_by(key->public_key(), "\x72", from_digits(kSignature)));
}

TEST(Signing, AnyChangeIsFound) {
  const SecretKey key = SecretKey::make();
  const std::string message = "a manifest";
  const std::string signature = key.sign(message);
  ASSERT_TRUE(is_signed_by(key.public_key(), message, signature));
  for (std::size_t i = 0; i < signature.size() * 8; ++i) {
    std::string changed = signature;
    changed[i / 8] = static_cast<char>(changed[i / 8] ^ (1 << (i % 8)));
    EXPECT_FALSE(is_signed_by(key.public_key(), message, changed)) << i;
  }
  EXPECT_FALSE(is_signed_by(key.public_key(), "a Manifest", signature));
  EXPECT_FALSE(is_signed_by(SecretKey::make().public_key(), message, signature));
  EXPECT_FALSE(is_signed_by(key.public_key(), message, signature.substr(1)));
  EXPECT_FALSE(is_signed_by(key.public_key(), message, ""));
}

TEST(Signing, KeysAreRandomAndMoveWithoutACopy) {
  SecretKey first = SecretKey::make();
  SecretKey second = SecretKey::make();
  EXPECT_NE(first.seed(), second.seed());
  const std::string seed = first.seed();
  second = std::move(first);
  EXPECT_EQ(second.seed(), seed);
  EXPECT_FALSE(SecretKey::from_seed(seed.substr(1)));
  EXPECT_FALSE(PublicKey::from_bytes(seed + "x"));
}

TEST(Signing, Base64IsOneTextForEachBytes) {
  // RFC 4648, section 10.
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(from_base64("Zm9vYmFy"), "foobar");
  EXPECT_EQ(from_base64("Zg=="), "f");
  EXPECT_EQ(from_base64(""), "");
  for (const char* text : {"Zg", "Zg=", "Zh==", "Zm9v ", "Zm9v\n", "Zm-_", "Z", "====", "Zm9vYmFy="}) {
    EXPECT_FALSE(from_base64(text)) << text;
  }
}

TEST(Signing, WipeLeavesNothing) {
  std::string secret = "secret";
  const char* where = secret.data();
  wipe(secret);
  EXPECT_TRUE(secret.empty());
  EXPECT_EQ(*where, '\0');
}

}  // namespace
}  // namespace gelenk::signing_test
