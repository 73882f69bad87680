#include "gelenk/export/report_page.h"

#include <fmt/format.h>

#include <filesystem>

#include "gelenk/base/shell_word.h"
#include "gelenk/export/report_sections.h"

namespace gelenk::exporting {
namespace {

bool is_worth_showing(const ReportSection& section) {
  return !section.lead.empty() || section.table || !section.notes.empty() || !section.facts.empty() ||
         !section.points.empty() || !section.charts.empty() || !section.pictures.empty();
}

// One row says nothing about motion, and is not a curve.
void keep_start_only(ReportSection& section) {
  section.charts.clear();
  if (section.title != kPartsTitle && section.title != kCoordinatesTitle) return;
  section = {.title = section.title, .lead = "Unknown: the motion runs away before the second row."};
}

}  // namespace

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void note_gaps(const ChannelDigest& channel, ReportSection& section) {
  if (channel.summary.gaps == 0 || channel.summary.is_empty()) return;
  section.notes.push_back(fmt::format("{} of '{}' {}.", counted(channel.summary.gaps, "value", "values"), channel.name,
                                      channel.summary.gaps == 1 ? "is not a number" : "are not numbers"));
}

ReportPage make_report_page(const RunDigest& digest, const results::Reader& reader, bool si_units,
                            const ReportMachine& machine) {
  const ReportWords words(reader, si_units, digest.scales);
  ReportPage page;
  page.title = digest.model_name;
  const std::string file = std::filesystem::path(digest.file).filename().string();
  const std::string of_date = digest.written.empty() ? std::string() : fmt::format(" (file of {})", digest.written);
  page.subtitle =
      digest.row_count == 0
          ? fmt::format("Report of the run {}{}, which has no rows", file, of_date)
          : fmt::format("Report of the run {}{}: {} to {}, {}", file, of_date, words.time(digest.start_time),
                        words.amount(digest.end_time, Quantity::time), counted(digest.row_count, "row", "rows"));
  page.time_unit = words.unit(Quantity::time);
  set_verdict(digest, page);
  note_run_away(digest, words, page);
  const bool has_only_start = digest.run_away && digest.run_away->row < 2;
  for (ReportSection& section : std::vector<ReportSection>{
           machine_section(machine), parameters_section(machine, words), parts_section(digest, words),
           coordinates_section(digest, words), efforts_section(digest, words), loads_section(digest, words),
           shared_loads_section(digest), forces_section(digest, words), outputs_section(digest, words),
           quality_section(digest, reader, words), assumptions_section(digest)}) {
    if (has_only_start) keep_start_only(section);
    if (is_worth_showing(section)) page.sections.push_back(std::move(section));
  }
  page.plot_command = fmt::format("gelenk plot {} --svg plot.svg", shell_word(file));
  const std::string build = digest.certificate ? digest.certificate->build : std::string();
  page.footer = fmt::format("Computed by gelenk {}{}. Means and RMS are over time.", digest.program_version,
                            build.empty() ? "" : " (" + build + ")");
  return page;
}

}  // namespace gelenk::exporting
