#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gelenk/math/pose.h"
#include "gelenk/results/reader.h"

namespace gelenk::exporting {

inline constexpr std::size_t kPoseNumbers = 7;  // x, y, z, qw, qx, qy, qz

// Poses of the parts of a machine at some times.
struct SceneMotion {
  std::size_t part_count = 0;
  std::vector<double> times;  // s, ascending
  std::vector<double> poses;  // times × parts × 7

  std::span<const double> pose(std::size_t time, std::size_t part) const {
    return poses_at(time).subspan(part * kPoseNumbers, kPoseNumbers);
  }
  std::span<const double> poses_at(std::size_t time) const {
    return std::span(poses).subspan(time * part_count * kPoseNumbers, part_count * kPoseNumbers);
  }
};

Pose pose_from_numbers(std::span<const double> numbers);

// Without a number, rows are left out where there are more than this many in a second, but never so many that a part
// turns by more than a quarter between two: it would seem to turn otherwise than it does.
inline constexpr double kMostRowsPerSecond = 60.0;
inline constexpr std::size_t kMostFrames = 1'000'000;

// The parts of a run, in the order of its machine.
class RecordedPoses {
 public:
  // What was not recorded stays where `otherwise` says.
  RecordedPoses(const results::Reader& reader, std::span<const std::string> paths, std::vector<Pose> otherwise);

  // Parts whose motion is not in the file.
  const std::vector<std::size_t>& missing() const { return missing_; }

  // All read functions return what went wrong, or nothing.

  // At one time, between rows on the straight way; it must be within the run.
  std::string read_pose(double time, std::vector<Pose>& poses) const;
  // Of the whole run: rows as they are, or `frames_per_second` on the way between them.
  std::string read_motion(std::optional<double> frames_per_second, SceneMotion& motion) const;

 private:
  class Rows;
  std::string resampled(double frames_per_second, const std::vector<double>& times, SceneMotion& motion) const;
  std::string thinned(const std::vector<double>& times, SceneMotion& motion) const;

  const results::Reader& reader_;
  std::vector<Pose> otherwise_;
  std::optional<std::size_t> block_;                // of the poses
  std::vector<std::optional<std::size_t>> column_;  // of each part
  std::vector<std::size_t> missing_;
};

}  // namespace gelenk::exporting
