#include "apps/gelenk/run_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

// Days of computing, and a file that nobody can open.
constexpr double kMostSteps = 1e11;
constexpr double kMostRows = 1e9;
constexpr double kGigabyte = 1e9;

std::string bytes_text(double bytes) {
  return bytes < kGigabyte ? fmt::format("{:.2g} MB", bytes / 1e6) : fmt::format("{:.2g} GB", bytes / kGigabyte);
}

// The distance to the next number at the end of the run: times nearer to each other are the same time.
double shortest_span(const analysis::RunOptions& options) {
  const double end = std::max(std::abs(options.start_time), std::abs(options.end_time()));
  return std::nextafter(end, std::numeric_limits<double>::infinity()) - end;
}

}  // namespace

RunSize run_size(const analysis::RunOptions& options, const results::Layout& layout) {
  const double step = options.is_adaptive() ? options.max_step : options.step;
  RunSize size;
  size.steps = step > 0.0 ? std::ceil(options.duration / step) : 0.0;
  size.rows = std::floor(options.duration / options.output_every) + 1.0;
  size.bytes = size.rows * static_cast<double>((layout.row_width() + 1) * sizeof(double));
  return size;
}

std::string size_text(const RunSize& size, const analysis::RunOptions& options) {
  std::string text = fmt::format("{} rows and {} of results", format_rounded(size.rows, 3), bytes_text(size.bytes));
  if (size.steps > 0.0) {
    text += fmt::format(", {} steps{}", format_rounded(size.steps, 3), options.is_adaptive() ? " at least" : "");
  }
  return text;
}

std::optional<Refusal> refuse_size(const RunSize& size, const analysis::RunOptions& options, bool is_wanted) {
  const double span = shortest_span(options);
  const double step = options.is_adaptive() ? options.max_step : options.step;
  const auto too_short = [&](std::string_view what, double time) {
    return Refusal{fmt::format("{} of {} s is too short: at {} s, times are at least {} s apart", what,
                               format_rounded(time, 3), format_rounded(options.end_time(), 6), format_rounded(span, 2)),
                   fmt::format("the run would have {}", size_text(size, options))};
  };
  if (step > 0.0 && step < span) return too_short("a step", step);
  if (options.output_every < span) return too_short("an output_every", options.output_every);
  if (is_wanted || (size.steps <= kMostSteps && size.rows <= kMostRows)) return std::nullopt;
  return Refusal{fmt::format("this run would have {}", size_text(size, options)),
                 size.rows > kMostRows ? "use a longer --output-every, or --no-limit if you mean it"
                                       : "use a longer --step, or --no-limit if you mean it"};
}

std::string disk_warning(const RunSize& size, const std::string& file) {
  std::error_code problem;
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  const std::filesystem::space_info space = std::filesystem::space(folder.empty() ? "." : folder, problem);
  if (problem || size.bytes <= static_cast<double>(space.available)) return {};
  return fmt::format("the results would take {}, and the disk has room for {}", bytes_text(size.bytes),
                     bytes_text(static_cast<double>(space.available)));
}

}  // namespace gelenk::app
