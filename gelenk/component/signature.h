#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gelenk/base/signing.h"

// Keys and signatures as people and files have them. Texts end in a checksum, so that a letter that was lost on the way
// is found before anything is trusted.
namespace gelenk::component {

// "gelenk-key:" and 48 letters.
std::string public_key_text(const PublicKey& key);
// Blanks around it do not matter. Nothing with a sentence in `error`.
std::optional<PublicKey> parse_public_key(std::string_view text, std::string& error);
// For two people on the phone: "1A2B-3C4D-...", 128 bits of a hash of the key.
std::string fingerprint(const PublicKey& key);

// Where a maker's secret key lies unless he says otherwise: `signing-key` in his configuration folder; nothing without
// a home.
std::optional<std::string> default_secret_key_path();
// A new file that only the user can read; one that exists is never replaced. Returns what went wrong, or nothing.
std::string write_secret_key(const std::string& path, const SecretKey& key);
// Refuses a file that others can read: its secret is none. Nothing with a sentence in `error` that names the file.
std::optional<SecretKey> read_secret_key(const std::string& path, std::string& error);

// Ed25519 over the bytes of the manifest as they stand in the container; any other program can check it.
struct Signature {
  PublicKey key;
  std::string bytes;

  bool operator==(const Signature&) const = default;
};

Signature sign_manifest(const SecretKey& key, std::string_view manifest);
bool fits(const Signature& signature, std::string_view manifest);

// The file manifest.sig: three lines, the last two of which are `key ...` and `signature ...`.
std::string write_signature(const Signature& signature);
std::optional<Signature> read_signature(std::string_view text, std::string& error);

}  // namespace gelenk::component
