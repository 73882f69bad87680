#include "apps/gelenk/component_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "gelenk/base/hash.h"
#include "gelenk/base/text.h"
#include "gelenk/component/command_sizes.h"

namespace gelenk::app {
namespace {

using component::Container;
using component::Manifest;

constexpr double kDuration = 0.1;    // s, of the motion
constexpr double kTolerance = 1e-9;  // of its steps: what differs then is the component

class Differences {
 public:
  explicit Differences(std::vector<Difference>& list) : list_(list) {}

  void text(std::string what, const std::string& a, const std::string& b) {
    if (a != b) list_.push_back({std::move(what), a, b});
  }
  void number(std::string what, double a, double b, const std::string& unit) {
    if (a != b) list_.push_back({std::move(what), quantity(a, unit), quantity(b, unit)});
  }

  // Entries by their names: those that both have, and those that one has.
  template <class Item>
  void items(std::string_view kind, const std::vector<Item>& a, const std::vector<Item>& b,
             const std::function<void(const std::string& of, const Item& a, const Item& b)>& compare) {
    const auto find = [](const std::vector<Item>& list, const std::string& name) {
      return std::find_if(list.begin(), list.end(), [&](const Item& item) { return item.name == name; });
    };
    for (const Item& item : a) {
      const auto other = find(b, item.name);
      if (other == b.end()) {
        list_.push_back({fmt::format("{} '{}'", kind, item.name), "there", ""});
      } else {
        compare(fmt::format("the {} '{}'", kind, item.name), item, *other);
      }
    }
    for (const Item& item : b) {
      if (find(a, item.name) == a.end()) list_.push_back({fmt::format("{} '{}'", kind, item.name), "", "there"});
    }
  }

 private:
  static std::string quantity(double value, const std::string& unit) {
    if (std::isinf(value)) return "none";
    return unit.empty() ? format_number(value) : fmt::format("{} {}", format_number(value), unit);
  }

  std::vector<Difference>& list_;
};

std::string version_text(const component::FormatVersion& version) {
  return fmt::format("{}.{}", version.major, version.minor);
}

void compare_manifests(const Manifest& a, const Manifest& b, Differences& differences) {
  using component::About;
  constexpr std::pair<std::string_view, std::string About::*> kTexts[] = {
      {"name", &About::name},        {"version", &About::version}, {"maker", &About::maker},
      {"contact", &About::contact},  {"licence", &About::licence}, {"documentation", &About::doc},
      {"validity", &About::validity}};
  for (const auto& [name, text] : kTexts) differences.text(std::string(name), a.about.*text, b.about.*text);
  differences.text("interface", version_text(a.abi), version_text(b.abi));
  differences.items<component::Port>(
      "port", a.ports, b.ports, [&](const std::string& of, const auto& x, const auto& y) {
        differences.text("kind of " + of, std::string(port_kind_name(x.kind)), std::string(port_kind_name(y.kind)));
        differences.number("width of " + of, x.width, y.width, "");
        differences.text("unit of " + of, x.unit, y.unit);
        differences.text("documentation of " + of, x.doc, y.doc);
      });
  differences.items<component::Parameter>(
      "parameter", a.parameters, b.parameters, [&](const std::string& of, const auto& x, const auto& y) {
        differences.text("unit of " + of, x.unit, y.unit);
        differences.number("default of " + of, x.default_value, y.default_value, x.unit);
        differences.number("minimum of " + of, x.min, y.min, x.unit);
        differences.number("maximum of " + of, x.max, y.max, x.unit);
        differences.text("documentation of " + of, x.doc, y.doc);
      });
  differences.items<component::Output>("output", a.outputs, b.outputs,
                                       [&](const std::string& of, const auto& x, const auto& y) {
                                         differences.text("unit of " + of, x.unit, y.unit);
                                         differences.text("documentation of " + of, x.doc, y.doc);
                                       });
  differences.text("platforms", join(a.platforms, ", "), join(b.platforms, ", "));
}

// Of a platform, in the order of the file.
std::string hash_of_binaries(const Container& container, const std::string& platform) {
  std::string unused, all;
  for (const ZipEntry* const file : component::binaries_for(container, platform, unused)) all += file->bytes;
  return all.empty() ? std::string() : "sha256 " + sha256(all).substr(0, 16);
}

// Binaries by their platforms: their names follow from that of the component.
void compare_files(const Container& a, const Container& b, Differences& differences) {
  const auto state = [](const Container& container, const std::string& path) {
    const std::string* const bytes = container.find(path);
    return bytes == nullptr ? std::string() : "sha256 " + sha256(*bytes).substr(0, 16);
  };
  const auto is_compared = [](const ZipEntry& file) { return !file.path.starts_with("binaries/"); };
  for (const std::string& platform : a.manifest.platforms) {
    const std::string in_b = hash_of_binaries(b, platform);
    if (!in_b.empty()) differences.text("binaries/" + platform, hash_of_binaries(a, platform), in_b);
  }
  for (const ZipEntry& file : a.files) {
    if (is_compared(file)) differences.text(file.path, state(a, file.path), state(b, file.path));
  }
  for (const ZipEntry& file : b.files) {
    if (is_compared(file) && a.find(file.path) == nullptr) differences.text(file.path, "", state(b, file.path));
  }
}

std::string key_text(const component::Verdict& verdict) {
  return verdict.key ? component::fingerprint(*verdict.key) : "not signed";
}

std::vector<std::string> frames_of(const Manifest& manifest) {
  std::vector<std::string> names;
  for (const component::Port& port : manifest.ports) {
    if (port.kind == component::PortKind::frame) names.push_back(port.name);
  }
  return names;
}

// What one of them does.
struct Seen {
  std::vector<double> places, D, r;
  std::vector<PortDisclosure> felt;
  system::State end;
};

std::string look_as_drawn(TrialBed& bed, Seen& seen) {
  ModelInput input;
  if (std::string error = bed.make(input); !error.empty()) return error;
  for (const Pose& port : bed.ports()) {
    seen.places.insert(seen.places.end(), port.position.begin(), port.position.end());
    seen.places.insert(seen.places.end(), port.rotation.reshaped().begin(), port.rotation.reshaped().end());
  }
  component::Host& host = *input.sealed->hosts().front();
  bed.mount(host, Vector3(0.0, 0.0, -9.81));
  Evaluation evaluation(host.sizes());
  if (!begin(host) || !host.perform(evaluation.commands())) return "accelerations cannot be found as drawn";
  seen.D.assign(evaluation.D.begin(), evaluation.D.end() - 3);
  seen.r = evaluation.r;
  return {};
}

// At each port with nothing else attached, as the sheet of `seal` has it.
std::string feel(TrialBed& bed, Seen& seen) {
  const std::vector<component::Port>& ports = bed.container().manifest.ports;
  for (std::size_t p = 0; p < ports.size(); ++p) {
    if (ports[p].kind != component::PortKind::frame) continue;
    ModelInput input;
    if (std::string error = bed.make(input); !error.empty()) return error;
    component::Host& host = *input.sealed->hosts().front();
    bed.mount(host, Vector3::Zero(), p);
    std::vector<double> answer(component::find_row(GELENK_DRAWN)->out(host.sizes()));
    const gelenk_command command{GELENK_DRAWN, 0, 0, 0, 0.0, nullptr, answer.data(), 0, answer.size()};
    if (!host.perform({&command, 1})) return "its mobility cannot be found as drawn";
    // The motion of the mount, the mass behind it and its mean inverse inertia, D.
    const std::span<const double> D = std::span<const double>(answer).last(36);
    seen.felt.push_back(disclose_port(ports[p].name, D, {1.0 / answer[18], answer[19]}));
  }
  return {};
}

std::string look(TrialBed& bed, Seen& seen) {
  std::string error = look_as_drawn(bed, seen);
  if (error.empty()) error = feel(bed, seen);
  if (!error.empty()) return error;
  TrialBed::Motion motion;
  motion.options.duration = motion.options.output_every = kDuration;
  motion.options.tolerance = kTolerance;
  const std::optional<analysis::RunResult> result = bed.move(motion, error);
  if (result) seen.end = result->end_state;
  return error;
}

Behavior compare_numbers(std::string what, const std::vector<double>& a, const std::vector<double>& b,
                         std::string unit) {
  Behavior result{std::move(what), std::move(unit), 0.0, a == b};
  double size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    result.largest = std::max(result.largest, std::abs(a[i] - b[i]));
    size = std::max({size, std::abs(a[i]), std::abs(b[i])});
  }
  if (result.unit.empty() && size > 0.0) result.largest /= size;
  return result;
}

Behavior compare_ends(const system::State& a, const system::State& b) {
  Behavior result{fmt::format("motion in a machine, after {} s", kDuration), "m", 0.0, true};
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    result.largest = std::max(result.largest, (a.position[i] - b.position[i]).norm());
    result.is_same =
        result.is_same && a.position[i] == b.position[i] && a.orientation[i].coeffs() == b.orientation[i].coeffs();
  }
  result.is_same = result.is_same && a.velocity == b.velocity;
  return result;
}

std::string compare_behavior(TrialBed& a, TrialBed& b, ComponentDiff& diff) {
  if (frames_of(a.container().manifest) != frames_of(b.container().manifest)) {
    diff.not_comparable = "their ports differ, or are in a different order";
    return {};
  }
  Seen in_a, in_b;
  std::string error = look(a, in_a);
  if (error.empty()) error = look(b, in_b);
  if (!error.empty()) return error;
  diff.behavior = {compare_numbers("places of the ports", in_a.places, in_b.places, "m"),
                   compare_numbers("mobility of the ports, as drawn", in_a.D, in_b.D, ""),
                   compare_numbers("accelerations without loads, as drawn", in_a.r, in_b.r, ""),
                   compare_ends(in_a.end, in_b.end)};
  diff.felt_a = std::move(in_a.felt);
  diff.felt_b = std::move(in_b.felt);
  return {};
}

std::string line_of(const std::string& text) {
  constexpr std::size_t kMost = 60;
  std::string line = text.empty() ? "none" : text;
  std::replace(line.begin(), line.end(), '\n', ' ');
  if (line.size() <= kMost) return line;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;  // not inside of a character
  return line.substr(0, end) + "...";
}

}  // namespace

bool ComponentDiff::is_same_behavior() const {
  return not_comparable.empty() &&
         std::all_of(behavior.begin(), behavior.end(), [](const Behavior& one) { return one.is_same; });
}

std::string diff_components(const TrialSetup& a, const TrialSetup& b, Console& console, ComponentDiff& diff) {
  TrialBed bed_a(a, console), bed_b(b, console);
  std::string error = bed_a.open();
  if (error.empty()) error = bed_b.open();
  if (!error.empty()) return error;
  const Container &in_a = bed_a.container(), &in_b = bed_b.container();
  diff.identity_a = sha256(in_a.manifest_bytes);
  diff.identity_b = sha256(in_b.manifest_bytes);
  Differences differences(diff.differences);
  differences.text("key", key_text(bed_a.verdict()), key_text(bed_b.verdict()));
  // The manifest has the hashes of all files.
  diff.is_same_file = diff.identity_a == diff.identity_b && diff.differences.empty();
  compare_manifests(in_a.manifest, in_b.manifest, differences);
  compare_files(in_a, in_b, differences);
  return diff.is_same_file ? std::string() : compare_behavior(bed_a, bed_b, diff);
}

std::string diff_text(const ComponentDiff& diff) {
  if (diff.is_same_file) return "the files are the same component, signed by the same key\n";
  std::string text = diff.differences.empty() ? "their descriptions are the same\n" : "Description:\n";
  for (const Difference& one : diff.differences) {
    text += fmt::format("  {}: {} -> {}\n", one.what, line_of(one.a), line_of(one.b));
  }
  if (!diff.not_comparable.empty()) return text + fmt::format("Behavior was not compared: {}\n", diff.not_comparable);
  text += "Behavior:\n";
  for (const Behavior& one : diff.behavior) {
    const std::string size = fmt::format("differs by {} {}", format_rounded(one.largest, 3),
                                         one.unit.empty() ? "of the largest number" : one.unit);
    text += fmt::format("  {}: {}\n", one.what, one.is_same ? "identical to the last bit" : size);
  }
  for (std::size_t p = 0; p < diff.felt_a.size(); ++p) {
    const std::string a = port_text(diff.felt_a[p]), b = port_text(diff.felt_b[p]);
    if (a != b) text += "A:\n" + a + "B:\n" + b;
  }
  return text;
}

std::string diff_json(const ComponentDiff& diff, ExitCode code) {
  JsonWriter json;
  json.begin_object().member("ok", code == ExitCode::ok).member("exitCode", static_cast<int>(code));
  json.member("sameFile", diff.is_same_file).key("identities").begin_array();
  json.value(diff.identity_a).value(diff.identity_b).end_array().key("differences").begin_array();
  for (const Difference& one : diff.differences) {
    json.begin_object().member("what", one.what).member("a", one.a).member("b", one.b).end_object();
  }
  json.end_array().member("notComparable", diff.not_comparable).key("behavior").begin_array();
  for (const Behavior& one : diff.behavior) {
    json.begin_object().member("what", one.what).member("same", one.is_same).member("largest", one.largest);
    json.member("unit", one.unit).end_object();
  }
  json.end_array();
  for (const auto& [key, ports] : {std::pair{"feltA", &diff.felt_a}, std::pair{"feltB", &diff.felt_b}}) {
    json.key(key).begin_array();
    for (const PortDisclosure& port : *ports) write_port_json(json, port);
    json.end_array();
  }
  return json.end_object().take();
}

}  // namespace gelenk::app
