#include "gelenk/formats/text_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "gelenk/formats/yaml_cursor.h"
#include "gelenk/formats/yaml_scan.h"
#include "gelenk/formats/yaml_writer.h"

namespace gelenk::formats {
namespace {

constexpr std::size_t kStepInside = 2;

std::string splice(std::string_view text, std::size_t begin, std::size_t end, std::string_view replacement) {
  std::string result;
  result.reserve(text.size() + replacement.size());
  return result.append(text.substr(0, begin)).append(replacement).append(text.substr(end));
}

std::size_t text_begin(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  return text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
}

std::size_t line_begin(std::string_view text, std::size_t at) {
  const std::size_t first = text_begin(text);
  while (at > first && text[at - 1] != '\n') --at;
  return at;
}

// In front of the line feed, or of CR LF.
std::size_t line_end(std::string_view text, std::size_t at) {
  std::size_t end = std::min(text.find('\n', at), text.size());
  if (end > at && end < text.size() && text[end - 1] == '\r') --end;
  return end;
}

std::size_t next_line(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == text.npos ? text.size() : end + 1;
}

bool is_all_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

bool begins_line(std::string_view text, std::size_t at) {
  const std::size_t begin = line_begin(text, at);
  return is_all_blank(text.substr(begin, at - begin));
}

std::string_view newline_of(std::string_view text) {
  const std::size_t end = text.find('\n');
  return end != text.npos && end > 0 && text[end - 1] == '\r' ? "\r\n" : "\n";
}

std::size_t column_of(std::string_view text, std::size_t at) {
  return static_cast<std::size_t>(YamlCursor(text).column(at));
}

bool is_in_flow(std::string_view text, std::size_t at) {
  return !scan_yaml(text.substr(0, at), text_begin(text), TextLimits{}).open_brackets.empty();
}

const Node& last_leaf(const Node& node) {
  if (node.flow) return node;
  if (!node.items.empty()) return last_leaf(node.items.back());
  if (!node.entries.empty()) return last_leaf(node.entries.back().value);
  return node;
}

// The end of the last line of a block value. The blank lines behind a block text that keeps them (`|+`) are part of it.
std::size_t last_line_end(std::string_view text, const Node& node) {
  const Node& leaf = last_leaf(node);
  std::size_t end = line_end(text, node.range.end);
  const char first = leaf.range.begin < text.size() ? text[leaf.range.begin] : '\0';
  if (!leaf.quoted || (first != '|' && first != '>') || !(leaf.text.ends_with("\n\n") || leaf.text == "\n")) return end;
  for (std::size_t next = next_line(text, end); next < text.size(); next = next_line(text, next)) {
    const std::size_t next_end = line_end(text, next);
    if (!is_all_blank(text.substr(next, next_end - next))) break;
    end = next_end;
  }
  return end;
}

// Comments right below the last entry, as deep as the entry, belong to it.
std::size_t over_own_comments(std::string_view text, std::size_t end, std::size_t indent) {
  if (indent == 0) return end;
  for (std::size_t next = next_line(text, end); next < text.size(); next = next_line(text, next)) {
    const std::size_t visible = text.find_first_not_of(' ', next);
    if (visible == text.npos || text[visible] != '#' || visible - next < indent) break;
    end = line_end(text, visible);
  }
  return end;
}

// Behind the colon or dash that a block value on a later line belongs to; nothing for the root.
std::optional<std::size_t> lead_in_end(std::string_view text, std::size_t value_begin) {
  std::size_t begin = line_begin(text, value_begin);
  while (begin > text_begin(text)) {
    begin = line_begin(text, begin - 1);
    std::size_t i = text.find_first_not_of(" \t", begin);
    if (text[i] == '#' || text[i] == '\n' || text[i] == '\r') continue;
    while (text[i] == '-' && is_all_blank(text.substr(i + 1, 1)) && text[i + 1] == ' ') {
      const std::size_t inner = text.find_first_not_of(' ', i + 1);
      if (inner == text.npos || text[inner] == '#' || text[inner] == '\n' || text[inner] == '\r') return i + 1;
      i = inner;
    }
    if (text[i] == '-' && is_all_blank(text.substr(i + 1, 1))) return i + 1;
    if (YamlCursor(text, i).skip_document_mark("---")) return std::nullopt;
    if (text[i] == '"' || text[i] == '\'') i = YamlCursor(text).end_of_quoted(i).value_or(i);
    for (const std::size_t end = line_end(text, i); i < end; ++i) {
      if (text[i] == ':' && (i + 1 == end || text[i + 1] == ' ')) return i + 1;
    }
    return std::nullopt;
  }
  return std::nullopt;
}

std::string replace_block(std::string_view text, const Node& value, std::string_view new_text) {
  const std::size_t begin = value.range.begin;
  const std::size_t end = last_line_end(text, value);
  const std::optional<std::size_t> lead_in = begins_line(text, begin) ? lead_in_end(text, begin) : std::nullopt;
  if (!lead_in) return splice(text, begin, end, new_text);
  const std::size_t first_line = line_begin(text, begin);
  return fmt::format("{} {}{}{}", text.substr(0, *lead_in), new_text, text.substr(*lead_in, first_line - *lead_in),
                     text.substr(next_line(text, end)));
}

std::string insert_in_null(std::string_view text, const Node& null, std::string_view entry) {
  const std::size_t begin = null.range.begin;
  if (null.range.end > begin) return splice(text, begin, null.range.end, fmt::format("{{{}}}", entry));
  if (begin > 0 && text[begin - 1] != ':') return splice(text, begin, begin, fmt::format(" {}", entry));
  if (is_in_flow(text, begin)) return splice(text, begin, begin, fmt::format(" {{{}}}", entry));
  std::size_t key = line_begin(text, begin);
  while (text[key] == ' ' || (text[key] == '-' && text[key + 1] == ' ')) ++key;
  const std::string indent(column_of(text, key) + kStepInside, ' ');
  const std::size_t end = line_end(text, begin);
  return splice(text, end, end, fmt::format("{}{}{}", newline_of(text), indent, entry));
}

// The comma behind `at`, over blanks and comments; nothing when something else comes first.
std::optional<std::size_t> comma_behind(std::string_view text, std::size_t at) {
  YamlCursor cursor(text, at);
  cursor.skip_blank();
  if (cursor.peek() != ',') return std::nullopt;
  return cursor.at();
}

std::string insert_in_flow(std::string_view text, const Node& map, std::string_view entry) {
  if (map.entries.empty()) return splice(text, map.range.begin, map.range.end, fmt::format("{{{}}}", entry));
  const Node::Entry& last = map.entries.back();
  const std::size_t end = last.value.range.end;
  const std::optional<std::size_t> comma = comma_behind(text, end);
  const std::size_t behind = comma.value_or(end);
  const bool own_lines = begins_line(text, last.key_range.begin) &&
                         text.substr(behind, map.range.end - behind).find('\n') != std::string_view::npos;
  if (!own_lines) return splice(text, end, end, fmt::format(", {}", entry));
  const std::size_t break_at = line_end(text, behind);
  const std::string indent(column_of(text, last.key_range.begin), ' ');
  const std::string line = fmt::format("{}{}{}{}", newline_of(text), indent, entry, comma ? "," : "");
  const std::string longer = splice(text, break_at, break_at, line);
  return comma ? longer : splice(longer, end, end, ",");
}

std::string remove_from_block(std::string_view text, const Node& map, std::size_t index) {
  const Node::Entry& entry = map.entries[index];
  const std::size_t begin = entry.key_range.begin;
  const std::size_t end = last_line_end(text, entry.value);
  if (begins_line(text, begin)) {
    return splice(text, line_begin(text, begin), next_line(text, end), "");
  }
  // Behind a dash: the next entry moves up, unless comments stand between.
  const std::size_t next = map.entries[index + 1].key_range.begin;
  return splice(text, begin, is_all_blank(text.substr(end, next - end)) ? next : end, "");
}

std::string remove_from_flow(std::string_view text, const Node& map, std::size_t index) {
  const Node::Entry& entry = map.entries[index];
  const std::size_t begin = entry.key_range.begin;
  const std::size_t end = entry.value.range.end;
  const std::optional<std::size_t> comma = comma_behind(text, end);
  const std::size_t behind = comma ? *comma + 1 : end;
  YamlCursor rest(text, behind);
  rest.skip_blank();
  const bool own_lines = begins_line(text, begin) && !rest.same_line(behind, rest.at());
  const bool is_last = index + 1 == map.entries.size();
  std::string shorter;
  if (own_lines) {
    shorter = splice(text, line_begin(text, begin), next_line(text, behind), "");
  } else if (!is_last) {
    const std::size_t next = map.entries[index + 1].key_range.begin;
    return splice(text, begin, rest.same_line(behind, next) ? next : behind, "");
  } else {
    shorter = splice(text, begin, behind, "");
  }
  if (!is_last || (comma && own_lines)) return shorter;
  // The comma in front of the last entry has nothing to separate any more.
  const std::size_t before = map.entries[index - 1].value.range.end;
  const std::size_t old_comma = comma_behind(text, before).value_or(before);
  if (!own_lines && is_all_blank(text.substr(old_comma + 1, begin - old_comma - 1))) {
    return splice(text, before, end, "");
  }
  return splice(shorter, old_comma, old_comma + 1, "");
}

}  // namespace

std::string replace_value(std::string_view text, const Node& value, std::string_view new_flow_text) {
  const std::size_t begin = value.range.begin;
  const bool is_block = (value.is_list() || value.is_map()) && !value.flow;
  if (is_block) return replace_block(text, value, new_flow_text);
  const bool is_empty = value.range.begin == value.range.end;
  return splice(text, begin, value.range.end,
                is_empty ? fmt::format(" {}", new_flow_text) : std::string(new_flow_text));
}

std::string insert_entry(std::string_view text, const Node& map, std::string_view key, std::string_view value_text) {
  const bool quotes_keys = !map.entries.empty() && text[map.entries.back().key_range.begin] == '"';
  std::string written_key = flow_key(key);
  if (quotes_keys && written_key == key) written_key = fmt::format("\"{}\"", key);
  const std::string entry = fmt::format("{}: {}", written_key, value_text);
  if (map.is_null()) return insert_in_null(text, map, entry);
  if (map.flow) return insert_in_flow(text, map, entry);
  const std::size_t indent = column_of(text, map.range.begin);
  const std::size_t end = over_own_comments(text, last_line_end(text, map), indent);
  return splice(text, end, end, fmt::format("{}{}{}", newline_of(text), std::string(indent, ' '), entry));
}

std::string remove_entry(std::string_view text, const Node& map, std::string_view key) {
  const Node::Entry* entry = map.find(key);
  if (entry == nullptr) return std::string(text);
  if (map.entries.size() == 1) return replace_value(text, map, "{}");
  const auto index = static_cast<std::size_t>(entry - map.entries.data());
  return map.flow ? remove_from_flow(text, map, index) : remove_from_block(text, map, index);
}

std::string rename_key(std::string_view text, const Node::Entry& entry, std::string_view new_key) {
  std::string written = flow_key(new_key);
  if (text[entry.key_range.begin] == '"' && written == new_key) written = fmt::format("\"{}\"", new_key);
  return splice(text, entry.key_range.begin, entry.key_range.end, written);
}

}  // namespace gelenk::formats
