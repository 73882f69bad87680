#include "gelenk/model/mobility_rows.h"

#include <cstddef>
#include <variant>

namespace gelenk::model {

Held held_by(const JointNode& joint) {
  return std::visit(
      [](const auto& data) -> Held {
        if constexpr (requires { data.held_size(); }) {
          return {data.held_size()};
        } else if constexpr (requires { data.held_curve(); }) {
          return {0.0, data.held_curve()};
        } else {
          return {};
        }
      },
      joint.data);
}

void write_rows(RowWriter& rows, const JointNode& joint, const Pose& A, const Pose& B) {
  for (const Primitive primitive : joint.type->primitives) {
    const PrimitiveType& type = type_of(primitive);
    const DrawnRows drawn = type.drawn(A, B, held_by(joint));
    for (std::size_t i = 0; i < type.rows.size(); ++i) {
      if (drawn[i].form == RowForm::turn) {
        rows.rotation(drawn[i].e);
      } else if (primitive == Primitive::with_curve) {
        rows.both(drawn[i].e, drawn[i].p_a, drawn[i].p_b, drawn[i].turn);
      } else {
        rows.translation(drawn[i].e, drawn[i].p_a, drawn[i].p_b);
      }
    }
  }
}

std::size_t rows_of(const JointNode& joint) {
  std::size_t count = 0;
  for (const Primitive primitive : joint.type->primitives) count += static_cast<std::size_t>(row_count(primitive));
  return count;
}

std::size_t velocity_rows_of(const JointNode& joint) {
  std::size_t count = 0;
  for (const Primitive primitive : joint.type->primitives) {
    if (holds_velocity(primitive)) count += static_cast<std::size_t>(row_count(primitive));
  }
  return count;
}

}  // namespace gelenk::model
