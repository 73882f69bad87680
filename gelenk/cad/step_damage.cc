#include "gelenk/cad/step_damage.h"

#include <fmt/format.h>

#include <Interface_ReportEntity.hxx>
#include <StepData_StepModel.hxx>
#include <StepSelect_StepType.hxx>
#include <XSControl_WorkSession.hxx>
#include <string_view>

namespace gelenk::cad {
namespace {

bool is_of_shapes(const Handle(Standard_Transient) & entity) {
  const std::string_view type = entity->DynamicType()->Name();
  return type.starts_with("StepShape_") || type.starts_with("StepGeom_");
}

}  // namespace

StepDamage step_damage(const XSControl_WorkSession& session) {
  StepDamage damage;
  const Handle(StepData_StepModel) model = Handle(StepData_StepModel)::DownCast(session.Model());
  if (model.IsNull()) return damage;
  const Handle(StepSelect_StepType) types = new StepSelect_StepType;
  types->SetProtocol(session.Protocol());
  for (int i = 1; i <= model->NbEntities(); ++i) {
    if (!model->IsReportEntity(i) || !model->ReportEntity(i)->IsError()) continue;
    const Handle(Standard_Transient) entity = model->Value(i);
    const bool is_shape = is_of_shapes(entity);
    if (damage.first.empty() || (is_shape && damage.shapes == 0)) {
      damage.first = fmt::format("#{} = {}", model->IdentLabel(entity), types->Value(entity, model));
    }
    if (is_shape) ++damage.shapes;
  }
  return damage;
}

}  // namespace gelenk::cad
