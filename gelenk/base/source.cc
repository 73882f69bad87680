#include "gelenk/base/source.h"

#include <algorithm>
#include <utility>

#include "gelenk/base/text.h"

namespace gelenk {

SourceFile::SourceFile(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
  line_begins_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_begins_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

LineColumn SourceFile::line_column(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto after = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset);
  const auto line = static_cast<std::uint32_t>(after - line_begins_.begin());
  const std::uint32_t begin = line_begins_[line - 1];
  std::uint32_t column = 1;
  for (std::uint32_t i = begin; i < offset; ++i) {
    if (!is_continuation_byte(text_[i])) ++column;
  }
  return {line, column};
}

std::string_view SourceFile::line(std::uint32_t number) const {
  if (number == 0 || number > line_count()) return {};
  const std::size_t begin = line_begins_[number - 1];
  std::size_t end = number < line_count() ? line_begins_[number] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

std::uint32_t SourceFile::line_begin(std::uint32_t number) const {
  if (number == 0 || number > line_count()) return static_cast<std::uint32_t>(text_.size());
  return line_begins_[number - 1];
}

std::int32_t SourceMap::add(std::string path, std::string text) {
  files_.emplace_back(std::move(path), std::move(text));
  return static_cast<std::int32_t>(files_.size() - 1);
}

std::string_view SourceMap::text(const SourceRange& range) const {
  if (!range.is_known()) return {};
  const std::string& all = file(range.file).text();
  const std::size_t begin = std::min<std::size_t>(range.begin, all.size());
  const std::size_t end = std::clamp<std::size_t>(range.end, begin, all.size());
  return std::string_view(all).substr(begin, end - begin);
}

std::string SourceMap::describe(const SourceRange& range) const {
  if (!range.is_known()) return {};
  const SourceFile& f = file(range.file);
  const LineColumn at = f.line_column(range.begin);
  return f.path() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

}  // namespace gelenk
