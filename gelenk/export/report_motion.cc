#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gelenk/export/report_sections.h"

// What moves, and how far.
namespace gelenk::exporting {
namespace {

constexpr double kInPlace = 1e-9;  // of the machine: an origin that moves by less does not move

using Kind = ReportTable::Column::Kind;

// Cells of a peak and its time; a dash where there is none, or none that is more than rounding beside `scale`.
void add_peak(const ReportWords& words, const Summary& summary, Quantity quantity, double scale,
              std::vector<std::string>& row) {
  row.push_back(summary.is_empty() ? kNothing : words.number(summary.peak.value, quantity, scale));
  row.push_back(summary.is_empty() || row.back() == "0" ? kNothing : words.time(summary.peak.time));
}

std::string extent_text(const ReportWords& words, const Limits& extent, double size) {
  if (extent.is_empty) return kNothing;
  const std::string from = words.number(extent.min, Quantity::length, size);
  const std::string to = words.number(extent.max, Quantity::length, size);
  return from == to ? from : from + " … " + to;
}

}  // namespace

ReportSection parts_section(const RunDigest& digest, const ReportWords& words) {
  ReportSection section{.title = kPartsTitle};
  if (digest.parts.empty()) {
    section.lead = kNotRecorded;
    return section;
  }
  std::vector<const PartMotion*> moving;
  double size = 0.0;
  double top_speed = 0.0;
  double top_angular_speed = 0.0;
  for (const PartMotion& part : digest.parts) {
    if (part.is_moving) moving.push_back(&part);
    top_speed = std::max(top_speed, part.speed.max.value);
    top_angular_speed = std::max(top_angular_speed, part.angular_speed.max.value);
    for (const Limits& extent : part.extent) size = std::max({size, std::abs(extent.min), std::abs(extent.max)});
  }
  const std::size_t resting = digest.parts.size() - moving.size();
  if (resting > 0) section.notes.push_back(counted(resting, "part does", "parts do") + " not move.");
  if (digest.names.part_count > digest.parts.size()) {
    section.notes.push_back(fmt::format("{} of {} parts are recorded.", digest.parts.size(), digest.names.part_count));
  }
  if (moving.empty()) return section;
  section.lead =
      "Of the origin of each part, in world axes: largest distance from where it started, box around its path, top "
      "speed.";
  const std::string at = "at" + words.in_brackets(Quantity::time);
  const std::string length = words.in_brackets(Quantity::length);
  section.table = ReportTable{{{"part", Kind::name},
                               {"moves by" + length},
                               {"x" + length},
                               {"y" + length},
                               {"z" + length},
                               {"top speed" + words.in_brackets(Quantity::speed)},
                               {at},
                               {"top angular rate" + words.in_brackets(Quantity::angular_rate)},
                               {at}},
                              {}};
  for (const PartMotion* part : cut(
           moving, [](const PartMotion& p) { return p.distance.max.value; }, section)) {
    std::vector<std::string> row{part->path};
    // "0" would look as if it did not move at all.
    const bool turns_in_place = part->distance.max.value <= kInPlace * size && part->angular_speed.max.value > 0.0;
    row.push_back(part->distance.is_empty() ? kNothing
                  : turns_in_place          ? "turns in place"
                                            : words.number(part->distance.max.value, Quantity::length, size));
    for (const Limits& extent : part->extent) row.push_back(extent_text(words, extent, size));
    add_peak(words, part->speed, Quantity::speed, top_speed, row);
    add_peak(words, part->angular_speed, Quantity::angular_rate, top_angular_speed, row);
    section.table->rows.push_back(std::move(row));
  }
  return section;
}

ReportSection coordinates_section(const RunDigest& digest, const ReportWords& words) {
  ReportSection section{.title = kCoordinatesTitle};
  if (digest.coordinates.empty()) {
    if (digest.names.coordinate_count > 0) section.lead = kNotRecorded;
    return section;
  }
  std::vector<const CoordinateMotion*> moving;
  for (const CoordinateMotion& coordinate : digest.coordinates) {
    if (coordinate.is_moving) moving.push_back(&coordinate);
  }
  const std::size_t resting = digest.coordinates.size() - moving.size();
  if (resting > 0)
    section.notes.push_back(counted(resting, "joint coordinate does", "joint coordinates do") + " not move.");
  if (moving.empty()) return section;
  const std::string at = "at" + words.in_brackets(Quantity::time);
  section.table = ReportTable{
      {{"coordinate", Kind::name}, {"smallest"}, {at}, {"largest"}, {at}, {"range"}, {"peak rate"}, {at}}, {}};
  const auto size = [](const CoordinateMotion& c) {
    return c.value.summary.is_empty() ? 0.0 : c.value.summary.range();
  };
  for (const CoordinateMotion* coordinate : cut(moving, size, section)) {
    const Summary& value = coordinate->value.summary;
    const Summary& rate = coordinate->rate.summary;
    std::vector<std::string> row{coordinate->name};
    if (coordinate->is_orientation) row.front() += " (turn from start)";
    for (const Extreme& extreme : {value.min, value.max}) {
      row.push_back(value.is_empty() ? kNothing : words.amount(extreme.value, coordinate->value));
      row.push_back(value.is_empty() ? kNothing : words.time(extreme.time));
    }
    row.push_back(value.is_empty() ? kNothing : words.amount(value.range(), coordinate->value));
    row.push_back(rate.is_empty() ? kNothing : words.amount(rate.peak.value, coordinate->rate));
    row.push_back(rate.is_empty() ? kNothing : words.time(rate.peak.time));
    section.table->rows.push_back(std::move(row));
    note_gaps(coordinate->value, section);
  }
  return section;
}

}  // namespace gelenk::exporting
