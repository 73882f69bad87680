#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "gelenk/base/text.h"
#include "gelenk/base/units.h"
#include "gelenk/base/zip.h"
#include "gelenk/component/json_fields.h"
#include "gelenk/component/manifest.h"

namespace gelenk::component {
namespace {

using Need = JsonFields::Need;

constexpr JsonLimits kLimits{.max_bytes = std::size_t{4} << 20, .max_depth = 16, .max_values = 200'000};
constexpr std::uint64_t kMaxVersion = 1'000'000;
constexpr std::uint64_t kMaxFileSize = std::uint64_t{1} << 40;
constexpr std::size_t kLongestName = 200;
constexpr std::size_t kSha256Digits = 64;
constexpr std::array kAllPortKinds{PortKind::frame, PortKind::signal_in, PortKind::signal_out, PortKind::rotational,
                                   PortKind::translational};

bool is_platform_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// Channels and parameters may lie deep: "strut.3.length".
bool is_valid_path(std::string_view name) {
  if (name.size() > kLongestName) return false;
  const std::vector<std::string> pieces = split(name, '.');
  return std::all_of(pieces.begin(), pieces.end(), [](const std::string& piece) {
    // A piece may be the number of an instance.
    return is_valid_name("_" + piece) && !piece.empty();
  });
}

class Reader {
 public:
  Manifest read(const JsonValue& document) {
    Manifest manifest;
    JsonFields root(&document, "", problem);
    manifest.format = version(root, "format");
    problem.allows_unknown_keys = manifest.format.minor > kManifestFormat.minor;
    manifest.abi = version(root, "abi");
    manifest.about = about(root.object("about"));
    for (JsonFields& fields : root.objects("ports")) manifest.ports.push_back(port(fields));
    for (JsonFields& fields : root.objects("parameters")) manifest.parameters.push_back(parameter(fields));
    for (JsonFields& fields : root.objects("outputs")) manifest.outputs.push_back(output(fields));
    manifest.platforms = root.texts("platforms");
    for (JsonFields& fields : root.objects("files")) manifest.files.push_back(file(fields));
    root.finish();
    const auto same_name = [](const auto& a) -> const std::string& { return a.name; };
    require_unique(manifest.ports, "ports", same_name);
    require_unique(manifest.parameters, "parameters", same_name);
    require_unique(manifest.outputs, "outputs", same_name);
    require_unique(manifest.files, "files", [](const FileRecord& record) -> const std::string& { return record.path; });
    require_unique(manifest.platforms, "platforms", [](const std::string& p) -> const std::string& { return p; });
    for (const std::string& platform : manifest.platforms) require_platform(platform);
    return manifest;
  }

  ReadProblem problem;

 private:
  static FormatVersion version(JsonFields& root, std::string_view key) {
    JsonFields fields = root.object(key);
    FormatVersion result;
    result.major = static_cast<int>(fields.whole("major", 1, kMaxVersion));
    result.minor = static_cast<int>(fields.whole("minor", 0, kMaxVersion));
    fields.finish();
    return result;
  }

  static About about(JsonFields fields) {
    About result;
    result.name = fields.text("name", Need::required);
    result.version = fields.text("version", Need::required);
    result.maker = fields.text("maker", Need::optional);
    result.contact = fields.text("contact", Need::optional);
    result.licence = fields.text("licence", Need::optional);
    result.doc = fields.text("doc", Need::optional, true);
    result.validity = fields.text("validity", Need::optional, true);
    fields.finish();
    return result;
  }

  static std::string unit(JsonFields& fields) {
    std::string text = fields.text("unit", Need::optional);
    if (text.empty()) return text;
    const UnitParse parsed = parse_unit(text);
    if (!parsed.unit) {
      fields.fail("unit", parsed.error);
    } else if (parsed.unit->factor != 1.0 || parsed.unit->offset != 0.0) {
      fields.fail("unit", fmt::format("{} is not SI: numbers of a component have units without a factor", shown(text)));
    }
    return text;
  }

  static Port port(JsonFields& fields) {
    Port result;
    result.name = fields.text("name", Need::required);
    if (!is_valid_name(result.name) || result.name.size() > kLongestName) {
      fields.fail("name", fmt::format("{} is not a port name", shown(result.name)));
    }
    const std::string kind = fields.text("kind", Need::required);
    std::vector<std::string> names;
    for (const PortKind known : kAllPortKinds) {
      names.emplace_back(port_kind_name(known));
      if (names.back() == kind) result.kind = known;
    }
    if (kind != port_kind_name(result.kind)) {
      fields.fail("kind", fmt::format("{} is not one of {}", shown(kind), join(names, ", ")));
    }
    const bool is_signal = result.kind == PortKind::signal_in || result.kind == PortKind::signal_out;
    const int fixed = result.kind == PortKind::frame ? kFrameWidth : kFlangeWidth;
    result.width = static_cast<int>(fields.whole("width", static_cast<std::uint64_t>(is_signal ? 1 : fixed),
                                                 static_cast<std::uint64_t>(is_signal ? kMaxSignalWidth : fixed)));
    result.unit = unit(fields);
    if (!is_signal && !result.unit.empty()) fields.fail("unit", "only signals have a unit");
    result.doc = fields.text("doc", Need::optional, true);
    fields.finish();
    return result;
  }

  static std::string path_name(JsonFields& fields) {
    std::string name = fields.text("name", Need::required);
    if (!is_valid_path(name)) fields.fail("name", fmt::format("{} is not a name", shown(name)));
    return name;
  }

  static Parameter parameter(JsonFields& fields) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Parameter result;
    result.name = path_name(fields);
    result.unit = unit(fields);
    result.default_value = fields.number("default");
    result.min = fields.number("min", -kInfinity);
    result.max = fields.number("max", kInfinity);
    if (!(result.min <= result.default_value && result.default_value <= result.max)) {
      fields.fail("default", fmt::format("{} is not between {} and {}", format_number(result.default_value),
                                         format_number(result.min), format_number(result.max)));
    }
    result.doc = fields.text("doc", Need::optional, true);
    fields.finish();
    return result;
  }

  static Output output(JsonFields& fields) {
    Output result;
    result.name = path_name(fields);
    result.unit = unit(fields);
    result.doc = fields.text("doc", Need::optional, true);
    fields.finish();
    return result;
  }

  static FileRecord file(JsonFields& fields) {
    FileRecord result;
    result.path = fields.text("path", Need::required);
    if (const std::string wrong = zip_path_problem(result.path); !wrong.empty()) fields.fail("path", wrong);
    result.size = fields.whole("size", 0, kMaxFileSize);
    result.sha256 = fields.text("sha256", Need::required);
    const bool is_digits = std::all_of(result.sha256.begin(), result.sha256.end(),
                                       [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    if (!is_digits || result.sha256.size() != kSha256Digits) {
      fields.fail("sha256", "64 digits 0-9 a-f are needed here");
    }
    fields.finish();
    return result;
  }

  // <architecture>-<system>, and an <abi> where one system has several.
  void require_platform(const std::string& platform) {
    const std::vector<std::string> pieces = split(platform, '-');
    const bool is_good = platform.size() <= kLongestName && (pieces.size() == 2 || pieces.size() == 3) &&
                         std::all_of(pieces.begin(), pieces.end(), is_platform_word);
    if (!is_good) problem.fail("platforms", fmt::format("{} is not a platform such as x86_64-linux", shown(platform)));
  }

  template <class T, class Name>
  void require_unique(const std::vector<T>& items, std::string_view key, const Name& name_of) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (names.insert(name_of(items[i])).second) continue;
      problem.fail(fmt::format("{}[{}]", key, i), fmt::format("{} appears twice", shown(name_of(items[i]))));
    }
  }
};

}  // namespace

ManifestResult read_manifest(std::string_view json) {
  ManifestResult result;
  const std::optional<JsonValue> document = read_json(json, result.error, kLimits);
  if (!document) return result;
  // First of all, and without a word about anything else in it.
  const JsonValue* format = document->find("format");
  const double major = format != nullptr ? format->number_or("major", 0.0) : 0.0;
  if (major > kManifestFormat.major) {
    result.is_newer = true;
    result.error =
        fmt::format("its format is {}.x, this program reads {}.x", format_rounded(major), kManifestFormat.major);
    return result;
  }
  Reader reader;
  Manifest manifest = reader.read(*document);
  result.error = reader.problem.error;
  if (reader.problem.is_good()) result.manifest = std::move(manifest);
  return result;
}

}  // namespace gelenk::component
