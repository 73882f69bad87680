#include "gelenk/analysis/implicit_equations.h"

#include <algorithm>
#include <utility>

#include "gelenk/analysis/implicit_columns.h"
#include "gelenk/base/index.h"
#include "gelenk/math/rotation.h"
#include "gelenk/mechanics/couplings.h"

namespace gelenk::analysis {
namespace {

using mechanics::ForceBlock;

constexpr std::size_t kColumns = 12;  // of a block: displacement, turn, velocity, angular velocity

}  // namespace

ImplicitEquations::ImplicitEquations(const system::System& system, const system::Params& params,
                                     const mechanics::Ports& ports, const std::shared_ptr<const solve::Plan>& plan,
                                     SubsystemEquations* subsystems)
    : system_(system),
      params_(params),
      ports_(ports),
      subsystems_(subsystems),
      force_derivatives_(system, ports),
      code_derivatives_(system, ports),
      state_derivatives_(system, ports),
      home_of_body_(system.bodies.size(), 0),
      home_of_force_(system.forces.size(), 0),
      home_of_row_(system.rows.size(), 0),
      home_of_states_(state_derivatives_.group_count(), 0),
      blocks_(1),
      couplings_(subsystems == nullptr || system.sealed.empty() ? nullptr : &subsystems->shafts()) {
  for (const system::Row& row : system.rows) {
    row_ends_.push_back({ports.carrier(system, row.frame_a), ports.carrier(system, row.frame_b)});
  }
  // Couplings may act on several components at once: such machines are left whole where they can be.
  const bool must_divide = !system.sealed.empty() || !system.mounts.empty();
  if (plan && !plan->is_whole() && (must_divide || system.couplings.empty())) divide(plan);
  std::vector<std::size_t> count(blocks_.size(), 0);
  for (const std::int32_t home : home_of_body_) block_of_body_.push_back(count[at(home)]++);
}

std::int32_t ImplicitEquations::body_of(std::int32_t end) const {
  const std::size_t bodies = system_.bodies.size();
  return at(end) < bodies ? end : ports_.list[at(end) - bodies].body;
}

std::int32_t ImplicitEquations::component_of(std::int32_t end, const solve::Plan& plan) const {
  const std::int32_t body = body_of(end);
  if (body >= 0) return plan.partition.component_of_body[at(body)];
  const std::int32_t port = end - static_cast<std::int32_t>(system_.bodies.size());
  const auto has_port = [&](const solve::ForeignComponent& foreign) {
    return std::find(foreign.ports.begin(), foreign.ports.end(), port) != foreign.ports.end();
  };
  return std::find_if(plan.foreign.begin(), plan.foreign.end(), has_port)->component;
}

// The lowest component that contains all of them.
std::int32_t ImplicitEquations::home_of(std::span<const std::int32_t> ends, const solve::Plan& plan) const {
  std::int32_t home = solve::kNone;
  for (const std::int32_t end : ends) {
    const std::int32_t component = component_of(end, plan);
    home = home == solve::kNone ? component : plan.partition.common_owner(home, component);
  }
  const bool is_foreign = std::any_of(plan.foreign.begin(), plan.foreign.end(),
                                      [&](const solve::ForeignComponent& other) { return other.component == home; });
  return std::max(is_foreign ? plan.partition.owner[at(home)] : home, 0);
}

// A force whose formula reads a part inside another component, without a port, has a block that belongs to neither:
// such machines are left whole. Where a border must be kept because nobody knows what is behind it, the block is left
// out: the iteration gets slower, and ends at the same motion.
void ImplicitEquations::divide(const std::shared_ptr<const solve::Plan>& plan) {
  const bool must_divide = !system_.sealed.empty() || !system_.mounts.empty();
  const std::span<const solve::ImplicitFunctions> foreign =
      subsystems_ != nullptr ? subsystems_->implicit_functions() : std::span<const solve::ImplicitFunctions>{};
  auto tree = std::make_unique<solve::ImplicitTree>(plan, foreign);
  std::vector<std::int32_t> homes;
  for (std::size_t f = 0; f < system_.forces.size(); ++f) {
    const auto force = static_cast<std::int32_t>(f);
    const std::vector<std::int32_t> read = mechanics::bodies_read(system_, ports_, force);
    homes.push_back(home_of(read, *plan));
    const bool sees_all =
        std::all_of(read.begin(), read.end(), [&](std::int32_t end) { return tree->sees(homes.back(), end); });
    if (sees_all) continue;
    if (!must_divide) return;
    homes.back() = home_of(mechanics::bodies_pushed(system_, ports_, force), *plan);
    has_unseen_ = true;
  }
  if (!divide_states(*plan, *tree, must_divide)) return;
  has_unseen_ = has_unseen_ || !system_.couplings.empty();  // the outermost component may not see their bodies
  home_of_force_ = std::move(homes);
  for (std::size_t c = 0; c < system_.codes.size(); ++c) {
    const std::vector<std::int32_t>& ends = code_derivatives_.bodies(c);
    home_of_code_.push_back(home_of(ends, *plan));
    for (const std::int32_t end : ends) has_unseen_ = has_unseen_ || !tree->sees(home_of_code_[c], end);
  }
  home_of_body_ = plan->partition.component_of_body;
  const JointRowLayout& layout = plan->layout();
  for (std::size_t j = 0; j < layout.joints.size(); ++j) {
    for (const std::int32_t row : layout.rows_of(layout.joints[j])) home_of_row_[at(row)] = plan->home_of_joint[j];
  }
  blocks_.resize(plan->partition.owner.size());
  tree_ = std::move(tree);
}

// As a force that reads what its states read. False: the machine must be left whole.
bool ImplicitEquations::divide_states(const solve::Plan& plan, const solve::ImplicitTree& tree, bool must_divide) {
  std::vector<std::int32_t> homes;
  for (std::size_t g = 0; g < state_derivatives_.group_count(); ++g) {
    std::vector<std::int32_t> ends = state_derivatives_.pushed(g);
    const std::vector<std::int32_t>& read = state_derivatives_.read(g);
    const bool has_blocks = !ends.empty() && !read.empty();
    ends.insert(ends.end(), read.begin(), read.end());
    if (!has_blocks) ends.clear();
    homes.push_back(home_of(ends, plan));
    const bool sees_all =
        std::all_of(ends.begin(), ends.end(), [&](std::int32_t end) { return tree.sees(homes.back(), end); });
    if (!sees_all && !must_divide) return false;
    has_unseen_ = has_unseen_ || !sees_all;
  }
  home_of_states_ = std::move(homes);
  return true;
}

// With the derivatives of the last point.
bool ImplicitEquations::add_states(double gain) {
  if (!state_derivatives_.factor(gain)) return false;
  for (std::size_t g = 0; g < home_of_states_.size(); ++g) {
    state_derivatives_.append_blocks(g, blocks_[at(home_of_states_[g])]);
  }
  return true;
}

Matrix3 ImplicitEquations::inertia_of(const Point& point, std::size_t body) const {
  const Matrix3& R = point.workspace.bodies[body].R;
  return R * params_.bodies[body].inertia() * R.transpose();
}

void ImplicitEquations::linearize(const Point& point) {
  const mechanics::Context context{system_, params_, point.state};
  for (std::vector<ForceBlock>& blocks : blocks_) blocks.clear();
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    std::vector<ForceBlock>& blocks = blocks_[at(home_of_body_[b])];
    blocks.push_back(mechanics::body_block(context, point.workspace, static_cast<std::int32_t>(b)));
    subtract_inertia(inertia_of(point, b), Vector3::Map(&point.accelerations[6 * b + 3]), blocks.back());
  }
  for (std::size_t f = 0; f < system_.forces.size(); ++f) {
    force_derivatives_.evaluate(context, point.workspace, static_cast<std::int32_t>(f), blocks_[at(home_of_force_[f])]);
  }
  code_derivatives_.evaluate(context, point.workspace, home_of_code_, blocks_);
  state_derivatives_.evaluate(context, point.workspace);
  for (std::size_t row = 0; row < system_.rows.size();) {
    std::vector<ForceBlock>& blocks = blocks_[at(home_of_row_[row])];
    row = mechanics::append_joint_derivatives(context, point.workspace, row, point.multipliers, blocks);
  }
  mechanics::append_coupling_derivatives(context, point.workspace, point.multipliers, blocks_[0]);
  port_arms_ = point.workspace.port_arms;
  port_turning_.clear();
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    if (is_sealed(p)) {
      port_turning_.emplace_back(Matrix3::Zero());
      continue;
    }
    // The velocity v + ω × s changes by ω × (δ × s) = -ω× s× δ when the arm turns.
    const Vector3& w = point.workspace.bodies[at(ports_.list[p].body)].w;
    port_turning_.push_back(-skew<double>(w) * skew<double>(Vector3::Map(&port_arms_[3 * p])));
  }
  if (!ports_.is_empty()) add_port_stiffness(point);
}

// What elements do at a port, force F in all, has the moment s × F about the center of mass of its body, and the arm
// turns with the body: (δ × s) × F = F× s× δ. Sealed components do that by themselves.
void ImplicitEquations::add_port_stiffness(const Point& point) {
  const std::size_t bodies = system_.bodies.size();
  port_loads_.assign(point.workspace.forces.begin() + static_cast<std::ptrdiff_t>(6 * bodies),
                     point.workspace.forces.end());
  for (std::size_t i = 0; i < point.outside.size(); ++i) port_loads_[i] += point.outside[i];
  for (const std::int32_t row : rows_of_joints(point.accepted, system_.rows.size())) {
    const RowBlock& G = point.workspace.blocks[at(row)];
    const auto add = [&](std::int32_t end, const std::array<double, 6>& values) {
      if (end == system::kGround || at(end) < bodies) return;
      double* const to = &port_loads_[6 * (at(end) - bodies)];
      for (std::size_t k = 0; k < 6; ++k) to[k] += point.multipliers[at(row)] * values[k];
    };
    add(row_ends_[at(row)].a, G.a);
    add(row_ends_[at(row)].b, G.b);
  }
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    if (is_sealed(p)) continue;
    const std::size_t body = at(ports_.list[p].body);
    ForceBlock& block = blocks_[at(home_of_body_[body])][block_of_body_[body]];
    const Vector3 force = Vector3::Map(&port_loads_[6 * p]);
    const Matrix3 derivative = skew<double>(force) * skew<double>(Vector3::Map(&port_arms_[3 * p]));
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) block.values[kColumns * at(3 + i) + at(3 + k)] += derivative(i, k);
    }
  }
}

bool ImplicitEquations::factor(const Point& point, double velocity_gain, double position_gain) {
  const Gains gains{velocity_gain, position_gain};
  if (!prepare(point, gains)) return false;
  Point joints = point;
  joints.accepted = rows_of_joints(point.accepted, system_.rows.size());
  if (tree_) load_components(joints, gains);
  if (tree_ ? !tree_->factor() : !factor_whole(joints, gains)) return false;
  couplings_.set(point.workspace.couplings, point.workspace.coupling_shafts, turns_, point.accepted,
                 system_.rows.size());
  return couplings_.factor(6 * (system_.bodies.size() + ports_.size()), joints.accepted.size(),
                           [this](std::span<double> forces, std::span<double> rows) { solve_joints(forces, rows); });
}

bool ImplicitEquations::factor_for_owner(const Point& point, double velocity_gain, double position_gain, double* D) {
  const Gains gains{velocity_gain, position_gain};
  if (!prepare(point, gains)) return false;
  load_components(point, gains);
  const solve::ImplicitFunctions root = tree_->functions();
  return root.factor(root.self, D);
}

// With ports: blocks on these are moved to their bodies.
std::span<ForceBlock> ImplicitEquations::blocks_on_bodies() {
  if (ports_.is_empty()) return blocks_[0];
  shifted_ = blocks_[0];
  const std::size_t bodies = system_.bodies.size();
  for (ForceBlock& block : shifted_) {
    if (at(block.by_body) >= bodies) {
      const std::size_t port = at(block.by_body) - bodies;
      shift_columns(&port_arms_[3 * port], port_turning_[port], block);
    }
    if (at(block.on_body) >= bodies) shift_rows(&port_arms_[3 * (at(block.on_body) - bodies)], block);
    block.on_body = body_of(block.on_body);
    block.by_body = body_of(block.by_body);
  }
  return shifted_;
}

// Entries in the order in which factor_whole() lists their values: masses, blocks, rows and columns of G.
void ImplicitEquations::set_pattern(const Point& point) {
  std::vector<SparseLu::Entry> entries;
  const auto bodies = static_cast<std::int32_t>(system_.bodies.size());
  for (std::int32_t b = 0; b < bodies; ++b) {
    for (std::int32_t i = 0; i < 3; ++i) entries.push_back({6 * b + i, 6 * b + i});
    for (std::int32_t i = 3; i < 6; ++i) {
      for (std::int32_t k = 3; k < 6; ++k) entries.push_back({6 * b + i, 6 * b + k});
    }
  }
  for (std::size_t p = 0; p < pairs_.size(); p += 2) {
    for (std::int32_t i = 0; i < 6; ++i) {
      for (std::int32_t k = 0; k < 6; ++k) entries.push_back({6 * pairs_[p] + i, 6 * pairs_[p + 1] + k});
    }
  }
  std::int32_t row_index = 6 * bodies;
  for (const std::int32_t row : point.accepted) {
    for (const std::int32_t body : {system_.row_bodies[at(row)].a, system_.row_bodies[at(row)].b}) {
      if (body == system::kGround) continue;
      for (std::int32_t k = 0; k < 6; ++k) {
        entries.push_back({row_index, 6 * body + k});
        entries.push_back({6 * body + k, row_index});
      }
    }
    ++row_index;
  }
  lu_.set_pattern(row_index, entries);
}

bool ImplicitEquations::factor_whole(const Point& point, const Gains& gains) {
  const std::span<ForceBlock> blocks = blocks_on_bodies();
  pairs_.clear();
  for (const ForceBlock& block : blocks) pairs_.insert(pairs_.end(), {block.on_body, block.by_body});
  const bool same_rows =
      std::equal(pattern_rows_.begin(), pattern_rows_.end(), point.accepted.begin(), point.accepted.end());
  if (pairs_ != pattern_pairs_ || !same_rows) {
    pattern_pairs_ = pairs_;
    pattern_rows_.assign(point.accepted.begin(), point.accepted.end());
    set_pattern(point);
  }
  const auto turn = [&](std::int32_t body, double* rotational) {
    if (!turns_.empty()) turn_columns(turns_[at(body)], rotational);
  };
  values_.clear();
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    const Matrix3 J = inertia_of(point, b);
    values_.insert(values_.end(), 3, params_.bodies[b].mass);
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) values_.push_back(J(i, k));
    }
  }
  for (ForceBlock& block : blocks) {
    for (std::size_t i = 0; i < 6; ++i) {
      double* const row = &block.values[kColumns * i];
      turn(block.by_body, row + 3);
      for (std::size_t k = 0; k < 6; ++k) values_.push_back(-gains.velocity * row[6 + k] - gains.position * row[k]);
    }
  }
  const std::size_t bodies = system_.bodies.size();
  for (const std::int32_t row : point.accepted) {
    const RowBlock& G = point.workspace.blocks[at(row)];
    const bool is_rate = rate_rows_.has(row);
    const auto add = [&](std::int32_t end, std::array<double, 6> values, const std::array<double, 6>& H) {
      if (end == system::kGround) return;
      const std::array<double, 6> turned = row_by_body(end, values, is_rate ? &H : nullptr);
      if (at(end) >= bodies) shift_row(&port_arms_[3 * (at(end) - bodies)], values.data());
      for (std::size_t k = 0; k < 6; ++k) {
        values_.push_back(turned[k]);
        values_.push_back(-values[k]);
      }
    };
    const RowBlock& H = is_rate ? rate_rows_.by_position(row) : G;
    add(row_ends_[at(row)].a, G.a, H.a);
    add(row_ends_[at(row)].b, G.b, H.b);
  }
  return lu_.factor(values_);
}

void ImplicitEquations::map_ports(const Gains& gains) {
  port_maps_.resize(ports_.size());
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    if (is_sealed(p)) continue;
    const Matrix3 T = turns_.empty() ? Matrix3(Matrix3::Identity()) : turns_[at(ports_.list[p].body)];
    map_port(&port_arms_[3 * p], T, gains.position / gains.velocity * port_turning_[p], port_maps_[p]);
  }
}

void ImplicitEquations::load_components(const Point& point, const Gains& gains) {
  const std::size_t bodies = system_.bodies.size();
  matrix_.clear();
  std::vector<std::size_t> first;  // block of each home
  for (std::size_t home = 0; home < blocks_.size(); ++home) {
    first.push_back(matrix_.size());
    for (const ForceBlock& block : blocks_[home]) {
      const auto sees = [&](std::int32_t end) { return tree_->sees(static_cast<std::int32_t>(home), end); };
      if (has_unseen_ && !(sees(block.by_body) && sees(block.on_body))) continue;
      solve::ImplicitBlock& to = matrix_.emplace_back();
      to.component = static_cast<std::int32_t>(home);
      to.on = block.on_body;
      to.by = block.by_body;
      to.values = block.values;
      const bool is_port = at(block.by_body) >= bodies;
      for (std::size_t i = 0; i < 6; ++i) {
        double* const row = &to.values[kColumns * i];
        if (!is_port && !turns_.empty()) turn_columns(turns_[at(block.by_body)], row + 3);
        for (std::size_t k = 0; k < 6; ++k) {
          row[k] *= -gains.position;
          row[6 + k] *= -gains.velocity;
          if (!is_port) row[k] += row[6 + k];
        }
      }
    }
  }
  for (std::size_t b = 0; b < bodies; ++b) {
    double* const to = matrix_[first[at(home_of_body_[b])] + block_of_body_[b]].values.data();
    const Matrix3 J = inertia_of(point, b);
    for (std::size_t i = 0; i < 3; ++i) {
      to[kColumns * i + i] += params_.bodies[b].mass;
      for (std::size_t k = 0; k < 3; ++k) {
        to[kColumns * (3 + i) + 3 + k] += J(static_cast<int>(i), static_cast<int>(k));
      }
    }
  }
  map_ports(gains);
  turn_rows(point);
  tree_->load(
      {matrix_, row_ends_, point.workspace.blocks, turned_rows_, point.accepted, port_maps_, rate_rows_.flags()});
  if (subsystems_ == nullptr) return;
  mechanics::coupling_loads_on_shafts(system_, point.workspace, point.multipliers, shaft_loads_);
  subsystems_->set_newton(point.at, gains.velocity, gains.position, port_loads_, shaft_loads_);
}

void ImplicitEquations::solve(std::span<double> forces, std::span<double> rows) {
  couplings_.solve(forces, rows, [this](std::span<double> f, std::span<double> u) { solve_joints(f, u); });
}

void ImplicitEquations::solve_joints(std::span<double> forces, std::span<double> rows) {
  const std::size_t size = 6 * system_.bodies.size();
  if (tree_) {
    tree_->set_right_side(forces, rows);
    tree_->sweep();
    tree_->collect(forces, rows);
    return;
  }
  mechanics::move_port_forces(ports_, port_arms_, forces);
  unknowns_.assign(forces.begin(), forces.begin() + static_cast<std::ptrdiff_t>(size));
  unknowns_.insert(unknowns_.end(), rows.begin(), rows.end());
  lu_.solve(unknowns_);
  const auto border = unknowns_.begin() + static_cast<std::ptrdiff_t>(size);
  std::copy(unknowns_.begin(), border, forces.begin());
  std::copy(border, unknowns_.end(), rows.begin());
}

// -> motions_; those of ports of sealed components: one of the three that they gave.
void ImplicitEquations::move_with_ports(std::span<const double> motion, std::span<const double> port_motions,
                                        std::size_t which) {
  motions_.assign(motion.begin(), motion.end());
  motions_.resize(motion.size() + 6 * ports_.size());
  mechanics::shift_to_ports(ports_, port_arms_, motions_);
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    if (is_sealed(p)) std::copy_n(&port_motions[kNewtonMotions * p + 6 * which], 6, &motions_[motion.size() + 6 * p]);
  }
}

void ImplicitEquations::subtract_stiffness(std::span<const double> q, std::span<const double> port_motions,
                                           std::span<double> out) {
  move_with_ports(q, port_motions, 0);
  subtract(0, out);
  if (ports_.is_empty()) return;
  std::fill(motions_.begin(), motions_.end(), 0.0);
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    double* const to = &motions_[q.size() + 6 * p];
    if (is_sealed(p)) {
      std::copy_n(&port_motions[kNewtonMotions * p + 6], 6, to);
    } else {
      Eigen::Map<Vector3>{to} = turning_of(p, q);
    }
  }
  subtract(6, out);
}

void ImplicitEquations::subtract_damping(std::span<const double> v, std::span<const double> port_motions,
                                         std::span<double> out) {
  move_with_ports(v, port_motions, 2);
  subtract(6, out);
}

Vector3 ImplicitEquations::turning_of(std::size_t port, std::span<const double> q) const {
  return port_turning_[port] * Vector3::Map(&q[6 * at(ports_.list[port].body) + 3]);
}

void ImplicitEquations::add_state_forces(std::span<const double> r, std::span<double> forces) {
  states_.assign(r.begin(), r.end());
  state_derivatives_.solve(states_);
  state_derivatives_.add_forces(states_, forces);
}

void ImplicitEquations::solve_states(double gain, std::span<const double> q, std::span<const double> v,
                                     std::span<double> r) {
  const auto with_ports = [&](std::span<const double> of_bodies, std::vector<double>& out) {
    out.assign(of_bodies.begin(), of_bodies.end());
    out.resize(of_bodies.size() + 6 * ports_.size(), 0.0);
    mechanics::shift_to_ports(ports_, port_arms_, out);
  };
  with_ports(q, displacements_);
  with_ports(v, velocities_);
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    if (!is_sealed(p)) Eigen::Map<Vector3>{&velocities_[q.size() + 6 * p]} += turning_of(p, q);
  }
  state_derivatives_.add_rates(gain, displacements_, velocities_, r);
  state_derivatives_.solve(r);
}

void ImplicitEquations::put_port_motions(std::span<const double> q, std::span<const double> v,
                                         std::span<double> motions) const {
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    if (is_sealed(p)) continue;
    double* const to = &motions[kNewtonMotions * p];
    const std::size_t body = 6 * at(ports_.list[p].body);
    mechanics::shift_motion(&port_arms_[3 * p], &q[body], to);
    Eigen::Map<Vector3>{to + 6} = turning_of(p, q);
    std::fill_n(to + 9, 3, 0.0);
    mechanics::shift_motion(&port_arms_[3 * p], &v[body], to + 12);
  }
}

void ImplicitEquations::subtract(std::size_t first_column, std::span<double> out) const {
  for (const std::vector<ForceBlock>& blocks : blocks_) {
    for (const ForceBlock& block : blocks) {
      for (std::size_t i = 0; i < 6; ++i) {
        double sum = 0.0;
        for (std::size_t k = 0; k < 6; ++k) {
          sum += block.values[kColumns * i + first_column + k] * motions_[6 * at(block.by_body) + k];
        }
        out[6 * at(block.on_body) + i] += sum;
      }
    }
  }
}

}  // namespace gelenk::analysis
