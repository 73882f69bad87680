#include "gelenk/model/mobility.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "gelenk/math/null_space.h"
#include "gelenk/model/mobility_rows.h"

namespace gelenk::model {
namespace {

// Pivots of exact models are either of order one or rounding noise; CAD numbers have six digits or more.
constexpr double kRankTolerance = 1e-9;
// A coordinate that moves less than this in a unit motion does not move.
constexpr double kMotionTolerance = 1e-6;
// Dense analysis of a group takes about (6 bodies)³ operations: a second at this size.
constexpr std::size_t kMaxDenseBodies = 150;

// Rates that are independent of each other in the motions of a basis, chosen one after the other.
class IndependentRates {
 public:
  explicit IndependentRates(const MatrixX& basis)
      : basis_(basis), directions_(basis.cols(), 0), rates_(0, basis.cols()) {}

  bool is_complete() const { return rates_.rows() == basis_.cols(); }

  // `row` times twists is the rate, times `scale`. False when those chosen so far fix it.
  bool add(const MatrixX& row, double scale) {
    const VectorX own = (row * basis_).transpose();
    VectorX rate = own;
    rate -= directions_ * (directions_.transpose() * rate);
    rate -= directions_ * (directions_.transpose() * rate);
    if (rate.norm() < kMotionTolerance) return false;
    directions_.conservativeResize(Eigen::NoChange, directions_.cols() + 1);
    directions_.col(directions_.cols() - 1) = rate.normalized();
    rates_.conservativeResize(rates_.rows() + 1, Eigen::NoChange);
    rates_.row(rates_.rows() - 1) = own.transpose() / scale;
    return true;
  }

  // One for each rate: it is 1 and the others are 0.
  MatrixX motions() const {
    if (rates_.rows() == 0) return MatrixX(basis_.rows(), 0);
    return basis_ * rates_.transpose() * (rates_ * rates_.transpose()).inverse();
  }
  // A basis of those in which all of them are 0.
  MatrixX others() const {
    return rates_.rows() > 0 ? MatrixX(basis_ * null_space(rates_, kRankTolerance).basis) : basis_;
  }

 private:
  const MatrixX& basis_;
  MatrixX directions_;  // orthonormal columns
  MatrixX rates_;       // a row for each, in the motions of the basis
};

// Parts that joints connect, the ground not counting.
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(std::size_t a, std::size_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::size_t> parent_;
};

struct Group {
  std::vector<std::size_t> parts;
  std::vector<std::size_t> joints;
  std::vector<std::size_t> bodies = {};  // with six unknowns each; ascending
  std::vector<std::size_t> couplings = {};
};

bool is_weld(const JointNode& joint) {
  return joint.type->coordinates.empty() && rows_of(joint) == 6 && !joint.a.port.is_set() && !joint.b.port.is_set();
}

// Joint coordinates in the order in which they are offered as names for the free motions: driven ones first, then
// those against the ground.
std::vector<CoordinateUse> coordinates_of(const Machine& machine, const Group& group,
                                          const std::vector<CoordinateUse>& driven) {
  std::vector<CoordinateUse> result;
  const auto is_driven = [&](const CoordinateUse& use) {
    return std::any_of(driven.begin(), driven.end(),
                       [&](const CoordinateUse& d) { return d.joint == use.joint && d.coordinate == use.coordinate; });
  };
  for (const std::size_t j : group.joints) {
    const JointNode& joint = machine.joints[j];
    for (std::size_t c = 0; c < joint.type->coordinates.size(); ++c) {
      if (joint.type->coordinates[c].motion != Coordinate::Motion::orientation) result.push_back({JointId(j), c, 1.0});
    }
  }
  std::stable_sort(result.begin(), result.end(), [&](const CoordinateUse& a, const CoordinateUse& b) {
    const auto rank = [&](const CoordinateUse& use) {
      const JointNode& joint = machine.joints[use.joint.index()];
      return is_driven(use) ? 0 : !joint.a.part.is_set() || !joint.b.part.is_set() ? 1 : 2;
    };
    return rank(a) < rank(b);
  });
  return result;
}

class Analysis {
 public:
  explicit Analysis(const Machine& machine) : machine_(machine), body_(machine.parts.size()) {
    std::iota(body_.begin(), body_.end(), std::size_t{0});
  }

  MobilityReport run() {
    for (const DriverNode& driver : machine_.drivers) {
      if (driver.drives.joint.is_set()) driven_.push_back(driver.drives);
    }
    for (const JointNode& joint : machine_.joints) {
      report_.rows += rows_of(joint);
      report_.velocity_rows += velocity_rows_of(joint);
    }
    // One with a shaft of a sealed component takes as many freedoms as the shaft brings.
    report_.rows +=
        static_cast<std::size_t>(std::count_if(machine_.couplings.begin(), machine_.couplings.end(),
                                               [](const CouplingNode& coupling) { return coupling.shafts.empty(); }));
    for (Group& group : groups()) {
      if (group.parts.size() > kMaxDenseBodies) {
        analyze_welded(group);
      } else {
        group.bodies = group.parts;
        analyze(group);
      }
    }
    return std::move(report_);
  }

 private:
  std::vector<Group> groups() {
    Groups sets(machine_.parts.size());
    for (const JointNode& joint : machine_.joints) {
      if (joint.a.part.is_set() && joint.b.part.is_set()) sets.unite(joint.a.part.index(), joint.b.part.index());
    }
    visit_coupled_parts([&](std::size_t /*coupling*/, PartId first, PartId part) {
      if (part.is_set()) sets.unite(first.index(), part.index());
    });
    std::vector<Group> by_root(machine_.parts.size());
    for (std::size_t i = 0; i < machine_.parts.size(); ++i) by_root[sets.find(i)].parts.push_back(i);
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
      const JointNode& joint = machine_.joints[j];
      const PartId part = joint.a.part.is_set() ? joint.a.part : joint.b.part;
      if (part.is_set()) by_root[sets.find(part.index())].joints.push_back(j);
    }
    for (std::size_t k = 0; k < machine_.couplings.size(); ++k) {
      const PartId part = part_of(machine_.couplings[k]);
      if (part.is_set() && machine_.couplings[k].shafts.empty())
        by_root[sets.find(part.index())].couplings.push_back(k);
    }
    std::erase_if(by_root, [](const Group& group) { return group.parts.empty(); });
    return by_root;
  }

  // One of the parts that a coupling moves.
  PartId part_of(const CouplingNode& coupling) const {
    for (const CouplingNode::Term& term : coupling.terms) {
      const JointNode& joint = machine_.joints[term.use.joint.index()];
      if (joint.b.part.is_set()) return joint.b.part;
      if (joint.a.part.is_set()) return joint.a.part;
    }
    return {};
  }
  // Calls visit(coupling, one of its parts, part) for all parts that it moves.
  template <class Visit>
  void visit_coupled_parts(Visit&& visit) const {
    for (std::size_t k = 0; k < machine_.couplings.size(); ++k) {
      const PartId first = part_of(machine_.couplings[k]);
      if (!first.is_set()) continue;
      for (const CouplingNode::Term& term : machine_.couplings[k].terms) {
        const JointNode& joint = machine_.joints[term.use.joint.index()];
        visit(k, first, joint.a.part);
        visit(k, first, joint.b.part);
      }
    }
  }

  // Many parts: those that are fixed to each other become one body first, those on the ground none at all. Then a fixed
  // joint is never reported as held twice, unless another one holds the same two bodies.
  void analyze_welded(const Group& all) {
    const std::size_t ground = machine_.parts.size();
    const auto end = [&](PartId part) { return part.is_set() ? part.index() : ground; };
    Groups welds(ground + 1);
    std::vector<std::size_t> others;
    for (const std::size_t j : all.joints) {
      const JointNode& joint = machine_.joints[j];
      const std::size_t a = welds.find(end(joint.a.part)), b = welds.find(end(joint.b.part));
      if (!is_weld(joint) || a == b) {
        others.push_back(j);
        continue;
      }
      welds.unite(a, b);
      report_.rank += 6;
    }
    const std::size_t fixed = welds.find(ground);
    for (const std::size_t part : all.parts) body_[part] = welds.find(part) == fixed ? kGround : welds.find(part);
    Groups sets(ground + 1);
    for (const std::size_t j : others) {
      const std::size_t a = body_of(machine_.joints[j].a.part), b = body_of(machine_.joints[j].b.part);
      if (a != kGround && b != kGround) sets.unite(a, b);
    }
    const auto coupled_body = [&](std::size_t coupling) {
      for (const CouplingNode::Term& term : machine_.couplings[coupling].terms) {
        const JointNode& joint = machine_.joints[term.use.joint.index()];
        for (const PartId part : {joint.a.part, joint.b.part}) {
          if (body_of(part) != kGround) return body_of(part);
        }
      }
      return kGround;
    };
    visit_coupled_parts([&](std::size_t coupling, PartId /*first*/, PartId part) {
      const bool is_here = std::find(all.couplings.begin(), all.couplings.end(), coupling) != all.couplings.end();
      if (is_here && body_of(part) != kGround) sets.unite(coupled_body(coupling), body_of(part));
    });
    std::map<std::size_t, Group> groups;
    for (const std::size_t part : all.parts) {
      if (body_[part] == kGround) continue;
      Group& group = groups[sets.find(body_[part])];
      group.parts.push_back(part);
      if (body_[part] == part) group.bodies.push_back(part);
    }
    for (const std::size_t j : others) {
      const std::size_t a = body_of(machine_.joints[j].a.part), b = body_of(machine_.joints[j].b.part);
      if (a == kGround && b == kGround) {
        report_.held_twice.push_back({JointId(j), rows_of(machine_.joints[j])});
      } else {
        groups[sets.find(a == kGround ? b : a)].joints.push_back(j);
      }
    }
    for (const std::size_t k : all.couplings) {
      if (coupled_body(k) == kGround) {
        report_.couplings_held_twice.push_back(k);
      } else {
        groups[sets.find(coupled_body(k))].couplings.push_back(k);
      }
    }
    for (const auto& [root, group] : groups) analyze(group);
  }

  std::size_t body_of(PartId part) const { return part.is_set() ? body_[part.index()] : kGround; }

  void analyze(const Group& group) {
    const std::size_t unknowns = 6 * group.bodies.size();
    if (group.joints.empty() && group.parts.size() == 1) {
      report_.free_motions += unknowns;
      for (const std::size_t part : group.parts) report_.loose_parts.emplace_back(part);
      name_by_parts(group, MatrixX::Identity(6, 6), 1.0);
      return;
    }
    std::size_t rows = group.couplings.size();
    for (const std::size_t j : group.joints) rows += rows_of(machine_.joints[j]);
    if (group.bodies.size() > kMaxDenseBodies) {
      report_.is_counted_only = true;
      const std::size_t rank = std::min(rows, unknowns);
      report_.rank += rank;
      report_.free_motions += unknowns - rank;
      for (const CoordinateUse& use : driven_) {
        const bool is_here =
            std::find(group.joints.begin(), group.joints.end(), use.joint.index()) != group.joints.end();
        if (is_here) ++report_.driven_motions;
      }
      return;
    }
    MatrixX G = MatrixX::Zero(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(unknowns));
    RowWriter writer{G};
    writer.length = length_of(group);
    for (const std::size_t j : group.joints) {
      const JointNode& joint = machine_.joints[j];
      writer.column_a = column(group, joint.a.part);
      writer.column_b = column(group, joint.b.part);
      write_rows(writer, joint, drawn_frame(machine_, joint.a), drawn_frame(machine_, joint.b));
    }
    for (const std::size_t k : group.couplings) write_coupling(group, machine_.couplings[k], writer);
    // A body that nothing holds has no rows.
    const NullSpace space =
        rows > 0 ? null_space(G, kRankTolerance) : NullSpace{0, MatrixX::Identity(G.cols(), G.cols())};
    report_.rank += static_cast<std::size_t>(space.rank);
    report_.free_motions += unknowns - static_cast<std::size_t>(space.rank);
    report_.slipless += static_cast<std::size_t>(space.rank) - position_rank(group, G, space.rank);
    name_motions(group, space.basis, writer.length);
    if (static_cast<std::size_t>(space.rank) < rows) find_held_twice(group, G);
  }

  // The largest of its factors counts one.
  void write_coupling(const Group& group, const CouplingNode& coupling, RowWriter& writer) const {
    double largest = 0.0;
    const auto scale_of = [&](const CouplingNode::Term& term) {
      const bool turns = type_of_use(term.use).motion == Coordinate::Motion::rotation;
      return term.factor / (turns ? writer.length : 1.0);
    };
    for (const CouplingNode::Term& term : coupling.terms) largest = std::max(largest, std::abs(scale_of(term)));
    if (largest == 0.0) largest = 1.0;  // a law at rest on top of its curve holds nothing there
    for (const CouplingNode::Term& term : coupling.terms) {
      writer.G.row(writer.next) += scale_of(term) / largest * rate_row(group, term.use, writer.G.cols(), writer.length);
    }
    ++writer.next;
  }

  const Coordinate& type_of_use(const CoordinateUse& use) const {
    return machine_.joints[use.joint.index()].type->coordinates[use.coordinate];
  }

  // The rate of a coordinate by the twists of a group, an angle's times the length.
  MatrixX rate_row(const Group& group, const CoordinateUse& use, Eigen::Index columns, double length) const {
    const JointNode& joint = machine_.joints[use.joint.index()];
    const Coordinate& coordinate = type_of_use(use);
    MatrixX row = MatrixX::Zero(1, columns);
    const Vector3 axis = drawn_axis(machine_, use);
    write_rate({row, 0, column(group, joint.a.part), column(group, joint.b.part), length}, coordinate.motion, axis,
               drawn_frame(machine_, joint.b).position);
    return row;
  }

  // Rank of the rows that hold positions.
  std::size_t position_rank(const Group& group, const MatrixX& G, Eigen::Index rank) const {
    std::vector<Eigen::Index> kept;
    Eigen::Index row = 0;
    for (const std::size_t j : group.joints) {
      for (const Primitive primitive : machine_.joints[j].type->primitives) {
        for (int i = 0; i < row_count(primitive); ++i, ++row) {
          if (!holds_velocity(primitive)) kept.push_back(row);
        }
      }
    }
    for (std::size_t k = 0; k < group.couplings.size(); ++k) kept.push_back(row++);
    if (kept.size() == static_cast<std::size_t>(G.rows())) return static_cast<std::size_t>(rank);
    if (kept.empty()) return 0;
    return static_cast<std::size_t>(null_space(MatrixX(G(kept, Eigen::all)), kRankTolerance).rank);
  }

  // Rows that take part in a combination of rows that is zero.
  void find_held_twice(const Group& group, const MatrixX& G) {
    const MatrixX dependencies = null_space(G.transpose(), kRankTolerance).basis;
    Eigen::Index row = 0;
    for (const std::size_t j : group.joints) {
      HeldTwice held{JointId(j), 0};
      for (std::size_t i = 0; i < rows_of(machine_.joints[j]); ++i, ++row) {
        if (dependencies.row(row).norm() > kMotionTolerance) ++held.rows;
      }
      if (held.rows > 0) report_.held_twice.push_back(held);
    }
    for (const std::size_t k : group.couplings) {
      if (dependencies.row(row++).norm() > kMotionTolerance) report_.couplings_held_twice.push_back(k);
    }
  }

  // Chooses joint coordinates whose rates are independent in the null space, one for each free motion if possible. What
  // is left when they rest is described by motions of parts, which always suffice.
  void name_motions(const Group& group, const MatrixX& basis, double length) {
    IndependentRates by_coordinates(basis);
    const std::size_t first_named = report_.independent.size();
    for (const CoordinateUse& use : coordinates_of(machine_, group, driven_)) {
      if (by_coordinates.is_complete()) break;
      const bool turns = type_of_use(use).motion == Coordinate::Motion::rotation;
      if (!by_coordinates.add(rate_row(group, use, basis.rows(), length), turns ? length : 1.0)) continue;
      report_.independent.push_back(use);
      const bool is_driven = std::any_of(driven_.begin(), driven_.end(), [&](const CoordinateUse& d) {
        return d.joint == use.joint && d.coordinate == use.coordinate;
      });
      if (is_driven) ++report_.driven_motions;
    }
    const MatrixX named = by_coordinates.motions();
    for (Eigen::Index k = 0; k < named.cols(); ++k) {
      add_motion(group, named.col(k), length).coordinate =
          report_.independent[first_named + static_cast<std::size_t>(k)];
    }
    if (!by_coordinates.is_complete()) name_by_parts(group, by_coordinates.others(), length);
  }

  void name_by_parts(const Group& group, const MatrixX& basis, double length) {
    IndependentRates by_parts(basis);
    std::vector<PartMotion> names;
    for (const std::size_t part : group.bodies) {
      const Vector3 center = machine_.parts[part].X_WP * machine_.parts[part].mass_properties.center;
      for (const Coordinate::Motion motion : {Coordinate::Motion::rotation, Coordinate::Motion::translation}) {
        for (int axis = 0; axis < 3 && !by_parts.is_complete(); ++axis) {
          MatrixX row = MatrixX::Zero(1, basis.rows());
          const double scale =
              write_rate({row, 0, -1, column(group, PartId(part)), length}, motion, Vector3::Unit(axis), center);
          if (by_parts.add(row, scale)) names.push_back({PartId(part), motion, axis});
        }
      }
    }
    const MatrixX named = by_parts.motions();
    for (Eigen::Index k = 0; k < named.cols(); ++k) {
      add_motion(group, named.col(k), length).part = names[static_cast<std::size_t>(k)];
    }
  }

  // Returns what the row must be divided by: angular velocities are scaled with the length, see RowWriter.
  static double write_rate(RowWriter rows, Coordinate::Motion motion, const Vector3& axis, const Vector3& place) {
    if (motion == Coordinate::Motion::translation) {
      rows.translation(axis, place, place);
      return 1.0;
    }
    rows.rotation(axis);
    return rows.length;
  }

  FreeMotion& add_motion(const Group& group, const VectorX& twists, double length) {
    FreeMotion& motion = report_.motions.emplace_back();
    for (std::size_t i = 0; i < group.parts.size(); ++i) {
      const Eigen::Index first = column(group, PartId(group.parts[i]));
      const Vector3 w = twists.segment<3>(first + 3) / length;
      const Vector3 v = Vector3(twists.segment<3>(first)) + w.cross(machine_.parts[group.parts[i]].X_WP.position);
      if (v.norm() < kMotionTolerance * length && w.norm() < kMotionTolerance) continue;
      motion.parts.emplace_back(group.parts[i]);
      motion.twists.push_back({v.x(), v.y(), v.z(), w.x(), w.y(), w.z()});
    }
    return motion;
  }

  // -1: ground. All parts of a body have the same twist at the world origin.
  Eigen::Index column(const Group& group, PartId part) const {
    if (body_of(part) == kGround) return -1;
    const auto it = std::lower_bound(group.bodies.begin(), group.bodies.end(), body_of(part));
    return 6 * static_cast<Eigen::Index>(it - group.bodies.begin());
  }

  double length_of(const Group& group) const {
    double length = 0.0;
    for (const std::size_t j : group.joints) {
      length = std::max(length, drawn_frame(machine_, machine_.joints[j].b).position.norm());
    }
    return length > 0.0 ? length : 1.0;
  }

  static constexpr std::size_t kGround = std::numeric_limits<std::size_t>::max();

  const Machine& machine_;
  std::vector<std::size_t> body_;  // of each part: itself, the part that stands for all it is fixed to, or kGround
  MobilityReport report_;
  std::vector<CoordinateUse> driven_;
};

}  // namespace

MobilityReport expected_mobility(const Machine& machine) { return Analysis(machine).run(); }

MobilityReport expected_mobility(const Machine& machine, std::span<const Pose> poses) {
  Machine posed = machine;
  for (std::size_t p = 0; p < posed.parts.size(); ++p) posed.parts[p].X_WP = poses[p];
  return expected_mobility(posed);
}

Pose drawn_frame(const Machine& machine, const FrameOnPart& frame) {
  if (frame.port.is_set()) {
    const SealedNode& sealed = machine.sealed[static_cast<std::size_t>(frame.port.component)];
    const Pose X_AQ = mirrored(sealed.ports[static_cast<std::size_t>(frame.port.port)], sealed.standing.mirror);
    return sealed.standing.X_WA * X_AQ * frame.X_PF;
  }
  return frame.part.is_set() ? machine.parts[frame.part.index()].X_WP * frame.X_PF : frame.X_PF;
}

const FrameOnPart& axis_carrier(const JointNode& joint, std::size_t coordinate) {
  const Coordinate& it = joint.type->coordinates[coordinate];
  return it.motion == Coordinate::Motion::rotation && it.axis != 2 ? joint.b : joint.a;
}

Vector3 drawn_axis(const Machine& machine, const CoordinateUse& use) {
  const JointNode& joint = machine.joints[use.joint.index()];
  const Coordinate& coordinate = joint.type->coordinates[use.coordinate];
  if (coordinate.is_on_curve) {
    return primitives::drawn_curve(drawn_frame(machine, joint.a), drawn_frame(machine, joint.b), *held_by(joint).curve)
        .axes.directions.col(0);
  }
  return drawn_frame(machine, axis_carrier(joint, use.coordinate)).rotation.col(coordinate.axis);
}

JointGap drawn_gap(const Machine& machine, const JointNode& joint) {
  const Pose A = drawn_frame(machine, joint.a);
  const Pose B = drawn_frame(machine, joint.b);
  const Pose AB = A.inverse() * B;
  JointGap gap;
  for (const Primitive primitive : joint.type->primitives) {
    const PrimitiveType& type = type_of(primitive);
    if (type.gap == nullptr) continue;
    const JointGap one = type.gap(AB, held_by(joint));
    gap.distance = std::max(gap.distance, one.distance);
    gap.angle = std::max(gap.angle, one.angle);
  }
  return gap;
}

}  // namespace gelenk::model
