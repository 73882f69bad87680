#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gelenk/export/report_sections.h"

// Forces and outputs: what single channels did.
namespace gelenk::exporting {
namespace {

using Kind = ReportTable::Column::Kind;

// Name, smallest, largest, mean, RMS and end of some channels.
ReportTable channel_table(const std::vector<ChannelDigest>& channels, const std::string& what, const ReportWords& words,
                          ReportSection& section) {
  const std::string at = "at" + words.in_brackets(Quantity::time);
  ReportTable table{{{what, Kind::name}, {"smallest"}, {at}, {"largest"}, {at}, {"mean"}, {"RMS"}, {"end"}}, {}};
  std::vector<const ChannelDigest*> all;
  for (const ChannelDigest& channel : channels) all.push_back(&channel);
  const auto size = [](const ChannelDigest& c) { return std::abs(c.summary.peak.value); };
  for (const ChannelDigest* channel : cut(all, size, section)) {
    const Summary& s = channel->summary;
    std::vector<std::string> row{channel->name};
    if (s.is_empty()) {
      row.resize(table.columns.size(), kNothing);
      section.notes.push_back(fmt::format("'{}' has no numbers.", channel->name));
    } else {
      for (const Extreme& extreme : {s.min, s.max}) {
        row.push_back(words.amount(extreme.value, *channel));
        row.push_back(words.time(extreme.time));
      }
      for (const double value : {s.mean, s.rms, s.end}) row.push_back(words.amount(value, *channel));
    }
    table.rows.push_back(std::move(row));
    note_gaps(*channel, section);
  }
  return table;
}

}  // namespace

ReportSection forces_section(const RunDigest& digest, const ReportWords& words) {
  ReportSection section{.title = "Forces, springs and couplings"};
  if (digest.forces.empty()) {
    if (digest.names.force_count > 0) section.lead = kNotRecorded;
    return section;
  }
  std::vector<ChannelDigest> acting;
  for (const ChannelDigest& force : digest.forces) {
    if (force.summary.is_empty() || std::abs(force.summary.peak.value) > words.rounding(force.quantity))
      acting.push_back(force);
  }
  const std::size_t idle = digest.forces.size() - acting.size();
  if (!acting.empty()) section.table = channel_table(acting, "channel", words, section);
  if (idle > 0) section.notes.push_back(counted(idle, "channel stays", "channels stay") + " zero.");
  return section;
}

ReportSection outputs_section(const RunDigest& digest, const ReportWords& words) {
  ReportSection section{.title = "Outputs"};
  if (digest.outputs.empty() && digest.names.output_count > 0) section.lead = kNotRecorded;
  if (!digest.outputs.empty()) section.table = channel_table(digest.outputs, "output", words, section);
  for (const RunDigest::Chart& chart : digest.charts) {
    Curve curve = chart.curve;
    flatten_rounding(curve, words.rounding(chart.quantity));
    const ShownUnit unit = words.channel_unit(chart.quantity, chart.curve.unit, chart.shown_unit);
    curve.unit = ReportWords::printed_symbol(unit);
    for (double& time : curve.times) time = words.shown(time, Quantity::time);
    for (double& value : curve.values) value = unit.shown(value);
    section.charts.push_back(std::move(curve));
  }
  if (digest.outputs.empty() && !section.charts.empty()) section.title = "Over time";
  return section;
}

}  // namespace gelenk::exporting
