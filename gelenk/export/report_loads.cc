#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gelenk/export/report_sections.h"

// What drivers have to do, and what joints have to bear.
namespace gelenk::exporting {
namespace {

using Kind = ReportTable::Column::Kind;

void add_load(const ReportWords& words, const Load& load, Quantity quantity, std::vector<std::string>& row) {
  if (load.magnitude.is_empty() || load.is_rounding) {
    row.insert(row.end(), {load.magnitude.is_empty() ? kNothing : "0", kNothing, kNothing, kNothing});
    return;
  }
  row.push_back(words.number(load.magnitude.peak.value, quantity));
  row.push_back(words.time(load.magnitude.peak.time));
  const auto component = [&](std::size_t i) {
    const std::string text = fmt::format("{:.2f}", load.direction[i]);
    return text == "0.00" || text == "-0.00" ? std::string("0") : text;
  };
  row.push_back(
      fmt::format("{}\n({}, {}, {})", direction_words(load.direction), component(0), component(1), component(2)));
  row.push_back(words.number(load.magnitude.rms, quantity));
}

bool is_idle(const JointLoad& load) {
  return load.force.is_rounding && load.moment.is_rounding && !load.force.magnitude.is_empty();
}

}  // namespace

ReportSection efforts_section(const RunDigest& digest, const ReportWords& words) {
  ReportSection section{.title = "Drivers and actuators"};
  if (digest.efforts.empty()) {
    if (!digest.names.drives.empty()) section.lead = kNotRecorded;
    return section;
  }
  const std::string at = "at" + words.in_brackets(Quantity::time);
  section.table = ReportTable{{{"name", Kind::name},
                               {"drives", Kind::name},
                               {"peak torque or force"},
                               {at},
                               {"RMS"},
                               {"peak power"},
                               {at},
                               {"mean power"}},
                              {}};
  std::vector<const EffortDigest*> all;
  for (const EffortDigest& effort : digest.efforts) all.push_back(&effort);
  const auto size = [](const EffortDigest& e) { return std::abs(e.power.summary.peak.value); };
  for (const EffortDigest* effort : cut(all, size, section)) {
    const Summary& e = effort->effort.summary;
    const Summary& p = effort->power.summary;
    std::vector<std::string> row{effort->path, effort->drives.empty() ? kNothing : effort->drives};
    row.push_back(e.is_empty() ? kNothing : words.amount(e.peak.value, effort->effort));
    row.push_back(e.is_empty() ? kNothing : words.time(e.peak.time));
    row.push_back(e.is_empty() ? kNothing : words.amount(e.rms, effort->effort));
    row.push_back(p.is_empty() ? kNothing : words.amount(p.peak.value, effort->power));
    row.push_back(p.is_empty() ? kNothing : words.time(p.peak.time));
    row.push_back(p.is_empty() ? kNothing : words.amount(p.mean, effort->power));
    section.table->rows.push_back(std::move(row));
    note_gaps(effort->effort, section);
  }
  return section;
}

ReportSection loads_section(const RunDigest& digest, const ReportWords& words) {
  ReportSection section{.title = "Loads on the joints"};
  if (digest.loads.empty()) {
    if (!digest.names.joints.empty()) section.lead = kNotRecorded;
    return section;
  }
  std::vector<const JointLoad*> loaded;
  for (const JointLoad& load : digest.loads) {
    if (!is_idle(load)) loaded.push_back(&load);
  }
  const std::size_t idle = digest.loads.size() - loaded.size();
  if (idle > 0) section.notes.push_back(counted(idle, "joint carries", "joints carry") + " no load.");
  if (digest.names.joints.size() > digest.loads.size()) {
    section.notes.push_back(
        fmt::format("Reactions of {} of {} joints are recorded.", digest.loads.size(), digest.names.joints.size()));
  }
  if (loaded.empty()) return section;
  section.lead =
      "Load on the part named, at the origin of its joint frame, in axes of the joint's first frame; the other part "
      "feels "
      "the opposite.";
  const std::string at = "at" + words.in_brackets(Quantity::time);
  section.table = ReportTable{{{"joint", Kind::name},
                               {"acts on", Kind::name},
                               {"peak force" + words.in_brackets(Quantity::force)},
                               {at},
                               {"direction", Kind::text},
                               {"RMS" + words.in_brackets(Quantity::force)}},
                              {}};
  const bool has_moments = std::any_of(digest.loads.begin(), digest.loads.end(), [](const JointLoad& load) {
    return !load.moment.is_rounding && !load.moment.magnitude.is_empty();
  });
  if (has_moments) {
    const std::array<ReportTable::Column, 4> moment{{{"peak moment" + words.in_brackets(Quantity::torque)},
                                                     {at},
                                                     {"direction", Kind::text},
                                                     {"RMS" + words.in_brackets(Quantity::torque)}}};
    section.table->columns.insert(section.table->columns.end(), moment.begin(), moment.end());
  } else {
    section.notes.push_back("No joint carries a moment.");
  }
  const auto size = [](const JointLoad& l) { return l.force.magnitude.max.value; };
  for (const JointLoad* load : cut(loaded, size, section)) {
    std::vector<std::string> row{load->path, load->names.second.empty() ? kNothing : load->names.second};
    add_load(words, load->force, Quantity::force, row);
    if (has_moments) add_load(words, load->moment, Quantity::torque, row);
    section.table->rows.push_back(std::move(row));
    if (load->force.magnitude.gaps > 0) {
      section.notes.push_back(fmt::format("In {} the reaction of '{}' is not a number.",
                                          counted(load->force.magnitude.gaps, "row", "rows"), load->path));
    }
  }
  return section;
}

std::string direction_words(const std::array<double, 3>& direction) {
  constexpr double kAlong = 0.99;   // 8°
  constexpr double kMainly = 0.85;  // 32°
  constexpr double kBeside = 0.35;  // what is left out of a plane: 20°
  std::array<std::size_t, 3> order{0, 1, 2};
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(direction[a]) > std::abs(direction[b]); });
  const auto name = [&](std::size_t i) { return fmt::format("{}{}", direction[i] < 0.0 ? '-' : '+', "xyz"[i]); };
  const double largest = std::abs(direction[order[0]]);
  if (largest >= kAlong) return "along " + name(order[0]);
  if (largest >= kMainly) return "mainly " + name(order[0]);
  if (std::abs(direction[order[2]]) > kBeside) return "oblique";
  return "between " + name(order[0]) + " and " + name(order[1]);
}

}  // namespace gelenk::exporting
