#include "gelenk/base/cipher.h"

#include <sodium.h>

#include <algorithm>

#include "gelenk/base/sodium_ready.h"

namespace gelenk {
namespace {

// The check sum of the text, made with a key of its own, is the nonce of the stream (a synthetic initialization vector,
// as in RFC 5297): other texts get other streams without random numbers, and the sum proves that the text came back.
using Nonce = std::array<unsigned char, crypto_stream_xchacha20_NONCEBYTES>;

static_assert(CipherKey::kBytes == crypto_stream_xchacha20_KEYBYTES);
static_assert(CipherKey::kBytes == crypto_generichash_KEYBYTES);

CipherKey derived_key(const CipherKey& key, std::string_view purpose) {
  CipherKey result;
  crypto_generichash(result.bytes.data(), result.bytes.size(), raw_bytes(purpose), purpose.size(), key.bytes.data(),
                     key.bytes.size());
  return result;
}

Nonce nonce_of(std::string_view text, const CipherKey& key) {
  const CipherKey own = derived_key(key, "sum");
  Nonce nonce;
  crypto_generichash(nonce.data(), nonce.size(), raw_bytes(text), text.size(), own.bytes.data(), own.bytes.size());
  return nonce;
}

// Both ways are the same.
std::string streamed(std::string_view text, const Nonce& nonce, const CipherKey& key) {
  const CipherKey own = derived_key(key, "stream");
  std::string result(text.size(), '\0');
  crypto_stream_xchacha20_xor(reinterpret_cast<unsigned char*>(result.data()), raw_bytes(text), text.size(),
                              nonce.data(), own.bytes.data());
  return result;
}

}  // namespace

CipherKey CipherKey::from_secret(std::string_view secret) {
  CipherKey key;
  crypto_generichash(key.bytes.data(), key.bytes.size(), raw_bytes(secret), secret.size(), nullptr, 0);
  return key;
}

std::string encipher(std::string_view text, const CipherKey& key) {
  const Nonce nonce = nonce_of(text, key);
  return std::string(nonce.begin(), nonce.end()) + streamed(text, nonce, key);
}

std::optional<std::string> decipher(std::string_view bytes, const CipherKey& key) {
  Nonce nonce;
  if (bytes.size() < nonce.size()) return std::nullopt;
  std::copy_n(bytes.begin(), nonce.size(), nonce.begin());
  std::string text = streamed(bytes.substr(nonce.size()), nonce, key);
  if (nonce_of(text, key) != nonce) return std::nullopt;
  return text;
}

}  // namespace gelenk
