#include "gelenk/analysis/recorded_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/node_balance.h"
#include "gelenk/system/compile.h"
#include "gelenk/system/origins.h"

namespace gelenk::analysis {

using results::BlockId;

RecordedRows::RecordedRows(const results::Layout& layout, const results::Reader& reader)
    : layout_(layout), reader_(reader), place_(layout.ids()), rows_(layout.ids()), is_recorded_(layout.ids()) {
  for (const results::Block& block : layout.blocks) {
    const BlockId id = block.id;
    rows_[id].assign(block.full_width, std::numeric_limits<double>::quiet_NaN());
    is_recorded_[id].assign(block.full_width, block.is_recorded() && block.kept.empty() ? 1 : 0);
    for (const std::size_t column : block.kept) is_recorded_[id][column] = 1;
    std::size_t width = 0;
    for (std::size_t b = 1; b < reader.blocks().size(); ++b) {
      if (reader.blocks()[b].name != id.name()) continue;
      place_[id] = b;
      width = reader.blocks()[b].width;
    }
    if (width != block.width && error_.empty()) {
      error_ =
          fmt::format("'{}' has {} columns, but its own model and options ask for {}", id.name(), width, block.width);
    }
  }
}

bool RecordedRows::read(std::size_t row) {
  error_ = reader_.read_frame(row, frame_);
  if (!error_.empty()) return false;
  for (const results::Block& block : layout_.blocks) {
    if (!block.is_recorded()) continue;
    const std::vector<double>& from = frame_.rows[place_[block.id]];
    std::vector<double>& to = rows_[block.id];
    if (block.kept.empty()) {
      std::copy(from.begin(), from.end(), to.begin());
    } else {
      for (std::size_t k = 0; k < block.kept.size(); ++k) to[block.kept[k]] = from[k];
    }
  }
  return true;
}

bool RecordedRows::has(BlockId block, std::size_t first, std::size_t count) const {
  const std::vector<char>& mask = is_recorded_[block];
  if (first + count > mask.size()) return false;
  return std::all_of(&mask[first], &mask[first] + count, [](char one) { return one != 0; });
}

bool RecordedRows::has_all(BlockId block) const {
  const std::vector<char>& mask = is_recorded_[block];
  return std::all_of(mask.begin(), mask.end(), [](char one) { return one != 0; });
}

bool RecordedRows::has_any(BlockId block) const {
  const std::vector<char>& mask = is_recorded_[block];
  return std::any_of(mask.begin(), mask.end(), [](char one) { return one != 0; });
}

RecordedState::RecordedState(const system::System& system, const system::Params& params, const results::Layout& layout,
                             const RecordedRows& rows)
    : system_(system),
      params_(params),
      state_(system::drawn_state(system, params)),
      source_(system.bodies.size(), -1),
      is_moving_(system.bodies.size(), 0),
      workspace_(system) {
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    for (const std::int32_t part : system.bodies[b].parts) {
      const bool is_placed = rows.has(BlockId::pose, 7 * at(part), 7);
      const bool is_moving = is_placed && rows.has(BlockId::twist, 6 * at(part), 6);
      if (is_moving || (is_placed && source_[b] < 0)) source_[b] = part;
      is_moving_[b] = is_moving ? 1 : 0;
      if (is_moving) break;
    }
    all_placed_ = all_placed_ && source_[b] >= 0;
    all_moving_ = all_moving_ && is_moving_[b] != 0;
  }
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    std::size_t coordinate = layout.coordinate_offsets[j];
    std::size_t rate = layout.rate_offsets[j];
    for (std::int32_t i = 0; i < system.joints[j].coordinate_count; ++i) {
      const system::Coordinate& c = system.coordinates[at(system.joints[j].first_coordinate + i)];
      const bool is_orientation = c.type->motion == model::Coordinate::Motion::orientation;
      coordinate_columns_.push_back(coordinate);
      rate_columns_.push_back(rate);
      coordinate += is_orientation ? 4 : 1;
      rate += is_orientation ? 3 : 1;
    }
  }
}

bool RecordedState::is_placed(std::int32_t body) const { return body == system::kGround || source_[at(body)] >= 0; }
bool RecordedState::is_moving(std::int32_t body) const { return body == system::kGround || is_moving_[at(body)] != 0; }

void RecordedState::set(const RecordedRows& rows) {
  state_.time = rows.time();
  state_.origin = params_.origins;
  const std::span<const double> poses = rows[BlockId::pose];
  const std::span<const double> twists = rows[BlockId::twist];
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    if (source_[b] < 0) continue;
    const std::size_t part = at(source_[b]);
    const double* const x = &poses[7 * part];
    const Pose X_PB = params_.parts[part].X_BP.inverse();
    const Quaternion q_WP = Quaternion(x[3], x[4], x[5], x[6]).normalized();
    const Vector3 arm = q_WP * X_PB.position;  // from the part's origin to the center of mass of the body
    state_.position[b] = Vector3(x[0], x[1], x[2]) - system::origin_of(state_, b) + arm;
    state_.orientation[b] = (q_WP * Quaternion(X_PB.rotation)).normalized();
    if (is_moving_[b] == 0) continue;
    const double* const v = &twists[6 * part];
    const Vector3 w(v[3], v[4], v[5]);
    const Vector3 center = Vector3(v[0], v[1], v[2]) + w.cross(arm);
    std::copy_n(center.data(), 3, &state_.velocity[6 * b]);
    std::copy_n(w.data(), 3, &state_.velocity[6 * b + 3]);
  }
  system::move_origins(system_, params_, state_);
  set_extra(rows);
}

void RecordedState::set_extra(const RecordedRows& rows) {
  const mechanics::Context context{system_, params_, state_};
  mechanics::update_positions(context, workspace_);
  mechanics::update_velocities(context, workspace_);
  for (std::size_t i = 0; i < system_.coordinates.size(); ++i) {
    const system::Coordinate& c = system_.coordinates[i];
    if (c.tracked < 0 || !rows.has(BlockId::coordinate, coordinate_columns_[i])) continue;
    state_.extra[at(c.tracked)] = rows[BlockId::coordinate][coordinate_columns_[i]];
  }
  for (std::size_t s = 0; s < system_.states.size(); ++s) {
    if (rows.has(BlockId::state, s)) state_.extra[at(system_.states[s].place)] = rows[BlockId::state][s];
  }
  std::size_t column = system_.states.size();  // those of code follow, section by section
  for (const system::NativeCode& code : system_.codes) {
    for (std::size_t s = 0; s < code.state_count; ++s, ++column) {
      if (rows.has(BlockId::state, column)) state_.extra[at(code.first_state) + s] = rows[BlockId::state][column];
    }
  }
  mechanics::settle_angles(system_, params_, workspace_, state_);
  mechanics::balance_nodes(context, workspace_);
  // What a driver has integrated is where its coordinate is.
  const mechanics::View<double> now = mechanics::view(context, workspace_);
  for (const system::Driver& driver : system_.drivers) {
    if (driver.extra < 0) continue;
    state_.extra[at(driver.extra)] = now.coordinate(driver.coordinate);
    if (driver.level == model::DriverNode::Level::acceleration) {
      state_.extra[at(driver.extra) + 1] = now.rate(driver.coordinate);
    }
  }
}

}  // namespace gelenk::analysis
