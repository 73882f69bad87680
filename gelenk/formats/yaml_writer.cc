#include "gelenk/formats/yaml_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "gelenk/base/text.h"

namespace gelenk::formats {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kIndent = 2;

enum class Place { block, flow };

// The code point at `i` and its length; a byte that is no UTF-8 counts as itself.
struct CodePoint {
  char32_t value = 0;
  std::size_t length = 1;
};

CodePoint code_point_at(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(i);
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  if (length == 1 || i + length > text.size()) return {first, 1};
  char32_t value = first & (0xFFu >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) value = (value << 6) | (byte(i + k) & 0x3Fu);
  return {value, length};
}

// Characters that are written as they are in quotes: not control characters and line ends of Unicode.
bool can_be_shown(char32_t c) {
  return c >= 0x20 && !(c >= 0x7F && c < 0xA0) && c != 0x2028 && c != 0x2029 && c != 0xFEFF;
}

bool all_printable(std::string_view text, bool newlines_too = false) {
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint c = code_point_at(text, i);
    if (!can_be_shown(c.value) && !(newlines_too && c.value == '\n')) return false;
    i += c.length;
  }
  return true;
}

bool is_safe_start(std::string_view text) {
  constexpr std::string_view kIndicators = ",[]{}#&*!|>'\"%@`?:";
  if (kIndicators.find(text.front()) != std::string_view::npos) return false;
  if (text.front() == '-' && (text.size() == 1 || is_blank(text[1]))) return false;
  return !text.starts_with("---") && !text.starts_with("...");
}

bool is_plain(std::string_view text, Place place) {
  if (text.empty() || text == "~" || is_blank(text.front()) || is_blank(text.back())) return false;
  if (!is_safe_start(text) || !all_printable(text)) return false;
  if (text.back() == ':' || text.find(": ") != text.npos || text.find(" #") != text.npos) return false;
  if (place == Place::block) return true;
  // The reader takes an expression with an open parenthesis inside brackets for one that a comma cut apart.
  const bool looks_cut = text.front() == '=' && text.find('(') != text.npos &&
                         std::count(text.begin(), text.end(), '(') > std::count(text.begin(), text.end(), ')');
  return !looks_cut && text.find_first_of(",[]{}?") == text.npos;
}

std::string double_quoted(std::string_view text) {
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint c = code_point_at(text, i);
    if (c.value == '"' || c.value == '\\') {
      result += '\\';
      result += text[i];
    } else if (c.value == '\n') {
      result += "\\n";
    } else if (c.value == '\t') {
      result += "\\t";
    } else if (can_be_shown(c.value)) {
      result += text.substr(i, c.length);
    } else {
      const auto value = static_cast<unsigned>(c.value);
      result += value < 0x100 ? fmt::format("\\x{:02x}", value) : fmt::format("\\u{:04x}", value);
    }
    i += c.length;
  }
  return result + '"';
}

std::string quoted_scalar(std::string_view text) {
  // A path of Windows or a sentence with double quotes is easier to read in single ones.
  const bool has_escapes = text.find_first_of("\\\"") != text.npos;
  if (!has_escapes || text.find('\'') != text.npos || !all_printable(text)) return double_quoted(text);
  return fmt::format("'{}'", text);
}

std::string scalar(const Node& node, Place place) {
  return node.quoted || !is_plain(node.text, place) ? quoted_scalar(node.text) : node.text;
}

std::string key_text(std::string_view key, Place place) {
  const bool plain = is_plain(key, place) && key.find_first_of(":[{") == key.npos && key != "<<";
  return plain ? std::string(key) : quoted_scalar(key);
}

// The node in one line; nothing when it would need more than `room` bytes.
std::optional<std::string> one_line(const Node& node, std::size_t room) {
  std::string result;
  const auto append = [&](std::string_view prefix, const Node& child) {
    result += prefix;
    if (result.size() >= room) return false;
    const std::optional<std::string> text = one_line(child, room - result.size());
    if (text) result += *text;
    return text.has_value();
  };
  switch (node.kind) {
    case Node::Kind::null:
      result = "~";
      break;
    case Node::Kind::scalar:
      result = scalar(node, Place::flow);
      break;
    case Node::Kind::list:
      for (const Node& item : node.items) {
        if (!append(result.empty() ? "[" : ", ", item)) return std::nullopt;
      }
      result += result.empty() ? "[]" : "]";
      break;
    case Node::Kind::map:
      for (const Node::Entry& entry : node.entries) {
        const std::string key = (result.empty() ? "{" : ", ") + key_text(entry.key, Place::flow) + ": ";
        if (!append(key, entry.value)) return std::nullopt;
      }
      result += result.empty() ? "{}" : "}";
      break;
  }
  if (result.size() > room) return std::nullopt;
  return result;
}

bool is_leaf(const Node& node) { return node.items.empty() && node.entries.empty(); }

bool has_only_leaves(const Node& node) {
  return std::all_of(node.items.begin(), node.items.end(), is_leaf) &&
         std::all_of(node.entries.begin(), node.entries.end(), [](const auto& entry) { return is_leaf(entry.value); });
}

class Writer {
 public:
  std::string take() { return std::move(out_); }

  void root(const Node& node) {
    const bool is_block_map = node.is_map() && !node.entries.empty() && !node.flow;
    if (is_block_map) {
      map(node, 0);
      return;
    }
    if (is_leaf(node)) {
      out_ += one_line(node, std::string::npos).value() + "\n";
      return;
    }
    if (!in_one_line(node, 0)) block(node, 0);
  }

 private:
  // Writes a list or map whose first line begins here, in column `indent`.
  void block(const Node& node, std::size_t indent) {
    if (node.is_map()) {
      map(node, indent);
    } else if (node.flow && has_only_leaves(node)) {
      wrapped(node, indent);
    } else {
      list(node, indent);
    }
  }

  bool in_one_line(const Node& node, std::size_t column) {
    if (!node.flow && !has_only_leaves(node)) return false;
    const std::size_t room = column < kColumns ? kColumns - column : 0;
    const std::optional<std::string> line = one_line(node, room);
    if (line) out_ += *line + "\n";
    return line.has_value();
  }

  // A text of several lines as it is, when that reads back the same.
  bool literal(const Node& node, std::size_t indent) {
    const std::string_view text = node.text;
    if (text.find('\n') == text.npos || !all_printable(text, true)) return false;
    if (is_blank(text.front()) || text.ends_with("\n\n") || text.find(" \n") != text.npos || text.back() == ' ') {
      return false;
    }
    const bool has_end = text.back() == '\n';
    out_ += has_end ? "|\n" : "|-\n";
    const std::string_view lines = has_end ? text.substr(0, text.size() - 1) : text;
    for (std::size_t begin = 0; begin <= lines.size();) {
      const std::size_t end = std::min(lines.find('\n', begin), lines.size());
      if (end > begin) out_.append(indent, ' ').append(lines.substr(begin, end - begin));
      out_ += '\n';
      begin = end + 1;
    }
    return true;
  }

  // Behind `key: ` or `- `: what fits in the line, or a block from the next line on.
  void value(const Node& node, std::size_t indent, std::size_t column, bool after_dash) {
    if (node.is_scalar()) {
      if (!literal(node, indent)) out_ += scalar(node, Place::block) + "\n";
      return;
    }
    if (is_leaf(node)) {
      out_ += one_line(node, std::string::npos).value() + "\n";
      return;
    }
    if (in_one_line(node, column)) return;
    if (!after_dash) {
      out_.pop_back();  // the blank behind the colon
      out_ += '\n';
      out_.append(indent, ' ');
    }
    block(node, indent);
  }

  void map(const Node& node, std::size_t indent) {
    bool first = true;
    for (const Node::Entry& entry : node.entries) {
      if (!first) out_.append(indent, ' ');
      first = false;
      const std::string key = key_text(entry.key, Place::block) + ": ";
      out_ += key;
      value(entry.value, indent + kIndent, indent + key.size(), false);
    }
  }

  void list(const Node& node, std::size_t indent) {
    bool first = true;
    for (const Node& item : node.items) {
      if (!first) out_.append(indent, ' ');
      first = false;
      out_ += "- ";
      value(item, indent + kIndent, indent + kIndent, true);
    }
  }

  // A long list of numbers or texts: many to a line.
  void wrapped(const Node& node, std::size_t indent) {
    std::size_t column = indent + 1;
    out_ += '[';
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      std::string text = one_line(node.items[i], std::string::npos).value();
      text += i + 1 < node.items.size() ? "," : "]";
      if (i > 0 && column + 1 + text.size() > kColumns) {
        out_ += '\n';
        out_.append(indent + 1, ' ');
        column = indent + 1;
      } else if (i > 0) {
        out_ += ' ';
        ++column;
      }
      out_ += text;
      column += text.size();
    }
    out_ += '\n';
  }

  std::string out_;
};

}  // namespace

std::string write_yaml(const Node& root) {
  Writer writer;
  writer.root(root);
  return writer.take();
}

std::string flow_text(const Node& node) { return one_line(node, std::string::npos).value_or(""); }

std::string flow_scalar(std::string_view text) {
  return is_plain(text, Place::flow) ? std::string(text) : quoted_scalar(text);
}

std::string flow_key(std::string_view key) { return key_text(key, Place::flow); }

}  // namespace gelenk::formats
