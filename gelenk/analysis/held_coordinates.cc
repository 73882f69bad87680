#include "gelenk/analysis/held_coordinates.h"

#include <optional>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/evaluate.h"
#include "gelenk/mechanics/switches.h"
#include "gelenk/system/coordinate_row.h"

namespace gelenk::analysis {
namespace {

void add_starts(const system::System& system, const model::Machine& machine, bool is_guess,
                std::vector<HeldCoordinate>& held) {
  for (std::size_t j = 0; j < machine.joints.size(); ++j) {
    const model::JointNode& node = machine.joints[j];
    for (const model::CoordinateStart& start : is_guess ? node.guess : node.start) {
      if (start.is_rate) continue;
      HeldCoordinate one;
      one.coordinate = system.joints[j].first_coordinate + static_cast<std::int32_t>(start.coordinate);
      one.is_guess = is_guess;
      one.value = start.value[0];
      one.orientation = Quaternion(start.value[0], start.value[1], start.value[2], start.value[3]);
      one.where = node.where;
      held.push_back(one);
    }
  }
}

}  // namespace

std::vector<HeldCoordinate> held_coordinates(const system::System& system, const system::Params& params,
                                             const model::Machine& machine, double time) {
  std::vector<HeldCoordinate> held;
  add_starts(system, machine, false, held);
  add_starts(system, machine, true, held);
  // Position laws depend on time only: no motion is needed to evaluate them.
  system::State state;
  state.time = time;
  state.extra.assign(system.extra.size(), 0.0);
  state.sides.assign(system.switches.size(), 0);
  mechanics::set_time_sides(system, params, state);
  mechanics::Workspace workspace(system);
  const mechanics::View<double> now = mechanics::view({system, params, state}, workspace);
  for (const system::Driver& driver : system.drivers) {
    if (driver.level != model::DriverNode::Level::position) continue;
    HeldCoordinate one;
    one.coordinate = driver.coordinate;
    one.is_driver = true;
    one.value = now.signal(driver.law);
    one.where = driver.where;
    held.push_back(one);
  }
  return held;
}

std::vector<HeldCoordinate> implied_coordinates(const system::System& system, const system::Params& params,
                                                const std::vector<HeldCoordinate>& held) {
  std::vector<std::optional<double>> known(system.coordinates.size());
  for (const HeldCoordinate& one : held) known[at(one.coordinate)] = one.value;
  std::vector<HeldCoordinate> implied;
  // A coupling may wait for what another one implies.
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (std::size_t k = 0; k < system.couplings.size(); ++k) {
      if (system.couplings[k].has_shafts) continue;  // whose coordinates nobody holds
      if (system.couplings[k].law >= 0) continue;    // what it gives is found with the closed loops
      double rest = params.coupling_constants[k];
      std::int32_t missing = -1;
      std::int32_t missing_count = 0;
      for (std::int32_t t = 0; t < system.couplings[k].term_count; ++t) {
        const std::int32_t term = system.couplings[k].first_term + t;
        const std::optional<double>& value = known[at(system.coupling_terms[at(term)].coordinate)];
        if (value) {
          rest -= params.coupling_factors[at(term)] * *value;
        } else {
          missing = term;
          ++missing_count;
        }
      }
      if (missing_count != 1) continue;
      HeldCoordinate one;
      one.coordinate = system.coupling_terms[at(missing)].coordinate;
      one.value = rest / params.coupling_factors[at(missing)];
      one.where = system.couplings[k].where;
      known[at(one.coordinate)] = one.value;
      implied.push_back(one);
      is_new = true;
    }
  }
  return implied;
}

HeldSystem hold(const system::System& system, const system::Params& params, std::vector<HeldCoordinate>& held) {
  HeldSystem result{system, params, 0};
  system::System& s = result.system;
  s.rows.clear();
  s.row_bodies.clear();
  result.params.row_constants.clear();
  s.drivers.clear();  // their places are taken by the held coordinates
  for (system::Joint& joint : s.joints) joint.row_count = 0;
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    // What holds a velocity alone holds no part in its place.
    if (system.rows[i].driver >= 0 || system.rows[i].is_of_velocity()) continue;
    system::Joint& joint = s.joints[at(system.rows[i].joint)];
    if (joint.row_count++ == 0) joint.first_row = static_cast<std::int32_t>(s.rows.size());
    s.rows.push_back(system.rows[i]);
    s.row_bodies.push_back(system.row_bodies[i]);
    result.params.row_constants.push_back(params.row_constants[i]);
  }
  result.joint_rows = s.rows.size();
  const auto add_row = [&](const system::Row& row) {
    s.rows.push_back(row);
    s.row_bodies.push_back({s.frames[at(row.frame_a)].body, s.frames[at(row.frame_b)].body});
    result.params.row_constants.push_back(0.0);
  };
  for (std::size_t h = 0; h < held.size(); ++h) {
    const system::Coordinate& c = system.coordinates[at(held[h].coordinate)];
    const system::Joint& joint = system.joints[at(c.joint)];
    system::Row row = system::coordinate_row(c, joint, static_cast<std::int32_t>(h));
    s.drivers.emplace_back().path = joint.path;
    if (c.type->motion == model::Coordinate::Motion::orientation) {
      held[h].frame = static_cast<std::int32_t>(s.frames.size());
      s.frames.push_back(s.frames[at(joint.frame_a)]);
      result.params.frames.push_back(params.frames[at(joint.frame_a)]);
      for (std::uint8_t k = 0; k < 3; ++k) {
        row.kind = system::RowKind::dot;
        row.frame_a = held[h].frame;
        row.axis_a = k;
        row.axis_b = static_cast<std::uint8_t>((k + 1) % 3);
        add_row(row);
      }
      continue;
    }
    add_row(row);
  }
  return result;
}

}  // namespace gelenk::analysis
