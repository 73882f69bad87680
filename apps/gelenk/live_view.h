#pragma once

#include <memory>
#include <optional>
#include <string>

#include "apps/gelenk/console.h"
#include "apps/gelenk/start_page.h"
#include "gelenk/base/child_process.h"
#include "gelenk/view/live_control.h"

namespace gelenk::app {

// The viewer of a run that is going on: a process of its own that reads the file while it is written, so that nothing
// that happens there can hold up or break the run.
class LiveView {
 public:
  // The file must be readable for others already. Null, and a note to the user, when that is not possible.
  static std::unique_ptr<LiveView> start(const std::string& file, bool has_browser, Console& console);

  // For every step of the run: says where it is, waits while the user has paused it, is false when he stops it.
  // `is_interrupted` ends the waiting.
  template <class IsInterrupted>
  bool go_on(double time, const IsInterrupted& is_interrupted) {
    control_.set_time(time);
    if (!is_announced_) announce();
    while (control_.wish() == view::LiveControl::Wish::pause && !is_interrupted() && is_alive()) {
      control_.set_phase(view::LiveControl::Phase::paused);
      wait();
    }
    control_.set_phase(view::LiveControl::Phase::running);
    return control_.wish() != view::LiveControl::Wish::stop;
  }
  bool was_stopped() const { return control_.wish() == view::LiveControl::Wish::stop; }

  // The run is over; the page stays until Ctrl-C.
  template <class IsInterrupted>
  void stay(const IsInterrupted& is_interrupted) {
    control_.set_phase(view::LiveControl::Phase::over);
    while (!is_announced_ && !is_interrupted() && is_alive()) {
      announce();
      wait();
    }
    if (is_alive()) console_.message("the page stays until Ctrl-C\n");
    while (!is_interrupted() && is_alive()) wait();
  }

 private:
  LiveView(view::LiveControl control, std::unique_ptr<ChildProcess> process, bool has_browser, Console& console)
      : control_(std::move(control)), process_(std::move(process)), has_browser_(has_browser), console_(console) {}
  // Reports the address once it is known.
  void announce();
  bool is_alive();
  static void wait();

  view::LiveControl control_;
  std::unique_ptr<ChildProcess> process_;
  bool has_browser_;
  Console& console_;
  std::optional<StartPage> start_;  // once the address is known
  bool is_announced_ = false;
  bool is_complained_ = false;
};

// In the process that LiveView started: what the run shares. Nothing in any other. The exit code when it fails.
std::optional<ExitCode> attach_to_run(std::optional<view::LiveControl>& control, Console& console);

}  // namespace gelenk::app
