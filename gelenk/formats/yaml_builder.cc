#include "gelenk/formats/yaml_builder.h"

#include <fmt/format.h>
#include <yaml-cpp/mark.h>

#include <algorithm>
#include <utility>

#include "gelenk/base/text.h"

namespace gelenk::formats {
namespace {

constexpr std::size_t kPlainSearchKeys = 12;  // below, comparing all keys is faster than hashing
constexpr std::size_t kShownChars = 40;
constexpr std::size_t kMostErrors = 100;  // nobody reads more of one file

std::string first_line(std::string_view text) {
  std::string line(text.substr(0, text.find('\n')));
  if (line.size() <= kShownChars) return line;
  std::size_t cut = kShownChars;
  while (cut > 0 && is_continuation_byte(line[cut])) --cut;
  return line.substr(0, cut) + "…";
}

bool is_null_word(std::string_view word) { return word == "null" || word == "Null" || word == "NULL"; }

int open_parentheses(std::string_view text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '(') - std::count(text.begin(), text.end(), ')'));
}

}  // namespace

YamlBuilder::YamlBuilder(std::string_view text, std::size_t begin, std::int32_t file, const TextLimits& limits,
                         Diagnostics& diagnostics)
    : text_(text), base_(begin), file_(file), limits_(limits), diagnostics_(diagnostics), cursor_(text, begin) {}

SourceRange YamlBuilder::range(std::size_t begin, std::size_t end) const {
  return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

Diagnostic& YamlBuilder::error(Code code, SourceRange where, std::string message, std::string hint) {
  ++error_count_;
  return diagnostics_.error(code, where, std::move(message), std::move(hint));
}

void YamlBuilder::report_tab(std::optional<std::size_t> at) {
  if (!at) return;
  error(Code::tab_character, range(*at, *at + 1), "a tab is used where spaces are needed",
        "replace tabs with spaces, in JSON files too; most editors can do that");
}

void YamlBuilder::pass_blank() {
  cursor_.skip_blank();
  report_tab(cursor_.take_skipped_tab());
}

void YamlBuilder::pass(char mark) {
  pass_blank();
  if (cursor_.peek() != mark) throw YamlUnexpected{cursor_.at(), fmt::format("'{}' expected", mark)};
  cursor_.move_to(cursor_.at() + 1);
}

// The punctuation in front of the next value: `-`, `,` or `:`.
void YamlBuilder::pass_lead_in() {
  if (frames_.empty()) {
    if (root_) throw YamlUnexpected{cursor_.at(), "second root"};
    return;
  }
  const Frame& frame = frames_.back();
  if (frame.node.is_map() && frame.has_key) {
    pass(':');
    if (!frame.node.flow && !cursor_.same_line(frame.key_range.end, cursor_.at())) {
      throw YamlUnexpected{cursor_.at() - 1, "rest"};
    }
  } else if (frame.node.flow) {
    if (!frame.node.items.empty() || !frame.node.entries.empty()) pass(',');
  } else if (frame.node.is_list()) {
    pass('-');
  }
}

// Over blanks and refused properties (anchor, tag); true when there was one.
bool YamlBuilder::pass_to_content() {
  pass_blank();
  bool has_property = false;
  while (cursor_.peek() == '&' || cursor_.peek() == '!') {
    has_property = true;
    refuse_property();
    pass_blank();
  }
  return has_property;
}

void YamlBuilder::refuse_property() {
  const std::size_t begin = cursor_.at();
  const bool is_tag = cursor_.peek() == '!';
  cursor_.skip_property();
  const std::string written = first_line(text_.substr(begin, cursor_.at() - begin));
  if (is_tag) {
    error(Code::tag_refused, range(begin, cursor_.at()), fmt::format("the tag '{}' is not allowed", written),
          "leave the tag out; if it is text that begins with '!', put it in quotes");
  } else {
    error(Code::anchor_refused, range(begin, cursor_.at()),
          fmt::format("'{}' is a YAML anchor or alias, which model files do not use", written),
          "use parameters, copy_of or definitions to share values");
  }
}

void YamlBuilder::OnDocumentStart(const YAML::Mark&) {
  pass_blank();
  if (!cursor_.skip_document_mark("---")) return;
  const std::size_t behind = cursor_.at();
  pass_blank();
  if (!cursor_.at_end() && cursor_.same_line(behind, cursor_.at())) throw YamlUnexpected{cursor_.at(), "mark"};
}

// Column of the innermost block collection; -1 when there is none.
int YamlBuilder::block_indent() const {
  const auto frame = std::find_if(frames_.rbegin(), frames_.rend(), [](const Frame& f) { return !f.node.flow; });
  return frame == frames_.rend() ? -1 : frame->indent;
}

// A value that begins on a line below its key or dash must be deeper than that; only the dashes of a list may stand
// below its key. yaml-cpp takes less.
void YamlBuilder::check_depth(std::size_t behind_lead_in, bool is_block_list) const {
  if (frames_.empty() || in_flow() || expects_key() || cursor_.same_line(behind_lead_in, cursor_.at())) return;
  const Frame& frame = frames_.back();
  const int least = frame.indent + (is_block_list && frame.node.is_map() ? 0 : 1);
  if (cursor_.column(cursor_.at()) < least) throw YamlUnexpected{cursor_.at(), "rest"};
}

void YamlBuilder::check_quoted_lines(std::size_t begin, std::size_t end) const {
  const int indent = block_indent();
  const std::string_view quoted = text_.substr(0, end);  // not further: a file of one line may be long
  for (std::size_t line = quoted.find('\n', begin); line < end; line = quoted.find('\n', line + 1)) {
    const std::size_t visible = text_.find_first_not_of(" \t\r\n", line + 1);
    if (visible < end && cursor_.column(visible) <= indent) throw YamlUnexpected{begin, "quote over lines"};
  }
}

void YamlBuilder::OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string& value) {
  pass_lead_in();
  const std::size_t behind = cursor_.at();
  const bool has_property = pass_to_content();
  check_depth(behind, false);
  const std::size_t place = base_ + static_cast<std::size_t>(std::max(mark.pos, 0));
  if (!has_property && cursor_.at() != place) throw YamlUnexpected{std::min(cursor_.at(), place), ""};
  // A tag or anchor with nothing behind it comes as an empty text.
  if (has_property && value.empty()) throw YamlRefused{};
  add(scalar_here(value));
}

Node YamlBuilder::scalar_here(const std::string& value) {
  const std::size_t begin = cursor_.at();
  const char first = cursor_.peek();
  std::optional<std::size_t> end;
  Node node;
  node.kind = Node::Kind::scalar;
  if (first == '"' || first == '\'') {
    node.quoted = true;
    end = cursor_.end_of_quoted(begin);
    if (end) check_quoted_lines(begin, *end);
  } else if ((first == '|' || first == '>') && !in_flow()) {
    node.quoted = true;
    end = cursor_.end_of_block_text(begin, value);
  } else {
    end = cursor_.end_of_plain(begin, value);
  }
  if (!end) throw YamlUnexpected{begin, ""};
  if (value.size() > limits_.max_scalar) {
    error(Code::too_many_values, range(begin, begin + 1),
          fmt::format("a text of {} bytes is longer than the limit of {}", value.size(), limits_.max_scalar));
    throw YamlRefused{};
  }
  node.text = value;
  node.range = range(begin, *end);
  if (!node.quoted) {
    const std::size_t tab = text_.substr(begin, *end - begin).find('\t');
    if (tab != std::string_view::npos) report_tab(begin + tab);
    check_cut_expression(node);
  } else if (find_invalid_utf8(value)) {
    throw YamlUnexpected{begin, "escape"};  // yaml-cpp turns \N and \_ into bytes that are no characters
  }
  cursor_.move_to(*end);
  return node;
}

// In [ ] and { } a comma ends the text, also inside the parentheses of an expression.
void YamlBuilder::check_cut_expression(const Node& node) {
  if (!in_flow() || node.text.empty() || node.text.front() != '=' || open_parentheses(node.text) <= 0) return;
  const std::size_t begin = node.range.begin;
  std::size_t end = begin;
  for (int depth = 0; end < text_.size() && text_[end] != '\n'; ++end) {
    const char c = text_[end];
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (depth <= 0 && (c == ',' || c == ']' || c == '}')) break;
  }
  const std::string whole(trim(text_.substr(begin, end - begin)));
  cut_end_ = begin + whole.size();
  const bool complete = open_parentheses(whole) == 0;
  error(Code::expression_cut, range(begin, complete ? cut_end_ : node.range.end),
        fmt::format("the comma splits the expression: only '{}' would be read", first_line(node.text)),
        complete ? fmt::format("quote it: \"{}\"", first_line(whole)) : "put the expression in double quotes");
}

void YamlBuilder::OnAlias(const YAML::Mark&, YAML::anchor_t) {
  pass_lead_in();
  pass_blank();
  refuse_property();
  throw YamlRefused{};
}

void YamlBuilder::OnNull(const YAML::Mark&, YAML::anchor_t) {
  if (expects_key()) return null_key();
  null_value();
}

void YamlBuilder::null_key() {
  pass_lead_in();
  pass_to_content();
  const std::size_t at = cursor_.at();
  if (cursor_.peek() == ',') throw YamlUnexpected{at, "two commas"};
  if (cursor_.at_complex_key()) throw YamlUnexpected{at, "complex key"};
  if (is_null_word(cursor_.rest().substr(0, 4))) return add(scalar_here(std::string(cursor_.rest().substr(0, 4))));
  error(Code::key_not_text, range(at, std::min(at + 1, text_.size())), "a key is missing here",
        "write a name before the colon");
  throw YamlRefused{};
}

// In a block collection something deeper than the keys or dashes is the value; anything else is the next entry, even
// when it is called `null`.
bool YamlBuilder::null_is_written(std::size_t behind_lead_in) const {
  const std::size_t at = cursor_.at();
  const std::string_view rest = cursor_.rest();
  if (rest.empty() || (rest.front() != '~' && !is_null_word(rest.substr(0, 4)))) return false;
  if (frames_.empty() || in_flow()) return true;
  return cursor_.same_line(behind_lead_in, at) || cursor_.column(at) > frames_.back().indent;
}

void YamlBuilder::null_value() {
  pass_blank();
  if (!frames_.empty() && frames_.back().has_key && cursor_.peek() != ':') return missing_colon();
  pass_lead_in();
  const std::size_t behind = cursor_.at();
  const bool has_property = pass_to_content();
  if (has_property && frames_.empty()) throw YamlRefused{};
  if (in_flow() && frames_.back().node.is_list() && cursor_.peek() == ',') {
    throw YamlUnexpected{cursor_.at(), "two commas"};
  }
  if (null_is_written(behind)) {
    if (cursor_.peek() != '~') return add(scalar_here(std::string(cursor_.rest().substr(0, 4))));
    Node node;
    node.range = range(cursor_.at(), cursor_.at() + 1);
    cursor_.move_to(cursor_.at() + 1);
    return add(std::move(node));
  }
  if (frames_.empty()) {
    error(Code::empty_file, range(base_, base_), "the file has no content");
    throw YamlRefused{};
  }
  Node node;
  node.range = range(behind, behind);
  cursor_.move_to(behind);
  add(std::move(node));
}

void YamlBuilder::missing_colon() {
  Frame& frame = frames_.back();
  const SourceRange where = frame.key_range;
  if (frame.key.ends_with(':')) {
    error(Code::yaml_syntax, range(where.end - 1, where.end), "a space is missing after the colon",
          "write 'key: value', also before a bracket");
    throw YamlRefused{};
  }
  if (where.begin >= cut_end_) {
    const std::size_t colon = frame.key.find(':');
    std::string hint = "write a colon and a space between key and value";
    if (colon != std::string::npos && colon > 0 && colon + 1 < frame.key.size()) {
      hint = fmt::format("put a space after the colon: '{}: {}'", first_line(frame.key.substr(0, colon)),
                         first_line(frame.key.substr(colon + 1)));
    }
    error(Code::yaml_syntax, where, fmt::format("'{}' has no value", first_line(frame.key)), std::move(hint));
  }
  Node node;
  node.range = range(where.end, where.end);
  add(std::move(node));
}

void YamlBuilder::OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                                  YAML::EmitterStyle::value style) {
  open(Node::Kind::list, style == YAML::EmitterStyle::Flow);
}

void YamlBuilder::OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value style) {
  open(Node::Kind::map, style == YAML::EmitterStyle::Flow);
}

void YamlBuilder::OnSequenceEnd() { close(); }

void YamlBuilder::OnMapEnd() { close(); }

void YamlBuilder::open(Node::Kind kind, bool flow) {
  const bool as_key = expects_key();
  pass_lead_in();
  const std::size_t behind = cursor_.at();
  pass_to_content();
  check_depth(behind, kind == Node::Kind::list && !flow);
  const std::size_t at = cursor_.at();
  if (as_key || cursor_.at_complex_key()) throw YamlUnexpected{at, "complex key"};
  if (frames_.size() >= static_cast<std::size_t>(limits_.max_depth)) {
    error(Code::nesting_too_deep, range(at, std::min(at + 1, text_.size())),
          fmt::format("lists and maps are nested more than {} deep", limits_.max_depth));
    throw YamlRefused{};
  }
  count_node(at);
  Frame frame;
  frame.node.kind = kind;
  frame.node.flow = flow;
  frame.node.range = range(at, at);
  if (flow) {
    if (kind == Node::Kind::map && cursor_.peek() != '{') throw YamlUnexpected{at, "pair in list"};
    pass(kind == Node::Kind::list ? '[' : '{');
  } else {
    if (kind == Node::Kind::list && cursor_.peek() != '-') throw YamlUnexpected{at, ""};
    frame.indent = cursor_.column(at);
  }
  frames_.push_back(std::move(frame));
}

void YamlBuilder::close() {
  Node& node = frames_.back().node;
  if (node.flow) {
    pass_blank();
    const bool has_children = !node.items.empty() || !node.entries.empty();
    if (has_children && cursor_.peek() == ',') pass(',');
    pass(node.is_list() ? ']' : '}');
  }
  node.range.end = static_cast<std::uint32_t>(cursor_.at());
  Node finished = std::move(node);
  frames_.pop_back();
  add(std::move(finished));
}

void YamlBuilder::count_node(std::size_t at) {
  if (++node_count_ <= limits_.max_nodes) return;
  error(Code::too_many_values, range(at, std::min(at + 1, text_.size())),
        fmt::format("the file has more than {} values", limits_.max_nodes));
  throw YamlRefused{};
}

void YamlBuilder::stop_after_many_errors() const {
  if (error_count_ >= kMostErrors) throw YamlRefused{};
}

void YamlBuilder::add(Node node) {
  stop_after_many_errors();
  if (expects_key()) return add_key(node);
  if (!node.is_list() && !node.is_map()) count_node(node.range.begin);
  if (frames_.empty()) {
    root_ = std::move(node);
    return;
  }
  Frame& frame = frames_.back();
  if (frame.node.is_list()) {
    frame.node.items.push_back(std::move(node));
    return;
  }
  if (!frame.skips_value) frame.node.entries.push_back({std::move(frame.key), frame.key_range, std::move(node)});
  frame.skips_value = false;
  frame.key.clear();
  frame.has_key = false;
}

void YamlBuilder::add_key(const Node& node) {
  Frame& frame = frames_.back();
  if (node.text == "<<" && !node.quoted) {
    error(Code::merge_key_refused, node.range, "the merge key '<<' is not allowed",
          "use copy_of or definitions to share values");
  }
  if (node.text.size() > kMaxKeyBytes) {
    error(Code::key_not_text, node.range,
          fmt::format("the key is {} bytes long, more than {}", node.text.size(), kMaxKeyBytes));
  }
  if (!node.quoted && node.text.find_first_of("[{") != std::string::npos) {
    error(Code::yaml_syntax, node.range, fmt::format("'{}' would be read as one key", first_line(node.text)),
          "put a space after the first colon: 'key: {...}', or the key in quotes");
  }
  std::optional<SourceRange> first;
  if (frame.node.entries.size() < kPlainSearchKeys) {
    if (const Node::Entry* entry = frame.node.find(node.text)) first = entry->key_range;
  } else {
    if (frame.seen.empty()) {
      for (const Node::Entry& entry : frame.node.entries) frame.seen.emplace(entry.key, entry.key_range);
    }
    const auto [at, is_new] = frame.seen.emplace(node.text, node.range);
    if (!is_new) first = at->second;
  }
  if (first && node.range.begin >= cut_end_) {
    Diagnostic& twice = error(Code::duplicate_key, node.range,
                              fmt::format("the key '{}' is written twice in this map", first_line(node.text)),
                              "remove or rename one of them");
    twice.notes.push_back({*first, "first written here"});
    if (limits_.reads_past_duplicates) {
      ++passed_error_count_;
      frame.skips_value = true;
    }
  }
  frame.key = node.text;
  frame.key_range = node.range;
  frame.has_key = true;
}

std::optional<Node> YamlBuilder::finish() {
  if (!root_ || !frames_.empty()) return std::nullopt;
  pass_blank();
  while (cursor_.skip_document_mark("...")) pass_blank();
  if (cursor_.at_end()) return error_count_ == passed_error_count_ ? std::move(root_) : std::nullopt;
  const std::size_t at = cursor_.at();
  if (cursor_.skip_document_mark("---")) {
    error(Code::several_documents, range(at, at + 3), "a second document begins here", "keep one model per file");
    return std::nullopt;
  }
  throw YamlUnexpected{at, "rest"};
}

}  // namespace gelenk::formats
