#pragma once

#include <cstdint>
#include <vector>

#include "gelenk/analysis/kinematic/driven_poses.h"

// What joint coordinates do while a machine is led from pose to pose.
namespace gelenk::analysis {

// A dead center: the coordinate stops while the drivers move on, and comes back.
struct TurningPoint {
  std::int32_t coordinate = -1;  // System::coordinates
  double time = 0.0;
  double value = 0.0;
  bool is_largest = false;  // smallest otherwise
};

// Notes each pose of a way in one direction of time, and looks between the last two where something turned back.
class TurningPoints {
 public:
  TurningPoints(const system::System& system, const system::Params& params);

  // The next pose; the poses are where they were afterwards.
  void note(DrivenPoses& poses);
  // The pose that was noted last is the last one.
  void finish();

  const std::vector<TurningPoint>& found() const { return found_; }
  struct Range {
    double smallest = 0.0, largest = 0.0;  // dead centers between the poses included
    double smallest_rate = 0.0, largest_rate = 0.0;
  };
  // By System::coordinates; orientations of ball joints have none.
  const std::vector<Range>& ranges() const { return ranges_; }

 private:
  struct Sign {
    int last = 0;  // of the rate where it was not zero
    bool starts_at_rest = false;
    double rest_time = 0.0, rest_value = 0.0;
    bool rests = false;  // at the last pose
  };
  void find_between(DrivenPoses& poses, std::size_t index, int sign);
  void add(std::size_t index, double time, double value, bool is_largest);
  double unit(std::size_t index) const;

  const system::System& system_;
  const system::Params& params_;
  std::vector<std::int32_t> scalars_;  // coordinates that have a value
  std::vector<Sign> signs_;
  std::vector<Range> ranges_;
  std::vector<TurningPoint> found_;
  DrivenPoses::Place last_;
  std::size_t poses_ = 0;
};

// Where a coordinate stops on the way to a time at which it moves the other way. The poses are there afterwards. False:
// the machine cannot be led there.
bool lead_to_turn(DrivenPoses& poses, std::int32_t coordinate, double time);

}  // namespace gelenk::analysis
