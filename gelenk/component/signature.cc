#include "gelenk/component/signature.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "gelenk/base/hash.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"

namespace gelenk::component {
namespace {

constexpr std::string_view kPublicPrefix = "gelenk-key:";
constexpr std::string_view kSecretPrefix = "gelenk-secret-key:";
constexpr std::string_view kSignatureTitle = "gelenk-signature 1";
constexpr std::size_t kChecksumBytes = 4;
constexpr std::size_t kFingerprintDigits = 32;
constexpr std::size_t kMostKeyFileBytes = 4096;

// The prefix counts, too: a public key never reads as a secret one.
std::string checksum(std::string_view prefix, std::string_view bytes) {
  Sha256 hash;
  hash.add(prefix);
  hash.add(bytes);
  return hash.digest().substr(0, kChecksumBytes);
}

std::string checked_text(std::string_view prefix, std::string_view bytes) {
  std::string content = std::string(bytes) + checksum(prefix, bytes);
  std::string text = std::string(prefix) + to_base64(content);
  wipe(content);
  return text;
}

// The bytes behind the prefix; nothing when the text is not whole.
std::optional<std::string> parse_checked_text(std::string_view prefix, std::string_view text) {
  if (!text.starts_with(prefix)) return std::nullopt;
  std::optional<std::string> content = from_base64(text.substr(prefix.size()));
  if (!content || content->size() < kChecksumBytes) return std::nullopt;
  const std::string sum = content->substr(content->size() - kChecksumBytes);
  content->resize(content->size() - kChecksumBytes);
  if (sum != checksum(prefix, *content)) return std::nullopt;
  return content;
}

std::optional<SecretKey> parse_secret_key(std::string_view file) {
  for (std::string& line : split(file, '\n')) {
    std::optional<std::string> seed = parse_checked_text(kSecretPrefix, trim(line));
    wipe(line);
    if (!seed) continue;
    std::optional<SecretKey> key = SecretKey::from_seed(*seed);
    wipe(*seed);
    return key;
  }
  return std::nullopt;
}

}  // namespace

std::string public_key_text(const PublicKey& key) { return checked_text(kPublicPrefix, key.view()); }

std::optional<PublicKey> parse_public_key(std::string_view text, std::string& error) {
  error.clear();
  text = trim(text);
  const std::optional<std::string> bytes = parse_checked_text(kPublicPrefix, text);
  const std::optional<PublicKey> key = bytes ? PublicKey::from_bytes(*bytes) : std::nullopt;
  if (key) return key;
  if (text.starts_with(kSecretPrefix)) {
    error = "this is a secret key; give others only the public one, gelenk-key:...";
  } else if (text.starts_with(kPublicPrefix)) {
    error = "the key is not complete: a letter is missing or wrong";
  } else {
    error = fmt::format("{} is not a key; keys begin with {}", shown(text), kPublicPrefix);
  }
  return std::nullopt;
}

std::string fingerprint(const PublicKey& key) {
  constexpr std::size_t kGroup = 4;
  const std::string digits = sha256(key.view()).substr(0, kFingerprintDigits);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && i % kGroup == 0) text += '-';
    const char c = digits[i];
    text += c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return text;
}

std::optional<std::string> default_secret_key_path() {
  const std::optional<std::string> folder = user_config_dir();
  if (!folder) return std::nullopt;
  return *folder + "/signing-key";
}

std::string write_secret_key(const std::string& path, const SecretKey& key) {
  std::string seed = key.seed();
  std::string line = checked_text(kSecretPrefix, seed);
  std::string text = fmt::format(
      "# Secret key of Gelenk. Anyone who has it can sign components in your name: keep a copy in a safe place, "
      "give it to nobody.\n# Its public key is {}\n{}\n",
      public_key_text(key.public_key()), line);
  const std::string reason = create_private_file(path, text);
  for (std::string* secret : {&seed, &line, &text}) wipe(*secret);
  return reason.empty() ? reason : fmt::format("the key cannot be written to '{}': {}", path, reason);
}

std::optional<SecretKey> read_secret_key(const std::string& path, std::string& error) {
  error.clear();
  ReadResult file = read_file(path, kMostKeyFileBytes);
  if (!file.text) {
    error = fmt::format("the secret key '{}' cannot be read: {}", path, file.reason);
    return std::nullopt;
  }
  using std::filesystem::perms;
  std::error_code problem;
  const perms allowed = std::filesystem::status(path, problem).permissions();
  std::optional<SecretKey> key = parse_secret_key(*file.text);
  wipe(*file.text);
  if (problem || (allowed & (perms::group_all | perms::others_all)) != perms::none) {
    error =
        fmt::format("the secret key '{}' can be read by others; restrict it to yourself: chmod 600 '{}'", path, path);
    return std::nullopt;
  }
  if (!key) error = fmt::format("'{}' does not hold a complete secret key", path);
  return key;
}

Signature sign_manifest(const SecretKey& key, std::string_view manifest) {
  return {key.public_key(), key.sign(manifest)};
}

bool fits(const Signature& signature, std::string_view manifest) {
  return is_signed_by(signature.key, manifest, signature.bytes);
}

std::string write_signature(const Signature& signature) {
  return fmt::format("{}\nkey {}\nsignature {}\n", kSignatureTitle, public_key_text(signature.key),
                     to_base64(signature.bytes));
}

std::optional<Signature> read_signature(std::string_view text, std::string& error) {
  error.clear();
  constexpr std::string_view kKey = "key ", kBytes = "signature ";
  const std::vector<std::string> lines = split(text, '\n');
  const bool has_form = lines.size() == 4 && lines[0] == kSignatureTitle && lines[1].starts_with(kKey) &&
                        lines[2].starts_with(kBytes) && lines[3].empty();
  if (!has_form) {
    error = "the signature file was not written by Gelenk";
    return std::nullopt;
  }
  const std::optional<PublicKey> key = parse_public_key(std::string_view(lines[1]).substr(kKey.size()), error);
  const std::optional<std::string> bytes = from_base64(std::string_view(lines[2]).substr(kBytes.size()));
  if (key && bytes && bytes->size() == kSignatureBytes) return Signature{*key, *bytes};
  if (error.empty()) error = "the signature is not complete";
  return std::nullopt;
}

}  // namespace gelenk::component
