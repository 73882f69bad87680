#include "gelenk/export/run_digest.h"

#include <algorithm>
#include <cmath>

#include "gelenk/export/digest_tracks.h"
#include "gelenk/results/layout.h"

namespace gelenk::exporting {
namespace {

// Smaller than this part of what it is compared with, a number is rounding: solvers and projections leave some 1e-13.
constexpr double kRoundingOfDigest = 1e-9;

// Diagonal of the box that holds the paths of all origins, m; 1 where that is a point.
double machine_size(const std::vector<PartMotion>& parts) {
  std::array<Limits, 3> box;
  for (const PartMotion& part : parts) {
    for (std::size_t i = 0; i < box.size(); ++i) {
      if (part.extent[i].is_empty) continue;
      box[i].include(part.extent[i].min);
      box[i].include(part.extent[i].max);
    }
  }
  const double size = std::hypot(box[0].max - box[0].min, box[1].max - box[1].min, box[2].max - box[2].min);
  return size > 0.0 && std::isfinite(size) ? size : 1.0;
}

void find_what_moves(RunDigest& digest, double size) {
  for (PartMotion& part : digest.parts) {
    const bool has_pose = !part.distance.is_empty();
    // Without poses the speeds tell; a second is as good as any other time to compare with.
    part.is_moving =
        has_pose ? part.distance.max.value > kRoundingOfDigest * size || part.turn.max.value > kRoundingOfDigest
                 : part.speed.max.value > kRoundingOfDigest * size || part.angular_speed.max.value > kRoundingOfDigest;
  }
  for (CoordinateMotion& coordinate : digest.coordinates) {
    const double scale = coordinate.value.quantity == Quantity::length ? size : 1.0;
    coordinate.is_moving = coordinate.value.summary.is_empty()
                               ? std::abs(coordinate.rate.summary.peak.value) > kRoundingOfDigest * scale
                               : coordinate.value.summary.range() > kRoundingOfDigest * scale;
  }
}

// A moment is compared with what the largest force would do across the machine, a force likewise.
void find_rounding(RunDigest& digest, double size) {
  double largest = 0.0;  // N·m
  for (const JointLoad& joint : digest.loads) {
    largest = std::max({largest, joint.force.magnitude.max.value * size, joint.moment.magnitude.max.value});
  }
  for (JointLoad& joint : digest.loads) {
    joint.force.is_rounding = joint.force.magnitude.max.value * size <= kRoundingOfDigest * largest;
    joint.moment.is_rounding = joint.moment.magnitude.max.value <= kRoundingOfDigest * largest;
  }
}

std::string read_rows(const results::Reader& reader, DigestTracks& tracks) {
  std::vector<bool> is_needed(reader.blocks().size(), true);
  for (std::size_t b = 0; b < is_needed.size(); ++b) {
    is_needed[b] = reader.blocks()[b].name != results::block_name(results::BlockId::acceleration);
  }
  RowSlabs slabs(reader, std::move(is_needed));
  for (std::size_t first = 0; first < reader.row_count(); first += slabs.rows()) {
    const std::size_t count = std::min(slabs.rows(), reader.row_count() - first);
    if (std::string error = slabs.read(first, count); !error.empty()) return error;
    for (std::size_t row = first; row < first + count; ++row) tracks.add_row(slabs.at(0, 0, row), row, slabs);
  }
  return {};
}

}  // namespace

std::string digest_run(const results::Reader& reader, RunDigest& digest) {
  digest.file = reader.path();
  digest.model_name = reader.header().model_name;
  digest.program_version = reader.header().program_version;
  digest.status = reader.status();
  digest.message = reader.message();
  digest.is_closed = reader.is_closed();
  digest.row_count = reader.row_count();
  if (reader.row_count() > 0) {
    std::string error = reader.read_rows(0, 0, 1, std::span(&digest.start_time, 1));
    if (error.empty()) error = reader.read_rows(0, reader.row_count() - 1, 1, std::span(&digest.end_time, 1));
    if (!error.empty()) return error;
  }
  std::vector<results::Event> events;
  if (std::string error = reader.read_events(events); !error.empty()) return error;
  digest.event_count = events.size();
  digest.names = machine_names(reader.header().resolved_model);
  DigestTracks tracks(reader, digest.names);
  if (std::string error = read_rows(reader, tracks); !error.empty()) return error;
  tracks.finish(digest);
  const double size = machine_size(digest.parts);
  find_what_moves(digest, size);
  find_rounding(digest, size);
  return {};
}

}  // namespace gelenk::exporting
