#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/base/units.h"
#include "gelenk/export/curve.h"
#include "gelenk/export/machine_names.h"
#include "gelenk/export/quantity_scales.h"
#include "gelenk/export/run_away.h"
#include "gelenk/export/time_statistics.h"
#include "gelenk/results/certificate.h"
#include "gelenk/results/reader.h"

// The few numbers of a run that an engineer asks for. Everything is SI.
namespace gelenk::exporting {

// A summary that is empty was not recorded.
struct ChannelDigest {
  std::string name;
  std::string unit;
  Quantity quantity = Quantity::any;
  Summary summary;
  std::string shown_unit{};  // of an output that has one of its own
};

struct PartMotion {
  std::string path;
  Summary distance;              // of the origin from where it started, m
  std::array<Limits, 3> extent;  // of the path of the origin, world axes, m
  Summary turn;                  // angle from the orientation at the start: 0 to π
  Summary speed, angular_speed;  // of the origin, m/s; rad/s
  bool is_moving = false;        // by more than rounding
};

struct CoordinateMotion {
  std::string name;  // "main_bearing.angle"
  ChannelDigest value;
  ChannelDigest rate;           // magnitude of the angular velocity where the coordinate is an orientation
  bool is_orientation = false;  // then the value is the angle from the orientation at the start: 0 to π
  bool is_moving = false;
};

// Of a driver or an actuator.
struct EffortDigest {
  std::string path;
  std::string drives;  // "main_bearing.angle"; empty when not known
  bool is_actuator = false;
  ChannelDigest effort, power;
};

// A force or a moment on the second part of a joint, in axes of the first frame.
struct Load {
  Summary magnitude;
  std::array<double, 3> direction{};  // at the peak, unit length
  bool is_rounding = false;           // so small beside the other loads that it means nothing
};

struct JointLoad {
  std::string path;
  JointNames names;  // empty when not known
  Load force, moment;
};

struct RunDigest {
  std::string file;
  std::string model_name;
  std::string program_version;
  results::RunStatus status = results::RunStatus::running;
  std::string message;
  bool is_closed = true;
  std::size_t row_count = 0;
  double start_time = 0.0, end_time = 0.0;
  std::string written;  // when the file was written last: "2026-11-18 02:34 UTC"; empty when not known
  std::size_t event_count = 0;
  std::optional<results::Certificate> certificate;
  std::vector<std::string> damage;  // rows, events or texts that differ from what was recorded
  std::string certificate_problem;  // why it cannot be read, when there is one
  std::optional<RunAway> run_away;  // then all below is about the rows before it
  QuantityScales scales;

  MachineNames names;
  std::vector<PartMotion> parts;
  std::vector<CoordinateMotion> coordinates;
  std::vector<EffortDigest> efforts;
  std::vector<JointLoad> loads;
  std::vector<ChannelDigest> forces;  // without actuators; vectors by their magnitude
  std::vector<ChannelDigest> outputs;
  std::vector<ChannelDigest> energies;

  // Outputs and efforts over time, thinned so that peaks stay.
  struct Chart {
    Curve curve;  // SI
    Quantity quantity = Quantity::any;
    std::string shown_unit{};  // of an output that has one of its own
  };
  std::vector<Chart> charts;
};

inline constexpr std::size_t kMostCharts = 8;
inline constexpr std::size_t kChartBins = 150;  // of four points each

// Reads the file, a few megabytes at a time. Returns what went wrong, or nothing.
std::string digest_run(const results::Reader& reader, RunDigest& digest);

}  // namespace gelenk::exporting
