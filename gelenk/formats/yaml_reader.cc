#include "gelenk/formats/yaml_reader.h"

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <istream>
#include <new>
#include <streambuf>
#include <string>
#include <string_view>

#include "gelenk/base/text.h"
#include "gelenk/formats/yaml_builder.h"
#include "gelenk/formats/yaml_scan.h"
#include "gelenk/formats/yaml_syntax_error.h"

namespace gelenk::formats {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kLargestOffset = 1u << 30;  // yaml-cpp counts in int

// Reads from memory that outlives it.
class MemoryBuffer : public std::streambuf {
 public:
  explicit MemoryBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());
    setg(begin, begin, begin + text.size());
  }
};

class Reader {
 public:
  Reader(const SourceFile& source, std::int32_t file, const TextLimits& limits, Diagnostics& diagnostics)
      : text_(source.text()), file_(file), limits_(limits), diagnostics_(diagnostics) {
    if (text_.starts_with(kByteOrderMark)) begin_ = kByteOrderMark.size();
  }

  std::optional<Node> read() {
    if (!check_size() || !check_characters() || !check_scan()) return std::nullopt;
    return build();
  }

 private:
  bool refuse(Code code, std::size_t at, std::string message, std::string hint = {}) {
    const auto begin = static_cast<std::uint32_t>(std::min(at, text_.size()));
    const auto end = static_cast<std::uint32_t>(std::min(at + 1, text_.size()));
    diagnostics_.error(code, {file_, begin, end}, std::move(message), std::move(hint));
    return false;
  }

  bool check_size() {
    const std::size_t most = std::min(limits_.max_bytes, kLargestOffset);
    if (text_.size() <= most) return true;
    return refuse(Code::file_too_large, 0,
                  fmt::format("the file has {} bytes, more than the limit of {}", text_.size(), most),
                  "large tables and meshes belong in files of their own");
  }

  bool check_characters() {
    if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF")) {
      return refuse(Code::not_utf8, 0, "the file is UTF-16 text", "save it as UTF-8");
    }
    const auto is_control = [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7F;
    };
    const auto control = std::find_if(text_.begin(), text_.end(), is_control);
    if (control != text_.end()) {
      const auto at = static_cast<std::size_t>(control - text_.begin());
      const bool wide = *control == '\0' && at < 2 && text_.size() > 3 && text_[at + 2] == '\0';
      return refuse(
          Code::binary_file, at,
          fmt::format("the file is not text: byte 0x{:02X} at offset {}", static_cast<unsigned char>(*control), at),
          wide ? "it looks like UTF-16 text; save it as UTF-8" : "is this the right file?");
    }
    if (const auto bad = find_invalid_utf8(text_)) {
      return refuse(
          Code::not_utf8, *bad,
          fmt::format("byte 0x{:02X} at offset {} is not valid UTF-8", static_cast<unsigned char>(text_[*bad]), *bad),
          "save the file as UTF-8; it may be Latin-1 or Windows-1252 now");
    }
    if (const std::size_t mark = text_.find(kByteOrderMark, begin_); mark != std::string_view::npos) {
      return refuse(Code::yaml_syntax, mark, "there is an invisible byte order mark (U+FEFF) inside the text",
                    "remove it; files that were joined often have one");
    }
    for (std::size_t at = text_.find('\r'); at != std::string_view::npos; at = text_.find('\r', at + 1)) {
      if (at + 1 >= text_.size() || text_[at + 1] != '\n') {
        return refuse(Code::yaml_syntax, at, "a carriage return is not followed by a line feed",
                      "save the file with Unix or Windows line endings");
      }
    }
    return true;
  }

  bool check_scan() {
    const YamlScan scan = scan_yaml(text_, begin_, limits_);
    switch (scan.excess) {
      case YamlScan::Excess::none:
        break;
      case YamlScan::Excess::depth:
        return refuse(Code::nesting_too_deep, scan.excess_at,
                      fmt::format("lists and maps are nested more than {} deep", limits_.max_depth));
      case YamlScan::Excess::values:
        return refuse(Code::too_many_values, scan.excess_at,
                      fmt::format("the file has more than {} values", limits_.max_nodes),
                      "large tables belong in files of their own");
      case YamlScan::Excess::scalar:
        return refuse(Code::too_many_values, scan.excess_at,
                      fmt::format("one text is longer than {} bytes", limits_.max_scalar),
                      "a quote may be missing at its end");
    }
    if (!scan.has_content)
      return refuse(Code::empty_file, 0, "the file is empty or has only comments",
                    "`gelenk new NAME` writes a first model to start from");
    if (scan.directive) {
      trouble(*scan.directive, "directive");
    } else if (scan.broken) {
      trouble(scan.broken->at, std::string(scan.broken->what));
    }
    return !scan.directive && !scan.broken;
  }

  void trouble(std::size_t at, std::string what) {
    report_syntax_error({text_, begin_, file_, at, std::move(what)}, diagnostics_);
  }

  std::optional<Node> build() {
    MemoryBuffer buffer(text_.substr(begin_));
    std::istream stream(&buffer);
    YamlBuilder builder(text_, begin_, file_, limits_, diagnostics_);
    try {
      YAML::Parser parser(stream);
      if (!parser.HandleNextDocument(builder)) {
        refuse(Code::empty_file, 0, "the file has no content");
        return std::nullopt;
      }
      return builder.finish();
    } catch (const YamlRefused&) {
    } catch (const YamlUnexpected& unexpected) {
      trouble(unexpected.at, unexpected.what);
    } catch (const YAML::Exception& error) {
      trouble(begin_ + static_cast<std::size_t>(std::max(error.mark.pos, 0)), error.msg);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      refuse(Code::yaml_syntax, 0, fmt::format("the file cannot be read: {}", error.what()));
    }
    return std::nullopt;
  }

  std::string_view text_;
  std::int32_t file_;
  const TextLimits& limits_;
  Diagnostics& diagnostics_;
  std::size_t begin_ = 0;
};

}  // namespace

std::optional<Node> parse_yaml(const SourceMap& sources, std::int32_t file, const TextLimits& limits,
                               Diagnostics& diagnostics) {
  return Reader(sources.file(file), file, limits, diagnostics).read();
}

}  // namespace gelenk::formats
