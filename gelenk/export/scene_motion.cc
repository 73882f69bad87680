#include "gelenk/export/scene_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gelenk/base/text.h"
#include "gelenk/export/row_slabs.h"

namespace gelenk::exporting {
namespace {

constexpr double kMostTurn = 0.5 * std::numbers::pi;  // between two rows that are kept
constexpr double kRoundingOfTimes = 1e-9;

Quaternion rotation_of(std::span<const double> pose) { return {pose[3], pose[4], pose[5], pose[6]}; }

double turn_between(std::span<const double> a, std::span<const double> b) {
  return rotation_of(a).angularDistance(rotation_of(b));
}

std::vector<bool> only(const results::Reader& reader, std::optional<std::size_t> block) {
  std::vector<bool> is_needed(reader.blocks().size(), false);
  if (block) is_needed[*block] = true;
  return is_needed;
}

// On the straight way from one pose to the next, the short way round.
void append_between(std::span<const double> a, std::span<const double> b, double part, std::vector<double>& out) {
  for (std::size_t i = 0; i < 3; ++i) out.push_back(a[i] + part * (b[i] - a[i]));
  const Quaternion q = rotation_of(a).slerp(part, rotation_of(b));
  for (const double number : {q.w(), q.x(), q.y(), q.z()}) out.push_back(number);
}

}  // namespace

Pose pose_from_numbers(std::span<const double> numbers) {
  return {rotation_from_quaternion(rotation_of(numbers)).value_or(Matrix3::Identity()),
          {numbers[0], numbers[1], numbers[2]}};
}

// The poses of all parts in a row, those that were not recorded among them.
class RecordedPoses::Rows {
 public:
  explicit Rows(const RecordedPoses& of) : of_(of), slabs_(of.reader_, only(of.reader_, of.block_)) {
    for (const Pose& pose : of.otherwise_) {
      const Quaternion q = quaternion_from_rotation(pose.rotation);
      for (int i = 0; i < 3; ++i) standing_.push_back(pose.position[i]);
      for (const double number : {q.w(), q.x(), q.y(), q.z()}) standing_.push_back(number);
    }
  }

  std::string read(std::size_t row, std::vector<double>& poses) {
    poses = standing_;
    if (!of_.block_) return {};
    if (std::string error = slabs_.reach(row); !error.empty()) return error;
    for (std::size_t part = 0; part < of_.column_.size(); ++part) {
      if (!of_.column_[part]) continue;
      for (std::size_t i = 0; i < kPoseNumbers; ++i) {
        poses[part * kPoseNumbers + i] = slabs_.at(*of_.block_, *of_.column_[part] + i, row);
      }
    }
    return {};
  }

 private:
  const RecordedPoses& of_;
  RowSlabs slabs_;
  std::vector<double> standing_;
};

RecordedPoses::RecordedPoses(const results::Reader& reader, std::span<const std::string> paths,
                             std::vector<Pose> otherwise)
    : reader_(reader), otherwise_(std::move(otherwise)), column_(paths.size()) {
  otherwise_.resize(paths.size());
  for (std::size_t part = 0; part < paths.size(); ++part) {
    const std::optional<results::ChannelSource> x = reader.find(paths[part] + ".position.x");
    const bool is_whole = x && x->columns[0] + kPoseNumbers <= reader.blocks()[x->block].width;
    if (!is_whole) {
      missing_.push_back(part);
      continue;
    }
    block_ = x->block;
    column_[part] = x->columns[0];
  }
}

std::string RecordedPoses::read_pose(double time, std::vector<Pose>& poses) const {
  std::vector<double> times;
  if (std::string error = reader_.read_times(times); !error.empty()) return error;
  if (times.empty()) return fmt::format("'{}' has no rows", reader_.path());
  const double slack = kRoundingOfTimes * std::max(std::abs(times.front()), std::abs(times.back()));
  if (!(time >= times.front() - slack && time <= times.back() + slack)) {
    return fmt::format("{} s is not in the run, which goes from {} s to {} s", format_rounded(time, 9),
                       format_rounded(times.front(), 9), format_rounded(times.back(), 9));
  }
  const auto next = std::lower_bound(times.begin(), times.end(), time);
  const auto after = std::min(static_cast<std::size_t>(next - times.begin()), times.size() - 1);
  const std::size_t before = after == 0 || times[after] <= time ? after : after - 1;
  Rows rows(*this);
  std::vector<double> first, second, between;
  if (std::string error = rows.read(before, first); !error.empty()) return error;
  if (std::string error = rows.read(after, second); !error.empty()) return error;
  const double span = times[after] - times[before];
  const double part_of_way = span > 0.0 ? std::clamp((time - times[before]) / span, 0.0, 1.0) : 0.0;
  poses.clear();
  for (std::size_t part = 0; part < column_.size(); ++part) {
    between.clear();
    append_between(std::span(first).subspan(part * kPoseNumbers, kPoseNumbers),
                   std::span(second).subspan(part * kPoseNumbers, kPoseNumbers), part_of_way, between);
    poses.push_back(pose_from_numbers(between));
  }
  return {};
}

std::string RecordedPoses::read_motion(std::optional<double> frames_per_second, SceneMotion& motion) const {
  motion = {};
  motion.part_count = column_.size();
  std::vector<double> times;
  if (std::string error = reader_.read_times(times); !error.empty()) return error;
  if (times.empty()) return fmt::format("'{}' has no rows", reader_.path());
  return frames_per_second ? resampled(*frames_per_second, times, motion) : thinned(times, motion);
}

std::string RecordedPoses::resampled(double frames_per_second, const std::vector<double>& times,
                                     SceneMotion& motion) const {
  const double duration = times.back() - times.front();
  if (duration * frames_per_second > static_cast<double>(kMostFrames)) {
    return fmt::format("at {} frames per second this run would have more than {} frames",
                       format_rounded(frames_per_second), kMostFrames);
  }
  Rows rows(*this);
  std::vector<double> first, second;
  std::size_t before = 0;
  const auto count = static_cast<std::size_t>(std::floor(duration * frames_per_second * (1.0 + kRoundingOfTimes))) + 1;
  for (std::size_t k = 0; k <= count; ++k) {
    // The last picture is the last row, wherever it falls.
    const double time = k < count ? times.front() + static_cast<double>(k) / frames_per_second : times.back();
    if (!motion.times.empty() && !(time > motion.times.back() + kRoundingOfTimes * duration)) continue;
    while (before + 2 < times.size() && times[before + 1] <= time) ++before;
    const std::size_t after = std::min(before + 1, times.size() - 1);
    if (std::string error = rows.read(before, first); !error.empty()) return error;
    if (std::string error = rows.read(after, second); !error.empty()) return error;
    const double span = times[after] - times[before];
    const double part_of_way = span > 0.0 ? std::clamp((time - times[before]) / span, 0.0, 1.0) : 0.0;
    for (std::size_t at = 0; at < first.size(); at += kPoseNumbers) {
      append_between(std::span(first).subspan(at, kPoseNumbers), std::span(second).subspan(at, kPoseNumbers),
                     part_of_way, motion.poses);
    }
    motion.times.push_back(time);
  }
  return {};
}

std::string RecordedPoses::thinned(const std::vector<double>& times, SceneMotion& motion) const {
  Rows rows(*this);
  std::vector<double> before, row;
  std::vector<double> turned(column_.size(), 0.0);  // of each part, since the last row that was kept
  std::vector<double> turns(column_.size(), 0.0);   // since the row before
  const auto keep = [&](std::size_t number, const std::vector<double>& poses) {
    if (!motion.times.empty() && !(times[number] > motion.times.back())) return;
    motion.times.push_back(times[number]);
    motion.poses.insert(motion.poses.end(), poses.begin(), poses.end());
    std::fill(turned.begin(), turned.end(), 0.0);
  };
  for (std::size_t number = 0; number < times.size(); ++number) {
    if (std::string error = rows.read(number, row); !error.empty()) return error;
    bool is_far = false;
    for (std::size_t part = 0; number > 0 && part < turned.size(); ++part) {
      const std::size_t at = part * kPoseNumbers;
      turns[part] = turn_between(std::span(before).subspan(at, kPoseNumbers), std::span(row).subspan(at, kPoseNumbers));
      is_far |= turned[part] + turns[part] > kMostTurn;
    }
    if (is_far) keep(number - 1, before);
    for (std::size_t part = 0; part < turned.size(); ++part) turned[part] += turns[part];
    const bool is_due =
        motion.times.empty() || times[number] - motion.times.back() >= (1.0 - kRoundingOfTimes) / kMostRowsPerSecond;
    if (is_due || number + 1 == times.size()) keep(number, row);
    std::swap(before, row);
  }
  return {};
}

}  // namespace gelenk::exporting
