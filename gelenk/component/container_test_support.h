#pragma once

#include <string>

#include "gelenk/base/signing.h"
#include "gelenk/component/container.h"

// A component with a bit of everything, for tests of containers.
namespace gelenk::component {

inline SecretKey test_key(char letter) { return *SecretKey::from_seed(std::string(SecretKey::kSeedBytes, letter)); }

inline Manifest test_manifest() {
  Manifest manifest;
  manifest.about = {.name = "Strut",
                    .version = "1.2",
                    .maker = "Müller & Söhne",
                    .contact = "strut@example.com",
                    .licence = "documentation/licence.txt",
                    .doc = "A strut.\nWith a second line.",
                    .validity = "up to 2 m/s"};
  manifest.ports = {{"eye", PortKind::frame, kFrameWidth, "", "lower end"},
                    {"voltage", PortKind::signal_in, 1, "V", ""},
                    {"shaft", PortKind::rotational, kFlangeWidth, "", ""}};
  manifest.parameters = {{"stiffness", "N/m", 4e4, 1e4, 8e4, "of the spring"},
                         {"stages.2.ratio", "", 0.1, 0.0, 1.0, ""}};
  manifest.outputs = {{"strut.length", "m", "between the ends"}};
  return manifest;
}

inline ContainerDraft test_draft() {
  return {test_manifest(),
          {{"binaries/x86_64-linux/strut.so", std::string("\x7f"
                                                          "ELF\0one",
                                                          8)},
           {"resources/system.bin", "encoded"},
           {"documentation/licence.txt", "You may."}}};
}

}  // namespace gelenk::component
