#include "gelenk/formats/yaml_syntax_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "gelenk/base/text.h"
#include "gelenk/formats/yaml_scan.h"

namespace gelenk::formats {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

class Explainer {
 public:
  Explainer(const SyntaxTrouble& trouble, Diagnostics& diagnostics)
      : text_(trouble.text),
        what_(trouble.what),
        file_(trouble.file),
        at_(std::min(trouble.at, trouble.text.size())),
        diagnostics_(diagnostics),
        whole_(scan_yaml(trouble.text, trouble.begin, TextLimits{})) {
    line_begin_ = at_;
    while (line_begin_ > trouble.begin && text_[line_begin_ - 1] != '\n') --line_begin_;
    line_end_ = std::min(text_.find('\n', at_), text_.size());
  }

  void report() {
    if (tab() || left_open() || refused_character() || behind_a_value() || colon()) return;
    if (escape() || profile() || flow() || indentation()) return;
    error(Code::yaml_syntax, at_, token_end(), "this cannot be read as YAML",
          "check brackets, quotes, colons and the indentation here and in the line above");
  }

 private:
  SourceRange range(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::min(end, text_.size()))};
  }

  bool error(Code code, std::size_t begin, std::size_t end, std::string message, std::string hint) {
    diagnostics_.error(code, range(begin, end), std::move(message), std::move(hint));
    return true;
  }

  bool syntax(std::string message, std::string hint) {
    return error(Code::yaml_syntax, at_, token_end(), std::move(message), std::move(hint));
  }

  bool says(std::string_view words) const { return what_.starts_with(words); }
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  std::string_view line() const { return text_.substr(line_begin_, line_end_ - line_begin_); }

  std::size_t token_end() const {
    std::size_t end = at_;
    while (end < text_.size() && !is_blank(text_[end])) ++end;
    return std::max(end, std::min(at_ + 1, text_.size()));
  }

  // The last visible character in front of the trouble on the same line; npos when there is none.
  std::size_t visible_before() const {
    std::size_t i = at_;
    while (i > line_begin_ && is_blank(text_[i - 1])) --i;
    return i > line_begin_ ? i - 1 : std::string_view::npos;
  }

  bool tab() {
    if (!whole_.tab || *whole_.tab > line_end_) return false;
    return error(Code::tab_character, *whole_.tab, *whole_.tab + 1, "a tab is used where spaces are needed",
                 "replace tabs with spaces, in JSON files too; most editors can do that");
  }

  bool left_open() {
    if (says("quote over lines")) {
      return error(Code::yaml_syntax, at_, at_ + 1, "this quoted text continues on lines that are not indented",
                   "add the closing quote, or indent the lines that belong to the text");
    }
    if (whole_.open_quote) {
      return error(Code::yaml_syntax, *whole_.open_quote, *whole_.open_quote + 1, "this quote is never closed",
                   "add the closing quote; inside single quotes a quote is written twice: 'it''s'");
    }
    if (whole_.mismatch) {
      const auto [open, close] = *whole_.mismatch;
      diagnostics_
          .error(Code::yaml_syntax, range(close, close + 1),
                 fmt::format("'{}' does not match the '{}' that is open here", text_[close], text_[open]),
                 fmt::format("close it with '{}'", text_[open] == '[' ? ']' : '}'))
          .notes.push_back({range(open, open + 1), "opened here"});
      return true;
    }
    if (whole_.open_brackets.empty() || whole_.open_brackets.back() > at_) return false;
    const std::size_t open = whole_.open_brackets.back();
    return error(Code::yaml_syntax, open, open + 1, fmt::format("this '{}' is never closed", text_[open]),
                 fmt::format("add the missing '{}'", text_[open] == '[' ? ']' : '}'));
  }

  bool refused_character() {
    const char c = here();
    if (whole_.directive && *whole_.directive <= at_ && says("directive")) {
      return error(Code::yaml_syntax, *whole_.directive, *whole_.directive + 1, "a line cannot begin with '%'",
                   "leave YAML directives out; put text that begins with '%' in quotes");
    }
    if (says("alias not") || says("anchor not")) --at_;  // yaml-cpp points behind the '*' or '&'
    if (here() == '*' || here() == '&' || says("the referenced anchor") || says("cannot assign multiple anchors")) {
      return error(Code::anchor_refused, at_, token_end(), "YAML anchors and aliases are not allowed",
                   "if it is text that begins with '*' or '&', put it in quotes");
    }
    if (here() == '!' || says("tag handle") || says("cannot assign multiple tags") ||
        says("illegal character found while scanning tag")) {
      return error(Code::tag_refused, at_, token_end(), "YAML tags are not allowed",
                   "if it is text that begins with '!', put it in quotes");
    }
    if (!says("unknown token") || (c != '@' && c != '`' && c != '%')) return false;
    return syntax(fmt::format("text cannot begin with '{}'", c), "put it in quotes");
  }

  // Something follows a value that is complete.
  bool behind_a_value() {
    const std::size_t before = visible_before();
    if (before == std::string_view::npos || at_ >= text_.size()) return false;
    const char c = text_[before];
    if (c == ']' || c == '}') return behind_a_list(before);
    if ((c == '"' || c == '\'') && here() != ':' && (says("end of") || says("rest"))) {
      return syntax("there is text after the closing quote",
                    "put all of the text inside; a quote inside single quotes is written twice: 'it''s'");
    }
    return false;
  }

  bool behind_a_list(std::size_t close) {
    if (here() == ':' || here() == ',' || here() == ']' || here() == '}') return false;
    if (here() == '#') return syntax("a comment needs a space before '#'", "put a space before '#'");
    std::size_t end = at_;
    while (end < text_.size() && !is_blank(text_[end]) &&
           std::string_view(",]}#").find(text_[end]) == std::string_view::npos)
      ++end;
    const std::string unit(text_.substr(at_, end - at_));
    const auto first = static_cast<unsigned char>(here());
    const bool is_unit = std::isalpha(first) != 0 || first >= 0x80 || first == '%';
    std::size_t open = close;
    while (open > line_begin_ && text_[open] != '[') --open;
    if (text_[close] != ']' || text_[open] != '[' || !is_unit) {
      return syntax("something follows a closing bracket", "put a comma or a new line between them");
    }
    return error(Code::unit_after_list, at_, end, fmt::format("the unit '{}' comes after the list", unit),
                 "write the unit inside: " + with_units(text_.substr(open + 1, close - open - 1), unit));
  }

  static std::string with_units(std::string_view items, const std::string& unit) {
    constexpr std::size_t kShownItems = 6;
    std::vector<std::string> parts = split(items, ',');
    if (parts.size() > kShownItems) parts.resize(kShownItems);
    for (std::string& part : parts) part = std::string(trim(part)) + " " + unit;
    return "[" + join(parts, ", ") + "]";
  }

  // The key in front of a colon without a blank behind it: `mass:5`.
  std::optional<std::size_t> tight_colon(std::string_view line) const {
    std::size_t i = line.find_first_not_of(" -");
    if (i == std::string_view::npos || !is_word(line[i])) return std::nullopt;
    while (i < line.size() && is_word(line[i])) ++i;
    if (i + 1 >= line.size() || line[i] != ':' || is_blank(line[i + 1])) return std::nullopt;
    return i;
  }

  bool colon() {
    if (!says("illegal map value") && !says("end of map") && !says("end of seq") && !says("rest")) return false;
    std::size_t begin = line_begin_;
    for (int lines_up = 0; lines_up < 2; ++lines_up) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      if (const auto colon = tight_colon(text_.substr(begin, end - begin))) {
        return error(Code::yaml_syntax, begin + *colon, begin + *colon + 1, "a space is missing after the colon",
                     "write 'key: value'");
      }
      if (begin == 0) break;
      --begin;
      while (begin > 0 && text_[begin - 1] != '\n') --begin;
    }
    if (!says("illegal map value")) return false;
    if (line().substr(0, at_ - line_begin_).find(": ") != std::string_view::npos) {
      return syntax("a second colon in the same line", "put the value in quotes if the colon belongs to the text");
    }
    if (at_ > line_begin_ + kMaxKeyBytes) return syntax("the key before this colon is too long", "");
    const std::size_t visible = line_begin_ + std::min(line().find_first_not_of(' '), line().size());
    return error(Code::yaml_syntax, visible, at_,
                 "this line does not fit under the line above, which already has a value",
                 "is a colon missing there? entries of one map begin in the same column");
  }

  bool escape() {
    const bool unknown = says("unknown escape");
    if (!unknown && !says("invalid unicode") && !says("bad character found while scanning hex") && !says("escape")) {
      return false;
    }
    const std::size_t backslash = text_.substr(0, at_).rfind('\\');
    const std::size_t begin = says("escape") || backslash < line_begin_ ? at_ : std::min(backslash, at_);
    const std::size_t end = begin == at_ ? token_end() : at_;
    if (unknown) {
      return error(Code::yaml_syntax, begin, end, "this backslash sequence is not known",
                   "write \\\\ for a backslash, or use single quotes");
    }
    return error(Code::yaml_syntax, begin, end, "this escape does not name a character", "write the character itself");
  }

  bool profile() {
    if (here() == '?' && says("unknown token")) return syntax("'?' ends a text in brackets", "put the text in quotes");
    if (says("complex key") || says("illegal map key")) {
      return error(Code::key_not_text, at_, token_end(), "a key must be plain text",
                   "write 'key: value' for each; put text that begins with '?' in quotes");
    }
    if (says("pair in list")) {
      return syntax("a list contains a key with a value", "put it in braces: {key: value}");
    }
    if (says("mark")) return syntax("the document begins on the same line as '---'", "begin it on the next line");
    if (says("two commas")) {
      return error(Code::yaml_syntax, at_, at_ + 1, "there is nothing before this comma",
                   "remove it or write the value");
    }
    if (says("illegal block entry")) {
      return syntax("a list item with '-' must begin on a line of its own", "or write the list as [a, b]");
    }
    if (says("illegal flow end")) return syntax("this bracket closes nothing", "remove it, or add the opening bracket");
    return false;
  }

  bool flow() {
    if (!says("end of map flow") && !says("end of sequence flow")) return false;
    return syntax("a comma or a closing bracket is missing here",
                  "separate values with commas; quote text that contains one");
  }

  bool indentation() {
    if (!says("end of map") && !says("end of sequence") && !says("rest")) return false;
    Diagnostic& d = diagnostics_.error(Code::yaml_syntax, range(at_, token_end()),
                                       "the indentation of this line does not match the lines above",
                                       "entries of one map or list begin in the same column");
    if (whole_.quote_over_lines && *whole_.quote_over_lines < at_) {
      d.notes.push_back({range(*whole_.quote_over_lines, *whole_.quote_over_lines + 1),
                         "a quoted text spans several lines from here"});
    }
    return true;
  }

  std::string_view text_;
  const std::string& what_;
  std::int32_t file_;
  std::size_t at_;
  Diagnostics& diagnostics_;
  YamlScan whole_;
  std::size_t line_begin_ = 0;
  std::size_t line_end_ = 0;
};

}  // namespace

void report_syntax_error(const SyntaxTrouble& trouble, Diagnostics& diagnostics) {
  Explainer(trouble, diagnostics).report();
}

}  // namespace gelenk::formats
