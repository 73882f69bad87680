#include "gelenk/cad/freecad_materials.h"

#include <algorithm>
#include <array>

namespace gelenk::cad {
namespace {

// As the cards of FreeCAD 1.0 say (src/Mod/Material/Resources/Materials/Standard): the plain ones.
constexpr std::array<FreecadMaterial, 11> kMaterials{{
    {"90bbd8ef-8623-4d78-b3bf-e0bdb9b74dd3", "Steel-Generic", 7900.0},
    {"92589471-a6cb-4bbc-b748-d425a17dea7d", "CalculiX-Steel", 7900.0},
    {"4a96627d-6518-458c-8ccf-846f69fd8a50", "S235JR", 7800.0},
    {"1826c364-d26a-43fb-8f61-288281236836", "Iron Generic", 7874.0},
    {"9bf060e9-1663-44a2-88e2-2ff6ee858efe", "Aluminum Generic", 2700.0},
    {"68b152b2-fd5e-4f10-8db0-1a2df3fe0fda", "Aluminum 6061-T6", 2700.0},
    {"6c03899d-496e-4c60-a41b-3d66f2337fb9", "Copper Generic", 8960.0},
    {"73371529-2983-47dd-b988-6739a2e20029", "ABS", 1060.0},
    {"93861244-fbbe-41a9-a7e0-aeed53abd782", "PLA", 1240.0},
    {"9d59dc3b-ce66-4bec-82c9-b962082e7c9e", "Polyamide 6", 1150.0},
    {"8ce226db-43ef-4471-93f1-07e7276aa276", "PTFE", 2070.0},
}};

}  // namespace

const FreecadMaterial* find_freecad_material(std::string_view uuid) {
  const auto* found = std::find_if(kMaterials.begin(), kMaterials.end(),
                                   [&](const FreecadMaterial& material) { return material.uuid == uuid; });
  return found == kMaterials.end() ? nullptr : found;
}

}  // namespace gelenk::cad
