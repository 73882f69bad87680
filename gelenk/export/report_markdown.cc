#include "gelenk/export/report_markdown.h"

#include <fmt/format.h>

#include "gelenk/base/text.h"
#include "gelenk/export/markup.h"

namespace gelenk::exporting {
namespace {

std::string cell_markdown(const std::string& cell) {
  std::string text;
  for (const std::string& line : split(cell, '\n')) text += (text.empty() ? "" : " ") + markdown_escaped(line);
  return text;
}

std::string table_markdown(const ReportTable& table) {
  std::string head = "|";
  std::string rule = "|";
  for (const ReportTable::Column& column : table.columns) {
    head += " " + markdown_escaped(column.title) + " |";
    rule += column.kind == ReportTable::Column::Kind::number ? "---:|" : "---|";
  }
  std::string text = head + "\n" + rule + "\n";
  for (const std::vector<std::string>& row : table.rows) {
    text += "|";
    for (const std::string& cell : row) text += " " + cell_markdown(cell) + " |";
    text += "\n";
  }
  return text + "\n";
}

std::string list_markdown(const std::vector<std::string>& points) {
  std::string text;
  for (const std::string& point : points) text += "- " + markdown_escaped(point) + "\n";
  return text.empty() ? text : text + "\n";
}

std::string section_markdown(const ReportSection& section, const std::string& plot_command) {
  std::string text = "## " + markdown_escaped(section.title) + "\n\n";
  if (!section.lead.empty()) text += markdown_escaped(section.lead) + "\n\n";
  if (section.table) text += table_markdown(*section.table);
  for (const std::string& note : section.notes) text += markdown_escaped(note) + "\n\n";
  for (const ReportFact& fact : section.facts) {
    text += fmt::format("- **{}**: {}\n", markdown_escaped(fact.name), markdown_escaped(fact.value));
  }
  if (!section.facts.empty()) text += "\n";
  text += list_markdown(section.points);
  for (const ReportPicture& picture : section.pictures) {
    const std::string caption = markdown_escaped(picture.caption);
    text += picture.file.empty() ? caption + "\n\n"
                                 : fmt::format("![{}](<{}>)\n\n{}\n\n", picture.name, picture.file, caption);
  }
  if (!section.charts.empty()) text += fmt::format("Plots: `{}`, or a report in HTML.\n\n", plot_command);
  return text;
}

}  // namespace

std::string report_markdown(const ReportPage& page) {
  std::string text = std::string(kMarkdownReportMark) + "\n\n# " + markdown_escaped(page.title) + "\n\n";
  text += markdown_escaped(page.subtitle) + "\n\n**Verdict: " + markdown_escaped(page.verdict) + "**\n\n";
  text += list_markdown(page.reasons);
  for (const ReportSection& section : page.sections) text += section_markdown(section, page.plot_command);
  return text + markdown_escaped(page.footer) + "\n";
}

}  // namespace gelenk::exporting
