#include "gelenk/export/csv.h"

#include <algorithm>

#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"
#include "gelenk/export/row_slabs.h"

namespace gelenk::exporting {
namespace {

using results::ChannelSource;
using results::Reader;

constexpr std::size_t kPieceBytes = 1u << 16;

// RFC 4180: quotes around what contains a comma, a quote or a line end.
std::string csv_quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

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
    text += (text.empty() ? "" : ",") + csv_quoted(column.name + " [" + units.back().symbol + "]");
  }
  text += "\n";

  RowSlabs slabs(reader, columns);
  for (std::size_t first = 0; first < reader.row_count(); first += slabs.rows()) {
    const std::size_t count = std::min(slabs.rows(), reader.row_count() - first);
    if (std::string error = slabs.read(first, count); !error.empty()) return error;
    for (std::size_t row = first; row < first + count; ++row) {
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
