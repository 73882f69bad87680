#include "gelenk/formats/imported_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace gelenk::formats {
namespace {

// Frames of a part that are nearer to each other than this (m, rad) are one.
constexpr double kSameFrame = 1e-9;

// Frames belong to a part in an assembly, however often that one is used.
struct Owner {
  std::size_t assembly, child;
  auto operator<=>(const Owner&) const = default;
};

struct Known {
  std::string name;
  Pose pose;
};

bool is_same(const Pose& a, const Pose& b) {
  return (a.position - b.position).norm() < kSameFrame && (a.rotation - b.rotation).norm() < kSameFrame;
}

bool has_name(const std::vector<Known>& frames, std::string_view name) {
  return std::any_of(frames.begin(), frames.end(), [&](const Known& frame) { return frame.name == name; });
}

std::string name_in(std::vector<Known>& frames, std::string_view word, const Pose& pose) {
  for (const Known& frame : frames) {
    if (frame.name.starts_with(word) && is_same(frame.pose, pose)) return frame.name;
  }
  std::size_t number = frames.size() + 1;
  while (has_name(frames, fmt::format("{}_{}", word, number))) ++number;
  frames.push_back({fmt::format("{}_{}", word, number), pose});
  return frames.back().name;
}

}  // namespace

std::string_view frame_word(std::string_view joint_type) {
  if (joint_type == "spherical") return "center";
  if (joint_type == "planar") return "face";
  return joint_type == "fixed" ? "seat" : "axis";
}

void name_frames(ImportedModel& model) {
  std::map<Owner, std::vector<Known>> all;
  const auto frames_of = [&](const ImportedPath& path) -> std::vector<Known>& {
    return all[{assembly_of(model, path), path.back()}];
  };
  for (const ImportedFrame& frame : model.frames) frames_of(frame.path).push_back({frame.name, frame.frame});
  for (ImportedJoint& joint : model.joints) {
    for (ImportedEnd& end : joint.ends) {
      std::vector<Known>& frames = frames_of(end.path);
      // A name at another place than another frame of the same name would be a mistake: it gets a new one.
      if (std::any_of(frames.begin(), frames.end(),
                      [&](const Known& frame) { return frame.name == end.name && !is_same(frame.pose, end.frame); })) {
        end.name.clear();
      }
      if (!end.name.empty() && !has_name(frames, end.name)) frames.push_back({end.name, end.frame});
    }
  }
  for (ImportedJoint& joint : model.joints) {
    for (ImportedEnd& end : joint.ends) {
      if (end.name.empty()) end.name = name_in(frames_of(end.path), frame_word(joint.type), end.frame);
    }
  }
}

}  // namespace gelenk::formats
