#include "gelenk/model/expand/mass.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gelenk/base/text.h"
#include "gelenk/model/materials.h"
#include "gelenk/model/part_types.h"

namespace gelenk::model::expanding {
namespace {

// A given mass that differs by more than this from that of the shape is worth a word.
constexpr double kMassDifferenceToMention = 0.1;

std::string in_kilograms(double mass) { return format_rounded(mass, 4) + " kg"; }

struct DensityUsed {
  double value = 0.0;
  bool is_assumed = false;
};

std::optional<DensityUsed> density(const Object& part, Instance& scope, Numbers& numbers, Diagnostics& diagnostics) {
  const Value* given = part.value("density");
  const std::string* name = part.text("material");
  if (given != nullptr && name != nullptr) {
    diagnostics.error(Code::conflicting_keys, given->range, "`density` and `material` cannot be combined",
                      "keep one of them");
    return std::nullopt;
  }
  if (given != nullptr) {
    const std::optional<double> value = numbers.number(*given, field_of(part, "density"), scope);
    if (!value) return std::nullopt;
    return DensityUsed{*value, false};
  }
  if (name == nullptr) {
    diagnostics.warning(Code::assumed_density, part.range_of("shape"),
                        fmt::format("no material given: {} ({} kg/m^3) is assumed", kAssumedMaterial, kAssumedDensity),
                        "give a `material`, a `density` or a `mass`");
    return DensityUsed{kAssumedDensity, true};
  }
  for (const Object& material : scope.object().section("materials")) {
    if (material.name != *name) continue;
    const Value* value = material.value("density");
    if (value == nullptr) return std::nullopt;
    const std::optional<double> own = numbers.number(*value, field_of(material, "density"), scope);
    if (!own) return std::nullopt;
    return DensityUsed{*own, false};
  }
  if (const Material* material = find_built_in_material(*name)) return DensityUsed{material->density, false};
  std::vector<std::string> names;
  for (const Object& material : scope.object().section("materials")) names.push_back(material.name);
  for (const Material& material : built_in_materials()) names.emplace_back(material.name);
  std::string hint = did_you_mean(*name, names);
  if (hint.empty()) hint = "define it under `materials:`, or see `gelenk help materials`";
  diagnostics.error(Code::unknown_material, part.range_of("material"), fmt::format("unknown material '{}'", *name),
                    hint);
  return std::nullopt;
}

bool has_sound_mass(const MassProperties& from_shape, const Object& part, Diagnostics& diagnostics) {
  if (from_shape.mass > 0.0 && std::isfinite(from_shape.mass) && from_shape.inertia.allFinite()) return true;
  const auto& written = part.section("shape");
  const bool has_hole =
      std::any_of(written.begin(), written.end(), [](const Object& o) { return o.flag("hole", false); });
  if (!std::isfinite(from_shape.mass) || !from_shape.inertia.allFinite()) {
    diagnostics.error(Code::not_finite, part.range_of("shape"), "the mass of the shape is not finite",
                      "it is far too large: check the units");
  } else {
    diagnostics.error(Code::bad_shape, part.range_of("shape"),
                      has_hole ? "the holes remove more than there is" : "the shape is too small to have a mass",
                      has_hole ? "" : "check the units");
  }
  return false;
}

std::optional<Matrix3> inertia_tensor(const Object& inertia, Instance& scope, Numbers& numbers) {
  const std::array<std::string_view, 6> keys{"xx", "yy", "zz", "xy", "xz", "yz"};
  std::array<double, 6> values{};
  bool is_sound = true;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::optional<double> value = numbers.number_or(inertia, keys[i], 0.0, scope);
    is_sound = is_sound && value;
    values[i] = value.value_or(0.0);
  }
  if (!is_sound) return std::nullopt;
  Matrix3 tensor;
  tensor << values[0], values[3], values[4], values[3], values[1], values[5], values[4], values[5], values[2];
  return tensor;
}

// Radius of gyration against what is known of the size of the part: its shape, else its frames.
void check_scale(const Object& written, const PartNode& part, double largest_moment, std::span<const NamedFrame> frames,
                 Diagnostics& diagnostics) {
  geometry::Bounds bounds = geometry::bounds(part.shapes);
  const bool has_shape = !bounds.is_empty();
  if (!has_shape) {
    bounds.add(Vector3(Vector3::Zero()));
    bounds.add(part.mass_properties.center);
    for (const NamedFrame& frame : frames) bounds.add(frame.frame.X_PF.position);
  }
  const double size = bounds.diagonal();
  const double gyration = std::sqrt(largest_moment / part.mass_properties.mass);
  // mm/m confusion is a factor 1000 in length; a factor 30 either way leaves room for odd but honest parts.
  constexpr double kOutOfScale = 30.0;
  constexpr double kAlwaysSuspect = 1000.0;  // m: no machine part turns like that
  // Frames and center of mass may all be near the origin of an honest part; a radius of gyration of more than 1 mm that
  // was written in the wrong unit is more than this, m.
  constexpr double kSuspectWithoutShape = 1.0;
  const bool is_beyond_size = size > 0.0 && gyration > kOutOfScale * size;
  const bool is_large = (is_beyond_size && (has_shape || gyration > kSuspectWithoutShape)) || gyration > kAlwaysSuspect;
  // A small weight far from its pivot is honest: only a shape shows that the inertia is too small.
  const bool is_small = has_shape && gyration * kOutOfScale < size;
  if (!is_large && !is_small) return;
  diagnostics.warning(Code::inertia_out_of_scale, written.range_of("inertia"),
                      fmt::format("the inertia is that of a body about {} m across, but the part is about {} m",
                                  format_rounded(2.0 * gyration, 2), format_rounded(size, 2)),
                      is_large ? "is it in kg*mm^2? numbers without a unit are in kg*m^2, a million times as much"
                               : "check the unit: 1 kg*m^2 is 1e6 kg*mm^2");
}

// Nothing when one of them is wrong, which is reported.
std::optional<std::vector<MassProperties>> point_masses(const Object& part, Instance& scope, std::size_t number_of_part,
                                                        Numbers& numbers, Places& places) {
  std::vector<MassProperties> result;
  for (const Object& written : part.section("point_masses")) {
    const Value* const mass = written.value("mass");
    if (mass == nullptr) return std::nullopt;
    const std::optional<double> size = numbers.number(*mass, field_of(written, "mass"), scope);
    std::optional<Vector3> place = Vector3(Vector3::Zero());
    if (const Value* const at = written.value("at")) {
      place = places.point_on_part(*at, field_of(written, "at"), scope, number_of_part);
    }
    if (!size || !place) return std::nullopt;
    MassProperties& one = result.emplace_back();
    one.mass = *size;
    one.center = *place;
    one.inertia = Matrix3::Zero();
  }
  return result;
}

}  // namespace

std::optional<MassProperties> mass_properties(Instance& scope, std::size_t number_of_part, PartNode& part,
                                              Numbers& numbers, Places& places, Diagnostics& diagnostics) {
  const Object& written = scope.object().section("parts")[number_of_part];
  const Value* mass_value = written.value("mass");
  const Object* inertia = written.object("inertia");
  const bool has_shape = written.find("shape") != nullptr;
  const bool has_density = written.find("density") != nullptr || written.find("material") != nullptr;
  const bool is_made_of_points =
      mass_value == nullptr && inertia == nullptr && !written.section("point_masses").empty();
  const bool is_absent = !has_shape && !is_made_of_points && (mass_value == nullptr || inertia == nullptr);
  // Every piece is looked at, whatever is wrong with the others: a user mends them all at once.
  bool is_sound = true;
  std::optional<DensityUsed> used = DensityUsed{kAssumedDensity, false};
  const bool needs_density = has_shape && mass_value == nullptr && !written.is_incomplete;
  if (needs_density || (has_density && (has_shape || written.is_incomplete)))
    used = density(written, scope, numbers, diagnostics);
  is_sound = is_sound && used;
  std::optional<double> mass;
  if (mass_value != nullptr) mass = numbers.number(*mass_value, field_of(written, "mass"), scope);
  is_sound = is_sound && (mass || mass_value == nullptr);
  std::optional<Vector3> center;
  if (const Value* point = written.value("center_of_mass")) {
    center = places.point_on_part(*point, field_of(written, "center_of_mass"), scope, number_of_part);
    is_sound = is_sound && center;
  }
  std::optional<Matrix3> tensor;
  if (inertia != nullptr) tensor = inertia_tensor(*inertia, scope, numbers);
  is_sound = is_sound && (tensor || inertia == nullptr);

  const std::optional<std::vector<MassProperties>> points =
      point_masses(written, scope, number_of_part, numbers, places);
  is_sound = is_sound && points;

  if (written.is_incomplete && (is_absent || has_shape || inertia == nullptr || inertia->is_incomplete)) {
    return std::nullopt;
  }
  if (is_absent) {
    diagnostics.error(Code::no_mass_properties, written.name_range,
                      mass_value == nullptr ? "the part has no mass" : "the part has a mass, but no inertia",
                      "give `mass` and `inertia`, or `shape` and `material`");
    return std::nullopt;
  }
  // A shape that is missing here was reported already.
  if (has_shape && part.shapes.size() != written.value("shape")->get<Value::Objects>()->size()) return std::nullopt;
  if (!is_sound) return std::nullopt;

  MassProperties result;
  if (has_shape) {
    result = geometry::mass_properties(part.shapes, used->value);
    if (!has_sound_mass(result, written, diagnostics)) return std::nullopt;
  }
  part.mass_source = has_shape && used->is_assumed ? MassSource::shape_with_assumed_density : MassSource::shape;
  if (mass) {
    part.mass_source = MassSource::given;
    if (has_shape) {
      const double relative = std::abs(*mass - result.mass) / result.mass;
      if (has_density && relative > kMassDifferenceToMention) {
        diagnostics.warning(Code::given_differs_from_shape, mass_value->range,
                            fmt::format("the given mass is {}, but shape and material give {}: a difference of {} %",
                                        in_kilograms(*mass), in_kilograms(result.mass), std::round(100.0 * relative)),
                            "the given mass is used");
      }
      const Vector3 of_shape = result.center;
      result = scaled(result, *mass / result.mass);
      result.center = of_shape;
    }
    result.mass = *mass;
  }
  if (center) result.center = *center;
  if (tensor) result.inertia = *tensor;
  for (const MassProperties& point : *points) result = result.mass > 0.0 ? combined(result, point) : point;
  return result;
}

void check_mass_properties(const Object& written, const PartNode& part, std::span<const NamedFrame> frames,
                           Diagnostics& diagnostics) {
  const InertiaCheck check = check_inertia(part.mass_properties.inertia);
  const SourceRange where = written.range_of("inertia");
  const auto moments =
      fmt::format("{}, {}, {} kg*m^2", format_rounded(check.principal_moments[0], 4),
                  format_rounded(check.principal_moments[1], 4), format_rounded(check.principal_moments[2], 4));
  if (!check.positive_definite) {
    const bool is_of_points = written.find("inertia") == nullptr && !written.section("point_masses").empty();
    const bool is_bad_diagonal = !(part.mass_properties.inertia.diagonal().minCoeff() > 0.0);
    diagnostics.error(Code::inertia_not_positive, where,
                      fmt::format("the inertia is not positive definite: its principal moments are {}", moments),
                      is_of_points ? "points on one line do not resist turning about it: add one beside it"
                      : is_bad_diagonal
                          ? "xx, yy and zz are positive for every body"
                          : "xy is the tensor element -∫xy dm; some programs write it with the other sign");
    return;
  }
  // The equations of motion take such a tensor as any other, and textbooks use them: a warning, not an error.
  if (!check.triangle_inequality) {
    diagnostics.warning(
        Code::inertia_triangle, where,
        fmt::format("no body can have the principal moments {}: the largest exceeds the sum of the others", moments),
        "it is used as given; check the axes and that the inertia is about the center of mass");
    return;
  }
  if (written.find("inertia") != nullptr) {
    check_scale(written, part, check.principal_moments[2], frames, diagnostics);
  }
}

}  // namespace gelenk::model::expanding
