#include "apps/gelenk/info_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/gelenk/results_input.h"
#include "gelenk/base/json.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/base/text.h"
#include "gelenk/results/certificate.h"

namespace gelenk::app {
namespace {

struct TimeSpan {
  double begin = 0.0;
  double end = 0.0;
};

std::string read_span(const results::Reader& reader, TimeSpan& span) {
  if (reader.row_count() == 0) return {};
  std::string error = reader.read_rows(0, 0, 1, std::span(&span.begin, 1));
  if (error.empty()) error = reader.read_rows(0, reader.row_count() - 1, 1, std::span(&span.end, 1));
  return error;
}

std::string shape_text(const results::RecordedBlock& block) {
  std::vector<std::string> sizes;
  for (const std::size_t size : block.shape) sizes.push_back(std::to_string(size));
  return join(sizes, " × ");
}

std::string size_text(std::uintmax_t bytes) {
  constexpr double kKilo = 1e3;
  const auto size = static_cast<double>(bytes);
  if (size < kKilo * kKilo) return fmt::format("{:.3g} kB", size / kKilo);
  if (size < kKilo * kKilo * kKilo) return fmt::format("{:.3g} MB", size / kKilo / kKilo);
  return fmt::format("{:.3g} GB", size / kKilo / kKilo / kKilo);
}

std::uintmax_t file_size(const results::Reader& reader) {
  std::error_code problem;
  const std::uintmax_t size = std::filesystem::file_size(reader.path(), problem);
  return problem ? 0 : size;
}

// Outputs are few and what people look for first.
std::string outputs_text(const results::Reader& reader) {
  constexpr std::size_t kMostShown = 10;
  const std::vector<results::ChannelSource> outputs = output_channels(reader);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(outputs.size(), kMostShown); ++i) names.push_back(outputs[i].name);
  if (outputs.size() > kMostShown) names.push_back(fmt::format("{} more", outputs.size() - kMostShown));
  return join(names, ", ");
}

// A sealed component that the run used, as its books have it.
struct UsedComponent {
  std::string name, version, maker, file, host, licence_sha256;
};

std::vector<UsedComponent> components_of(const results::Reader& reader) {
  std::vector<UsedComponent> components;
  std::string unused;
  const std::optional<JsonValue> options = read_json(reader.header().options, unused);
  const JsonValue* const list = options ? options->find("components") : nullptr;
  if (list == nullptr) return components;
  for (const JsonValue& one : list->items) {
    // The file may be anybody's: what could draw on the terminal is shown as what it is.
    const auto text = [&](std::string_view key) {
      std::string value = one.text_or(key, "");
      return is_printable(value, false) ? value : shown(value);
    };
    components.push_back(
        {text("name"), text("version"), text("maker"), text("file"), text("carrier"), text("licenceSha256")});
  }
  return components;
}

// Each kind once, with how many of it there are.
std::string recorded_components(const results::Reader& reader) {
  std::vector<std::pair<std::string, std::size_t>> lines;
  for (const UsedComponent& one : components_of(reader)) {
    const std::string line = fmt::format(
        "{} {} by {}, {}, {}", one.name, one.version, one.maker.empty() ? "an unnamed maker" : one.maker, one.host,
        one.licence_sha256.empty() ? "no licence" : "licence " + one.licence_sha256.substr(0, 16));
    const auto known = std::find_if(lines.begin(), lines.end(), [&](const auto& other) { return other.first == line; });
    if (known == lines.end()) {
      lines.emplace_back(line, 1);
    } else {
      ++known->second;
    }
  }
  std::string text;
  for (const auto& [line, count] : lines) {
    text += fmt::format("{} {}{}\n", text.empty() ? "sealed:  " : "         ", line,
                        count == 1 ? "" : fmt::format(" ({} instances)", count));
  }
  return text;
}

// Sections with code in C, by the file that they name and where it ran.
std::string recorded_codes(const results::Reader& reader) {
  std::string unused;
  const std::optional<JsonValue> options = read_json(reader.header().options, unused);
  const JsonValue* const list = options ? options->find("codes") : nullptr;
  std::string text;
  for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
    const auto shown_text = [&](std::string_view key) {
      std::string value = list->items[i].text_or(key, "");
      return is_printable(value, false) ? value : shown(value);
    };
    text += fmt::format("{} {} from {}, {}\n", text.empty() ? "code:    " : "         ", shown_text("section"),
                        shown_text("file"), shown_text("carrier"));
  }
  return text;
}

std::optional<results::Certificate> certificate_of(const results::Reader& reader) {
  std::string unused;
  const std::string text = reader.certificate();
  return text.empty() ? std::nullopt : results::certificate_from_json(text, unused);
}

// Of a reaction or an effort that joints share; empty for all that is unique, or is no reaction.
std::string sharing_text(const std::optional<results::Certificate>& certificate, const std::string& channel) {
  if (!certificate) return {};
  const results::Sharing sharing = results::sharing_of(*certificate, channel);
  const bool is_shown = sharing == results::Sharing::always || sharing == results::Sharing::at_times;
  return is_shown ? std::string(sharing_name(sharing)) : std::string();
}

std::string channels_text(const results::Reader& reader) {
  const std::optional<results::Certificate> certificate = certificate_of(reader);
  std::size_t width = 0;
  const auto magnitude_of = [&](const results::RecordedChannel& channel) {
    std::optional<results::ChannelSource> derived;
    if (channel.name.ends_with(".z"))
      derived = reader.find(channel.name.substr(0, channel.name.size() - 1) + "magnitude");
    return derived;
  };
  for (const results::RecordedChannel& channel : reader.channels()) {
    const std::optional<results::ChannelSource> derived = magnitude_of(channel);
    width = std::max({width, channel.name.size(), derived ? derived->name.size() : 0});
  }
  std::string text;
  for (const results::RecordedChannel& channel : reader.channels()) {
    const std::string sharing = sharing_text(certificate, channel.name);
    text += fmt::format("{:<{}}  {}{}\n", channel.name, width, channel.unit,
                        sharing.empty() ? "" : fmt::format(" ({})", sharing));
    if (const std::optional<results::ChannelSource> derived = magnitude_of(channel)) {
      text += fmt::format("{:<{}}  {} (derived)\n", derived->name, width, derived->unit);
    }
  }
  return text;
}

std::string status_text(const results::Reader& reader) {
  std::string text(status_name(reader.status()));
  if (!reader.message().empty()) text += ": " + reader.message();
  const std::string note = unclosed_note(reader);
  if (!note.empty()) text += "\n          " + note;
  return text;
}

// The verdict in one line, or why there is none.
std::string verdict_text(const results::Reader& reader, const results::Damage& damage) {
  const std::string text = reader.certificate();
  if (text.empty()) return "none: the file has no certificate";
  if (damage.is_found()) return "none: the file is damaged";
  std::string error;
  const std::optional<results::Certificate> certificate = results::certificate_from_json(text, error);
  return certificate ? results::verdict_line(*certificate) : "none: the certificate cannot be read: " + error;
}

ExitCode print_certificate(const results::Reader& reader, Console& console) {
  const std::string text = reader.certificate();
  if (text.empty()) {
    return console.fail(ExitCode::file_error, fmt::format("'{}' has no certificate", reader.path()),
                        "it is written when a run ends; one that was killed can be continued: gelenk run --resume");
  }
  console.out(text);
  return ExitCode::ok;
}

std::string info_text(const results::Reader& reader, const TimeSpan& span, std::size_t events,
                      const results::Damage& damage) {
  const results::RunHeader& header = reader.header();
  std::string text = fmt::format("run of '{}', by gelenk {}, {}\n", header.model_name, header.program_version,
                                 size_text(file_size(reader)));
  if (!header.sources.empty()) text += fmt::format("model:    {}\n", header.sources.front().file);
  text += fmt::format("status:   {}\n", status_text(reader));
  text += fmt::format("verdict:  {}\n", verdict_text(reader, damage));
  if (reader.row_count() == 0) {
    text += "time:     no rows\n";
  } else {
    text += fmt::format("time:     {} s to {} s, {} rows\n", format_rounded(span.begin, 6), format_rounded(span.end, 6),
                        reader.row_count());
  }
  if (events > 0) text += fmt::format("events:   {}\n", events);
  text += recorded_components(reader);
  text += recorded_codes(reader);
  std::string title = "records: ";
  for (std::size_t b = 1; b < reader.blocks().size(); ++b) {
    text += fmt::format("{} {} ({})\n", title, reader.blocks()[b].name, shape_text(reader.blocks()[b]));
    title = "         ";
  }
  const std::string outputs = outputs_text(reader);
  if (!outputs.empty()) text += fmt::format("outputs:  {}\n", outputs);
  return text + fmt::format("channels: {}; --channels lists them\n", reader.channels().size());
}

std::string info_json(const results::Reader& reader, const TimeSpan& span, const std::vector<results::Event>& events,
                      const results::Damage& damage, bool with_channels) {
  const results::RunHeader& header = reader.header();
  JsonWriter json;
  json.begin_object().member("file", reader.path()).member("ok", !damage.is_found()).member("kind", "run");
  write_damage(json, damage.sentences());
  json.member("hasChecksums", reader.has_checksums());
  json.member("name", header.model_name).member("program", "gelenk " + header.program_version);
  json.member("status", status_name(reader.status())).member("message", reader.message());
  json.member("verdict", verdict_text(reader, damage));
  json.member("closed", reader.is_closed()).member("rows", reader.row_count());
  json.member("bytes", file_size(reader)).member("timeBegin", span.begin).member("timeEnd", span.end);
  json.key("components").begin_array();
  for (const UsedComponent& one : components_of(reader)) {
    json.begin_object().member("name", one.name).member("version", one.version).member("maker", one.maker);
    json.member("file", one.file).member("carrier", one.host).member("licenceSha256", one.licence_sha256);
    json.end_object();
  }
  json.end_array().key("blocks").begin_array();
  for (const results::RecordedBlock& block : reader.blocks()) {
    json.begin_object().member("name", block.name).key("shape").begin_array();
    for (const std::size_t size : block.shape) json.value(size);
    json.end_array().end_object();
  }
  json.end_array().key("outputs").begin_array();
  for (const results::ChannelSource& output : output_channels(reader)) json.value(output.name);
  json.end_array().key("events").begin_array();
  for (const results::Event& event : events) {
    json.begin_object().member("time", event.time).member("kind", event.kind);
    json.member("element", event.element).member("text", event.text).end_object();
  }
  json.end_array().member("channelCount", reader.channels().size());
  if (with_channels) {
    const std::optional<results::Certificate> certificate = certificate_of(reader);
    json.key("channels").begin_array();
    for (const results::RecordedChannel& channel : reader.channels()) {
      json.begin_object().member("name", channel.name).member("unit", channel.unit);
      json.member("quantity", quantity_info(channel.quantity).name);
      json.member("block", reader.blocks()[channel.block].name).member("column", channel.column);
      if (const std::string sharing = sharing_text(certificate, channel.name); !sharing.empty()) {
        json.member("sharing", sharing);
      }
      json.end_object();
    }
    json.end_array();
  }
  return json.end_object().take();
}

}  // namespace

ExitCode show_run_info(const RunInfoRequest& request, Console& console) {
  const std::unique_ptr<results::Reader> reader = open_run(request.file, console);
  if (!reader) return ExitCode::file_error;
  if (request.with_certificate) return print_certificate(*reader, console);
  TimeSpan span;
  std::vector<results::Event> events;
  std::string error = read_span(*reader, span);
  if (error.empty()) error = reader->read_events(events);
  if (!error.empty()) return console.fail(ExitCode::file_error, error);
  const results::Damage damage = reader->find_damage();
  const ExitCode code = damage.is_found() ? ExitCode::file_error : ExitCode::ok;
  if (console.json) {
    console.out(info_json(*reader, span, events, damage, request.with_channels));
    return code;
  }
  console.out(request.with_channels ? channels_text(*reader) : info_text(*reader, span, events.size(), damage));
  if (!damage.is_found()) return code;
  return console.fail(code, fmt::format("'{}' is damaged: {}", request.file, damage.text()),
                      "run the model again; the rest of the file can still be read");
}

}  // namespace gelenk::app
