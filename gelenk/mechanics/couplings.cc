#include "gelenk/mechanics/couplings.h"

#include <algorithm>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/coordinates.h"
#include "gelenk/mechanics/frame_motion.h"

namespace gelenk::mechanics {
namespace {

// A term of a coupling: its joint coordinate with the two frames.
struct Term {
  const system::Coordinate& coordinate;
  const system::Joint& joint;
  double factor;
  FrameMotion A, B;

  Term(const Context& context, const Workspace& workspace, std::size_t number)
      : coordinate(context.system.coordinates[at(context.system.coupling_terms[number].coordinate)]),
        joint(context.system.joints[at(coordinate.joint)]),
        factor(context.params.coupling_factors[number]),
        A(frame_motion(context, workspace, joint.frame_a)),
        B(frame_motion(context, workspace, joint.frame_b)) {}

  double value(const system::State& state) const {
    const double q = coordinate_value<double>(*coordinate.type, A, B);
    return coordinate.tracked < 0 ? q : unwrapped(q, state.extra[at(coordinate.tracked)]);
  }
  double rate() const { return coordinate_rate<double>(*coordinate.type, A, B); }
  RowJacobian<double> jacobian() const { return coordinate_jacobian<double>(*coordinate.type, A, B); }

  // The coordinate's acceleration when those of the bodies are zero.
  double bias() const {
    const model::Coordinate& c = *coordinate.type;
    if (c.motion == model::Coordinate::Motion::rotation) {
      // axis·(w_B - w_A), the axis fixed in A (about z) or in B
      const Vector3 axis = c.axis == 2 ? A.R.col(2) : B.R.col(0);
      return (c.axis == 2 ? A.w : B.w).cross(axis).dot(B.w - A.w);
    }
    // n·(v_B - v_A) + (w_A × n)·W
    const Vector3 n = A.R.col(c.axis);
    const Vector3 n_rate = A.w.cross(n);
    return A.w.cross(n_rate).dot(B.p - A.p) + 2.0 * n_rate.dot(B.v - A.v) + n.dot(B.bias - A.bias);
  }
};

// Calls visit(number of the coupling, term) for all terms of all couplings.
template <class Visit>
void visit_terms(const Context& context, const Workspace& workspace, Visit&& visit) {
  for (std::size_t k = 0; k < context.system.couplings.size(); ++k) {
    const system::Coupling& coupling = context.system.couplings[k];
    for (std::int32_t t = 0; t < coupling.term_count; ++t) {
      visit(k, Term(context, workspace, at(coupling.first_term + t)));
    }
  }
}

// A frame and its arm from its body's center of mass, with derivatives by displacement and small turn of that body.
using TurnDual = Dual<6>;
struct SeededFrame {
  Motion<TurnDual> motion;
  Vec3<TurnDual> arm;
};

SeededFrame seeded(const FrameMotion& frame, bool moves) {
  SeededFrame result{cast<TurnDual>(frame), frame.arm.cast<TurnDual>()};
  if (!moves) return result;
  for (int k = 0; k < 3; ++k) {
    result.motion.p(k).partials[at(k)] = 1.0;
    const Vector3 axis = Vector3::Unit(k);
    const Vector3 arm = axis.cross(frame.arm);
    for (int i = 0; i < 3; ++i) {
      result.arm(i).partials[at(3 + k)] = arm(i);
      result.motion.p(i).partials[at(3 + k)] = arm(i);
      for (int column = 0; column < 3; ++column) {
        result.motion.R(i, column).partials[at(3 + k)] = axis.cross(frame.R.col(column))(i);
      }
    }
  }
  return result;
}

void add(const Vec3<TurnDual>& force, const Vec3<TurnDual>& moment, double effort, ForceBlock& block) {
  for (std::size_t k = 0; k < 6; ++k) {
    for (int i = 0; i < 3; ++i) {
      block.values[12 * at(i) + k] += effort * force(i).partials[k];
      block.values[12 * at(3 + i) + k] += effort * moment(i).partials[k];
    }
  }
}

}  // namespace

void lay_out_couplings(const system::System& system, std::vector<CouplingBlock>& blocks,
                       std::vector<std::array<std::int32_t, 2>>& places) {
  for (std::size_t k = 0; k < system.couplings.size(); ++k) {
    const std::size_t first = blocks.size();
    const auto place = [&](std::int32_t frame) {
      const std::int32_t body = system.frames[at(frame)].body;
      if (body == system::kGround) return std::int32_t{-1};
      const auto known = std::find_if(blocks.begin() + static_cast<std::ptrdiff_t>(first), blocks.end(),
                                      [&](const CouplingBlock& block) { return block.body == body; });
      if (known != blocks.end()) return static_cast<std::int32_t>(known - blocks.begin());
      blocks.push_back({static_cast<std::int32_t>(k), body, {}});
      return static_cast<std::int32_t>(blocks.size() - 1);
    };
    const system::Coupling& coupling = system.couplings[k];
    for (std::int32_t t = 0; t < coupling.term_count; ++t) {
      const system::CouplingTerm& term = system.coupling_terms[at(coupling.first_term + t)];
      const system::Joint& joint = system.joints[at(system.coordinates[at(term.coordinate)].joint)];
      const std::int32_t a = place(joint.frame_a);
      places.push_back({a, place(joint.frame_b)});
    }
  }
}

RowJacobian<double> coupling_wrench(const Context& context, const Workspace& workspace, std::size_t number) {
  const Term term(context, workspace, number);
  RowJacobian<double> J = term.jacobian();
  for (Vector3* part : {&J.a_linear, &J.a_angular, &J.b_linear, &J.b_angular}) *part *= term.factor;
  return J;
}

void update_couplings(const Context& context, Workspace& workspace) {
  workspace.coupling_shafts.clear();
  for (std::size_t t = 0; t < context.system.shaft_terms.size(); ++t) {
    const system::ShaftTerm& term = context.system.shaft_terms[t];
    workspace.coupling_shafts.push_back({term.coupling, term.shaft, context.params.shaft_factors[t]});
  }
  for (CouplingBlock& block : workspace.couplings) block.values.fill(0.0);
  for (std::size_t t = 0; t < context.system.coupling_terms.size(); ++t) {
    const Term term(context, workspace, t);
    const RowJacobian<double> J = term.jacobian();
    const auto put = [&](std::int32_t place, const Vector3& linear, const Vector3& angular, const Vector3& arm) {
      if (place < 0) return;
      std::array<double, 6>& values = workspace.couplings[at(place)].values;
      Eigen::Map<Vector3>{values.data()} += term.factor * linear;
      Eigen::Map<Vector3>{values.data() + 3} += term.factor * (angular + arm.cross(linear));
    };
    put(workspace.coupling_places[t][0], J.a_linear, J.a_angular, term.A.arm);
    put(workspace.coupling_places[t][1], J.b_linear, J.b_angular, term.B.arm);
  }
}

void add_coupling_forces(const system::System& system, const Workspace& workspace, std::span<const double> multipliers,
                         std::span<double> forces) {
  for (const CouplingBlock& block : workspace.couplings) {
    const double mu = multipliers[system.rows.size() + at(block.row)];
    for (std::size_t i = 0; i < 6; ++i) forces[6 * at(block.body) + i] += mu * block.values[i];
  }
}

void coupling_loads_on_shafts(const system::System& system, const Workspace& workspace,
                              std::span<const double> multipliers, std::vector<double>& shaft_loads) {
  shaft_loads.assign(system.shafts.size(), 0.0);
  for (const CouplingShaft& one : workspace.coupling_shafts) {
    shaft_loads[at(one.shaft)] += one.factor * multipliers[system.rows.size() + at(one.row)];
  }
}

void coupling_efforts(const system::System& system, const system::Params& params, std::span<const double> multipliers,
                      std::span<double> efforts) {
  for (std::size_t k = 0; k < system.couplings.size(); ++k) {
    efforts[k] = params.coupling_factors[at(system.couplings[k].first_term)] * multipliers[system.rows.size() + k];
  }
}

void coupling_values(const Context& context, const Workspace& workspace, std::span<double> values) {
  const std::span<double> own = values.subspan(context.system.rows.size());
  for (std::size_t k = 0; k < own.size(); ++k) own[k] = -context.params.coupling_constants[k];
  visit_terms(context, workspace,
              [&](std::size_t k, const Term& term) { own[k] += term.factor * term.value(context.state); });
  for (const CouplingShaft& one : workspace.coupling_shafts) {
    own[at(one.row)] += one.factor * workspace.shafts[at(one.shaft)].value;
  }
}

void coupling_rates(const Context& context, const Workspace& workspace, std::span<double> rates) {
  const std::span<double> own = rates.subspan(context.system.rows.size());
  std::fill(own.begin(), own.end(), 0.0);
  visit_terms(context, workspace, [&](std::size_t k, const Term& term) { own[k] += term.factor * term.rate(); });
  for (const CouplingShaft& one : workspace.coupling_shafts) {
    own[at(one.row)] += one.factor * workspace.shafts[at(one.shaft)].rate;
  }
}

void coupling_biases(const Context& context, const Workspace& workspace, std::span<double> biases) {
  const std::span<double> own = biases.subspan(context.system.rows.size());
  std::fill(own.begin(), own.end(), 0.0);
  visit_terms(context, workspace, [&](std::size_t k, const Term& term) { own[k] -= term.factor * term.bias(); });
}

void append_coupling_derivatives(const Context& context, const Workspace& workspace,
                                 std::span<const double> multipliers, std::vector<ForceBlock>& blocks) {
  const std::size_t first = context.system.rows.size();
  visit_terms(context, workspace, [&](std::size_t k, const Term& term) {
    const double effort = term.factor * multipliers[first + k];
    const std::int32_t a = context.system.frames[at(term.joint.frame_a)].body;
    const std::int32_t b = context.system.frames[at(term.joint.frame_b)].body;
    for (const std::int32_t by : {a, b}) {
      if (by == system::kGround || (by == b && a == b)) continue;
      const SeededFrame A = seeded(term.A, a == by);
      const SeededFrame B = seeded(term.B, b == by);
      const RowJacobian<TurnDual> J = coordinate_jacobian<TurnDual>(*term.coordinate.type, A.motion, B.motion);
      const auto put = [&](std::int32_t on, const Vec3<TurnDual>& force, const Vec3<TurnDual>& moment) {
        if (on == system::kGround) return;
        add(force, moment, effort, blocks.emplace_back(ForceBlock{on, by, {}}));
      };
      put(a, J.a_linear, J.a_angular + A.arm.cross(J.a_linear));
      put(b, J.b_linear, J.b_angular + B.arm.cross(J.b_linear));
    }
  });
}

}  // namespace gelenk::mechanics
