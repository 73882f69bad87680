#pragma once

#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "apps/gelenk/console.h"
#include "gelenk/view/live_control.h"

namespace gelenk::app {

// In a run that a viewer has started (page_runs.h): what the two share. The other way round is a LiveView.
class LiveRun {
 public:
  // Informs the new process that a viewer waits for it.
  static constexpr const char* kVariable = "GELENK_LIVE_RUN";

  // Stays empty in a run that was started by anybody else. The exit code when it fails.
  static std::optional<ExitCode> attach(std::optional<LiveRun>& run, Console& console);

  // The file of results can be read from now on, and says that it is being written.
  void set_readable() { control_.set_readable(); }

  // For every step of the run, as LiveView::go_on(). The system sees to it that a run does not outlive its viewer.
  template <class IsInterrupted>
  bool go_on(double time, const IsInterrupted& is_interrupted) {
    control_.set_time(time);
    while (control_.wish() == view::LiveControl::Wish::pause && !is_interrupted()) {
      control_.set_phase(view::LiveControl::Phase::paused);
      std::this_thread::sleep_for(kPause);
    }
    control_.set_phase(view::LiveControl::Phase::running);
    return control_.wish() != view::LiveControl::Wish::stop;
  }

 private:
  static constexpr std::chrono::milliseconds kPause{20};

  explicit LiveRun(view::LiveControl control) : control_(std::move(control)) {}

  view::LiveControl control_;
};

}  // namespace gelenk::app
