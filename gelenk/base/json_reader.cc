#include "gelenk/base/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "gelenk/base/text.h"

namespace gelenk {
namespace {

constexpr char32_t kFirstHighSurrogate = 0xD800, kFirstLowSurrogate = 0xDC00, kAfterSurrogates = 0xE000;

void append_utf8(std::string& out, char32_t code) {
  const auto put = [&](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6));
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3F));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

// Recursive descent; every function returns false once something is wrong, and says it once.
class Parser {
 public:
  Parser(std::string_view text, const JsonLimits& limits, std::string& error)
      : text_(text), limits_(limits), error_(error) {}

  bool document(JsonValue& value) {
    if (text_.size() > limits_.max_bytes) {
      return fail(fmt::format("the text is longer than {} bytes", limits_.max_bytes));
    }
    if (const std::optional<std::size_t> bad = find_invalid_utf8(text_)) {
      next_ = *bad;
      return fail("this byte is not UTF-8");
    }
    if (!read(value)) return false;
    skip_blanks();
    return next_ == text_.size() || fail("there is text after the end");
  }

 private:
  bool fail(std::string_view message) {
    const std::string_view before = text_.substr(0, next_);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
    error_ = fmt::format("line {}, column {}: {}", line, next_ - line_begin + 1, message);
    return false;
  }

  bool at_end() const { return next_ == text_.size(); }
  char here() const { return at_end() ? '\0' : text_[next_]; }
  bool take(char c) {
    if (at_end() || text_[next_] != c) return false;
    ++next_;
    return true;
  }
  void skip_blanks() { next_ = std::min(text_.find_first_not_of(" \t\r\n", next_), text_.size()); }

  bool read(JsonValue& value) {
    skip_blanks();
    if (at_end()) return fail("the text ends too early");
    if (++values_ > limits_.max_values) return fail(fmt::format("there are more than {} values", limits_.max_values));
    switch (here()) {
      case '{':
        return nested(value, JsonValue::Kind::object, '}');
      case '[':
        return nested(value, JsonValue::Kind::array, ']');
      case '"':
        value.kind = JsonValue::Kind::text;
        return quoted(value.text);
      case 't':
        value.truth = true;
        return word("true", JsonValue::Kind::boolean, value);
      case 'f':
        return word("false", JsonValue::Kind::boolean, value);
      case 'n':
        return word("null", JsonValue::Kind::null, value);
      default:
        return number(value);
    }
  }

  bool word(std::string_view expected, JsonValue::Kind kind, JsonValue& value) {
    if (text_.substr(next_, expected.size()) != expected) return fail("this is not a value");
    next_ += expected.size();
    value.kind = kind;
    return true;
  }

  // -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?
  bool number(JsonValue& value) {
    const std::size_t begin = next_;
    const auto digits = [&] {
      const std::size_t first = next_;
      while (here() >= '0' && here() <= '9') ++next_;
      return next_ > first;
    };
    take('-');
    const bool is_whole = take('0') || digits();
    const bool has_fraction = is_whole && (!take('.') || digits());
    bool is_number = has_fraction;
    if (is_number && (take('e') || take('E'))) {
      if (!take('+')) take('-');
      is_number = digits();
    }
    const std::optional<double> found =
        is_number ? parse_number(text_.substr(begin, next_ - begin)) : std::optional<double>();
    if (!found) {
      next_ = begin;
      return fail(is_number ? "this number is too large" : "this is not a value");
    }
    value.kind = JsonValue::Kind::number;
    value.number = *found;
    return true;
  }

  bool quoted(std::string& out) {
    ++next_;
    while (!at_end()) {
      const char c = text_[next_];
      if (c == '"') {
        ++next_;
        return true;
      }
      if (static_cast<unsigned char>(c) < 0x20) return fail("this character must be escaped in a text");
      if (c == '\\') {
        if (!escaped(out)) return false;
        continue;
      }
      out += c;
      ++next_;
    }
    return fail("the quotes are not closed");
  }

  bool escaped(std::string& out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    ++next_;
    if (here() == 'u') return unicode(out);
    const std::size_t which = at_end() ? std::string_view::npos : kLetters.find(here());
    if (which == std::string_view::npos) return fail("this escape is not known");
    out += kMeanings[which];
    ++next_;
    return true;
  }

  bool unicode(std::string& out) {
    char32_t code = 0;
    if (!hexadecimal(code)) return false;
    if (code >= kFirstLowSurrogate && code < kAfterSurrogates) return fail("half of a character is missing");
    if (code >= kFirstHighSurrogate && code < kFirstLowSurrogate) {
      char32_t low = 0;
      if (!take('\\') || here() != 'u') return fail("half of a character is missing");
      if (!hexadecimal(low)) return false;
      if (low < kFirstLowSurrogate || low >= kAfterSurrogates) return fail("half of a character is missing");
      code = 0x10000 + ((code - kFirstHighSurrogate) << 10) + (low - kFirstLowSurrogate);
    }
    append_utf8(out, code);
    return true;
  }

  bool hexadecimal(char32_t& code) {
    ++next_;  // the u
    for (int i = 0; i < 4; ++i, ++next_) {
      const char c = here();
      const bool is_digit = c >= '0' && c <= '9';
      const bool is_letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      if (!is_digit && !is_letter) return fail("four hexadecimal digits are needed");
      const int value = is_digit ? c - '0' : (c | 0x20) - 'a' + 10;
      code = code * 16 + static_cast<char32_t>(value);
    }
    return true;
  }

  bool nested(JsonValue& value, JsonValue::Kind kind, char closing) {
    if (++depth_ > limits_.max_depth) return fail(fmt::format("it is nested deeper than {}", limits_.max_depth));
    ++next_;
    value.kind = kind;
    std::unordered_set<std::string> names;
    skip_blanks();
    for (bool is_first = true; !take(closing); is_first = false) {
      if (!is_first) {
        if (!take(',')) return fail(fmt::format("',' or '{}' is missing", closing));
        skip_blanks();
      }
      const bool is_read = kind == JsonValue::Kind::array ? read(value.items.emplace_back()) : member(value, names);
      if (!is_read) return false;
      skip_blanks();
    }
    --depth_;
    return true;
  }

  bool member(JsonValue& object, std::unordered_set<std::string>& names) {
    if (here() != '"') return fail("a name in quotes is needed");
    const std::size_t begin = next_;
    std::string name;
    if (!quoted(name)) return false;
    if (!names.insert(name).second) {
      next_ = begin;
      return fail(fmt::format("{} appears twice", shown(name)));
    }
    skip_blanks();
    if (!take(':')) return fail("':' is missing");
    JsonMember& added = object.members.emplace_back();
    added.name = std::move(name);
    return read(added.value);
  }

  std::string_view text_;
  const JsonLimits& limits_;
  std::string& error_;
  std::size_t next_ = 0;
  std::size_t depth_ = 0;
  std::size_t values_ = 0;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view name) const {
  const auto found = std::find_if(members.begin(), members.end(), [&](const JsonMember& m) { return m.name == name; });
  return found == members.end() ? nullptr : &found->value;
}

double JsonValue::number_or(std::string_view name, double other) const {
  const JsonValue* member = find(name);
  return member != nullptr && member->kind == Kind::number ? member->number : other;
}

std::string JsonValue::text_or(std::string_view name, std::string_view other) const {
  const JsonValue* member = find(name);
  return member != nullptr && member->kind == Kind::text ? member->text : std::string(other);
}

bool JsonValue::truth_or(std::string_view name, bool other) const {
  const JsonValue* member = find(name);
  return member != nullptr && member->kind == Kind::boolean ? member->truth : other;
}

std::vector<std::string> JsonValue::texts(std::string_view name) const {
  std::vector<std::string> result;
  const JsonValue* member = find(name);
  if (member == nullptr) return result;
  for (const JsonValue& item : member->items) {
    if (item.kind == Kind::text) result.push_back(item.text);
  }
  return result;
}

std::optional<JsonValue> read_json(std::string_view text, std::string& error, const JsonLimits& limits) {
  error.clear();
  JsonValue value;
  if (!Parser(text, limits, error).document(value)) return std::nullopt;
  return value;
}

}  // namespace gelenk
