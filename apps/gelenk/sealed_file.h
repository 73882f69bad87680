#pragma once

#include <optional>
#include <string>

#include "apps/gelenk/console.h"
#include "gelenk/component/trust_store.h"

// Sealed components (*.gkc) for people: what `gelenk info` and `gelenk verify` say about them.
namespace gelenk::app {

// By its name, or by its first bytes.
bool is_component_file(const std::string& path);

// The user's list of trusted keys and where it lies; nothing with a sentence in `error`.
struct LoadedTrust {
  std::string path;
  component::TrustStore store;
};
std::optional<LoadedTrust> load_trust(std::string& error);

ExitCode show_component_info(const std::string& file, Console& console);
// Exit code 0: whole and trusted; 1: damaged or not trusted; 4: cannot be judged.
ExitCode verify_component(const std::string& file, Console& console);

}  // namespace gelenk::app
