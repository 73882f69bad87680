#include "gelenk/view/http_target.h"

#include <charconv>

namespace gelenk::view {
namespace {

constexpr std::size_t kMostParameters = 16;

std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
      continue;
    }
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned value = 0;
    const char* begin = text.data() + i + 1;
    if (i + 2 >= text.size()) return std::nullopt;
    const auto [end, problem] = std::from_chars(begin, begin + 2, value, 16);
    if (problem != std::errc() || end != begin + 2) return std::nullopt;
    out += static_cast<char>(value);
    i += 2;
  }
  return out;
}

}  // namespace

const std::string* HttpTarget::find(std::string_view name) const {
  for (const auto& [key, value] : query) {
    if (key == name) return &value;
  }
  return nullptr;
}

std::optional<std::size_t> HttpTarget::number(std::string_view name, std::optional<std::size_t> otherwise) const {
  const std::string* text = find(name);
  if (text == nullptr) return otherwise;
  std::size_t value = 0;
  const auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (problem != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return value;
}

std::optional<HttpTarget> parse_target(std::string_view text) {
  if (text.empty() || text.front() != '/') return std::nullopt;
  const std::size_t mark = text.find('?');
  HttpTarget target;
  std::optional<std::string> path = decoded(text.substr(0, mark));
  if (!path) return std::nullopt;
  target.path = *std::move(path);
  std::string_view rest = mark == std::string_view::npos ? std::string_view() : text.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const std::size_t equal = pair.find('=');
    const std::optional<std::string> name = decoded(pair.substr(0, equal));
    const std::optional<std::string> value =
        decoded(equal == std::string_view::npos ? std::string_view() : pair.substr(equal + 1));
    if (!name || !value || target.query.size() >= kMostParameters) return std::nullopt;
    target.query.emplace_back(*name, *value);
  }
  return target;
}

}  // namespace gelenk::view
