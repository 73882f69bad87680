#include "gelenk/formats/yaml_scan.h"

#include "gelenk/base/text.h"

namespace gelenk::formats {
namespace {

constexpr int kRootIndent = -1;

class Scanner {
 public:
  Scanner(std::string_view text, std::size_t begin, const TextLimits& limits)
      : text_(text), limits_(limits), begin_(begin), at_(begin), line_begin_(begin) {}

  YamlScan run() {
    while (at_ < text_.size() && found_.excess == YamlScan::Excess::none) {
      const char c = text_[at_];
      if (c == '\n') {
        begin_line();
      } else if (c == ' ' || c == '\r') {
        ++at_;
      } else if (c == '\t') {
        note_tab();
        ++at_;
      } else if (c == '#' && is_blank_before()) {
        skip_line();
        plain_goes_on_ = false;
      } else {
        found_.has_content = true;
        token(c);
      }
    }
    return std::move(found_);
  }

 private:
  char peek(std::size_t offset) const { return at_ + offset < text_.size() ? text_[at_ + offset] : '\n'; }
  static bool is_flow_mark(char c) { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'; }
  bool is_blank_before() const { return at_ == begin_ || is_blank(text_[at_ - 1]); }
  bool in_flow() const { return !found_.open_brackets.empty(); }
  int column() const { return static_cast<int>(at_ - line_begin_); }

  void note_tab() {
    if (!found_.tab) found_.tab = at_;
  }

  void stop(YamlScan::Excess excess, std::size_t at) {
    found_.excess = excess;
    found_.excess_at = at;
  }

  void note_broken(std::string_view what) {
    if (!found_.broken) found_.broken = YamlScan::Broken{at_, what};
  }

  void begin_line() {
    ++at_;
    line_begin_ = at_;
    if (!in_flow()) value_is_complete_ = false;
    // A key and a value are two pieces and may stand on two lines.
    if (++lines_ > 2 * limits_.max_nodes) stop(YamlScan::Excess::values, at_);
  }

  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  void count_piece() {
    if (++pieces_ > 2 * limits_.max_nodes) stop(YamlScan::Excess::values, at_);
  }

  void token(char c) {
    // The next line of a plain text may begin with a quote or a bracket and still be text.
    if (plain_goes_on_ && (in_flow() || column() > parent_indent_) && !(in_flow() && is_flow_mark(c))) return plain();
    plain_goes_on_ = false;
    if (c == '"' || c == '\'') return quoted(c);
    if (c == '[' || c == '{') return open_bracket();
    if ((c == ']' || c == '}') && in_flow()) return close_bracket();
    if (c == ',' && in_flow()) return comma();
    if (is_indicator(c)) return indicator(c);
    if (is_document_mark()) return skip_document_mark();
    if ((c == '|' || c == '>') && !in_flow()) return block_text();
    if (c == '%' && column() == 0 && !found_.directive) found_.directive = at_;
    if (c == '&' || c == '!') return property();
    plain_begin_ = at_;
    begin_piece();
    plain();
  }

  // An anchor or a tag: refused later, but what follows it is still a value, a bracket perhaps.
  void property() {
    while (at_ < text_.size() && !is_blank(text_[at_]) && !(in_flow() && is_flow_mark(text_[at_]))) ++at_;
  }

  void begin_piece() {
    if (value_is_complete_) note_broken(in_flow() ? "end of map flow" : "rest");
    if (!in_flow()) piece_column_ = column();
    count_piece();
  }

  bool is_document_mark() const {
    const std::string_view mark = text_.substr(at_, 3);
    return column() == 0 && (mark == "---" || mark == "...") && is_blank(peek(3));
  }

  void skip_document_mark() {
    at_ += 3;
    parent_indent_ = kRootIndent;
  }

  bool is_indicator(char c) const {
    if (c == ':' && in_flow() && after_json_key_) return true;
    if (c == ':' && in_flow() && is_flow_mark(peek(1))) return true;
    return (c == '-' || c == '?' || c == ':') && is_blank(peek(1));
  }

  void indicator(char c) {
    if (c == '?') note_broken("complex key");
    if (in_flow() && c == ':' && ++colons_ > 1) note_broken("end of map flow");
    if (!in_flow()) parent_indent_ = c == ':' ? piece_column_ : column();
    value_is_complete_ = false;
    after_json_key_ = false;
    ++at_;
  }

  void comma() {
    if (!value_is_complete_ && colons_ == 0) note_broken("two commas");
    if (++commas_ > limits_.max_nodes) stop(YamlScan::Excess::values, at_);
    begin_flow_item();
    ++at_;
  }

  void begin_flow_item() {
    colons_ = 0;
    value_is_complete_ = false;
    after_json_key_ = false;
  }

  void open_bracket() {
    begin_piece();
    found_.open_brackets.push_back(at_);
    if (found_.open_brackets.size() > static_cast<std::size_t>(limits_.max_depth)) stop(YamlScan::Excess::depth, at_);
    begin_flow_item();
    ++at_;
  }

  void close_bracket() {
    const std::size_t open = found_.open_brackets.back();
    const bool fits = (text_[open] == '[') == (text_[at_] == ']');
    if (!fits && !found_.mismatch) found_.mismatch = YamlScan::Mismatch{open, at_};
    found_.open_brackets.pop_back();
    colons_ = 0;  // of the outer item they are forgotten, which only makes the look less strict
    value_is_complete_ = true;
    after_json_key_ = true;
    ++at_;
  }

  void quoted(char quote) {
    const std::size_t begin = at_;
    begin_piece();
    bool over_lines = false;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') over_lines = true;
      if (quote == '"' && c == '\\') {
        ++at_;
      } else if (c == quote) {
        if (quote == '"' || peek(1) != '\'') break;
        ++at_;
      }
    }
    if (at_ >= text_.size()) {
      at_ = text_.size();
      found_.open_quote = begin;
    } else {
      ++at_;
    }
    if (over_lines) found_.quote_over_lines = begin;
    if (at_ - begin > limits_.max_scalar + 2) stop(YamlScan::Excess::scalar, begin);
    value_is_complete_ = true;
    after_json_key_ = true;
  }

  // `|` or `>`: every following line that is deeper than the parent belongs to the text, whatever it holds.
  void block_text() {
    const std::size_t begin = at_;
    begin_piece();
    skip_line();
    std::size_t end = at_;
    while (at_ < text_.size()) {
      std::size_t i = at_ + 1;
      const std::size_t line = i;
      while (i < text_.size() && text_[i] == ' ') ++i;
      const bool blank_line = i >= text_.size() || text_[i] == '\n' || text_[i] == '\r';
      if (!blank_line && static_cast<int>(i - line) <= parent_indent_) break;
      at_ = i;
      skip_line();
      if (!blank_line) end = at_;
    }
    if (end - begin > limits_.max_scalar) stop(YamlScan::Excess::scalar, begin);
  }

  void plain() {
    std::size_t visible_end = at_;
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      const char c = text_[at_];
      if (c == '\t') note_tab();
      if (c == ':' && (is_blank(peek(1)) || (in_flow() && is_flow_mark(peek(1))))) break;
      if (c == '#' && is_blank_before()) break;
      if (in_flow() && is_flow_mark(c)) break;
      if (!is_blank(c)) visible_end = at_ + 1;
    }
    plain_goes_on_ = at_ < text_.size() && text_[at_] == '\n';
    if (visible_end - plain_begin_ > limits_.max_scalar) stop(YamlScan::Excess::scalar, plain_begin_);
    value_is_complete_ = true;
    after_json_key_ = false;
  }

  std::string_view text_;
  const TextLimits& limits_;
  std::size_t begin_;
  std::size_t at_;
  std::size_t line_begin_;
  YamlScan found_;
  std::size_t plain_begin_ = 0;
  std::size_t pieces_ = 0;
  std::size_t commas_ = 0;
  std::size_t lines_ = 0;
  int piece_column_ = 0;
  int parent_indent_ = kRootIndent;
  int colons_ = 0;  // of the flow item that is read
  bool plain_goes_on_ = false;
  bool value_is_complete_ = false;
  bool after_json_key_ = false;  // `"key":1` needs no blank behind the colon
};

}  // namespace

YamlScan scan_yaml(std::string_view text, std::size_t begin, const TextLimits& limits) {
  return Scanner(text, begin, limits).run();
}

}  // namespace gelenk::formats
