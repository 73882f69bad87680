#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "gelenk/export/curve_sampler.h"
#include "gelenk/export/row_slabs.h"
#include "gelenk/export/run_digest.h"

// What digest_run() follows through the rows of a file.
namespace gelenk::exporting {

struct Place {
  std::size_t block = 0;
  std::size_t column = 0;
};
template <std::size_t N>
using Places = std::optional<std::array<Place, N>>;  // nothing: not recorded

// Angle from the first orientation, 0 to π, from quaternions w x y z.
class TurnStatistics {
 public:
  void add(double time, const std::array<double, 4>& q);
  Summary summary() const { return angle_.summary(); }

 private:
  std::optional<std::array<double, 4>> first_;
  TimeStatistics angle_;
};

struct PartTrack {
  PartMotion motion;
  Places<3> position, velocity, angular_velocity;
  Places<4> orientation;
  std::optional<std::array<double, 3>> first_position;
  TimeStatistics distance, speed, angular_speed;
  TurnStatistics turn;
};

struct CoordinateTrack {
  CoordinateMotion motion;
  std::optional<Place> value, rate;
  Places<4> orientation;
  Places<3> angular_velocity;
  TimeStatistics value_statistics, rate_statistics;
  TurnStatistics turn;
};

struct LoadTrack {
  JointLoad load;
  Places<3> force, moment;
  VectorStatistics force_statistics, moment_statistics;
};

struct ChannelTrack {
  results::ChannelSource source;
  TimeStatistics statistics;
  std::optional<CurveSampler> sampler;
};

struct EffortTrack {
  EffortDigest digest;
  std::optional<ChannelTrack> effort, power;
};

// Finds what there is by the names of the file's channels, then takes the rows one by one.
class DigestTracks {
 public:
  // Of the first `rows`.
  DigestTracks(const results::Reader& reader, const MachineNames& names, std::size_t rows);

  void add_row(double time, std::size_t row, const RowSlabs& slabs);
  void finish(RunDigest& digest) const;

 private:
  void find_parts();
  void find_coordinates();
  void find_loads();
  void find_efforts();
  void find_channels();
  void find_charts();
  PartTrack& part(const std::string& path);
  CoordinateTrack& coordinate(const std::string& name);
  void add_effort(const std::string& path, const results::RecordedChannel& channel, bool is_actuator);
  template <std::size_t N>
  Places<N> places(const std::string& vector, const char* letters) const;

  const results::Reader& reader_;
  const MachineNames& names_;
  std::size_t rows_;
  std::vector<PartTrack> parts_;
  std::vector<CoordinateTrack> coordinates_;
  std::vector<LoadTrack> loads_;
  std::vector<EffortTrack> efforts_;
  std::vector<ChannelTrack> forces_, outputs_, energies_;
  std::unordered_map<std::string, std::size_t> part_index_, coordinate_index_, effort_index_;
};

}  // namespace gelenk::exporting
