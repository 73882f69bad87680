#include "gelenk/model/couplings.h"

#include "gelenk/model/coordinate_value.h"
#include "gelenk/model/mobility.h"
#include "gelenk/model/mobility_rows.h"

namespace gelenk::model {

double drawn_coordinate(const Machine& machine, const CoordinateUse& use) {
  const JointNode& joint = machine.joints[use.joint.index()];
  const Pose A = drawn_frame(machine, joint.a);
  const Pose B = drawn_frame(machine, joint.b);
  return coordinate_between<double>(joint.type->coordinates[use.coordinate], A.rotation, A.position, B.rotation,
                                    B.position, held_by(joint).curve);
}

double coupling_constant(const Machine& machine, const CouplingNode& coupling) {
  if (coupling.type->coupling->constant != nullptr) return coupling.constant;
  double sum = 0.0;
  for (const CouplingNode::Term& term : coupling.terms) sum += term.factor * drawn_coordinate(machine, term.use);
  return sum;
}

}  // namespace gelenk::model
