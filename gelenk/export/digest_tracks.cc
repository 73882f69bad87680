#include "gelenk/export/digest_tracks.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "gelenk/model/element_list.h"
#include "gelenk/results/layout.h"

namespace gelenk::exporting {
namespace {

using results::BlockId;
using results::ChannelSource;
using results::RecordedChannel;

bool is_in(const results::Reader& reader, const RecordedChannel& channel, BlockId block) {
  return reader.blocks()[channel.block].name == block.name();
}

// "crank" of "crank.position.x" for ".position.x"; nothing when the name ends otherwise.
std::optional<std::string> path_before(const std::string& name, std::string_view suffix) {
  if (!name.ends_with(suffix) || name.size() == suffix.size()) return std::nullopt;
  return name.substr(0, name.size() - suffix.size());
}

std::string first_piece(const std::string& name) { return name.substr(0, name.rfind('.')); }
std::string last_piece(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

// "rate" -> "angle", as the types of joints pair them.
std::optional<std::string_view> coordinate_of_rate(std::string_view rate) {
  for (const model::ObjectType* type : model::Descriptors<model::JointData>::kAll) {
    for (const model::Coordinate& coordinate : type->coordinates) {
      if (coordinate.rate == rate) return coordinate.name;
    }
  }
  return std::nullopt;
}

template <std::size_t N>
std::array<double, N> values_at(const std::array<Place, N>& places, std::size_t row, const RowSlabs& slabs) {
  std::array<double, N> values{};
  for (std::size_t i = 0; i < N; ++i) values[i] = slabs.at(places[i].block, places[i].column, row);
  return values;
}

double length(const std::array<double, 3>& v) { return std::hypot(v[0], v[1], v[2]); }

ChannelSource source_of(const RecordedChannel& channel) {
  return {channel.name, channel.block, {channel.column}, false, channel.unit, channel.quantity, channel.shown_unit};
}

void add_channel_row(ChannelTrack& track, double time, std::size_t row, const RowSlabs& slabs) {
  const double value = slabs.value(track.source, row);
  track.statistics.add(time, value);
  if (track.sampler) track.sampler->add(time, value);
}

ChannelDigest digest_of(const ChannelTrack& track) {
  return {track.source.name, track.source.unit, track.source.quantity, track.statistics.summary(),
          track.source.shown_unit};
}

}  // namespace

void TurnStatistics::add(double time, const std::array<double, 4>& q) {
  if (!first_) first_ = q;
  // Between q and -q, which mean the same, the nearer one counts. The half-angle formula with both chord lengths keeps
  // small angles exact, where acos(q·q₀) would not.
  double apart = 0.0;
  double together = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    apart += (q[i] - (*first_)[i]) * (q[i] - (*first_)[i]);
    together += (q[i] + (*first_)[i]) * (q[i] + (*first_)[i]);
  }
  angle_.add(time, 4.0 * std::atan2(std::sqrt(std::min(apart, together)), std::sqrt(std::max(apart, together))));
}

DigestTracks::DigestTracks(const results::Reader& reader, const MachineNames& names, std::size_t rows)
    : reader_(reader), names_(names), rows_(rows) {
  find_parts();
  find_coordinates();
  find_loads();
  find_efforts();
  find_channels();
  find_charts();
}

template <std::size_t N>
Places<N> DigestTracks::places(const std::string& vector, const char* letters) const {
  std::array<Place, N> found;
  for (std::size_t i = 0; i < N; ++i) {
    const std::optional<ChannelSource> source = reader_.find(vector + "." + letters[i]);
    if (!source) return std::nullopt;
    found[i] = {source->block, source->columns[0]};
  }
  return found;
}

PartTrack& DigestTracks::part(const std::string& path) {
  const auto [it, is_new] = part_index_.emplace(path, parts_.size());
  if (is_new) parts_.emplace_back().motion.path = path;
  return parts_[it->second];
}

void DigestTracks::find_parts() {
  for (const RecordedChannel& channel : reader_.channels()) {
    if (is_in(reader_, channel, BlockId::pose)) {
      if (const auto path = path_before(channel.name, ".position.x")) {
        part(*path).position = places<3>(*path + ".position", "xyz");
        part(*path).orientation = places<4>(*path + ".orientation", "wxyz");
      }
    } else if (is_in(reader_, channel, BlockId::twist)) {
      if (const auto path = path_before(channel.name, ".velocity.x")) {
        part(*path).velocity = places<3>(*path + ".velocity", "xyz");
        part(*path).angular_velocity = places<3>(*path + ".angular_velocity", "xyz");
      }
    }
  }
}

CoordinateTrack& DigestTracks::coordinate(const std::string& name) {
  const auto [it, is_new] = coordinate_index_.emplace(name, coordinates_.size());
  if (is_new) coordinates_.emplace_back().motion.name = name;
  return coordinates_[it->second];
}

void DigestTracks::find_coordinates() {
  for (const RecordedChannel& channel : reader_.channels()) {
    const Place place{channel.block, channel.column};
    if (is_in(reader_, channel, BlockId::coordinate)) {
      if (const auto joint = path_before(channel.name, ".orientation.w")) {
        CoordinateTrack& track = coordinate(*joint + ".orientation");
        track.orientation = places<4>(*joint + ".orientation", "wxyz");
        track.motion.is_orientation = true;
        track.motion.value = {
            track.motion.name, std::string(quantity_info(Quantity::angle).si_symbol), Quantity::angle, {}};
      } else if (channel.name.find(".orientation.") == std::string::npos) {
        CoordinateTrack& track = coordinate(channel.name);
        track.value = place;
        track.motion.value = {channel.name, channel.unit, channel.quantity, {}};
      }
    } else if (is_in(reader_, channel, BlockId::rate)) {
      if (const auto joint = path_before(channel.name, ".angular_velocity.x")) {
        CoordinateTrack& track = coordinate(*joint + ".orientation");
        track.angular_velocity = places<3>(*joint + ".angular_velocity", "xyz");
        track.motion.is_orientation = true;
        track.motion.rate = {*joint + ".angular_velocity", channel.unit, channel.quantity, {}};
      } else if (const auto name = coordinate_of_rate(last_piece(channel.name))) {
        CoordinateTrack& track = coordinate(first_piece(channel.name) + "." + std::string(*name));
        track.rate = place;
        track.motion.rate = {channel.name, channel.unit, channel.quantity, {}};
      }
    }
  }
}

void DigestTracks::find_loads() {
  for (const RecordedChannel& channel : reader_.channels()) {
    if (!is_in(reader_, channel, BlockId::reaction)) continue;
    const auto path = path_before(channel.name, ".reaction.force.x");
    if (!path) continue;
    LoadTrack& track = loads_.emplace_back();
    track.load.path = *path;
    if (const auto known = names_.joints.find(*path); known != names_.joints.end()) track.load.names = known->second;
    track.force = places<3>(*path + ".reaction.force", "xyz");
    track.moment = places<3>(*path + ".reaction.moment", "xyz");
  }
}

void DigestTracks::add_effort(const std::string& path, const RecordedChannel& channel, bool is_actuator) {
  const auto [it, is_new] = effort_index_.emplace(path, efforts_.size());
  if (is_new) {
    EffortDigest& digest = efforts_.emplace_back().digest;
    digest.path = path;
    digest.is_actuator = is_actuator;
    if (const auto known = names_.drives.find(path); known != names_.drives.end()) digest.drives = known->second;
  }
  EffortTrack& track = efforts_[it->second];
  (channel.quantity == Quantity::power ? track.power : track.effort) = ChannelTrack{source_of(channel), {}, {}};
}

void DigestTracks::find_efforts() {
  for (const RecordedChannel& channel : reader_.channels()) {
    const std::string path = first_piece(channel.name);
    if (is_in(reader_, channel, BlockId::effort)) {
      add_effort(path, channel, false);
    } else if (is_in(reader_, channel, BlockId::force) && reader_.find(path + ".power")) {
      // Of all forces only actuators have a power.
      add_effort(path, channel, true);
    }
  }
}

void DigestTracks::find_channels() {
  for (const RecordedChannel& channel : reader_.channels()) {
    if (is_in(reader_, channel, BlockId::output)) outputs_.push_back({source_of(channel), {}, {}});
    if (is_in(reader_, channel, BlockId::energy)) energies_.push_back({source_of(channel), {}, {}});
    if (is_in(reader_, channel, BlockId::coupling)) forces_.push_back({source_of(channel), {}, {}});
    if (!is_in(reader_, channel, BlockId::force) || effort_index_.contains(first_piece(channel.name))) continue;
    const std::string vector = first_piece(channel.name);
    const std::optional<ChannelSource> magnitude = reader_.find(vector + ".magnitude");
    if (!magnitude) forces_.push_back({source_of(channel), {}, {}});
    if (magnitude && channel.name.ends_with(".x")) forces_.push_back({*magnitude, {}, {}});
  }
}

void DigestTracks::find_charts() {
  const auto sample = [&](ChannelTrack& track) { track.sampler.emplace(rows_, kChartBins); };
  for (std::size_t i = 0; i < std::min(outputs_.size(), kMostCharts); ++i) sample(outputs_[i]);
  for (std::size_t i = 0; i < std::min(efforts_.size(), kMostCharts); ++i) {
    if (efforts_[i].effort) sample(*efforts_[i].effort);
  }
}

void DigestTracks::add_row(double time, std::size_t row, const RowSlabs& slabs) {
  for (PartTrack& track : parts_) {
    if (track.position) {
      const std::array<double, 3> p = values_at(*track.position, row, slabs);
      if (!track.first_position) track.first_position = p;
      const std::array<double, 3>& first = *track.first_position;
      track.distance.add(time, std::hypot(p[0] - first[0], p[1] - first[1], p[2] - first[2]));
      for (std::size_t i = 0; i < p.size(); ++i) track.motion.extent[i].include(p[i]);
    }
    if (track.orientation) track.turn.add(time, values_at(*track.orientation, row, slabs));
    if (track.velocity) track.speed.add(time, length(values_at(*track.velocity, row, slabs)));
    if (track.angular_velocity) track.angular_speed.add(time, length(values_at(*track.angular_velocity, row, slabs)));
  }
  for (CoordinateTrack& track : coordinates_) {
    if (track.value) track.value_statistics.add(time, slabs.at(track.value->block, track.value->column, row));
    if (track.rate) track.rate_statistics.add(time, slabs.at(track.rate->block, track.rate->column, row));
    if (track.orientation) track.turn.add(time, values_at(*track.orientation, row, slabs));
    if (track.angular_velocity) track.rate_statistics.add(time, length(values_at(*track.angular_velocity, row, slabs)));
  }
  for (LoadTrack& track : loads_) {
    if (track.force) track.force_statistics.add(time, values_at(*track.force, row, slabs));
    if (track.moment) track.moment_statistics.add(time, values_at(*track.moment, row, slabs));
  }
  for (EffortTrack& track : efforts_) {
    if (track.effort) add_channel_row(*track.effort, time, row, slabs);
    if (track.power) add_channel_row(*track.power, time, row, slabs);
  }
  for (std::vector<ChannelTrack>* tracks : {&forces_, &outputs_, &energies_}) {
    for (ChannelTrack& track : *tracks) add_channel_row(track, time, row, slabs);
  }
}

void DigestTracks::finish(RunDigest& digest) const {
  for (const PartTrack& track : parts_) {
    PartMotion& motion = digest.parts.emplace_back(track.motion);
    motion.distance = track.distance.summary();
    motion.turn = track.turn.summary();
    motion.speed = track.speed.summary();
    motion.angular_speed = track.angular_speed.summary();
  }
  for (const CoordinateTrack& track : coordinates_) {
    CoordinateMotion& motion = digest.coordinates.emplace_back(track.motion);
    motion.value.summary = motion.is_orientation ? track.turn.summary() : track.value_statistics.summary();
    motion.rate.summary = track.rate_statistics.summary();
  }
  const auto load = [](const VectorStatistics& statistics) {
    Load result{statistics.summary(), statistics.at_peak(), false};
    const double size = length(result.direction);
    for (double& component : result.direction) component = size > 0.0 ? component / size : 0.0;
    return result;
  };
  for (const LoadTrack& track : loads_) {
    JointLoad& joint = digest.loads.emplace_back(track.load);
    joint.force = load(track.force_statistics);
    joint.moment = load(track.moment_statistics);
  }
  const auto add_chart = [&](const ChannelTrack& track) {
    if (!track.sampler || digest.charts.size() >= kMostCharts || track.statistics.summary().is_empty()) return;
    Curve curve{track.source.name, track.source.unit, track.sampler->times(), track.sampler->values()};
    // Models like to name a driver's torque as an output; once is enough.
    const bool is_drawn = std::any_of(digest.charts.begin(), digest.charts.end(), [&](const RunDigest::Chart& chart) {
      return chart.quantity == track.source.quantity && chart.curve.values == curve.values;
    });
    if (!is_drawn) digest.charts.push_back({std::move(curve), track.source.quantity, track.source.shown_unit});
  };
  for (const ChannelTrack& track : outputs_) add_chart(track);
  for (const EffortTrack& track : efforts_) {
    EffortDigest& effort = digest.efforts.emplace_back(track.digest);
    if (track.effort) effort.effort = digest_of(*track.effort);
    if (track.power) effort.power = digest_of(*track.power);
    if (track.effort) add_chart(*track.effort);
  }
  for (const ChannelTrack& track : forces_) digest.forces.push_back(digest_of(track));
  for (const ChannelTrack& track : outputs_) digest.outputs.push_back(digest_of(track));
  for (const ChannelTrack& track : energies_) digest.energies.push_back(digest_of(track));
}

}  // namespace gelenk::exporting
