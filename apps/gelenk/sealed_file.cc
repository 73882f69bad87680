#include "apps/gelenk/sealed_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "gelenk/base/json.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

using component::Container;
using component::Manifest;
using component::OpenProblem;
using component::OpenResult;
using component::Trust;
using component::Verdict;

std::string open_hint(OpenProblem problem) {
  if (problem == OpenProblem::damaged) return "do not use it; ask its maker for a new copy";
  if (problem == OpenProblem::newer) return "update Gelenk, or ask the maker for a file for this version";
  return {};
}

// Who stands behind it, in a few words.
std::string signature_text(const Verdict& verdict) {
  const std::string digits = verdict.key ? component::fingerprint(*verdict.key) : std::string();
  switch (verdict.trust) {
    case Trust::trusted:
      return fmt::format("trusted, signed by '{}' ({})", verdict.name, digits);
    case Trust::unknown_key:
      return fmt::format("signed by a key that you do not trust ({})", digits);
    case Trust::not_signed:
      return "not signed";
    case Trust::damaged:
      break;
  }
  return "damaged";
}

void write_verdict(JsonWriter& json, const Verdict& verdict) {
  json.member("trust", component::trust_name(verdict.trust)).key("trustedAs");
  if (verdict.is_trusted()) {
    json.value(verdict.name);
  } else {
    json.null();
  }
  if (verdict.key) {
    json.member("key", component::public_key_text(*verdict.key));
    json.member("fingerprint", component::fingerprint(*verdict.key));
  } else {
    json.key("key").null().key("fingerprint").null();
  }
}

std::string range_text(const component::Parameter& parameter) {
  const bool has_min = std::isfinite(parameter.min), has_max = std::isfinite(parameter.max);
  if (has_min && has_max) {
    return fmt::format("{} to {}", format_rounded(parameter.min, 6), format_rounded(parameter.max, 6));
  }
  if (has_min) return fmt::format("from {}", format_rounded(parameter.min, 6));
  return has_max ? fmt::format("up to {}", format_rounded(parameter.max, 6)) : std::string();
}

// A text of the maker with all lines but the first moved to the right: it cannot pass for a line of ours.
std::string indented(std::string_view text, std::size_t columns) {
  return join(split(trim(text), '\n'), "\n" + std::string(columns, ' '));
}

using Row = std::vector<std::string>;

// Columns as wide as they must be, below a heading; nothing without rows. Texts of several lines are shown by their
// first.
std::string table_text(std::string_view heading, std::vector<Row> rows) {
  if (rows.empty()) return {};
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i].resize(std::min(row[i].find('\n'), row[i].size()));
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text = fmt::format("{}:\n", heading);
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths[i] > 0) line += fmt::format("  {:<{}}", row[i], widths[i]);
    }
    text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string interface_text(const Manifest& manifest) {
  std::vector<Row> ports, parameters, outputs;
  for (const component::Port& port : manifest.ports) {
    const std::string width = port.width > 1 && !port.unit.empty() ? fmt::format("{} x ", port.width) : "";
    ports.push_back({port.name, std::string(component::port_kind_name(port.kind)), width + port.unit, port.doc});
  }
  for (const component::Parameter& parameter : manifest.parameters) {
    parameters.push_back({parameter.name,
                          fmt::format("{} {}", format_rounded(parameter.default_value, 6), parameter.unit),
                          range_text(parameter), parameter.doc});
  }
  for (const component::Output& output : manifest.outputs) {
    outputs.push_back({output.name, output.unit, output.doc});
  }
  return table_text("ports", ports) + table_text("parameters", parameters) + table_text("outputs", outputs);
}

std::size_t unpacked_bytes(const Container& container) {
  std::size_t size = 0;
  for (const ZipEntry& file : container.files) size += file.bytes.size();
  return size;
}

std::string info_text(const std::string& file, const Container& container, const std::string& signature) {
  const Manifest& manifest = container.manifest;
  const component::About& about = manifest.about;
  std::string text = fmt::format("sealed component '{}', version {}\n", about.name, about.version);
  constexpr std::size_t kNames = 11;
  const auto line = [&](std::string_view name, std::string_view content) {
    if (content.empty()) return;
    text += fmt::format("{:<{}} {}\n", std::string(name) + ":", kNames, indented(content, kNames + 1));
  };
  line("file", fmt::format("{}, {}, {} bytes unpacked", file, counted(container.files.size(), "file"),
                           unpacked_bytes(container)));
  line("maker", about.maker);
  line("contact", about.contact);
  line("licence", about.licence);
  line("signature", signature);
  line("interface", fmt::format("{}.{}", manifest.abi.major, manifest.abi.minor));
  line("platforms", manifest.platforms.empty() ? "none" : join(manifest.platforms, ", "));
  line("valid for", about.validity);
  text += interface_text(manifest);
  return about.doc.empty() ? text : fmt::format("{}description:\n  {}\n", text, indented(about.doc, 2));
}

std::string info_json(const std::string& file, const Container& container, const Verdict* verdict) {
  JsonWriter json;
  json.begin_object().member("ok", true).member("file", file).member("kind", "component");
  json.member("unpackedBytes", unpacked_bytes(container));
  if (verdict != nullptr) {
    write_verdict(json, *verdict);
  } else {
    json.key("trust").null();
  }
  json.key("manifest");
  component::write_manifest(json, container.manifest);
  return json.end_object().take();
}

struct Judgment {
  std::string message;
  std::string hint;
};

Judgment judgment_of(const std::string& file, const Verdict& verdict, const OpenResult& opened) {
  switch (verdict.trust) {
    case Trust::trusted:
      break;
    case Trust::unknown_key:
      return {fmt::format("'{}' is intact, but signed by a key that you do not trust: {}", file,
                          component::fingerprint(*verdict.key)),
              fmt::format("ask its maker, by phone or on paper, whether this is their key, then: "
                          "gelenk trust add NAME {}",
                          component::public_key_text(*verdict.key))};
    case Trust::not_signed:
      return {fmt::format("'{}' is intact, but nobody has signed it", file),
              "anyone could have made it; ask its maker for a signed file"};
    case Trust::damaged:
      return {opened.error, open_hint(opened.problem)};
  }
  return {};
}

}  // namespace

bool is_component_file(const std::string& path) {
  if (path.ends_with(".gkc")) return true;
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem)) return false;
  std::string begin(4, '\0');
  std::ifstream(path, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return looks_like_zip(begin);
}

std::optional<LoadedTrust> load_trust(std::string& error) {
  const std::optional<std::string> path = component::TrustStore::default_path();
  if (!path) {
    error = "there is no folder for your settings: neither HOME nor XDG_CONFIG_HOME is set";
    return std::nullopt;
  }
  std::optional<component::TrustStore> store = component::TrustStore::load(*path, error);
  if (!store) return std::nullopt;
  return LoadedTrust{*path, std::move(*store)};
}

ExitCode show_component_info(const std::string& file, Console& console) {
  const OpenResult opened = component::open_container(file);
  if (!opened.container) return console.fail(ExitCode::file_error, opened.error, open_hint(opened.problem));
  std::string error;
  const std::optional<LoadedTrust> trust = load_trust(error);
  std::optional<Verdict> verdict;
  if (trust) verdict = component::judge(opened, trust->store);
  if (console.json) {
    console.out(info_json(file, *opened.container, verdict ? &*verdict : nullptr));
    return ExitCode::ok;
  }
  console.out(info_text(file, *opened.container, verdict ? signature_text(*verdict) : "not judged: " + error));
  return ExitCode::ok;
}

ExitCode verify_component(const std::string& file, Console& console) {
  const OpenResult opened = component::open_container(file);
  if (opened.problem != OpenProblem::none && opened.problem != OpenProblem::damaged) {
    return console.fail(ExitCode::file_error, opened.error, open_hint(opened.problem));
  }
  std::string error;
  const std::optional<LoadedTrust> trust = load_trust(error);
  if (!trust) return console.fail(ExitCode::file_error, error);
  const Verdict verdict = component::judge(opened, trust->store);
  const Judgment judgment = judgment_of(file, verdict, opened);
  const ExitCode code = verdict.is_trusted() ? ExitCode::ok : ExitCode::simulation_failed;
  if (console.json) {
    JsonWriter json;
    json.begin_object().member("ok", code == ExitCode::ok).member("exitCode", static_cast<int>(code));
    json.member("file", file).member("whole", opened.container.has_value());
    write_verdict(json, verdict);
    json.member("message", judgment.message).member("hint", judgment.hint);
    console.out(json.end_object().take());
    return code;
  }
  if (code != ExitCode::ok) return console.fail(code, judgment.message, judgment.hint);
  if (!console.quiet) {
    const component::About& about = opened.container->manifest.about;
    console.out(fmt::format("{}: '{}' {} is intact, {} as its maker wrote {}\n{}\n", file, about.name, about.version,
                            counted(opened.container->files.size(), "file"),
                            opened.container->files.size() == 1 ? "it" : "them", signature_text(verdict)));
  }
  return code;
}

}  // namespace gelenk::app
