#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/base/json.h"

// What a sealed component says about itself: everything that its owner may know, and nothing else. Stored as JSON in
// the container, signed byte for byte. docs/sealed-components.md has the text for people.
namespace gelenk::component {

// The owner's major version must be the same. A newer minor version only adds keys, which older readers leave out.
struct FormatVersion {
  int major = 1;
  int minor = 0;

  bool operator==(const FormatVersion&) const = default;
};

constexpr FormatVersion kManifestFormat{1, 0};

// Texts of the maker, as he wrote them. Without control characters, so that they can be printed as they are; only `doc`
// and `validity` have lines.
struct About {
  std::string name;
  std::string version;
  std::string maker;
  std::string contact;
  std::string licence;
  std::string doc;
  std::string validity;  // what it was made and tested for

  bool operator==(const About&) const = default;
};

enum class PortKind { frame, signal_in, signal_out, rotational, translational };

constexpr bool is_shaft(PortKind kind) { return kind == PortKind::rotational || kind == PortKind::translational; }

constexpr int kFrameWidth = 6;
constexpr int kFlangeWidth = 1;  // rotational and translational
constexpr int kMaxSignalWidth = 1000;

struct Port {
  std::string name;
  PortKind kind = PortKind::frame;
  int width = kFrameWidth;  // numbers of its velocity, or of its signal
  std::string unit;         // of a signal, SI; empty: a pure number
  std::string doc;

  bool operator==(const Port&) const = default;
};

// Numbers are SI, and the unit is one without a factor, so that nobody can take one for the other.
struct Parameter {
  std::string name;
  std::string unit;  // empty: a pure number
  double default_value = 0.0;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::string doc;

  bool operator==(const Parameter&) const = default;
};

struct Output {
  std::string name;
  std::string unit;
  std::string doc;

  bool operator==(const Output&) const = default;
};

struct FileRecord {
  std::string path;
  std::uint64_t size = 0;
  std::string sha256;  // 64 hexadecimal digits

  bool operator==(const FileRecord&) const = default;
};

struct Manifest {
  FormatVersion format = kManifestFormat;
  FormatVersion abi;  // of the C interface that the binaries speak
  About about;
  std::vector<Port> ports;
  std::vector<Parameter> parameters;
  std::vector<Output> outputs;
  std::vector<std::string> platforms;  // "x86_64-linux"
  std::vector<FileRecord> files;       // all but the manifest and its signature

  bool operator==(const Manifest&) const = default;
};

// "signal_in"
std::string_view port_kind_name(PortKind kind);

// Strict: every key has its kind, its range and its place; unknown keys are left out only if the minor version is newer
// than ours. Nothing with a sentence in `error` that names the place, "ports[2].width: ...". `is_newer`: the text is of
// a newer major version, about which nothing else can be said.
struct ManifestResult {
  std::optional<Manifest> manifest;
  std::string error;
  bool is_newer = false;
};
ManifestResult read_manifest(std::string_view json);

// The same manifest gives the same bytes. Empty texts and infinite limits are left out.
std::string write_manifest(const Manifest& manifest);
// As one value of another document.
void write_manifest(JsonWriter& json, const Manifest& manifest);

// "x86_64-linux": where this program runs, in the words of FMI 3.0.
std::string host_platform();

}  // namespace gelenk::component
