#include "gelenk/generate/equation_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gelenk::generate {
namespace {

constexpr std::size_t kTextWidth = 100, kLatexWidth = 76;  // characters as they are seen
constexpr std::size_t kPageIndent = 2, kContinued = 4;
constexpr std::size_t kWidestName = 16, kWidestAligned = 24;  // of definitions in columns

std::string indentation(std::size_t count) { return std::string(count, ' '); }

std::string padded_to(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

// In one line, or broken before the sign of equality.
std::vector<std::string> equation_lines(const EquationPen& pen, const std::string& left, const std::string& right,
                                        std::size_t width) {
  if (pen.width(left) + pen.width(right) + 3 <= width) {
    return pen.lines_of(left + " = " + right, std::string::npos, 0);
  }
  std::vector<std::string> lines = pen.lines_of(left, width, kContinued);
  const std::vector<std::string> others = pen.lines_of("= " + right, width - kContinued, kContinued);
  lines.insert(lines.end(), others.begin(), others.end());
  return lines;
}

}  // namespace

EquationPage::EquationPage(EquationPen pen) : pen_(pen) {
  if (pen_.is_latex()) text_ = "% needs \\usepackage{amsmath}\n\\begingroup\\allowdisplaybreaks\n";
}

void EquationPage::title(std::string_view text) {
  text_ += pen_.is_latex() ? fmt::format("\\noindent {}.\n", text) : fmt::format("{}\n", text);
}

void EquationPage::section(std::string_view heading) {
  end_section();
  heading_ = heading;
}

void EquationPage::remark(std::string_view text) { remark_ = text; }

void EquationPage::definition(std::string name, std::string value, std::string note) {
  rows_.push_back({Row::Kind::definition, std::move(name), std::move(value), std::move(note)});
}

void EquationPage::equation(std::string left, std::string right) {
  rows_.push_back({Row::Kind::equation, std::move(left), std::move(right), ""});
}

void EquationPage::label(std::string text) { rows_.push_back({Row::Kind::label, std::move(text), "", ""}); }

std::string EquationPage::take() {
  end_section();
  if (pen_.is_latex()) text_ += "\\endgroup\n";
  return std::move(text_);
}

void EquationPage::end_section() {
  if (!rows_.empty() || !remark_.empty()) {
    if (pen_.is_latex()) {
      text_ += fmt::format("\n\\medskip\\noindent\\textbf{{{}}}{}{}\n", heading_, remark_.empty() ? "" : ": ", remark_);
      if (!rows_.empty()) put_latex_rows();
    } else {
      text_ += fmt::format("\n{}{}{}\n", heading_, remark_.empty() ? "" : ": ", remark_);
      put_text_rows();
    }
  }
  rows_.clear();
  remark_.clear();
}

void EquationPage::put_text_rows() {
  std::size_t name_width = 0, value_width = 0;
  for (const Row& row : rows_) {
    if (row.kind != Row::Kind::definition) continue;
    if (row.left.size() <= kWidestName) name_width = std::max(name_width, row.left.size());
    if (!row.note.empty() && row.right.size() <= kWidestAligned) value_width = std::max(value_width, row.right.size());
  }
  for (const Row& row : rows_) {
    if (row.kind == Row::Kind::label) text_ += indentation(kPageIndent) + row.left + "\n";
    if (row.kind == Row::Kind::definition) text_ += text_definition(row, name_width, value_width);
    if (row.kind == Row::Kind::equation) text_ += text_equation(row);
  }
}

std::string EquationPage::text_definition(const Row& row, std::size_t name_width, std::size_t value_width) const {
  std::string result = indentation(kPageIndent) + padded_to(row.left, name_width) + " = ";
  const std::size_t column = result.size();
  if (!row.note.empty()) return result + padded_to(row.right, value_width) + "  " + row.note + "\n";
  const std::vector<std::string> lines = pen_.lines_of(row.right, kTextWidth - column, kPageIndent);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) result += indentation(column + kPageIndent);
    result += lines[i] + "\n";
  }
  return result;
}

std::string EquationPage::text_equation(const Row& row) const {
  std::string result;
  const std::vector<std::string> lines = equation_lines(pen_, row.left, row.right, kTextWidth - kPageIndent);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool is_continued = i > 0 && !lines[i].starts_with("= ");
    result += indentation(kPageIndent + (i > 0 ? kContinued : 0) + (is_continued ? kPageIndent : 0)) + lines[i] + "\n";
  }
  return result;
}

// Lines of an align*: definitions are aligned at their sign of equality, equations begin at the left.
std::vector<std::string> EquationPage::latex_lines(const Row& row) const {
  if (row.kind == Row::Kind::label) return {"& " + row.left};
  std::vector<std::string> lines;
  if (row.kind == Row::Kind::definition) {
    for (const std::string& line : pen_.lines_of(row.right, kLatexWidth - pen_.width(row.left), kContinued)) {
      lines.push_back(lines.empty() ? fmt::format("{} &= {}", row.left, line) : fmt::format("&\\quad {{}}{}", line));
    }
    if (!row.note.empty()) lines.back() += " && " + row.note;
    return lines;
  }
  for (const std::string& line : equation_lines(pen_, row.left, row.right, kLatexWidth)) {
    lines.push_back((lines.empty() ? "& " : line.starts_with("= ") ? "&\\quad {}" : "&\\qquad {}") + line);
  }
  return lines;
}

void EquationPage::put_latex_rows() {
  text_ += "\\begin{align*}\n";
  std::string end;
  for (const Row& row : rows_) {
    for (const std::string& line : latex_lines(row)) {
      text_ += end + "  " + line;
      end = " \\\\\n";
    }
  }
  text_ += "\n\\end{align*}\n";
}

}  // namespace gelenk::generate
