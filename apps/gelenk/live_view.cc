#include "apps/gelenk/live_view.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "apps/gelenk/view_server.h"
#include "gelenk/base/hash.h"
#include "gelenk/base/platform.h"

namespace gelenk::app {
namespace {

// Informs the new process that it belongs to a run.
constexpr const char* kVariable = "GELENK_LIVE_VIEW";
constexpr auto kPause = std::chrono::milliseconds(20);

}  // namespace

std::unique_ptr<LiveView> LiveView::start(const std::string& file, bool has_browser, Console& console) {
  std::string error;
  std::optional<view::LiveControl> control = view::LiveControl::create(error);
  const std::optional<std::string> program = executable_path();
  std::unique_ptr<ChildProcess> process;
  if (control && program) {
    control->set_token(random_id());
    const std::array<int, 1> descriptors{control->descriptor()};
    ChildCall call;
    call.arguments = {"view", file};
    call.has_environment = true;
    call.variables = {std::string(kVariable) + "=1"};
    process = ChildProcess::start(*program, descriptors, error, call);
  }
  if (!process) {
    console.error_text(fmt::format("note: the viewer cannot be started: {}\n", error));
    return nullptr;
  }
  return std::unique_ptr<LiveView>(new LiveView(*std::move(control), std::move(process), has_browser, console));
}

void LiveView::announce() {
  const std::uint16_t port = control_.port();
  if (port == 0) {
    is_alive();
    return;
  }
  is_announced_ = true;
  const std::string address = fmt::format("http://127.0.0.1:{}/?token={}", port, control_.token());
  announce_page(address, console_);
  if (has_browser_) start_.emplace(address).open();
}

bool LiveView::is_alive() {
  const std::optional<ProcessEnd> end = process_->end();
  if (!end) return true;
  if (!is_complained_) {
    console_.error_text("note: the viewer has ended; the run continues without it\n");
  }
  is_complained_ = true;
  return false;
}

void LiveView::wait() { std::this_thread::sleep_for(kPause); }

std::optional<ExitCode> attach_to_run(std::optional<view::LiveControl>& control, Console& console) {
  if (std::getenv(kVariable) == nullptr) return std::nullopt;
  std::string error;
  if (!die_with_owner()) return ExitCode::file_error;
  control = view::LiveControl::attach(Descriptor(kFirstGivenDescriptor), error);
  if (!control) return console.fail(ExitCode::file_error, error);
  return std::nullopt;
}

}  // namespace gelenk::app
