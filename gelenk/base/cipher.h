#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gelenk {

struct CipherKey {
  static constexpr std::size_t kBytes = 32;

  std::array<unsigned char, kBytes> bytes{};

  // From a secret of any length.
  static CipherKey from_secret(std::string_view secret);
};

// Bytes that show nothing of the text but its length, and that nobody can alter unnoticed. The same text and key give
// the same bytes, so who has two of them sees whether the texts are the same.
std::string encipher(std::string_view text, const CipherKey& key);
// Nothing: these are no bytes of encipher() with this key.
std::optional<std::string> decipher(std::string_view bytes, const CipherKey& key);

}  // namespace gelenk
