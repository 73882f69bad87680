#pragma once

#include <string>
#include <string_view>

#include "apps/gelenk/import_text.h"

namespace gelenk::app {

// How a report of ours begins; a file that begins otherwise is somebody else's.
inline constexpr std::string_view kImportReportMark =
    "<!DOCTYPE html><!-- gelenk import report: generated, the next import writes it anew -->";
inline constexpr std::string_view kImportReportName = "import-report.html";

// One page that needs nothing else: style and pictures are inside, there are no scripts. What was found and assumed,
// and for each doubtful joint a picture and lines for the user's file that change it.
std::string import_report_html(const JsonValue& report, const ImportedMachine& machine, const ImportPlaces& places);

// Why import-report.html must not be written into the folder of the model: somebody else has one there. Or nothing.
std::string import_report_refusal(const ImportPlaces& places);
// Writes it as import-report.html into the folder of the model. Returns what went wrong, or nothing.
std::string write_import_report(const JsonValue& report, const ImportedMachine& machine, const ImportPlaces& places);

}  // namespace gelenk::app
