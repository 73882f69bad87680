#pragma once

#include <string>
#include <string_view>

#include "gelenk/export/report_page.h"

namespace gelenk::exporting {

// How a report of ours begins; only such files are replaced without asking.
inline constexpr std::string_view kHtmlReportMark = "<!DOCTYPE html><!-- gelenk report -->";

// One page that needs nothing else: style and pictures are inside, there are no scripts. Made to be printed on A4.
std::string report_html(const ReportPage& page);

}  // namespace gelenk::exporting
