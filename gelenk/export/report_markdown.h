#pragma once

#include <string>
#include <string_view>

#include "gelenk/export/report_page.h"

namespace gelenk::exporting {

// How a report of ours begins; only such files are replaced without asking.
inline constexpr std::string_view kMarkdownReportMark = "<!-- gelenk report -->";

// The same tables as in HTML. Pictures are left out; a line says how to draw them.
std::string report_markdown(const ReportPage& page);

}  // namespace gelenk::exporting
