#pragma once

#include <string_view>

namespace gelenk::cad {

struct FreecadMaterial {
  std::string_view uuid, name;
  double density;  // kg/m³
};

// One of FreeCAD's own material cards, which its files name by a number only; null: not known here.
const FreecadMaterial* find_freecad_material(std::string_view uuid);

// The card of parts to which nobody gave a material. Its density, 1 kg/m³, means nothing.
inline constexpr std::string_view kFreecadDefault = "7f9fd73b-50c9-41d8-b7b2-575a030c1eeb";

}  // namespace gelenk::cad
