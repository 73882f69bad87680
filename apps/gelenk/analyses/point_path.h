#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/gelenk/analyses/kinematics.h"

// Curves that points of parts describe while a machine is led: tables, pictures, drawings.
namespace gelenk::app {

struct PointPath {
  std::string point, file;
  model::FrameOnPart frame;
  struct Pose {
    double swept = 0.0;
    Vector3 p, v, a;  // world; v and a at the rate of the sweep
  };
  std::vector<Pose> poses;
};

// "coupler.tip=tip.svg": a part or a frame, and a file that ends in .csv, .svg or .dxf. Nothing, with the exit code,
// when that makes no sense.
std::optional<std::vector<PointPath>> read_paths(const std::vector<std::string>& texts, bool is_forced,
                                                 const model::Machine& machine, Console& console, ExitCode& code);
void note_pose(analysis::DrivenPoses& poses, double swept, PointPath& path);
// What is put into its file.
std::string text_of(const PointPath& path, const std::string& swept, std::string_view unit, const Display& display);

}  // namespace gelenk::app
