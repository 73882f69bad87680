#include "gelenk/component/trust_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"

namespace gelenk::component {
namespace {

constexpr std::string_view kTitle = "gelenk-trusted-keys 1";
constexpr std::string_view kEnd = "end";  // shows a list that was cut short
constexpr std::size_t kMostStoreBytes = std::size_t{1} << 20;
constexpr std::size_t kLongestSigner = 100;

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestSigner && name == trim(name) && is_printable(name, false) &&
         !name.starts_with("gelenk-");  // a key in the place of a name is a mistake
}

bool can_be_changed_by_others(const std::string& path) {
  using std::filesystem::perms;
  std::error_code problem;
  const perms allowed = std::filesystem::status(path, problem).permissions();
  return problem || (allowed & (perms::group_write | perms::others_write)) != perms::none;
}

}  // namespace

std::optional<std::string> TrustStore::default_path() {
  const std::optional<std::string> folder = user_config_dir();
  if (!folder) return std::nullopt;
  return *folder + "/trusted-keys";
}

std::optional<TrustStore> TrustStore::load(const std::string& path, std::string& error) {
  error.clear();
  const ReadResult file = read_file(path, kMostStoreBytes);
  if (!file.text && file.code == Code::file_not_found) return TrustStore();
  if (!file.text) {
    error = fmt::format("the list of trusted keys '{}' cannot be read: {}", path, file.reason);
    return std::nullopt;
  }
  if (can_be_changed_by_others(path)) {
    error = fmt::format(
        "the list of trusted keys '{}' can be changed by others; restrict it to yourself: chmod 600 '{}'", path, path);
    return std::nullopt;
  }
  const std::vector<std::string> lines = split(*file.text, '\n');
  const auto damaged = [&](std::size_t line, std::string_view reason) {
    error = fmt::format("the list of trusted keys '{}' is damaged, line {}: {}", path, line + 1, reason);
    return std::nullopt;
  };
  if (lines.front() != kTitle) return damaged(0, fmt::format("'{}' is expected here", kTitle));
  if (lines.size() < 3 || !lines.back().empty() || lines[lines.size() - 2] != kEnd) {
    return damaged(lines.size() - 1, "the list is cut short");
  }
  TrustStore store;
  for (std::size_t i = 1; i + 2 < lines.size(); ++i) {
    if (lines[i].starts_with('#')) continue;
    const std::size_t blank = lines[i].find(' ');
    std::string reason;
    const std::optional<PublicKey> key = parse_public_key(lines[i].substr(0, blank), reason);
    if (!key) return damaged(i, reason);
    reason = store.add(blank == std::string::npos ? "" : lines[i].substr(blank + 1), *key);
    if (!reason.empty()) return damaged(i, reason);
  }
  return store;
}

std::string TrustStore::save(const std::string& path) const {
  std::string text = fmt::format(
      "{}\n# Written by 'gelenk trust'. Components signed by these keys run as if they were "
      "part of Gelenk.\n",
      kTitle);
  for (const TrustedKey& entry : keys_) text += fmt::format("{} {}\n", public_key_text(entry.key), entry.name);
  text += fmt::format("{}\n", kEnd);
  std::error_code problem;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), problem);
  const std::string reason = problem ? problem.message() : write_private_file_atomically(path, text);
  return reason.empty() ? reason : fmt::format("the list of trusted keys '{}' cannot be written: {}", path, reason);
}

const TrustedKey* TrustStore::find(const PublicKey& key) const {
  const auto found =
      std::find_if(keys_.begin(), keys_.end(), [&](const TrustedKey& entry) { return entry.key == key; });
  return found == keys_.end() ? nullptr : &*found;
}

const TrustedKey* TrustStore::find(std::string_view name) const {
  const auto found =
      std::find_if(keys_.begin(), keys_.end(), [&](const TrustedKey& entry) { return entry.name == name; });
  return found == keys_.end() ? nullptr : &*found;
}

std::string TrustStore::add(std::string_view name, const PublicKey& key) {
  if (!is_name(name)) return fmt::format("{} cannot be the name of the owner of a key", shown(name));
  if (const TrustedKey* known = find(key)) return fmt::format("this key is already trusted, as '{}'", known->name);
  if (find(name) != nullptr) return fmt::format("'{}' is already the name of another key", name);
  keys_.push_back({std::string(name), key});
  return {};
}

bool TrustStore::remove(std::string_view name) {
  return std::erase_if(keys_, [&](const TrustedKey& entry) { return entry.name == name; }) > 0;
}

std::string_view trust_name(Trust trust) {
  constexpr std::array<std::string_view, 4> kNames{"trusted", "unknown key", "not signed", "damaged"};
  return kNames.at(static_cast<std::size_t>(trust));
}

Verdict judge(const OpenResult& opened, const TrustStore& store) {
  if (!opened.container) return {};
  const std::optional<Signature>& signature = opened.container->signature;
  if (!signature) return {Trust::not_signed, {}, std::nullopt};
  if (const TrustedKey* known = store.find(signature->key)) return {Trust::trusted, known->name, signature->key};
  return {Trust::unknown_key, {}, signature->key};
}

}  // namespace gelenk::component
