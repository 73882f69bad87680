#include "gelenk/component/manifest.h"

#include <array>
#include <cmath>

namespace gelenk::component {
namespace {

constexpr std::array<std::string_view, 5> kPortKinds{"frame", "signal_in", "signal_out", "rotational", "translational"};

void write_text(JsonWriter& json, std::string_view key, std::string_view text) {
  if (!text.empty()) json.member(key, text);
}

void write_limit(JsonWriter& json, std::string_view key, double value) {
  if (std::isfinite(value)) json.member(key, value);
}

void write_version(JsonWriter& json, std::string_view key, const FormatVersion& version) {
  json.key(key).begin_object().member("major", version.major).member("minor", version.minor).end_object();
}

void write_about(JsonWriter& json, const About& about) {
  json.key("about").begin_object().member("name", about.name).member("version", about.version);
  write_text(json, "maker", about.maker);
  write_text(json, "contact", about.contact);
  write_text(json, "licence", about.licence);
  write_text(json, "doc", about.doc);
  write_text(json, "validity", about.validity);
  json.end_object();
}

void write_ports(JsonWriter& json, const std::vector<Port>& ports) {
  json.key("ports").begin_array();
  for (const Port& port : ports) {
    json.begin_object().member("name", port.name).member("kind", port_kind_name(port.kind));
    json.member("width", port.width);
    write_text(json, "unit", port.unit);
    write_text(json, "doc", port.doc);
    json.end_object();
  }
  json.end_array();
}

void write_parameters(JsonWriter& json, const std::vector<Parameter>& parameters) {
  json.key("parameters").begin_array();
  for (const Parameter& parameter : parameters) {
    json.begin_object().member("name", parameter.name);
    write_text(json, "unit", parameter.unit);
    json.member("default", parameter.default_value);
    write_limit(json, "min", parameter.min);
    write_limit(json, "max", parameter.max);
    write_text(json, "doc", parameter.doc);
    json.end_object();
  }
  json.end_array();
}

void write_outputs(JsonWriter& json, const std::vector<Output>& outputs) {
  json.key("outputs").begin_array();
  for (const Output& output : outputs) {
    json.begin_object().member("name", output.name);
    write_text(json, "unit", output.unit);
    write_text(json, "doc", output.doc);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string_view port_kind_name(PortKind kind) { return kPortKinds.at(static_cast<std::size_t>(kind)); }

void write_manifest(JsonWriter& json, const Manifest& manifest) {
  json.begin_object();
  write_version(json, "format", manifest.format);
  write_version(json, "abi", manifest.abi);
  write_about(json, manifest.about);
  write_ports(json, manifest.ports);
  write_parameters(json, manifest.parameters);
  write_outputs(json, manifest.outputs);
  json.key("platforms").begin_array();
  for (const std::string& platform : manifest.platforms) json.value(platform);
  json.end_array().key("files").begin_array();
  for (const FileRecord& file : manifest.files) {
    json.begin_object().member("path", file.path).member("size", file.size).member("sha256", file.sha256).end_object();
  }
  json.end_array().end_object();
}

std::string write_manifest(const Manifest& manifest) {
  JsonWriter json;
  write_manifest(json, manifest);
  return json.take();
}

std::string host_platform() {
#if defined(__x86_64__)
  return "x86_64-linux";
#elif defined(__aarch64__)
  return "aarch64-linux";
#else
#error "name this platform as FMI 3.0 does"
#endif
}

}  // namespace gelenk::component
