#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "apps/gelenk/sealed_file.h"
#include "apps/gelenk/verb.h"
#include "gelenk/base/json.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

using component::TrustedKey;

constexpr std::size_t kMostKeyBytes = 4096;

struct TrustRequest {
  std::string action;
  std::vector<std::string> words;
  std::string output;
};

void write_key(JsonWriter& json, const PublicKey& key) {
  json.member("key", component::public_key_text(key)).member("fingerprint", component::fingerprint(key));
}

// A command with one key as its result.
std::string key_json(std::string_view file, const std::string& path, std::string_view name, const PublicKey& key) {
  JsonWriter json;
  json.begin_object().member("ok", true).member(file, path);
  if (!name.empty()) json.member("name", name);
  write_key(json, key);
  return json.end_object().take();
}

ExitCode keygen(const TrustRequest& request, Console& console) {
  std::string path = request.output;
  if (path.empty()) {
    const std::optional<std::string> usual = component::default_secret_key_path();
    if (!usual) {
      return console.fail(ExitCode::file_error, "there is no folder for your settings: HOME is not set",
                          "name a file: gelenk trust keygen -o FILE");
    }
    path = *usual;
    std::error_code problem;  // reported when the key is written
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), problem);
  }
  const std::string public_path = path + ".pub";
  for (const std::string& taken : {path, public_path}) {
    std::error_code problem;
    if (!std::filesystem::exists(std::filesystem::symlink_status(taken, problem))) continue;
    return console.fail(ExitCode::file_error, fmt::format("'{}' already exists and was left unchanged", taken),
                        "one key for all your components is enough; for another: gelenk trust keygen -o FILE");
  }
  const SecretKey key = SecretKey::make();
  const PublicKey public_key = key.public_key();
  const std::string text = component::public_key_text(public_key);
  if (const std::string error = component::write_secret_key(path, key); !error.empty()) {
    return console.fail(ExitCode::file_error, error);
  }
  if (const std::string reason = write_file_atomically(public_path, text + "\n"); !reason.empty()) {
    return console.fail(ExitCode::file_error, fmt::format("the file '{}' cannot be written: {}", public_path, reason));
  }
  if (console.json) {
    console.out(key_json("secretKeyFile", path, {}, public_key));
    return ExitCode::ok;
  }
  console.out(text + "\n");
  console.message(
      fmt::format("fingerprint: {}\n"
                  "secret key:  {} (keep a copy in a safe place, and to yourself)\n"
                  "public key:  {} (give it to those who get your components, and the fingerprint separately)\n",
                  component::fingerprint(public_key), path, public_path));
  return ExitCode::ok;
}

// The key itself, or a file that has nothing else in it.
std::optional<PublicKey> key_from(const std::string& word, std::string& error) {
  if (word.starts_with("gelenk-")) return component::parse_public_key(word, error);
  const ReadResult file = read_file(word, kMostKeyBytes);
  if (!file.text && file.code == Code::file_not_found) return component::parse_public_key(word, error);
  if (!file.text) {
    error = fmt::format("the file '{}' cannot be read: {}", word, file.reason);
    return std::nullopt;
  }
  const std::optional<PublicKey> key = component::parse_public_key(*file.text, error);
  if (!key) error = fmt::format("'{}': {}", word, error);
  return key;
}

ExitCode add(const TrustRequest& request, LoadedTrust& trust, Console& console) {
  const std::string& name = request.words[0];
  if (name.starts_with("gelenk-key:")) {
    return console.fail(ExitCode::usage_error, "the name comes first", "usage: gelenk trust add NAME KEY");
  }
  std::string error;
  const std::optional<PublicKey> key = key_from(request.words[1], error);
  if (!key) return console.fail(ExitCode::usage_error, error, "usage: gelenk trust add NAME KEY");
  error = trust.store.add(name, *key);
  if (!error.empty()) return console.fail(ExitCode::usage_error, error, "'gelenk trust list' shows all");
  error = trust.store.save(trust.path);
  if (!error.empty()) return console.fail(ExitCode::file_error, error);
  if (console.json) {
    console.out(key_json("store", trust.path, name, *key));
    return ExitCode::ok;
  }
  console.message(
      fmt::format("'{}' is now trusted: what this key has signed runs as if it were part of Gelenk.\n"
                  "fingerprint: {}\nIs it the one that '{}' gave you separately? If not: gelenk trust remove '{}'\n",
                  name, component::fingerprint(*key), name, name));
  return ExitCode::ok;
}

ExitCode list(const LoadedTrust& trust, Console& console) {
  const std::vector<TrustedKey>& keys = trust.store.keys();
  if (console.json) {
    JsonWriter json;
    json.begin_object().member("ok", true).member("store", trust.path).key("keys").begin_array();
    for (const TrustedKey& entry : keys) {
      json.begin_object().member("name", entry.name);
      write_key(json, entry.key);
      json.end_object();
    }
    console.out(json.end_array().end_object().take());
    return ExitCode::ok;
  }
  std::size_t width = 0;
  for (const TrustedKey& entry : keys) width = std::max(width, entry.name.size());
  for (const TrustedKey& entry : keys) {
    console.out(fmt::format("{:<{}}  {}  {}\n", entry.name, width, component::fingerprint(entry.key),
                            component::public_key_text(entry.key)));
  }
  if (keys.empty()) console.message("no key is trusted yet; the next step: gelenk trust add NAME KEY\n");
  return ExitCode::ok;
}

ExitCode remove(const TrustRequest& request, LoadedTrust& trust, Console& console) {
  std::string error;
  const std::string& word = request.words[0];
  const std::optional<PublicKey> key = component::parse_public_key(word, error);
  const TrustedKey* found = key ? trust.store.find(*key) : trust.store.find(word);
  if (found == nullptr) {
    std::vector<std::string> names;
    for (const TrustedKey& entry : trust.store.keys()) names.push_back(entry.name);
    const std::string hint = did_you_mean(word, names);
    return console.fail(ExitCode::usage_error, fmt::format("no trusted key has the name {}", shown(word)),
                        hint.empty() ? "'gelenk trust list' shows all" : hint);
  }
  const TrustedKey removed = *found;
  trust.store.remove(removed.name);
  error = trust.store.save(trust.path);
  if (!error.empty()) return console.fail(ExitCode::file_error, error);
  if (console.json) {
    console.out(key_json("store", trust.path, removed.name, removed.key));
  } else {
    console.message(fmt::format("'{}' is no longer trusted\n", removed.name));
  }
  return ExitCode::ok;
}

struct TrustAction {
  std::string_view name;
  std::size_t word_count;
  std::string_view usage;
};
constexpr std::array kActions{
    TrustAction{"keygen", 0, "gelenk trust keygen [-o FILE]"}, TrustAction{"add", 2, "gelenk trust add NAME KEY"},
    TrustAction{"list", 0, "gelenk trust list"}, TrustAction{"remove", 1, "gelenk trust remove NAME"}};

std::vector<std::string> action_names() {
  std::vector<std::string> names;
  for (const TrustAction& action : kActions) names.emplace_back(action.name);
  return names;
}

ExitCode trust(const TrustRequest& request, Console& console) {
  const auto* action = std::find_if(kActions.begin(), kActions.end(),
                                    [&](const TrustAction& known) { return known.name == request.action; });
  if (action == kActions.end()) {
    const std::string hint = did_you_mean(request.action, action_names());
    return console.fail(ExitCode::usage_error, fmt::format("'gelenk trust' has no action {}", shown(request.action)),
                        hint.empty() ? "it takes one of " + join(action_names(), ", ") : hint);
  }
  if (request.words.size() != action->word_count || (!request.output.empty() && action->name != "keygen")) {
    const std::string what =
        request.words.size() < action->word_count ? "something is missing after" : "there are too many words after";
    return console.fail(ExitCode::usage_error, fmt::format("{} 'gelenk trust {}'", what, action->name),
                        fmt::format("usage: {}", action->usage));
  }
  if (action->name == "keygen") return keygen(request, console);
  std::string error;
  std::optional<LoadedTrust> loaded = load_trust(error);
  if (!loaded) return console.fail(ExitCode::file_error, error);
  if (action->name == "add") return add(request, *loaded, console);
  if (action->name == "remove") return remove(request, *loaded, console);
  return list(*loaded, console);
}

}  // namespace

Action describe_trust(Options& options) {
  const auto request = std::make_shared<TrustRequest>();
  options.arguments.push_back({.name = "ACTION",
                               .doc = join(action_names(), "|"),
                               .target = &request->action,
                               .completion = Completion::words,
                               .words = action_names()});
  options.arguments.push_back(
      {.name = "WORDS",
       .doc = "for add: NAME KEY, where KEY is gelenk-key:... or a file with it; for remove: NAME",
       .list = &request->words,
       .is_required = false});
  options.values.push_back({"-o,--output", "FILE",
                            "for keygen: file for the secret key; the public one goes to FILE.pub", &request->output});
  options.details =
      "examples:\n"
      "  gelenk trust keygen                         make a key, to sign components with\n"
      "  gelenk trust add ACME gelenk-key:AbC...     trust what ACME signs\n"
      "  gelenk trust list\n"
      "  gelenk trust remove ACME\n"
      "Only components signed by a trusted key run inside the program. See 'gelenk help sealed-components'.\n";
  return [request](Console& console) { return trust(*request, console); };
}

}  // namespace gelenk::app
