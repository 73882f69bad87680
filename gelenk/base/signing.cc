#include "gelenk/base/signing.h"

#include <sodium.h>

#include <algorithm>

#include "gelenk/base/sodium_ready.h"

namespace gelenk {
namespace {

static_assert(PublicKey::kBytes == crypto_sign_PUBLICKEYBYTES);
static_assert(SecretKey::kSeedBytes == crypto_sign_SEEDBYTES);
static_assert(SecretKey::kSeedBytes + PublicKey::kBytes == crypto_sign_SECRETKEYBYTES);
static_assert(kSignatureBytes == crypto_sign_BYTES);

}  // namespace

std::optional<PublicKey> PublicKey::from_bytes(std::string_view bytes) {
  if (bytes.size() != kBytes) return std::nullopt;
  PublicKey key;
  std::copy(bytes.begin(), bytes.end(), key.bytes.begin());
  return key;
}

SecretKey SecretKey::make() {
  prepare_sodium();
  SecretKey key;
  PublicKey ignored;  // the secret key has it, too
  crypto_sign_keypair(ignored.bytes.data(), key.bytes_.data());
  return key;
}

std::optional<SecretKey> SecretKey::from_seed(std::string_view seed) {
  if (seed.size() != kSeedBytes) return std::nullopt;
  prepare_sodium();
  SecretKey key;
  PublicKey ignored;
  crypto_sign_seed_keypair(ignored.bytes.data(), key.bytes_.data(), raw_bytes(seed));
  return key;
}

SecretKey::SecretKey(SecretKey&& other) noexcept : bytes_(other.bytes_) {
  sodium_memzero(other.bytes_.data(), other.bytes_.size());
}

SecretKey& SecretKey::operator=(SecretKey&& other) noexcept {
  if (this != &other) {
    bytes_ = other.bytes_;
    sodium_memzero(other.bytes_.data(), other.bytes_.size());
  }
  return *this;
}

SecretKey::~SecretKey() { sodium_memzero(bytes_.data(), bytes_.size()); }

PublicKey SecretKey::public_key() const {
  PublicKey key;
  crypto_sign_ed25519_sk_to_pk(key.bytes.data(), bytes_.data());
  return key;
}

std::string SecretKey::seed() const { return {bytes_.begin(), bytes_.begin() + kSeedBytes}; }

std::string SecretKey::sign(std::string_view message) const {
  std::string signature(kSignatureBytes, '\0');
  crypto_sign_detached(reinterpret_cast<unsigned char*>(signature.data()), nullptr, raw_bytes(message), message.size(),
                       bytes_.data());
  return signature;
}

bool is_signed_by(const PublicKey& key, std::string_view message, std::string_view signature) {
  if (signature.size() != kSignatureBytes) return false;
  prepare_sodium();
  return crypto_sign_verify_detached(raw_bytes(signature), raw_bytes(message), message.size(), key.bytes.data()) == 0;
}

std::string to_base64(std::string_view bytes) {
  constexpr int kVariant = sodium_base64_VARIANT_ORIGINAL;
  std::string text(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), raw_bytes(bytes), bytes.size(), kVariant);
  text.pop_back();  // the library ends it with a zero
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes(text.size() / 4 * 3, '\0');
  std::size_t size = 0;
  const char* end = nullptr;
  const int status = sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(),
                                       text.size(), nullptr, &size, &end, sodium_base64_VARIANT_ORIGINAL);
  if (status != 0 || end != text.data() + text.size()) return std::nullopt;
  bytes.resize(size);
  return bytes;
}

void wipe(std::string& secret) {
  sodium_memzero(secret.data(), secret.size());
  secret.clear();
}

}  // namespace gelenk
