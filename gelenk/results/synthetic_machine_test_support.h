#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "gelenk/results/recorder.h"

// A machine with one of everything that records something, and an invented motion of it.
namespace gelenk::results {

inline model::Machine small_machine() {
  model::Machine machine;
  machine.name = "small";
  machine.display = {{Quantity::length, "mm"}, {Quantity::angle, "deg"}};
  for (const char* path : {"crank", "arm.rod", "slider"}) {
    machine.parts.emplace_back().path = path;
  }
  const auto add_joint = [&](const char* path, const model::ObjectType& type) {
    machine.joints.emplace_back();
    machine.joints.back().path = path;
    machine.joints.back().type = &type;
  };
  add_joint("bearing", model::kRevolute);
  add_joint("ball", model::kSpherical);
  add_joint("rail", model::kPrismatic);
  add_joint("weld", model::kFixed);
  const auto add_driver = [&](const char* path, std::size_t joint) {
    machine.drivers.emplace_back();
    machine.drivers.back().path = path;
    machine.drivers.back().drives.joint = model::JointId(joint);
  };
  add_driver("motor", 0);
  add_driver("piston", 2);
  const auto add_force = [&](const char* path, const model::ObjectType& type) -> model::ForceNode& {
    machine.forces.emplace_back();
    machine.forces.back().path = path;
    machine.forces.back().type = &type;
    return machine.forces.back();
  };
  add_force("spring", model::kSpringDamper);
  add_force("mount", model::kBushing);
  add_force("servo", model::kActuator).drives = model::CoordinateUse{model::JointId(2), 0, 1.0};
  machine.outputs.emplace_back().path = "stroke";
  machine.outputs.back().value.dimension = Dimension(0, 1, 0);
  machine.states.emplace_back().path = "servo.current";
  return machine;
}

inline const std::vector<BlockId>& small_blocks() {
  static const std::vector<BlockId> ids = make_layout(small_machine()).ids();
  return ids;
}

// Column c of block b at a time; every value differs from its neighbors.
inline double invented(BlockId block, std::size_t column, double time) {
  const auto number = std::find(small_blocks().begin(), small_blocks().end(), block) - small_blocks().begin();
  return static_cast<double>(number) + std::sin(time + 0.1 * static_cast<double>(column));
}

inline void fill_invented(const Row& row, double time) {
  for (const BlockId id : row.blocks()) {
    for (std::size_t c = 0; c < row[id].size(); ++c) row[id][c] = invented(id, c, time);
  }
}

inline double invented_time(std::size_t row) { return 1e-3 * static_cast<double>(row); }

// Records `rows` rows and closes; returns what went wrong.
inline std::string record_invented(const std::string& path, const Layout& layout, std::size_t rows,
                                   const RunInfo& info = {}) {
  std::string error;
  const auto recorder = Recorder::open(path, layout, info, error);
  if (!recorder) return error;
  for (std::size_t i = 0; i < rows; ++i) {
    fill_invented(recorder->row(invented_time(i)), invented_time(i));
    if (!recorder->commit()) break;
  }
  return recorder->close(RunStatus::done);
}

// A folder that vanishes with the test. Its name is the same when a test is started again, as death tests are, and
// another one for tests of another build.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              ("gelenk_" + std::to_string(std::filesystem::hash_value(std::filesystem::current_path())) + "_" + name)) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace gelenk::results
