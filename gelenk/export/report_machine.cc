#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "gelenk/base/text.h"
#include "gelenk/export/report_sections.h"

// The machine of a run: what it looks like, and which numbers it was given.
namespace gelenk::exporting {
namespace {

using Kind = ReportTable::Column::Kind;

std::string value_text(const ReportParameter& parameter, const ReportWords& words) {
  const Quantity quantity = parameter.is_angle ? Quantity::angle : quantity_of(parameter.dimension);
  const bool has_name = quantity != Quantity::any || parameter.dimension == Dimension{};
  const std::string number = words.given(parameter.value, quantity);
  const std::string unit = has_name ? words.unit(quantity) : parameter.dimension.text();
  return unit.empty() ? number : number + " " + unit;
}

}  // namespace

ReportSection machine_section(const ReportMachine& machine) {
  return {.title = "The machine", .notes = machine.notes, .pictures = machine.pictures};
}

ReportSection parameters_section(const ReportMachine& machine, const ReportWords& words) {
  ReportSection section{.title = "Parameters"};
  const auto is_changed = [](const ReportParameter& one) { return !one.in_model.empty(); };
  std::vector<const ReportParameter*> shown;
  for (const ReportParameter& one : machine.parameters) {
    if (one.is_of_machine || is_changed(one)) shown.push_back(&one);
  }
  if (const std::size_t others = machine.parameters.size() - shown.size(); others > 0) {
    section.notes.push_back(counted(others, "parameter of an assembly follows", "parameters of assemblies follow") +
                            " from these and from the definitions in the model.");
  }
  // Those that were changed come first where not all can be shown.
  if (shown.size() > kMostTableRows) {
    std::stable_partition(shown.begin(), shown.end(), [&](const ReportParameter* one) { return is_changed(*one); });
    section.notes.push_back(counted(shown.size() - kMostTableRows, "parameter is", "parameters are") + " not shown.");
    shown.resize(kMostTableRows);
  }
  const bool has_changes = std::any_of(machine.parameters.begin(), machine.parameters.end(), is_changed);
  if (!shown.empty()) {
    section.table = ReportTable{{{"parameter", Kind::name}, {"value"}}, {}};
    if (has_changes) section.table->columns.push_back({"changed with --set", Kind::text});
    section.table->columns.push_back({"what it is", Kind::text});
    for (const ReportParameter* one : shown) {
      std::vector<std::string> row{one->path, value_text(*one, words)};
      if (has_changes) row.push_back(is_changed(*one) ? "yes; the model has " + one->in_model : std::string(kNothing));
      row.push_back(one->doc.empty() ? std::string(kNothing) : one->doc);
      section.table->rows.push_back(std::move(row));
    }
  }
  if (!machine.other_changes.empty()) {
    section.notes.push_back("Changed for this run: " + join(machine.other_changes, ", "));
  }
  return section;
}

void note_run_away(const RunDigest& digest, const ReportWords& words, ReportPage& page) {
  if (digest.run_away) {
    page.reasons.push_back(
        fmt::format("The motion runs away at {}, where '{}' becomes too fast for the steps. Tables, plots and pictures "
                    "show only what was before: {} of {}.",
                    words.amount(digest.run_away->time, Quantity::time), digest.run_away->part, digest.run_away->row,
                    counted(digest.row_count, "row", "rows")));
    return;
  }
  const bool has_speeds = std::any_of(digest.parts.begin(), digest.parts.end(),
                                      [](const PartMotion& part) { return !part.speed.is_empty(); });
  constexpr std::string_view kRest = ", so it is not known when the motion ran away, if it did: all rows are used.";
  if (digest.status == results::RunStatus::failed && digest.row_count > 0 && !has_speeds) {
    page.reasons.push_back(fmt::format("Velocities of parts were not recorded{}", kRest));
  }
}

}  // namespace gelenk::exporting
