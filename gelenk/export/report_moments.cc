#include "gelenk/export/report_moments.h"

#include <fmt/format.h>

#include <cmath>

namespace gelenk::exporting {
namespace {

std::optional<ReportMoment> largest_load(const RunDigest& digest, const ReportWords& words) {
  std::optional<std::size_t> largest;
  for (std::size_t i = 0; i < digest.loads.size(); ++i) {
    const Load& force = digest.loads[i].force;
    if (force.magnitude.is_empty() || force.is_rounding) continue;
    if (!largest || force.magnitude.max.value > digest.loads[*largest].force.magnitude.max.value) largest = i;
  }
  if (!largest) return std::nullopt;
  const JointLoad& joint = digest.loads[*largest];
  const Extreme& peak = joint.force.magnitude.peak;
  const std::string on = joint.names.second.empty() ? std::string() : fmt::format(" on {}", joint.names.second);
  return ReportMoment{
      "worst", peak.time,
      fmt::format("At {}: the largest force on a joint, {} in {} (arrow: its direction{}).",
                  words.amount(peak.time, Quantity::time), words.amount(peak.value, Quantity::force), joint.path, on),
      largest};
}

std::optional<ReportMoment> largest_effort(const RunDigest& digest, const ReportWords& words) {
  const EffortDigest* largest = nullptr;
  const auto size = [&](const EffortDigest& one) {
    const double peak = std::abs(one.effort.summary.peak.value);
    return one.effort.summary.is_empty() || peak <= words.rounding(one.effort.quantity) ? 0.0 : peak;
  };
  for (const EffortDigest& effort : digest.efforts) {
    if (size(effort) > (largest == nullptr ? 0.0 : size(*largest))) largest = &effort;
  }
  if (largest == nullptr) return std::nullopt;
  const Extreme& peak = largest->effort.summary.peak;
  return ReportMoment{"worst",
                      peak.time,
                      fmt::format("At {}: {} has its largest effort, {}.", words.amount(peak.time, Quantity::time),
                                  largest->path, words.amount(peak.value, largest->effort)),
                      {}};
}

std::optional<ReportMoment> fastest_part(const RunDigest& digest, const ReportWords& words) {
  const PartMotion* found = nullptr;
  for (const PartMotion& part : digest.parts) {
    if (part.speed.is_empty() || part.speed.max.value <= words.rounding(Quantity::speed)) continue;
    if (found == nullptr || part.speed.max.value > found->speed.max.value) found = &part;
  }
  if (found == nullptr) return std::nullopt;
  const Extreme& peak = found->speed.peak;
  return ReportMoment{"worst",
                      peak.time,
                      fmt::format("At {}: {} is fastest, {}.", words.amount(peak.time, Quantity::time), found->path,
                                  words.amount(peak.value, Quantity::speed)),
                      {}};
}

}  // namespace

std::vector<ReportMoment> report_moments(const RunDigest& digest, const ReportWords& words) {
  if (digest.row_count == 0) return {};
  std::vector<ReportMoment> moments{
      {"start", digest.start_time, fmt::format("Start, at {}.", words.amount(digest.start_time, Quantity::time)), {}}};
  std::optional<ReportMoment> worst = largest_load(digest, words);
  if (!worst) worst = largest_effort(digest, words);
  if (!worst) worst = fastest_part(digest, words);
  if (!worst) return moments;
  // One picture is enough of one moment.
  if (worst->time == digest.start_time) moments.clear();
  moments.push_back(*std::move(worst));
  return moments;
}

}  // namespace gelenk::exporting
