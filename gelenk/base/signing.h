#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// Signatures by Ed25519 (RFC 8032): who has the secret key signs, everybody with the public key can check.
namespace gelenk {

struct PublicKey {
  static constexpr std::size_t kBytes = 32;

  std::array<unsigned char, kBytes> bytes{};

  // Nothing unless there are as many bytes as a key has.
  static std::optional<PublicKey> from_bytes(std::string_view bytes);
  std::string_view view() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
  bool operator==(const PublicKey&) const = default;
};

constexpr std::size_t kSignatureBytes = 64;

// Its memory is wiped when it is no longer needed.
class SecretKey {
 public:
  static constexpr std::size_t kSeedBytes = 32;

  // From the random numbers of the operating system.
  static SecretKey make();
  // What RFC 8032 calls the private key; everything else follows from it.
  static std::optional<SecretKey> from_seed(std::string_view seed);

  SecretKey(SecretKey&& other) noexcept;
  SecretKey& operator=(SecretKey&& other) noexcept;
  SecretKey(const SecretKey&) = delete;
  SecretKey& operator=(const SecretKey&) = delete;
  ~SecretKey();

  PublicKey public_key() const;
  std::string seed() const;
  std::string sign(std::string_view message) const;  // kSignatureBytes

 private:
  SecretKey() = default;

  std::array<unsigned char, kSeedBytes + PublicKey::kBytes> bytes_{};
};

bool is_signed_by(const PublicKey& key, std::string_view message, std::string_view signature);

// Base 64 of RFC 4648 with its usual letters, filled up with '='. Reading it back allows nothing else: one text for
// each sequence of bytes.
std::string to_base64(std::string_view bytes);
std::optional<std::string> from_base64(std::string_view text);

// Overwrites a secret in a way that no compiler leaves out.
void wipe(std::string& secret);

}  // namespace gelenk
