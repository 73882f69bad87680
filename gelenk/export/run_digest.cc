#include "gelenk/export/run_digest.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "gelenk/export/digest_tracks.h"

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
    // Without poses the speeds show it; a second is as good as any other time to compare with.
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

std::string read_rows(const results::Reader& reader, std::size_t rows, DigestTracks& tracks, QuantityScales& scales) {
  ScaleReader found(reader);
  RowSlabs slabs(reader, std::vector<bool>(reader.blocks().size(), true));
  for (std::size_t first = 0; first < rows; first += slabs.rows()) {
    const std::size_t count = std::min(slabs.rows(), rows - first);
    if (std::string error = slabs.read(first, count); !error.empty()) return error;
    for (std::size_t row = first; row < first + count; ++row) {
      tracks.add_row(slabs.at(0, 0, row), row, slabs);
      found.add_row(row, slabs);
    }
  }
  scales = found.scales();
  return {};
}

std::string read_certificate(const results::Reader& reader, RunDigest& digest) {
  const std::string text = reader.certificate();
  if (!text.empty()) digest.certificate = results::certificate_from_json(text, digest.certificate_problem);
  return digest.certificate ? find_run_away(reader, *digest.certificate, digest.run_away) : std::string();
}

// In universal time: the same wherever the report is made.
std::string time_of_file(const std::string& path) {
  std::error_code problem;
  const std::filesystem::file_time_type written = std::filesystem::last_write_time(path, problem);
  if (problem) return {};
  const std::time_t seconds = std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::file_clock::to_sys(written)));
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(seconds));
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
  digest.damage = reader.find_damaged_data().sentences();
  digest.written = time_of_file(reader.path());
  digest.names = machine_names(reader.header().resolved_model);
  if (std::string error = read_certificate(reader, digest); !error.empty()) return error;
  const std::size_t rows = digest.run_away ? digest.run_away->row : reader.row_count();
  DigestTracks tracks(reader, digest.names, rows);
  if (std::string error = read_rows(reader, rows, tracks, digest.scales); !error.empty()) return error;
  if (digest.certificate) digest.scales.include(Quantity::length, digest.certificate->machine_size);
  tracks.finish(digest);
  const double size = machine_size(digest.parts);
  find_what_moves(digest, size);
  find_rounding(digest, size);
  return {};
}

}  // namespace gelenk::exporting
