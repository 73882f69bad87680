#include "gelenk/base/hash.h"

#include <sodium.h>

#include <array>

#include "gelenk/base/sodium_ready.h"

namespace gelenk {
namespace {

static_assert(Sha256::kBytes == crypto_hash_sha256_BYTES);

std::string in_digits(std::span<const unsigned char> bytes) {
  std::string text(2 * bytes.size() + 1, '\0');  // the library ends it with a zero
  sodium_bin2hex(text.data(), text.size(), bytes.data(), bytes.size());
  text.pop_back();
  return text;
}

}  // namespace

struct Sha256::State {
  crypto_hash_sha256_state value{};

  std::array<unsigned char, kBytes> finished() const {
    crypto_hash_sha256_state copy = value;  // finishing spoils it
    std::array<unsigned char, kBytes> result{};
    crypto_hash_sha256_final(&copy, result.data());
    return result;
  }
};

Sha256::Sha256() : state_(std::make_unique<State>()) { crypto_hash_sha256_init(&state_->value); }
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::add(std::span<const std::byte> bytes) {
  crypto_hash_sha256_update(&state_->value, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

void Sha256::add(std::string_view bytes) { add(std::as_bytes(std::span(bytes))); }

std::string Sha256::digest() const {
  const std::array<unsigned char, kBytes> bytes = state_->finished();
  return {bytes.begin(), bytes.end()};
}

std::string Sha256::hex() const { return in_digits(state_->finished()); }

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

std::string random_id() {
  prepare_sodium();
  std::array<unsigned char, 16> bytes{};
  randombytes_buf(bytes.data(), bytes.size());
  return in_digits(bytes);
}

}  // namespace gelenk
