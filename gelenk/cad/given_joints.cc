#include "gelenk/cad/given_joints.h"

#include <fmt/format.h>

#include <algorithm>

#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"
#include "gelenk/base/units.h"
#include "gelenk/formats/yaml_reader.h"

namespace gelenk::cad {
namespace {

const std::array<std::string, 6> kTypes{"fixed", "revolute", "prismatic", "cylindrical", "spherical", "planar"};
const std::array<std::string, 4> kKeys{"type", "between", "at", "axis"};

class Reader {
 public:
  explicit Reader(std::string& error) : error_(error) {}

  std::optional<std::vector<GivenJoint>> read(const std::string& path) {
    constexpr std::size_t kMostBytes = std::size_t{16} << 20;
    const ReadResult text = read_file(path, kMostBytes);
    if (!text.text) {
      error_ = fmt::format("{} cannot be read: {}", shown(path), text.reason);
      return std::nullopt;
    }
    const std::int32_t file = sources_.add(path, *text.text);
    Diagnostics diagnostics;
    const std::optional<Node> root = formats::parse_yaml(sources_, file, {}, diagnostics);
    if (!root) {
      const Diagnostic& first = diagnostics.all().front();
      fail(first.where, first.message);
      return std::nullopt;
    }
    const Node::Entry* section = root->is_map() ? root->find("joints") : nullptr;
    if (section == nullptr || !section->value.is_map()) {
      fail(root->range, "a map 'joints:' is needed, of names with {type: ..., between: [PART, PART]}");
      return std::nullopt;
    }
    std::vector<GivenJoint> joints;
    for (const Node::Entry& entry : section->value.entries) {
      GivenJoint joint;
      if (read_joint(entry, joint)) joints.push_back(std::move(joint));
    }
    return error_.empty() ? std::optional(std::move(joints)) : std::nullopt;
  }

 private:
  bool fail(const SourceRange& range, const std::string& message) {
    add_mistake(fmt::format("{}: {}", sources_.describe(range), message), error_);
    return false;
  }

  bool read_joint(const Node::Entry& entry, GivenJoint& joint) {
    joint.name = entry.key;
    joint.where = sources_.describe(entry.key_range);
    if (!is_valid_name(entry.key)) return fail(entry.key_range, fmt::format("{} is not a name", shown(entry.key)));
    if (!entry.value.is_map()) return fail(entry.value.range, "{type: ..., between: [PART, PART]} is needed");
    for (const Node::Entry& item : entry.value.entries) {
      if (std::find(kKeys.begin(), kKeys.end(), item.key) == kKeys.end()) {
        return fail(item.key_range, fmt::format("unknown key {}; {}", shown(item.key), or_all(item.key, kKeys)));
      }
    }
    const Node::Entry* type = entry.value.find("type");
    if (type == nullptr || std::find(kTypes.begin(), kTypes.end(), type->value.text) == kTypes.end()) {
      const std::string text = type == nullptr ? "" : type->value.text;
      return fail(type == nullptr ? entry.key_range : type->value.range,
                  fmt::format("{} is not a joint type that can be given here; {}", shown(text), or_all(text, kTypes)));
    }
    joint.type = type->value.text;
    const Node::Entry* between = entry.value.find("between");
    if (between == nullptr || between->value.items.size() != 2) {
      return fail(entry.key_range, "two parts are needed: between: [PART, PART]");
    }
    for (std::size_t i = 0; i < 2; ++i) joint.between[i] = between->value.items[i].text;
    if (const Node::Entry* at = entry.value.find("at")) {
      joint.at = read_point(at->value);
      if (!joint.at) return fail(at->value.range, "three lengths are needed, as in [0, 0, 120 mm]");
    }
    if (const Node::Entry* axis = entry.value.find("axis")) {
      joint.axis = read_axis(axis->value);
      if (!joint.axis) return fail(axis->value.range, "an axis is x, y, z, or three numbers");
    }
    if (joint.axis && !joint.at) return fail(entry.key_range, "an axis needs a place: at: [X, Y, Z]");
    return true;
  }

  template <std::size_t n>
  static std::string or_all(const std::string& text, const std::array<std::string, n>& names) {
    const std::string hint = did_you_mean(text, names);
    return hint.empty() ? "there are " + join(names, ", ") : hint;
  }

  // "120 mm", "0.12"
  static std::optional<double> read_length(const Node& node) {
    std::string_view text = trim(node.text);
    const bool is_negative = text.starts_with('-');
    if (is_negative) text = trim(text.substr(1));
    const std::size_t length = number_length(text);
    const std::optional<double> number = parse_number(text.substr(0, length));
    const std::string_view symbol = trim(text.substr(length));
    if (!number) return std::nullopt;
    const double value = is_negative ? -*number : *number;
    if (symbol.empty()) return value;
    const UnitParse unit = parse_unit(symbol);
    if (!unit.unit || !(unit.unit->dimension == quantity_info(Quantity::length).dimension)) return std::nullopt;
    return value * unit.unit->factor;
  }

  static std::optional<Vector3> read_point(const Node& node) {
    if (node.items.size() != 3) return std::nullopt;
    Vector3 point;
    for (int i = 0; i < 3; ++i) {
      const std::optional<double> length = read_length(node.items[static_cast<std::size_t>(i)]);
      if (!length) return std::nullopt;
      point[i] = *length;
    }
    return point;
  }

  static std::optional<Vector3> read_axis(const Node& node) {
    constexpr std::string_view kLetters = "xyz";
    if (node.is_scalar()) {
      const bool is_negative = node.text.starts_with('-');
      const std::size_t letter = kLetters.find(node.text.substr(is_negative ? 1 : 0));
      if (node.text.size() != (is_negative ? 2U : 1U) || letter == std::string_view::npos) return std::nullopt;
      return Vector3((is_negative ? -1.0 : 1.0) * Vector3::Unit(static_cast<Eigen::Index>(letter)));
    }
    const std::optional<Vector3> direction = read_point(node);
    if (!direction || !(direction->norm() > 0.0)) return std::nullopt;
    return Vector3(direction->normalized());
  }

  std::string& error_;
  SourceMap sources_;
};

}  // namespace

void add_mistake(const std::string& mistake, std::string& error) {
  constexpr std::size_t kMostBytes = 4000;  // of all mistakes: what somebody reads
  if (error.size() > kMostBytes) return;
  if (!error.empty()) error += '\n';
  error += mistake;
}

std::optional<std::vector<GivenJoint>> read_given_joints(const std::string& path, std::string& error) {
  return Reader(error).read(path);
}

}  // namespace gelenk::cad
