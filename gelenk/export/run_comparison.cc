#include "gelenk/export/run_comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "gelenk/export/curve.h"
#include "gelenk/export/row_slabs.h"
#include "gelenk/export/time_statistics.h"

namespace gelenk::exporting {
namespace {

using results::ChannelSource;
using results::Reader;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct Pair {
  ChannelSource a, b;
  // A quaternion and its opposite are the same orientation, and rounding decides which one is recorded after half a
  // turn.
  bool has_no_sign = false;
};

std::vector<ChannelSource> sources(const std::vector<Pair>& pairs, ChannelSource Pair::*side) {
  std::vector<ChannelSource> result;
  for (const Pair& pair : pairs) result.push_back(pair.*side);
  return result;
}

std::vector<Pair> find_pairs(const Reader& a, const Reader& b, const std::vector<std::string>& names,
                             RunComparison& comparison) {
  std::vector<Pair> pairs;
  for (const std::string& name : names) {
    const std::optional<ChannelSource> in_a = a.find(name);
    const std::optional<ChannelSource> in_b = b.find(name);
    if (in_a && !in_b) comparison.only_in_a.push_back(name);
    if (in_b && !in_a) comparison.only_in_b.push_back(name);
    if (!in_a || !in_b) continue;
    if (in_a->unit != in_b->unit) {
      comparison.different_units.push_back(name);
    } else {
      pairs.push_back({*in_a, *in_b, name.find(".orientation.") != std::string::npos});
    }
  }
  return pairs;
}

std::string summarize(const Reader& reader, const std::vector<ChannelSource>& channels,
                      const std::vector<double>& times, std::vector<Summary>& summaries) {
  std::vector<TimeStatistics> statistics(channels.size());
  RowSlabs slabs(reader, channels);
  for (std::size_t first = 0; first < times.size(); first += slabs.rows()) {
    const std::size_t count = std::min(slabs.rows(), times.size() - first);
    if (std::string error = slabs.read(first, count); !error.empty()) return error;
    for (std::size_t row = first; row < first + count; ++row) {
      for (std::size_t c = 0; c < channels.size(); ++c) {
        statistics[c].add(times[row], slabs.value(channels[c], row));
      }
    }
  }
  for (const TimeStatistics& one : statistics) summaries.push_back(one.summary());
  return {};
}

double difference_of(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0.0;
  const double difference = std::abs(a - b);
  return std::isnan(difference) ? kInfinite : difference;
}

// Where B is asked for a row of A: at one of its rows, or between it and the next.
struct Meeting {
  std::size_t row = 0;
  double weight = 0.0;  // of the next row
};

// Walks through the rows of B as the time goes on. Nothing outside of the time of B.
class Follower {
 public:
  explicit Follower(const std::vector<double>& times) : times_(times) {}

  std::optional<Meeting> meet(double time) {
    // Times that differ by rounding are the same.
    constexpr double kRounding = 1e-9;
    if (times_.empty()) return std::nullopt;
    while (row_ + 1 < times_.size() && times_[row_ + 1] <= time) ++row_;
    const double before = times_[row_];
    const bool has_next = row_ + 1 < times_.size();
    const double spacing = has_next ? times_[row_ + 1] - before : row_ > 0 ? before - times_[row_ - 1] : 0.0;
    if (std::abs(time - before) <= kRounding * spacing || time == before) return Meeting{row_, 0.0};
    if (!(time > before) || !has_next) return std::nullopt;
    if (times_[row_ + 1] - time <= kRounding * spacing) return Meeting{row_ + 1, 0.0};
    return Meeting{row_, (time - before) / spacing};
  }

 private:
  const std::vector<double>& times_;
  std::size_t row_ = 0;
};

class PointwiseComparison {
 public:
  PointwiseComparison(const Reader& a, const Reader& b, const std::vector<Pair>& pairs)
      : pairs_(pairs), slabs_a_(a, sources(pairs, &Pair::a)), slabs_b_(b, sources(pairs, &Pair::b)) {}

  std::string run(const std::vector<double>& times_a, const std::vector<double>& times_b, RunComparison& comparison) {
    Follower follower(times_b);
    for (std::size_t row = 0; row < times_a.size(); ++row) {
      const std::optional<Meeting> meeting =
          comparison.has_same_times ? Meeting{row, 0.0} : follower.meet(times_a[row]);
      if (!meeting) continue;
      if (std::string error = slabs_a_.reach(row); !error.empty()) return error;
      if (std::string error = slabs_b_.reach(meeting->row); !error.empty()) return error;
      if (comparison.compared_rows == 0) comparison.common_begin = times_a[row];
      comparison.common_end = times_a[row];
      ++comparison.compared_rows;
      comparison.is_interpolated = comparison.is_interpolated || meeting->weight > 0.0;
      compare_row(row, times_a[row], *meeting, comparison.changes);
    }
    return {};
  }

 private:
  void compare_row(std::size_t row, double time, const Meeting& meeting, std::vector<ChannelChange>& changes) const {
    for (std::size_t c = 0; c < pairs_.size(); ++c) {
      double b = slabs_b_.value(pairs_[c].b, meeting.row);
      if (meeting.weight > 0.0) {
        b = (1.0 - meeting.weight) * b + meeting.weight * slabs_b_.value(pairs_[c].b, meeting.row + 1);
      }
      const double a = slabs_a_.value(pairs_[c].a, row);
      double difference = difference_of(a, b);
      if (pairs_[c].has_no_sign) difference = std::min(difference, difference_of(a, -b));
      if (difference <= changes[c].largest_difference) continue;
      changes[c].largest_difference = difference;
      changes[c].at_time = time;
    }
  }

  const std::vector<Pair>& pairs_;
  RowSlabs slabs_a_, slabs_b_;
};

ChannelChange change_of(const ChannelSource& channel, const Summary& a, const Summary& b) {
  ChannelChange change{.name = channel.name, .unit = channel.unit, .quantity = channel.quantity};
  change.peak_a = a.peak.value;
  change.peak_b = b.peak.value;
  change.rms_a = a.rms;
  change.rms_b = b.rms;
  change.end_a = a.end;
  change.end_b = b.end;
  change.range = std::max(a.range(), b.range());
  return change;
}

}  // namespace

double ChannelChange::relative_difference() const {
  if (largest_difference == 0.0) return 0.0;
  return range > 0.0 && std::isfinite(largest_difference) ? largest_difference / range : kInfinite;
}

bool RunComparison::is_identical() const {
  return error.empty() && has_same_times && only_in_a.empty() && only_in_b.empty() && different_units.empty() &&
         std::all_of(changes.begin(), changes.end(),
                     [](const ChannelChange& change) { return change.largest_difference == 0.0; });
}

RunComparison compare_runs(const Reader& a, const Reader& b, const std::vector<std::string>& channels) {
  RunComparison comparison;
  const std::vector<Pair> pairs = find_pairs(a, b, channels, comparison);
  std::vector<double> times_a;
  std::vector<double> times_b;
  std::vector<Summary> summaries_a;
  std::vector<Summary> summaries_b;
  comparison.error = a.read_times(times_a);
  if (comparison.error.empty()) comparison.error = b.read_times(times_b);
  if (comparison.error.empty()) comparison.error = summarize(a, sources(pairs, &Pair::a), times_a, summaries_a);
  if (comparison.error.empty()) comparison.error = summarize(b, sources(pairs, &Pair::b), times_b, summaries_b);
  if (!comparison.error.empty()) return comparison;
  for (std::size_t c = 0; c < pairs.size(); ++c) {
    comparison.changes.push_back(change_of(pairs[c].a, summaries_a[c], summaries_b[c]));
  }
  comparison.time_a = limits_of(times_a);
  comparison.time_b = limits_of(times_b);
  comparison.has_same_times = times_a == times_b;
  comparison.error = PointwiseComparison(a, b, pairs).run(times_a, times_b, comparison);
  return comparison;
}

std::vector<bool> within_tolerance(const std::vector<ChannelChange>& changes, const ComparisonTolerance& tolerance) {
  constexpr double kRounding = 1e-12;
  const auto size = [](const ChannelChange& change) {
    return std::max(std::abs(change.peak_a), std::abs(change.peak_b));
  };
  std::map<std::string, double> largest;  // by unit: quantities without a name have one, too
  for (const ChannelChange& change : changes) {
    double& so_far = largest[change.unit];
    so_far = std::max(so_far, size(change));
  }
  std::vector<bool> result;
  for (const ChannelChange& change : changes) {
    const double allowed =
        std::max({tolerance.relative * change.range, tolerance.absolute, kRounding * largest[change.unit]});
    result.push_back(change.largest_difference <= allowed);
  }
  return result;
}

}  // namespace gelenk::exporting
