#include "gelenk/model/materials.h"

#include <array>

namespace gelenk::model {
namespace {

// EN 10025-2 and EN 1993-1-1 for structural steel; EN standards of the alloys; typical data-sheet values of plastics;
// EN 338 mean densities of timber classes; NIST for pure metals and water.
constexpr std::string_view kPure = "NIST, pure element at 20 °C";
constexpr std::string_view kPlastic = "typical data sheet, unfilled";
constexpr std::array kMaterials{
    Material{"steel", 7850.0, "EN 1993-1-1, 3.2.6"},
    Material{"stainless_steel", 7900.0, "EN 10088-1, grade 1.4301"},
    Material{"tool_steel", 7800.0, "typical of cold-work steels, EN ISO 4957"},
    Material{"cast_iron", 7200.0, "EN 1561, grey iron EN-GJL-250"},
    Material{"ductile_iron", 7100.0, "EN 1563, EN-GJS-400-15"},
    Material{"aluminum", 2700.0, "EN 1999-1-1, 3.2.5"},
    Material{"aluminum_6061", 2700.0, "typical data sheet of EN AW-6061"},
    Material{"aluminum_7075", 2810.0, "typical data sheet of EN AW-7075"},
    Material{"cast_aluminum", 2680.0, "EN 1706, AC-43000"},
    Material{"magnesium", 1738.0, kPure},
    Material{"titanium", 4506.0, kPure},
    Material{"titanium_6al4v", 4430.0, "typical data sheet of Ti-6Al-4V"},
    Material{"copper", 8960.0, kPure},
    Material{"brass", 8500.0, "EN 12164, CuZn39Pb3"},
    Material{"bronze", 8800.0, "EN 1982, CuSn10"},
    Material{"zinc", 7134.0, kPure},
    Material{"lead", 11350.0, kPure},
    Material{"tungsten", 19300.0, kPure},
    Material{"abs", 1050.0, kPlastic},
    Material{"pla", 1240.0, kPlastic},
    Material{"nylon", 1140.0, kPlastic},
    Material{"pom", 1410.0, kPlastic},
    Material{"polycarbonate", 1200.0, kPlastic},
    Material{"polyethylene", 950.0, kPlastic},
    Material{"polypropylene", 905.0, kPlastic},
    Material{"ptfe", 2170.0, kPlastic},
    Material{"peek", 1320.0, kPlastic},
    Material{"rubber", 1100.0, "typical of filled natural rubber"},
    Material{"carbon_fiber", 1600.0, "typical epoxy laminate with 60 % fiber"},
    Material{"glass", 2500.0, "EN 572-1, soda lime silicate"},
    Material{"concrete", 2400.0, "EN 1991-1-1, table A.1, plain"},
    Material{"oak", 700.0, "typical at 12 % moisture"},
    Material{"spruce", 450.0, "typical at 12 % moisture"},
    Material{"plywood", 680.0, "typical of birch plywood"},
    Material{"water", 998.2, "NIST, 20 °C"},
    Material{"oil", 870.0, "typical of mineral hydraulic oil at 15 °C"},
};

}  // namespace

std::span<const Material> built_in_materials() { return kMaterials; }

const Material* find_built_in_material(std::string_view name) {
  for (const Material& material : kMaterials) {
    if (material.name == name) return &material;
  }
  return nullptr;
}

}  // namespace gelenk::model
