// Turns, rows and couplings in the equations of implicit methods: by the unknowns of bodies and the motions of ports.
#include "gelenk/analysis/implicit_columns.h"
#include "gelenk/analysis/implicit_equations.h"
#include "gelenk/base/index.h"
#include "gelenk/math/rotation.h"

namespace gelenk::analysis {
namespace {

// T(θ) of rotation vectors, three numbers each.
void put_turns(std::span<const double> turns, std::vector<Matrix3>& result) {
  result.clear();
  for (std::size_t i = 0; i < turns.size(); i += 3) result.push_back(exp_differential(Vector3::Map(&turns[i])));
}

}  // namespace

// False: the states cannot be eliminated.
bool ImplicitEquations::prepare(const Point& point, const Gains& gains) {
  linearize(point);
  if (!add_states(gains.velocity)) return false;
  put_turns(point.turns, turns_);
  rate_rows_.clear();
  if (point.at == subsystem::Newton::At::stage) {
    rate_rows_.find({system_, params_, point.state}, point.workspace, point.accepted, gains.position / gains.velocity);
  }
  return true;
}

// A row by the unknowns of the body that an end is or is on: G, by positions turned; or G by velocities and H by
// positions.
std::array<double, 6> ImplicitEquations::row_by_body(std::int32_t end, std::array<double, 6> G,
                                                     const std::array<double, 6>* H) const {
  const bool is_port = at(end) >= system_.bodies.size();
  const std::size_t port = is_port ? at(end) - system_.bodies.size() : 0;
  const auto turn = [&](double* row) {
    if (!turns_.empty()) turn_columns(turns_[at(body_of(end))], row + 3);
  };
  if (H == nullptr) {
    if (is_port) shift_row(&port_arms_[3 * port], G.data());
    turn(G.data());
    return G;
  }
  std::array<double, 6> by_position = *H;
  if (is_port) {
    const Vector3 by_turn = rate_rows_.share() * port_turning_[port].transpose() * Vector3::Map(G.data());
    shift_row(&port_arms_[3 * port], by_position.data());
    Eigen::Map<Vector3>{&by_position[3]} += by_turn;
    shift_row(&port_arms_[3 * port], G.data());
  }
  turn(by_position.data());
  for (std::size_t k = 0; k < 6; ++k) G[k] += by_position[k];
  return G;
}

// G by the unknowns of bodies; ports report true motions.
void ImplicitEquations::turn_rows(const Point& point) {
  turned_rows_ = point.workspace.blocks;
  if (turns_.empty() && rate_rows_.is_empty()) return;
  for (const std::int32_t row : point.accepted) {
    const bool is_rate = rate_rows_.has(row);
    const auto turn = [&](std::int32_t end, const std::array<double, 6>& H, std::array<double, 6>& values) {
      if (end == system::kGround) return;
      if (at(end) < system_.bodies.size()) {
        values = row_by_body(end, values, is_rate ? &H : nullptr);
      } else if (is_rate) {
        values = H;
      }
    };
    const RowBlock H = is_rate ? rate_rows_.by_position(row) : RowBlock{};
    turn(row_ends_[at(row)].a, H.a, turned_rows_[at(row)].a);
    turn(row_ends_[at(row)].b, H.b, turned_rows_[at(row)].b);
  }
}

}  // namespace gelenk::analysis
