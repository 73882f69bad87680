#include "gelenk/export/report_html.h"

#include <fmt/format.h>

#include "gelenk/base/text.h"
#include "gelenk/export/line_chart_svg.h"
#include "gelenk/export/markup.h"

namespace gelenk::exporting {
namespace {

using Kind = ReportTable::Column::Kind;

constexpr std::string_view kStyle = R"css(
@page { size: A4; margin: 10mm 12mm; }
* { box-sizing: border-box; }
body { font: 13px/1.35 "Helvetica Neue", Arial, "Liberation Sans", sans-serif; color: #222; background: #fff;
  max-width: 980px; margin: 18px auto; padding: 0 16px; }
h1 { font-size: 22px; margin: 0; }
h2 { font-size: 14px; margin: 14px 0 3px; border-bottom: 1px solid #bbb; }
p { margin: 2px 0; }
.sub, .lead, .notes, footer { color: #555; font-size: 12px; }
.verdict { margin: 8px 0 4px; padding: 6px 10px; border: 1px solid; border-left-width: 8px; border-radius: 3px; }
.verdict b { font-size: 15px; }
.verdict ul { margin: 2px 0 0; padding-left: 18px; }
.good { background: #e9f6ec; border-color: #2e8b45; }
.look_at { background: #fff5da; border-color: #d39a00; }
.do_not_use { background: #fdeaea; border-color: #c62f2f; }
.unknown { background: #f1f1f1; border-color: #888; }
table { border-collapse: collapse; width: 100%; font-size: 12px; font-variant-numeric: tabular-nums; }
th { text-align: right; font-weight: 600; vertical-align: bottom; border-bottom: 1px solid #999; }
td { text-align: right; vertical-align: top; border-bottom: 1px solid #e4e4e4; }
th, td { padding: 1px 5px; }
th.t, td.t { text-align: left; }
td + td.t, th + th.t { padding-left: 12px; }
td { white-space: nowrap; }
td.t { white-space: normal; overflow-wrap: break-word; }
td.t span, td.t small { white-space: nowrap; }
td:first-child { font-weight: 600; }
td small { color: #666; }
tr, svg, .verdict { break-inside: avoid; }
h2, thead { break-after: avoid; }
.charts { display: grid; grid-template-columns: 1fr 1fr; gap: 4px 10px; margin-top: 6px; }
.charts svg { width: 100%; height: auto; }
.pictures { display: grid; grid-template-columns: 1fr 1fr; gap: 4px 10px; }
figure { margin: 4px 0; break-inside: avoid; }
figure svg { width: 100%; height: auto; border: 1px solid #ddd; }
figcaption { font-size: 12px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 12px; margin: 3px 0; font-size: 12px; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
ul { margin: 3px 0; padding-left: 18px; font-size: 12px; }
ul.points { columns: 2; column-gap: 24px; }
footer { margin-top: 10px; }
@media (max-width: 640px) { .charts, .pictures { grid-template-columns: 1fr; } ul.points { columns: 1; } section { overflow-x: auto; } }
@media print {
  body { margin: 0; padding: 0; max-width: none; font-size: 9pt; line-height: 1.25;
    print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h1 { font-size: 15pt; } h2 { font-size: 10pt; margin-top: 5pt; }
  table, dl, ul, .sub, .lead, .notes, figcaption, footer { font-size: 7.8pt; }
  .pictures { width: 80%; margin: 0 auto; }
  th, td { padding: 0.4pt 3pt; }
}
)css";

std::string_view tone_class(Tone tone) {
  switch (tone) {
    case Tone::good:
      return "good";
    case Tone::look_at:
      return "look_at";
    case Tone::do_not_use:
      return "do_not_use";
    case Tone::unknown:
      break;
  }
  return "unknown";
}

// Long paths may be broken behind their dots.
std::string breakable(const std::string& text) {
  std::string result;
  for (const char c : html_escaped(text)) {
    result += c;
    if (c == '.') result += "<wbr>";
  }
  return result;
}

// The lines of a cell below the first are small print, beside it where there is room.
std::string cell_html(const std::string& cell, bool is_name) {
  const std::vector<std::string> lines = split(cell, '\n');
  if (lines.size() == 1) return is_name ? breakable(cell) : html_escaped(cell);
  std::string text = "<span>" + html_escaped(lines.front()) + "</span>";
  for (std::size_t i = 1; i < lines.size(); ++i) text += " <small>" + html_escaped(lines[i]) + "</small>";
  return text;
}

std::string table_html(const ReportTable& table) {
  std::string text = "<table>\n<thead><tr>";
  for (const ReportTable::Column& column : table.columns) {
    text += fmt::format("<th{}>{}</th>", column.kind == Kind::number ? "" : " class=\"t\"", html_escaped(column.title));
  }
  text += "</tr></thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : table.rows) {
    text += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Kind kind = i < table.columns.size() ? table.columns[i].kind : Kind::text;
      text += fmt::format("<td{}>{}</td>", kind == Kind::number ? "" : " class=\"t\"",
                          cell_html(row[i], kind == Kind::name));
    }
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table>\n";
}

std::string list_html(const std::vector<std::string>& points, std::string_view attributes = {}) {
  if (points.empty()) return {};
  std::string text = fmt::format("<ul{}>\n", attributes);
  for (const std::string& point : points) text += "<li>" + html_escaped(point) + "</li>\n";
  return text + "</ul>\n";
}

std::string section_html(const ReportSection& section, const std::string& time_unit) {
  std::string text = "<section>\n<h2>" + html_escaped(section.title) + "</h2>\n";
  if (!section.lead.empty()) text += "<p class=\"lead\">" + html_escaped(section.lead) + "</p>\n";
  if (section.table) text += table_html(*section.table);
  for (const std::string& note : section.notes) text += "<p class=\"notes\">" + html_escaped(note) + "</p>\n";
  if (!section.facts.empty()) {
    text += "<dl>\n";
    for (const ReportFact& fact : section.facts) {
      text += "<dt>" + html_escaped(fact.name) + "</dt><dd>" + html_escaped(fact.value) + "</dd>\n";
    }
    text += "</dl>\n";
  }
  text += list_html(section.points, " class=\"points\"");
  if (!section.pictures.empty()) {
    text += "<div class=\"pictures\">\n";
    for (const ReportPicture& picture : section.pictures) {
      text += "<figure>" + picture.svg + "<figcaption>" + html_escaped(picture.caption) + "</figcaption></figure>\n";
    }
    text += "</div>\n";
  }
  if (!section.charts.empty()) {
    text += "<div class=\"charts\">\n";
    for (const Curve& curve : section.charts) text += line_chart_svg(curve, {.time_unit = time_unit}) + "\n";
    text += "</div>\n";
  }
  return text + "</section>\n";
}

}  // namespace

std::string report_html(const ReportPage& page) {
  std::string text = std::string(kHtmlReportMark) + "\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  text += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  text +=
      fmt::format("<title>{}: report</title>\n<style>{}</style>\n</head>\n<body>\n", html_escaped(page.title), kStyle);
  text += fmt::format("<header>\n<h1>{}</h1>\n<p class=\"sub\">{}</p>\n</header>\n", html_escaped(page.title),
                      html_escaped(page.subtitle));
  text += fmt::format("<div class=\"verdict {}\"><b>Verdict: {}</b>\n{}</div>\n", tone_class(page.tone),
                      html_escaped(page.verdict), list_html(page.reasons));
  for (const ReportSection& section : page.sections) text += section_html(section, page.time_unit);
  return text + "<footer>" + html_escaped(page.footer) + "</footer>\n</body>\n</html>\n";
}

}  // namespace gelenk::exporting
