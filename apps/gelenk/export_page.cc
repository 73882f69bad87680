#include <fmt/format.h>

#include "apps/gelenk/export_formats.h"
#include "apps/gelenk/viewed_files.h"
#include "apps/gelenk/viewer_page.h"

namespace gelenk::app {
namespace {

// What a browser can hold without trouble.
constexpr std::size_t kMostNumbers = std::size_t{256} << 20;

std::string megabytes(std::size_t bytes) { return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6); }

}  // namespace

ExitCode export_page(const ExportRequest& request, Console& console) {
  if (const std::optional<ExitCode> refused = refuse_export(request, request.output, console)) return *refused;
  view::ViewerData data;
  const ViewRequest viewed{.show = request.show, .other = {}, .without_folders = true};
  if (const std::optional<ExitCode> failed = read_viewed(viewed, console, data)) return *failed;
  if (const std::size_t numbers = number_bytes(data); numbers > kMostNumbers) {
    return console.fail(
        ExitCode::usage_error,
        fmt::format("the run has {} of data, more than the {} that a page can hold", megabytes(numbers),
                    megabytes(kMostNumbers)),
        "record fewer channels or rows (--record, --output-every of gelenk run), or look at it with gelenk view");
  }
  std::string file;
  if (const std::string error = view::write_page(viewer_page(), data, file); !error.empty()) {
    return console.fail(ExitCode::file_error, error);
  }
  std::vector<std::string> notes;
  for (const view::Message& message : data.messages) {
    if (message.severity == "note") notes.push_back(message.text);
  }
  const std::size_t rows = data.runs.empty() ? 0 : data.runs.front()->rows();
  const std::string has_rows = rows == 0 ? std::string() : counted(rows, "row") + ", ";
  return write_export(request, file, fmt::format("{}{}, opens in any browser", has_rows, megabytes(file.size())),
                      {{"rows", rows}, {"bytes", file.size()}}, notes, console);
}

}  // namespace gelenk::app
