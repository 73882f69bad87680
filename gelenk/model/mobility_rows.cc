#include "gelenk/model/mobility_rows.h"

namespace gelenk::model {

void write_rows(RowWriter& rows, const JointNode& joint, const Pose& A, const Pose& B) {
  const auto axis = [](const Pose& pose, int i) { return Vector3(pose.rotation.col(i)); };
  for (const Primitive primitive : joint.type->primitives) {
    switch (primitive) {
      case Primitive::point:
        for (int i = 0; i < 3; ++i) rows.translation(axis(A, i), A.position, B.position);
        break;
      case Primitive::on_axis:
        for (int i = 0; i < 2; ++i) rows.translation(axis(A, i), B.position, B.position);
        break;
      case Primitive::on_plane:
        rows.translation(axis(A, 2), B.position, B.position);
        break;
      case Primitive::parallel_axes:
        for (int i = 0; i < 2; ++i) rows.rotation(axis(A, i));
        break;
      case Primitive::same_axes:
        for (int i = 0; i < 3; ++i) rows.rotation(axis(A, i));
        break;
      case Primitive::crossed_axes:
        rows.rotation(axis(A, 2).cross(axis(B, 0)));
        break;
      case Primitive::distance:
        rows.translation(unit_vector(B.position - A.position).value_or(Vector3::UnitX()), A.position, B.position);
        break;
      case Primitive::rim_on_plane:
      case Primitive::rim_rolls:
      case Primitive::rim_holds: {
        const Vector3 n = axis(A, 2);
        const Vector3 along = unit_vector(axis(B, 2).cross(n)).value_or(axis(A, 0));
        const Vector3 lowest = B.position + std::get<Rolling>(joint.data).radius * axis(B, 2).cross(along);
        rows.translation(primitive == Primitive::rim_on_plane ? n
                         : primitive == Primitive::rim_rolls  ? along
                                                              : Vector3(n.cross(along)),
                         lowest, lowest);
        break;
      }
      case Primitive::blade:
        rows.translation(axis(B, 2), B.position, B.position);
        break;
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
