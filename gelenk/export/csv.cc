#include "gelenk/export/csv.h"

#include <algorithm>
#include <span>

#include "gelenk/base/text.h"

namespace gelenk::exporting {
namespace {

using results::ChannelSource;
using results::Reader;
using results::ShownUnit;

constexpr std::size_t kSlabBytes = 4u << 20;
constexpr std::size_t kPieceBytes = 1u << 16;

// RFC 4180: quotes around what contains a comma, a quote or a line end.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

// Rows of the blocks that are needed, a slab at a time.
class Slabs {
 public:
  Slabs(const Reader& reader, const std::vector<ChannelSource>& channels) : reader_(reader) {
    is_needed_.resize(reader.blocks().size());
    for (const ChannelSource& channel : channels) is_needed_[channel.block] = true;
    std::size_t row_bytes = 1;
    for (std::size_t b = 0; b < is_needed_.size(); ++b) {
      if (is_needed_[b]) row_bytes += reader.blocks()[b].width * sizeof(double);
    }
    rows_ = std::max<std::size_t>(kSlabBytes / row_bytes, 1);
    values_.resize(is_needed_.size());
  }

  std::size_t rows() const { return rows_; }

  std::string read(std::size_t first, std::size_t count) {
    for (std::size_t b = 0; b < is_needed_.size(); ++b) {
      if (!is_needed_[b]) continue;
      values_[b].resize(count * reader_.blocks()[b].width);
      if (std::string error = reader_.read_rows(b, first, count, values_[b]); !error.empty()) return error;
    }
    return {};
  }

  double value(const ChannelSource& channel, std::size_t row) const {
    const std::size_t width = reader_.blocks()[channel.block].width;
    return channel.value(std::span(values_[channel.block]).subspan(row * width, width));
  }

 private:
  const Reader& reader_;
  std::vector<bool> is_needed_;
  std::size_t rows_ = 1;
  std::vector<std::vector<double>> values_;
};

}  // namespace

std::string write_csv(const Reader& reader, const std::vector<ChannelSource>& channels, const CsvOptions& options,
                      const Sink& sink) {
  std::vector<ChannelSource> columns{*reader.find("time")};
  for (const ChannelSource& channel : channels) {
    if (channel.name != "time") columns.push_back(channel);
  }
  std::vector<ShownUnit> units;
  std::string text;
  for (const ChannelSource& column : columns) {
    units.push_back(options.display_units ? display_unit(reader, column) : si_unit(column));
    text += (text.empty() ? "" : ",") + quoted(column.name + " [" + units.back().symbol + "]");
  }
  text += "\n";

  Slabs slabs(reader, columns);
  for (std::size_t first = 0; first < reader.row_count(); first += slabs.rows()) {
    const std::size_t count = std::min(slabs.rows(), reader.row_count() - first);
    if (std::string error = slabs.read(first, count); !error.empty()) return error;
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if (c > 0) text += ',';
        text += format_number(units[c].shown(slabs.value(columns[c], row)));
        if (text.size() < kPieceBytes) continue;
        if (!sink(text)) return {};
        text.clear();
      }
      text += '\n';
    }
  }
  sink(text);
  return {};
}

}  // namespace gelenk::exporting
