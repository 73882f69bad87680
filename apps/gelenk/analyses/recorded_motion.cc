#include "apps/gelenk/analyses/recorded_motion.h"

#include <fmt/format.h>

#include "apps/gelenk/analyses/coordinate_names.h"
#include "gelenk/base/index.h"
#include "gelenk/system/origins.h"

namespace gelenk::app {
namespace {

constexpr std::size_t kOfPart = 19;

}  // namespace

bool RecordedMotion::find(const std::string& name, std::size_t index, std::vector<Place>& places,
                          std::string& error) const {
  const std::optional<results::ChannelSource> source = reader_->find(name);
  if (!source) {
    error = fmt::format("'{}' has no channel '{}'", reader_->path(), name);
    return false;
  }
  places.push_back({*source, index});
  return true;
}

std::unique_ptr<RecordedMotion> RecordedMotion::open(const std::string& file, const system::System& system,
                                                     const system::Params& params, std::string& error) {
  std::unique_ptr<RecordedMotion> motion(new RecordedMotion(system, params));
  motion->reader_ = results::Reader::open(file, error);
  if (!motion->reader_) return nullptr;
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const std::string& part = system.lead_part(b).path;
    for (const std::string_view name :
         {".position.x", ".position.y", ".position.z", ".orientation.w", ".orientation.x", ".orientation.y",
          ".orientation.z", ".velocity.x", ".velocity.y", ".velocity.z", ".angular_velocity.x", ".angular_velocity.y",
          ".angular_velocity.z", ".acceleration.x", ".acceleration.y", ".acceleration.z", ".angular_acceleration.x",
          ".angular_acceleration.y", ".angular_acceleration.z"}) {
      if (!motion->find(part + std::string(name), b, motion->parts_, error)) return nullptr;
    }
  }
  for (const system::IntegratedState& state : system.states) {
    if (!motion->find(state.path, at(state.place), motion->extras_, error)) return nullptr;
  }
  for (std::size_t c = 0; c < system.coordinates.size(); ++c) {
    const std::int32_t tracked = system.coordinates[c].tracked;
    if (tracked >= 0 && !motion->find(coordinate_path(system, c), at(tracked), motion->extras_, error)) return nullptr;
  }
  return motion;
}

void RecordedMotion::put_body(std::size_t body, Row& row) const {
  double x[kOfPart];
  for (std::size_t i = 0; i < kOfPart; ++i) {
    const results::ChannelSource& source = parts_[kOfPart * body + i].source;
    x[i] = source.value(frame_.rows[source.block]);
  }
  const Pose& X_BP = params_.parts[at(system_.bodies[body].parts.front())].X_BP;
  const Quaternion q_WP(x[3], x[4], x[5], x[6]);
  const Quaternion q_WB = (q_WP * Quaternion(Matrix3(X_BP.rotation.transpose()))).normalized();
  const Vector3 arm = q_WB * X_BP.position;  // from the center of mass to the part's origin
  const Vector3 w(x[10], x[11], x[12]), alpha(x[16], x[17], x[18]);
  const Vector3 v = Vector3(x[7], x[8], x[9]) - w.cross(arm);
  const Vector3 a = Vector3(x[13], x[14], x[15]) - alpha.cross(arm) - w.cross(w.cross(arm));
  row.state.orientation[body] = q_WB;
  row.state.position[body] = Vector3(x[0], x[1], x[2]) - arm - system::origin_of(row.state, body);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    row.state.velocity[6 * body + i] = v[k];
    row.state.velocity[6 * body + 3 + i] = w[k];
    row.accelerations[6 * body + i] = a[k];
    row.accelerations[6 * body + 3 + i] = alpha[k];
  }
}

std::string RecordedMotion::read(std::size_t number, Row& row) {
  if (const std::string error = reader_->read_frame(number, frame_); !error.empty()) return error;
  row.state.time = frame_.time;
  row.accelerations.resize(6 * system_.bodies.size());
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) put_body(b, row);
  for (const Place& extra : extras_) {
    row.state.extra[extra.index] = extra.source.value(frame_.rows[extra.source.block]);
  }
  return {};
}

}  // namespace gelenk::app
