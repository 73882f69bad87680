#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/component/container.h"
#include "gelenk/component/signature.h"

// Whose components run without a sandbox. The list belongs to the user: it lies in his configuration folder and nowhere
// else, so that no model and no component can bring its own.
namespace gelenk::component {

struct TrustedKey {
  std::string name;  // as the user calls its owner
  PublicKey key;

  bool operator==(const TrustedKey&) const = default;
};

class TrustStore {
 public:
  // $XDG_CONFIG_HOME/gelenk/trusted-keys or ~/.config/gelenk/trusted-keys; nothing without a home.
  static std::optional<std::string> default_path();

  // A file that is not there is an empty list. One that cannot be read, that others can change, or that has a line that
  // is not understood gives nothing, with a sentence in `error`: half a list is never believed.
  static std::optional<TrustStore> load(const std::string& path, std::string& error);
  // Makes the folder, too, and replaces the file in one step. Returns what went wrong, or nothing.
  std::string save(const std::string& path) const;

  const std::vector<TrustedKey>& keys() const { return keys_; }
  const TrustedKey* find(const PublicKey& key) const;
  const TrustedKey* find(std::string_view name) const;

  // What stands against it, or nothing: a name that is no name, a name or a key that is in the list already.
  std::string add(std::string_view name, const PublicKey& key);
  bool remove(std::string_view name);

 private:
  std::vector<TrustedKey> keys_;
};

enum class Trust { trusted, unknown_key, not_signed, damaged };

struct Verdict {
  Trust trust = Trust::damaged;
  std::string name;              // of a trusted key
  std::optional<PublicKey> key;  // that signed it

  bool is_trusted() const { return trust == Trust::trusted; }
};

// "trusted", "unknown key", "not signed", "damaged"
std::string_view trust_name(Trust trust);

// What could not be opened is damaged.
Verdict judge(const OpenResult& opened, const TrustStore& store);

}  // namespace gelenk::component
