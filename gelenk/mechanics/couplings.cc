#include "gelenk/mechanics/couplings.h"

#include <algorithm>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/coordinate_motion.h"
#include "gelenk/mechanics/coordinates.h"
#include "gelenk/mechanics/coupling_law.h"

namespace gelenk::mechanics {
namespace {

// A term of a coupling: its joint coordinate, and the slope of the row by it.
struct Term : CoordinateMotion {
  double factor;

  Term(const Context& context, const Workspace& workspace, std::size_t number)
      : CoordinateMotion(context, workspace, context.system.coupling_terms[number].coordinate),
        factor(context.params.coupling_factors[number]) {}
};

CouplingLaw law_of(const Context& context, const Workspace& workspace, const system::Coupling& coupling) {
  std::array<double, CouplingLaw::kMost> coordinates{};
  for (std::int32_t t = 0; t < coupling.term_count; ++t) {
    coordinates[at(t)] = Term(context, workspace, at(coupling.first_term + t)).value(context.state);
  }
  return coupling_law(context, workspace, coupling, coordinates);
}

// Calls visit(number of the coupling, number of the term, term) for all terms of all couplings.
template <class Visit>
void visit_terms(const Context& context, const Workspace& workspace, Visit&& visit) {
  for (std::size_t k = 0; k < context.system.couplings.size(); ++k) {
    const system::Coupling& coupling = context.system.couplings[k];
    CouplingLaw law;
    if (coupling.law >= 0) law = law_of(context, workspace, coupling);
    for (std::int32_t t = 0; t < coupling.term_count; ++t) {
      const std::size_t number = at(coupling.first_term + t);
      Term term(context, workspace, number);
      if (coupling.law >= 0) term.factor = law.slopes[at(t)];
      visit(k, number, term);
    }
  }
}

// Calls visit(number of the coupling, law, rates of its coordinates) for all couplings with a law.
template <class Visit>
void visit_laws(const Context& context, const Workspace& workspace, Visit&& visit) {
  for (std::size_t k = 0; k < context.system.couplings.size(); ++k) {
    const system::Coupling& coupling = context.system.couplings[k];
    if (coupling.law >= 0) visit(k, coupling, law_of(context, workspace, coupling));
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
  Term term(context, workspace, number);
  const auto first = static_cast<std::int32_t>(number);
  for (const system::Coupling& coupling : context.system.couplings) {
    const std::int32_t place = first - coupling.first_term;
    if (coupling.law < 0 || place < 0 || place >= coupling.term_count) continue;
    term.factor = law_of(context, workspace, coupling).slopes[at(place)];
  }
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
  visit_terms(context, workspace, [&](std::size_t /*coupling*/, std::size_t t, const Term& term) {
    const RowJacobian<double> J = term.jacobian();
    const auto put = [&](std::int32_t place, const Vector3& linear, const Vector3& angular, const Vector3& arm) {
      if (place < 0) return;
      std::array<double, 6>& values = workspace.couplings[at(place)].values;
      Eigen::Map<Vector3>{values.data()} += term.factor * linear;
      Eigen::Map<Vector3>{values.data() + 3} += term.factor * (angular + arm.cross(linear));
    };
    put(workspace.coupling_places[t][0], J.a_linear, J.a_angular, term.A.arm);
    put(workspace.coupling_places[t][1], J.b_linear, J.b_angular, term.B.arm);
  });
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

double effort_factor(const system::System& system, const system::Params& params, std::size_t coupling) {
  const system::Coupling& one = system.couplings[coupling];
  // A cam has a follower, whose slope is the same everywhere.
  return one.type == &model::kExpression ? 1.0 : params.coupling_factors[at(one.first_term)];
}

void coupling_efforts(const system::System& system, const system::Params& params, std::span<const double> multipliers,
                      std::span<double> efforts) {
  for (std::size_t k = 0; k < system.couplings.size(); ++k) {
    efforts[k] = effort_factor(system, params, k) * multipliers[system.rows.size() + k];
  }
}

void coupling_values(const Context& context, const Workspace& workspace, std::span<double> values) {
  const std::span<double> own = values.subspan(context.system.rows.size());
  for (std::size_t k = 0; k < own.size(); ++k) own[k] = -context.params.coupling_constants[k];
  visit_terms(context, workspace, [&](std::size_t k, std::size_t /*number*/, const Term& term) {
    if (context.system.couplings[k].law < 0) own[k] += term.factor * term.value(context.state);
  });
  visit_laws(context, workspace,
             [&](std::size_t k, const system::Coupling&, const CouplingLaw& law) { own[k] = law.value; });
  for (const CouplingShaft& one : workspace.coupling_shafts) {
    own[at(one.row)] += one.factor * workspace.shafts[at(one.shaft)].value;
  }
}

void coupling_slopes(const Context& context, const Workspace& workspace, std::span<double> slopes) {
  visit_terms(context, workspace,
              [&](std::size_t /*coupling*/, std::size_t number, const Term& term) { slopes[number] = term.factor; });
}

void coupling_rates(const Context& context, const Workspace& workspace, std::span<double> rates) {
  const std::span<double> own = rates.subspan(context.system.rows.size());
  std::fill(own.begin(), own.end(), 0.0);
  visit_terms(context, workspace,
              [&](std::size_t k, std::size_t /*number*/, const Term& term) { own[k] += term.factor * term.rate(); });
  for (const CouplingShaft& one : workspace.coupling_shafts) {
    own[at(one.row)] += one.factor * workspace.shafts[at(one.shaft)].rate;
  }
}

void coupling_biases(const Context& context, const Workspace& workspace, std::span<double> biases) {
  const std::span<double> own = biases.subspan(context.system.rows.size());
  std::fill(own.begin(), own.end(), 0.0);
  visit_terms(context, workspace,
              [&](std::size_t k, std::size_t /*number*/, const Term& term) { own[k] -= term.factor * term.bias(); });
  visit_laws(context, workspace, [&](std::size_t k, const system::Coupling& coupling, const CouplingLaw& law) {
    std::array<double, CouplingLaw::kMost> rates{};
    for (std::int32_t t = 0; t < coupling.term_count; ++t) {
      rates[at(t)] = Term(context, workspace, at(coupling.first_term + t)).rate();
    }
    for (std::size_t i = 0; i < rates.size(); ++i) {
      for (std::size_t j = 0; j < rates.size(); ++j) own[k] -= law.curvatures[i][j] * rates[i] * rates[j];
    }
  });
}

namespace {

// μ ∂²g/∂q_i∂q_j J_iᵀ J_j: what changes with the slopes of a law.
void append_curvatures(const Context& context, const Workspace& workspace, const system::Coupling& coupling,
                       const CouplingLaw& law, double mu, std::vector<ForceBlock>& blocks) {
  struct Side {
    std::int32_t body;
    std::array<double, 6> J;
  };
  const auto sides = [&](std::int32_t t) {
    const Term term(context, workspace, at(coupling.first_term + t));
    const RowJacobian<double> J = term.jacobian();
    const auto side = [&](std::int32_t frame, const Vector3& linear, const Vector3& angular, const Vector3& arm) {
      Side one{context.system.frames[at(frame)].body, {}};
      Eigen::Map<Vector3>{one.J.data()} = linear;
      Eigen::Map<Vector3>{one.J.data() + 3} = angular + arm.cross(linear);
      return one;
    };
    return std::array{side(term.joint.frame_a, J.a_linear, J.a_angular, term.A.arm),
                      side(term.joint.frame_b, J.b_linear, J.b_angular, term.B.arm)};
  };
  for (std::int32_t i = 0; i < coupling.term_count; ++i) {
    for (std::int32_t j = 0; j < coupling.term_count; ++j) {
      const double curvature = mu * law.curvatures[at(i)][at(j)];
      for (const Side& on : sides(i)) {
        for (const Side& by : sides(j)) {
          if (on.body == system::kGround || by.body == system::kGround) continue;
          ForceBlock& block = blocks.emplace_back(ForceBlock{on.body, by.body, {}});
          for (std::size_t r = 0; r < 6; ++r) {
            for (std::size_t c = 0; c < 6; ++c) block.values[12 * r + c] = curvature * on.J[r] * by.J[c];
          }
        }
      }
    }
  }
}

}  // namespace

void append_coupling_derivatives(const Context& context, const Workspace& workspace,
                                 std::span<const double> multipliers, std::vector<ForceBlock>& blocks) {
  const std::size_t first = context.system.rows.size();
  visit_laws(context, workspace, [&](std::size_t k, const system::Coupling& coupling, const CouplingLaw& law) {
    append_curvatures(context, workspace, coupling, law, multipliers[first + k], blocks);
  });
  visit_terms(context, workspace, [&](std::size_t k, std::size_t /*number*/, const Term& term) {
    const double effort = term.factor * multipliers[first + k];
    const std::int32_t a = context.system.frames[at(term.joint.frame_a)].body;
    const std::int32_t b = context.system.frames[at(term.joint.frame_b)].body;
    for (const std::int32_t by : {a, b}) {
      if (by == system::kGround || (by == b && a == b)) continue;
      const SeededFrame A = seeded(term.A, a == by);
      const SeededFrame B = seeded(term.B, b == by);
      const RowJacobian<TurnDual> J =
          coordinate_jacobian<TurnDual>(*term.coordinate.type, A.motion, B.motion, term.curve);
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
