#include "gelenk/cad/step_density.h"

#include <StepBasic_DerivedUnitElement.hxx>
#include <StepBasic_SiUnitAndMassUnit.hxx>

namespace gelenk::cad {
namespace {

std::optional<double> grams(const StepBasic_SiUnitAndMassUnit& unit) {
  if (!unit.HasPrefix()) return 1.0;
  switch (unit.Prefix()) {
    case StepBasic_spMega:
      return 1e6;
    case StepBasic_spKilo:
      return 1e3;
    case StepBasic_spMilli:
      return 1e-3;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<double> density_correction(const Handle(Interface_InterfaceModel) & model) {
  std::optional<double> found;
  for (int i = 1; i <= model->NbEntities(); ++i) {
    const auto element = Handle(StepBasic_DerivedUnitElement)::DownCast(model->Value(i));
    if (element.IsNull()) continue;
    const auto unit = Handle(StepBasic_SiUnitAndMassUnit)::DownCast(element->Unit());
    if (unit.IsNull()) continue;
    const std::optional<double> factor = grams(*unit);
    if (!factor || (found && *found != *factor)) return std::nullopt;
    found = factor;
  }
  return found.value_or(1.0);
}

}  // namespace gelenk::cad
