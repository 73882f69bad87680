#include "apps/gelenk/progress_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

constexpr int kStepsBetweenLooks = 16;
constexpr std::chrono::milliseconds kBarEvery{200};
constexpr std::chrono::seconds kLineEvery{30};
constexpr int kBarWidth = 30;

}  // namespace

ProgressLine::ProgressLine(const Console& console, double start, double end)
    : console_(console),
      start_(start),
      end_(end),
      is_terminal_(is_terminal(kStderr)),
      begun_(std::chrono::steady_clock::now()),
      last_(begun_) {}

void ProgressLine::show(double time) {
  if (console_.quiet || console_.json || --until_look_ > 0) return;
  until_look_ = kStepsBetweenLooks;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < (is_terminal_ ? std::chrono::milliseconds(kBarEvery) : std::chrono::milliseconds(kLineEvery)))
    return;
  last_ = now;
  const double part = std::clamp((time - start_) / (end_ - start_), 0.0, 1.0);
  const double elapsed = std::chrono::duration<double>(now - begun_).count();
  const std::string left = part > 0.0 ? duration_text(elapsed * (1.0 - part) / part) + " left" : "";
  if (is_terminal_) {
    const int filled = static_cast<int>(part * kBarWidth);
    console_.message(fmt::format("\r[{}{}] {:3.0f} %  {} of {} s  {}   ",
                                 std::string(static_cast<std::size_t>(filled), '='),
                                 std::string(static_cast<std::size_t>(kBarWidth - filled), ' '), 100.0 * part,
                                 format_rounded(time - start_, 4), format_rounded(end_ - start_, 4), left));
    is_shown_ = true;
  } else {
    console_.message(fmt::format("{} of {} s simulated ({:.0f} %), {}\n", format_rounded(time - start_, 4),
                                 format_rounded(end_ - start_, 4), 100.0 * part, left));
  }
}

void ProgressLine::clear() {
  if (is_shown_) console_.message("\r\033[K");
  is_shown_ = false;
}

}  // namespace gelenk::app
