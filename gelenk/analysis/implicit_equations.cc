#include "gelenk/analysis/implicit_equations.h"

#include <algorithm>

#include "gelenk/base/index.h"
#include "gelenk/math/rotation.h"

namespace gelenk::analysis {
namespace {

using mechanics::ForceBlock;

constexpr std::size_t kColumns = 12;  // of a block: displacement, turn, velocity, angular velocity

// The rotational columns of a block, times T.
void turn_columns(const Matrix3& T, double* block_row) {
  const Vector3 row(block_row[3], block_row[4], block_row[5]);
  Eigen::Map<Vector3>(block_row + 3) = T.transpose() * row;
}

}  // namespace

ImplicitEquations::ImplicitEquations(const system::System& system, const system::Params& params)
    : system_(system), params_(params), force_derivatives_(system) {}

void ImplicitEquations::linearize(const Point& point) {
  const mechanics::Context context{system_, params_, point.state};
  blocks_.clear();
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    blocks_.push_back(mechanics::body_block(context, point.workspace, static_cast<std::int32_t>(b)));
  }
  add_inertia(point);
  for (std::size_t f = 0; f < system_.forces.size(); ++f) {
    force_derivatives_.evaluate(context, point.workspace, static_cast<std::int32_t>(f), blocks_);
  }
  mechanics::append_row_derivatives(context, point.workspace, point.multipliers, blocks_);
}

// -∂(J α)/∂θ with J = R J_B Rᵀ: (J α)× - J α×, as a turn δ changes J by δ× J - J δ×.
void ImplicitEquations::add_inertia(const Point& point) {
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    const Matrix3& R = point.workspace.bodies[b].R;
    const Matrix3 J = R * params_.bodies[b].inertia * R.transpose();
    const Vector3 alpha = Vector3::Map(&point.accelerations[6 * b + 3]);
    const Matrix3 derivative = skew<double>(J * alpha) - J * skew<double>(alpha);
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) blocks_[b].values[kColumns * at(3 + i) + at(3 + k)] += derivative(i, k);
    }
  }
}

// Entries in the order in which factor() lists their values: masses, blocks, rows and columns of G.
void ImplicitEquations::set_pattern(const Point& point) {
  std::vector<SparseLu::Entry> entries;
  const auto bodies = static_cast<std::int32_t>(system_.bodies.size());
  for (std::int32_t b = 0; b < bodies; ++b) {
    for (std::int32_t i = 0; i < 3; ++i) entries.push_back({6 * b + i, 6 * b + i});
    for (std::int32_t i = 3; i < 6; ++i) {
      for (std::int32_t k = 3; k < 6; ++k) entries.push_back({6 * b + i, 6 * b + k});
    }
  }
  for (const ForceBlock& block : blocks_) {
    for (std::int32_t i = 0; i < 6; ++i) {
      for (std::int32_t k = 0; k < 6; ++k) entries.push_back({6 * block.on_body + i, 6 * block.by_body + k});
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

bool ImplicitEquations::factor(const Point& point, double velocity_gain, double position_gain) {
  linearize(point);
  pairs_.clear();
  for (const ForceBlock& block : blocks_) pairs_.insert(pairs_.end(), {block.on_body, block.by_body});
  const bool same_rows =
      std::equal(pattern_rows_.begin(), pattern_rows_.end(), point.accepted.begin(), point.accepted.end());
  if (pairs_ != pattern_pairs_ || !same_rows) {
    pattern_pairs_ = pairs_;
    pattern_rows_.assign(point.accepted.begin(), point.accepted.end());
    set_pattern(point);
  }
  const auto turn_matrix = [&](std::int32_t body) -> Matrix3 {
    return point.turns.empty() ? Matrix3(Matrix3::Identity())
                               : exp_differential(Vector3::Map(&point.turns[3 * at(body)]));
  };
  values_.clear();
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    const Matrix3& R = point.workspace.bodies[b].R;
    const Matrix3 J = R * params_.bodies[b].inertia * R.transpose();
    values_.insert(values_.end(), 3, params_.bodies[b].mass);
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) values_.push_back(J(i, k));
    }
  }
  for (ForceBlock& block : blocks_) {
    const Matrix3 T = turn_matrix(block.by_body);
    for (std::size_t i = 0; i < 6; ++i) {
      double* const row = &block.values[kColumns * i];
      turn_columns(T, row);
      for (std::size_t k = 0; k < 6; ++k) values_.push_back(-velocity_gain * row[6 + k] - position_gain * row[k]);
    }
  }
  for (const std::int32_t row : point.accepted) {
    const RowBlock& G = point.workspace.blocks[at(row)];
    const auto add = [&](std::int32_t body, const std::array<double, 6>& values) {
      if (body == system::kGround) return;
      std::array<double, 6> turned = values;
      turn_columns(turn_matrix(body), turned.data());
      for (std::size_t k = 0; k < 6; ++k) {
        values_.push_back(turned[k]);
        values_.push_back(-values[k]);
      }
    };
    add(system_.row_bodies[at(row)].a, G.a);
    add(system_.row_bodies[at(row)].b, G.b);
  }
  return lu_.factor(values_);
}

void ImplicitEquations::solve(std::span<double> bodies, std::span<double> rows) {
  unknowns_.assign(bodies.begin(), bodies.end());
  unknowns_.insert(unknowns_.end(), rows.begin(), rows.end());
  lu_.solve(unknowns_);
  const auto border = unknowns_.begin() + static_cast<std::ptrdiff_t>(bodies.size());
  std::copy(unknowns_.begin(), border, bodies.begin());
  std::copy(border, unknowns_.end(), rows.begin());
}

void ImplicitEquations::subtract(std::span<const double> motion, std::size_t first_column,
                                 std::span<double> out) const {
  for (const ForceBlock& block : blocks_) {
    for (std::size_t i = 0; i < 6; ++i) {
      double sum = 0.0;
      for (std::size_t k = 0; k < 6; ++k) {
        sum += block.values[kColumns * i + first_column + k] * motion[6 * at(block.by_body) + k];
      }
      out[6 * at(block.on_body) + i] += sum;
    }
  }
}

}  // namespace gelenk::analysis
