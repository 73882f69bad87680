#include "gelenk/base/diagnostic_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "gelenk/base/text.h"

namespace gelenk {
namespace {

constexpr std::size_t kGutterWidth = 4;
constexpr std::size_t kWidestExcerpt = 120;
constexpr std::size_t kShownBeforeMark = 50;  // of a line that is too wide
constexpr std::string_view kCut = "…";

constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kRed = "\x1b[1;31m";
constexpr std::string_view kMagenta = "\x1b[1;35m";
constexpr std::string_view kCyan = "\x1b[1;36m";
constexpr std::string_view kGreen = "\x1b[1;32m";
constexpr std::string_view kReset = "\x1b[0m";

std::string paint(std::string_view color, std::string_view text, const PrintOptions& options) {
  if (!options.color || text.empty()) return std::string(text);
  return fmt::format("{}{}{}", color, text, kReset);
}

std::size_t next_point(std::string_view text, std::size_t i) {
  do {
    ++i;
  } while (i < text.size() && is_continuation_byte(text[i]));
  return i;
}

std::size_t previous_point(std::string_view text, std::size_t i) {
  do {
    --i;
  } while (i > 0 && is_continuation_byte(text[i]));
  return i;
}

std::size_t count_points(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); i = next_point(text, i)) ++count;
  return count;
}

// Characters that a terminal obeys instead of showing them: controls (C0, C1) and the marks that turn the direction of
// writing, with which a text can be made to look like another one.
bool is_control(std::string_view point) {
  const auto first = static_cast<unsigned char>(point.front());
  if (point.size() == 1) return first < 0x20 || first == 0x7F;
  const auto second = static_cast<unsigned char>(point[1]);
  if (point.size() == 2) return first == 0xC2 && second < 0xA0;
  if (first != 0xE2 || point.size() != 3) return false;
  const auto third = static_cast<unsigned char>(point[2]);
  const bool is_u200e_f = second == 0x80 && (third == 0x8E || third == 0x8F);
  const bool is_u202a_e = second == 0x80 && third >= 0xA8 && third <= 0xAE;
  const bool is_u2066_9 = second == 0x81 && third >= 0xA6 && third <= 0xA9;
  return is_u200e_f || is_u202a_e || is_u2066_9;
}

// One column for every code point: controls as blanks, what is not UTF-8 as '?'.
std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = next_point(text, i);
    const std::string_view point = text.substr(i, end - i);
    if (find_invalid_utf8(point)) {
      result += '?';
    } else if (is_control(point)) {
      result += ' ';
    } else {
      result += point;
    }
    i = end;
  }
  return result;
}

bool is_in(const SourceMap& sources, const SourceRange& range) {
  return range.is_known() && static_cast<std::size_t>(range.file) < sources.size();
}

// The part of a line that is shown, byte offsets in the line.
struct Window {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// A line of some megabytes is never walked whole: steps are counted from the mark.
Window window_around(std::string_view line, std::size_t mark) {
  constexpr std::size_t kLongestPoint = 4;
  if (line.size() <= kLongestPoint * kWidestExcerpt && count_points(line) <= kWidestExcerpt) return {0, line.size()};
  Window window{mark, mark};
  std::size_t count = 0;
  for (; window.begin > 0 && count < kShownBeforeMark; ++count) window.begin = previous_point(line, window.begin);
  for (; window.end < line.size() && count < kWidestExcerpt; ++count) window.end = next_point(line, window.end);
  return window;
}

// The source line and, below it, the mark with the hint beside it.
std::string excerpt(const SourceFile& file, const SourceRange& range, std::string_view hint,
                    const PrintOptions& options) {
  const std::uint32_t number = file.line_column(range.begin).line;
  const std::string_view line = file.line(number);
  const std::size_t line_begin = file.line_begin(number);
  const std::size_t begin = std::min(std::max<std::size_t>(range.begin, line_begin) - line_begin, line.size());
  const std::size_t end = std::clamp(std::max<std::size_t>(range.end, line_begin) - line_begin, begin, line.size());

  const Window window = window_around(line, begin);
  const bool is_cut_left = window.begin > 0;
  const std::string shown_line =
      fmt::format("{}{}{}", is_cut_left ? kCut : "", printable(line.substr(window.begin, window.end - window.begin)),
                  window.end < line.size() ? kCut : "");
  const std::size_t column = count_points(line.substr(window.begin, begin - window.begin)) + (is_cut_left ? 1 : 0);
  const std::size_t marked_end = std::clamp(end, begin, window.end);
  const std::size_t length = std::max<std::size_t>(1, count_points(line.substr(begin, marked_end - begin)));

  const std::string gutter = std::to_string(number);
  const std::size_t width = std::max(kGutterWidth, gutter.size());
  std::string mark = paint(kGreen, "^" + std::string(length - 1, '~'), options);
  if (!hint.empty()) mark += " " + printable(hint);
  return fmt::format("{:>{}} |{}{}\n{:>{}} | {}{}\n", gutter, width, shown_line.empty() ? "" : " ", shown_line, "",
                     width, std::string(column, ' '), mark);
}

struct Entry {
  const SourceRange& where;
  std::string_view label;
  std::string_view label_color;
  std::string text;
  std::string_view hint;
};

void print_entry(std::string& out, const Entry& entry, const SourceMap& sources, const PrintOptions& options) {
  const bool is_placed = is_in(sources, entry.where);
  if (is_placed) out += paint(kBold, printable(sources.describe(entry.where)) + ": ", options);
  out += paint(entry.label_color, fmt::format("{}: ", entry.label), options);
  out += entry.text + "\n";
  if (is_placed && !sources.file(entry.where.file).text().empty()) {
    out += excerpt(sources.file(entry.where.file), entry.where, entry.hint, options);
  } else if (!entry.hint.empty()) {
    out += "  hint: " + printable(entry.hint) + "\n";
  }
}

// "joint 'crank_pin': there is no frame 'rodd' [GK1301]"
std::string message_line(const Diagnostic& diagnostic, const PrintOptions& options) {
  std::string element;
  if (!diagnostic.element.empty()) {
    element = diagnostic.element_kind;
    if (!element.empty()) element += ' ';
    element += "'" + diagnostic.element + "': ";
  }
  std::string line = paint(kBold, printable(element + diagnostic.message), options);
  if (diagnostic.code != Code::none) line += " [" + code_label(diagnostic.code) + "]";
  return line;
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// Offset in UTF-16 units from the beginning of the line: characters beyond U+FFFF, four bytes long, take two.
std::size_t utf16_length(std::string_view text) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < text.size(); i = next_point(text, i)) {
    length += static_cast<unsigned char>(text[i]) >= 0xF0u ? 2u : 1u;
  }
  return length;
}

void write_position(JsonWriter& json, const SourceFile* file, std::uint32_t offset) {
  std::size_t line = 0;
  std::size_t character = 0;
  if (file != nullptr) {
    const std::uint32_t number = file->line_column(offset).line;
    line = number - 1;
    const std::size_t in_line = std::min<std::size_t>(offset, file->text().size()) - file->line_begin(number);
    character = utf16_length(file->line(number).substr(0, in_line));
  }
  json.begin_object().member("line", line).member("character", character).end_object();
}

void write_place(JsonWriter& json, const SourceMap& sources, const SourceRange& where) {
  const SourceFile* file = is_in(sources, where) ? &sources.file(where.file) : nullptr;
  json.member("file", file != nullptr ? std::string_view(file->path()) : std::string_view());
  json.key("range").begin_object();
  json.key("start");
  write_position(json, file, where.begin);
  json.key("end");
  write_position(json, file, std::max(where.begin, where.end));
  json.end_object();
}

void write_diagnostic(JsonWriter& json, const Diagnostic& diagnostic, const SourceMap& sources) {
  constexpr int kLspError = 1;
  constexpr int kLspWarning = 2;
  json.begin_object();
  write_place(json, sources, diagnostic.where);
  json.member("severity", diagnostic.severity == Severity::error ? kLspError : kLspWarning);
  json.member("code", code_label(diagnostic.code));
  json.member("source", "gelenk");
  json.member("message", diagnostic.message);
  json.member("element", diagnostic.element);
  json.member("elementKind", diagnostic.element_kind);
  json.member("hint", diagnostic.hint);
  json.key("relatedInformation").begin_array();
  for (const DiagnosticNote& note : diagnostic.notes) {
    json.begin_object().key("location").begin_object();
    write_place(json, sources, note.where);
    json.end_object().member("message", note.text).end_object();
  }
  json.end_array().end_object();
}

}  // namespace

std::string print_diagnostics(const Diagnostics& diagnostics, const SourceMap& sources, const PrintOptions& options) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics.sorted()) {
    const bool is_error = diagnostic.severity == Severity::error;
    print_entry(out,
                {diagnostic.where, is_error ? "error" : "warning", is_error ? kRed : kMagenta,
                 message_line(diagnostic, options), diagnostic.hint},
                sources, options);
    for (const DiagnosticNote& note : diagnostic.notes) {
      print_entry(out, {note.where, "note", kCyan, printable(note.text), {}}, sources, options);
    }
  }
  return out;
}

std::string diagnostic_counts(const Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  const std::size_t warnings = diagnostics.warning_count();
  std::string text;
  if (errors > 0) text = counted(errors, "error");
  if (warnings > 0) text += (text.empty() ? "" : ", ") + counted(warnings, "warning");
  if (std::max(errors, warnings) > Diagnostics::kMaxKept) {
    text += fmt::format(" (only the first {}{} are shown)", Diagnostics::kMaxKept,
                        errors > 0 && warnings > 0 ? " of each" : "");
  }
  return text;
}

void write_diagnostics_json(JsonWriter& json, const Diagnostics& diagnostics, const SourceMap& sources) {
  json.begin_array();
  for (const Diagnostic& diagnostic : diagnostics.sorted()) write_diagnostic(json, diagnostic, sources);
  json.end_array();
}

}  // namespace gelenk
