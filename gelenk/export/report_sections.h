#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/export/report_words.h"

// The sections of a report, in the order of the page. Only what was recorded can be shown; the rest is named.
namespace gelenk::exporting {

inline constexpr const char* kNothing = "–";
inline constexpr const char* kPartsTitle = "What moves";
inline constexpr const char* kCoordinatesTitle = "Joint motion";
inline constexpr const char* kNotRecorded = "Not recorded in this run.";

// Pictures of the machine; its parameters, and what else the command line changed.
ReportSection machine_section(const ReportMachine& machine);
ReportSection parameters_section(const ReportMachine& machine, const ReportWords& words);
ReportSection parts_section(const RunDigest& digest, const ReportWords& words);
ReportSection coordinates_section(const RunDigest& digest, const ReportWords& words);
ReportSection efforts_section(const RunDigest& digest, const ReportWords& words);
ReportSection loads_section(const RunDigest& digest, const ReportWords& words);
// Reactions that rigid parts do not determine, and who shares them.
ReportSection shared_loads_section(const RunDigest& digest);
ReportSection forces_section(const RunDigest& digest, const ReportWords& words);
ReportSection outputs_section(const RunDigest& digest, const ReportWords& words);
// What the certificate says: method, steps, residuals, energy, hashes; and the assumptions.
ReportSection quality_section(const RunDigest& digest, const results::Reader& reader, const ReportWords& words);
ReportSection assumptions_section(const RunDigest& digest);
// Says from when on the numbers of a run mean nothing.
void note_run_away(const RunDigest& digest, const ReportWords& words, ReportPage& page);
// Tone, verdict and reasons.
void set_verdict(const RunDigest& digest, ReportPage& page);

// "1 row", "2 rows"
std::string counted(std::size_t count, std::string_view one, std::string_view many);
// Says that a channel has values that are no numbers, when it has.
void note_gaps(const ChannelDigest& channel, ReportSection& section);

// Keeps the largest by `size` when there are too many, and says so.
template <class T, class Size>
std::vector<const T*> cut(const std::vector<const T*>& all, const Size& size, ReportSection& section) {
  if (all.size() <= kMostTableRows) return all;
  std::vector<const T*> kept = all;
  std::stable_sort(kept.begin(), kept.end(), [&](const T* a, const T* b) { return size(*a) > size(*b); });
  kept.resize(kMostTableRows);
  section.notes.push_back("The " + std::to_string(kMostTableRows) + " largest are shown, and there are " +
                          std::to_string(all.size() - kMostTableRows) + " more.");
  return kept;
}

}  // namespace gelenk::exporting
