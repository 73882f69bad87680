#include "gelenk/results/run_info.h"

namespace gelenk::results {

std::string_view status_name(RunStatus status) {
  switch (status) {
    case RunStatus::running:
      return "running";
    case RunStatus::done:
      return "done";
    case RunStatus::failed:
      return "failed";
    case RunStatus::stopped:
      return "stopped";
  }
  return "";
}

std::vector<Convention> conventions() {
  return {
      {"units", "SI; angles in rad"},
      {"rows",
       "row i of every block belongs to time[i]; a run that was killed may have more rows in blocks than in time"},
      {"order", "elements in the order of the model; /index names every column of every block"},
      {"position", "of the origin of the part, as written in the model, not of its center of mass"},
      {"part_axes", "all quantities of parts are in world axes"},
      {"quaternion", "w x y z, unit length; turns vectors in part axes into world axes"},
      {"six_vectors", "linear first: velocity, angular velocity; force, moment"},
      {"joint_coordinate", "second frame relative to the first, right-handed; angles are counted over full turns"},
      {"reaction", "acts on the second part, at the origin of its joint frame, in axes of the first frame"},
      {"effort",
       "torque or force of a driver or actuator, positive in the direction of increasing coordinate; not part of the "
       "reaction of the joint; power is effort times rate"},
      {"energy",
       "kinetic; potential of gravity and of all springs; their sum; work since the start of forces without potential, "
       "of "
       "drivers, and of impacts: together they are the change of the sum"},
  };
}

}  // namespace gelenk::results
