#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gelenk {

// Where something was written: a half-open byte range of one file of a SourceMap.
// Lines and columns are computed on demand, so a range stays 12 bytes.
struct SourceRange {
  std::int32_t file = -1;  // index into the SourceMap; -1: not written in any file
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool is_known() const { return file >= 0; }
  friend bool operator==(const SourceRange&, const SourceRange&) = default;
};

// 1-based; the column counts code points, as editors do.
struct LineColumn {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

// The text of one file that was read, and where its lines begin.
class SourceFile {
 public:
  SourceFile(std::string path, std::string text);

  // As shown to people: the path as the user gave it, or relative to the model that used it.
  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  std::uint32_t line_count() const { return static_cast<std::uint32_t>(line_begins_.size()); }

  LineColumn line_column(std::uint32_t offset) const;
  // Text of a 1-based line without its line end.
  std::string_view line(std::uint32_t number) const;
  // Byte offset of the first character of a 1-based line.
  std::uint32_t line_begin(std::uint32_t number) const;

 private:
  std::string path_;
  std::string text_;
  std::vector<std::uint32_t> line_begins_;
};

// All files that were read for one model. Ranges point into it.
class SourceMap {
 public:
  std::int32_t add(std::string path, std::string text);
  const SourceFile& file(std::int32_t index) const { return files_.at(static_cast<std::size_t>(index)); }
  std::size_t size() const { return files_.size(); }

  // The text of a range; empty when it is not known.
  std::string_view text(const SourceRange& range) const;
  // "model.yaml:9:35", or "" when the range is not known.
  std::string describe(const SourceRange& range) const;

 private:
  std::vector<SourceFile> files_;
};

}  // namespace gelenk
