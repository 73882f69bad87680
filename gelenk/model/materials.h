#pragma once

#include <span>
#include <string_view>

namespace gelenk::model {

struct Material {
  std::string_view name;
  double density;  // kg/m³
  std::string_view source;
};

// Common engineering materials at room temperature. Densities are typical values, rounded as the sources give them.
std::span<const Material> built_in_materials();
const Material* find_built_in_material(std::string_view name);

// What a shape without material is taken to be made of; the check says so.
inline constexpr double kAssumedDensity = 7850.0;
inline constexpr std::string_view kAssumedMaterial = "steel";

}  // namespace gelenk::model
