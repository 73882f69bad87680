#include "gelenk/export/run_away.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <string_view>
#include <vector>

#include "gelenk/base/text.h"
#include "gelenk/export/row_slabs.h"

namespace gelenk::exporting {
namespace {

constexpr double kMuchFaster = 10.0;  // than at the start

struct PartSpeeds {
  std::string path;
  results::ChannelSource speed, angular_speed;
};

std::vector<PartSpeeds> recorded_speeds(const results::Reader& reader) {
  constexpr std::string_view kFirst = ".velocity.x";
  std::vector<PartSpeeds> speeds;
  for (const results::RecordedChannel& channel : reader.channels()) {
    if (!channel.name.ends_with(kFirst)) continue;
    const std::string path = channel.name.substr(0, channel.name.size() - kFirst.size());
    const auto speed = reader.find(path + ".velocity.magnitude");
    const auto angular_speed = reader.find(path + ".angular_velocity.magnitude");
    if (speed && angular_speed) speeds.push_back({path, *speed, *angular_speed});
  }
  return speeds;
}

// In machine sizes and turns for each step; what is not a number is faster than everything.
double speed_in_steps(const PartSpeeds& part, const RowSlabs& slabs, std::size_t row, double size, double step) {
  const double moved = slabs.value(part.speed, row) * step / size;
  const double turned = slabs.value(part.angular_speed, row) * step / (2.0 * std::numbers::pi);
  const double larger = std::max(moved, turned);
  return std::isfinite(moved) && std::isfinite(turned) ? larger : std::numeric_limits<double>::infinity();
}

// Steps that adapt follow the motion until they collapse: only the last row of a run that failed so can be beyond
// reason. In machine sizes and turns since the row before, it is then more than one, and ten times as fast as ever.
std::string find_collapse(const results::Reader& reader, double size, double smallest_step,
                          const std::vector<PartSpeeds>& parts, RowSlabs& slabs, std::optional<RunAway>& found) {
  constexpr double kCollapsed = 1e-6;  // of the time between the last two rows
  const std::size_t rows = reader.row_count();
  if (rows < 2) return {};
  double times[2] = {};
  if (std::string error = reader.read_rows(0, rows - 2, 2, times); !error.empty()) return error;
  const double span = times[1] - times[0];
  if (!(span > 0.0) || smallest_step > kCollapsed * span) return {};
  double fastest = 0.0;
  for (std::size_t row = 0; row < rows; ++row) {
    if (std::string error = slabs.reach(row); !error.empty()) return error;
    for (const PartSpeeds& part : parts) {
      const double speed = speed_in_steps(part, slabs, row, size, span);
      if (row + 1 < rows) {
        fastest = std::max(fastest, speed);
      } else if (speed > 1.0 && speed > kMuchFaster * fastest) {
        found = RunAway{row, times[1], part.path};
        return {};
      }
    }
  }
  return {};
}

// What falls off the machine is fast, but all is well with it.
bool is_doubtful(const results::Reader& reader, const results::Certificate& certificate) {
  if (reader.status() == results::RunStatus::failed) return true;
  const bool has_lost_parts = std::any_of(certificate.departures.begin(), certificate.departures.end(),
                                          [&](const auto& one) { return one.is_far(certificate.machine_size); });
  return certificate.verdict == results::Verdict::do_not_use ||
         (certificate.verdict == results::Verdict::look_at && !has_lost_parts);
}

}  // namespace

std::string find_run_away(const results::Reader& reader, const results::Certificate& certificate,
                          std::optional<RunAway>& found) {
  const double step = certificate.step > 0.0 ? certificate.step : certificate.smallest_step;
  const double size = certificate.machine_size;
  if (!is_doubtful(reader, certificate) || !(step > 0.0) || !(size > 0.0)) return {};
  const std::vector<PartSpeeds> parts = recorded_speeds(reader);
  if (parts.empty()) return {};
  std::vector<results::ChannelSource> channels;
  for (const PartSpeeds& part : parts) channels.insert(channels.end(), {part.speed, part.angular_speed});
  RowSlabs slabs(reader, channels);
  if (!(certificate.step > 0.0) && reader.status() == results::RunStatus::failed) {
    if (std::string error = find_collapse(reader, size, step, parts, slabs, found); !error.empty()) return error;
  }
  double at_start = 0.0;
  for (std::size_t row = 0; row < reader.row_count(); ++row) {
    if (std::string error = slabs.reach(row); !error.empty()) return error;
    for (const PartSpeeds& part : parts) {
      const double speed = speed_in_steps(part, slabs, row, size, step);
      if (row == 0) at_start = std::max(at_start, speed);
      if (row == 0 || !(speed > 1.0) || !(speed > kMuchFaster * at_start)) continue;
      RunAway away{row, 0.0, part.path};
      if (std::string error = reader.read_rows(0, row, 1, std::span(&away.time, 1)); !error.empty()) return error;
      found = std::move(away);
      return {};
    }
  }
  return {};
}

std::string left_out_text(const RunAway& away, std::size_t rows) {
  const std::size_t left_out = rows - away.row;
  return fmt::format(
      "the motion runs away at {} s, where '{}' becomes too fast for the steps: {} of {} rows {} not shown",
      format_rounded(away.time), away.part, left_out, rows, left_out == 1 ? "is" : "are");
}

}  // namespace gelenk::exporting
