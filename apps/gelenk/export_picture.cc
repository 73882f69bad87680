#include <fmt/format.h>

#include <array>
#include <chrono>
#include <filesystem>

#include "apps/gelenk/export_formats.h"
#include "apps/gelenk/picture_size.h"
#include "apps/gelenk/start_page.h"
#include "apps/gelenk/viewed_files.h"
#include "apps/gelenk/viewer_page.h"
#include "gelenk/base/child_process.h"
#include "gelenk/base/hash.h"
#include "gelenk/base/interrupt.h"
#include "gelenk/base/memory_guard.h"
#include "gelenk/base/open_page.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/shell_word.h"
#include "gelenk/base/text.h"
#include "gelenk/view/server.h"

namespace gelenk::app {
namespace {

constexpr double kRecordingTick = 0.02;  // s
// A browser starts slowly on a busy computer; afterwards it reports its progress all the time.
constexpr auto kPatience = std::chrono::seconds(120);
constexpr std::array<std::string_view, 8> kViews{"iso", "oblique", "front", "back", "left", "right", "top", "bottom"};

// What a browser without a window has sent us.
struct Recording {
  std::string bytes;
  std::string error;
  bool is_over = false;
  std::size_t frames = 0, all_frames = 0;
  std::chrono::steady_clock::time_point last_word = std::chrono::steady_clock::now();

  view::Answer take(const view::HttpTarget& target, std::string body) {
    last_word = std::chrono::steady_clock::now();
    if (target.path == "/api/recording") {
      bytes = std::move(body);
      is_over = true;
    } else if (target.path == "/api/recording/error") {
      error = std::move(body);
      is_over = true;
    } else if (target.path == "/api/recording/progress") {
      frames = target.number("done", 0).value_or(0);
      all_frames = target.number("total", 0).value_or(0);
    } else {
      return view::error_answer(404, "there is nothing at this address");
    }
    return {200, "application/json", "{}\n"};
  }
};

// "&width=1280&height=720&fps=30": what the page reads from its address.
std::string wishes(const ExportRequest& request, const PictureSize& size, bool is_video) {
  std::string text = fmt::format("&record={}&view={}&width={}&height={}", is_video ? "mp4" : "png",
                                 request.view.empty() ? "iso" : request.view, size.width, size.height);
  if (request.frames_per_second) text += fmt::format("&fps={}", *request.frames_per_second);
  if (request.speed) text += fmt::format("&speed={}", *request.speed);
  if (request.show.time) text += fmt::format("&time={}", *request.show.time);
  return text;
}

std::unique_ptr<ChildProcess> start_browser(const std::string& program, const std::string& folder,
                                            const std::string& page, const PictureSize& size, std::string& error) {
  ChildCall call;
  call.has_environment = true;
  call.folder = folder;
  call.variables.push_back("TMPDIR=" + folder);  // it is killed, and removes nothing
  call.arguments = {"--headless=new",
                    "--use-angle=swiftshader",
                    "--enable-unsafe-swiftshader",
                    "--ignore-gpu-blocklist",
                    "--no-first-run",
                    "--no-default-browser-check",
                    "--disable-extensions",
                    "--disable-background-networking",
                    "--disable-dev-shm-usage",
                    "--mute-audio",
                    "--user-data-dir=" + folder + "/profile",
                    fmt::format("--window-size={},{}", size.width, size.height)};
  // Chromium has no sandbox for the user who may do everything, and says so.
  if (is_superuser()) call.arguments.emplace_back("--no-sandbox");
  call.arguments.push_back("file://" + page);
  return ChildProcess::start(program, {}, error, call);
}

class Recorder {
 public:
  Recorder(const ExportRequest& request, const PictureSize& size, bool is_video, Console& console)
      : request_(request), size_(size), is_video_(is_video), console_(console) {}

  // The exit code when there is no picture; the reason is reported.
  std::optional<ExitCode> record(const view::ViewerData& data, const std::string& browser) {
    view::ServerParts parts;
    parts.page = viewer_page();
    parts.token = random_id();
    parts.get = [&](const view::HttpTarget& target) { return answer(data, target); };
    parts.post = [this](const view::HttpTarget& target, std::string body) {
      return recording_.take(target, std::move(body));
    };
    std::string error;
    const std::unique_ptr<view::Server> server = view::Server::open(std::move(parts), error);
    if (!server) return console_.fail(ExitCode::file_error, error);
    const StartPage page(server->address() + wishes(request_, size_, is_video_));
    error = page.error();
    std::unique_ptr<ChildProcess> process;
    if (error.empty()) process = start_browser(browser, page.folder(), page.path(), size_, error);
    if (!process) return console_.fail(ExitCode::file_error, fmt::format("'{}' cannot be started: {}", browser, error));
    return wait(*server, *process, browser);
  }

  const Recording& recording() const { return recording_; }

 private:
  std::optional<ExitCode> wait(view::Server& server, ChildProcess& process, const std::string& browser) {
    const InterruptWatch watch;
    std::string trouble;
    server.run(
        [&] {
          show_progress();
          if (recording_.is_over || watch.was_interrupted()) return true;
          if (process.end()) trouble = "it ended before the picture was there";
          if (std::chrono::steady_clock::now() - recording_.last_word > kPatience) trouble = "it does not answer";
          return !trouble.empty();
        },
        kRecordingTick);
    clear_progress();
    if (watch.was_interrupted()) return ExitCode::interrupted;
    if (!trouble.empty()) {
      return console_.fail(ExitCode::file_error, fmt::format("'{}': {}", browser, trouble),
                           is_memory_limited() ? memory_limit_hint() : std::string(kOtherWay));
    }
    if (!recording_.error.empty()) return console_.fail(ExitCode::file_error, recording_.error, kOtherWay);
    return std::nullopt;
  }

  void show_progress() {
    if (recording_.all_frames == 0 || recording_.frames == shown_ || !is_terminal(kStderr)) return;
    shown_ = recording_.frames;
    console_.message(fmt::format("\rframe {} of {}  ", recording_.frames, recording_.all_frames));
  }
  void clear_progress() const {
    if (shown_ > 0) console_.message("\r                              \r");
  }

  static constexpr std::string_view kOtherWay =
      "an .html file needs no browser here: gelenk export FILE -o X.html; it can save pictures and videos, too";

  const ExportRequest& request_;
  const PictureSize& size_;
  bool is_video_;
  Console& console_;
  Recording recording_;
  std::size_t shown_ = 0;
};

ExitCode export_recorded(const ExportRequest& request, bool is_video, Console& console) {
  if (const std::optional<ExitCode> refused = refuse_export(request, request.output, console)) return *refused;
  if (!request.view.empty() && std::find(kViews.begin(), kViews.end(), request.view) == kViews.end()) {
    const std::vector<std::string> names(kViews.begin(), kViews.end());
    return console.fail(ExitCode::usage_error, fmt::format("there is no view {}", shown(request.view)),
                        "the views are: " + join(names, ", "));
  }
  std::string problem;
  const std::optional<PictureSize> size = read_picture_size(request.size, is_video, problem);
  if (!size) return console.fail(ExitCode::usage_error, "--size: " + problem, "for example: --size 1280x720");
  const std::string browser = find_chromium();
  if (browser.empty()) {
    return console.fail(ExitCode::file_error, "pictures and videos need Chromium or Chrome, and neither was found",
                        "install it, or name it in the variable CHROMIUM; an .html file needs none: gelenk export FILE "
                        "-o X.html");
  }
  view::ViewerData data;
  const ViewRequest viewed{.show = request.show, .other = {}};
  if (const std::optional<ExitCode> failed = read_viewed(viewed, console, data)) return *failed;
  if (is_video && (data.runs.empty() || data.runs.front()->rows() == 0)) {
    return console.fail(ExitCode::usage_error, "a video needs a run; a model does not move",
                        fmt::format("gelenk run {}", shell_word(request.show.model.file)));
  }
  Recorder recorder(request, *size, is_video, console);
  if (const std::optional<ExitCode> failed = recorder.record(data, browser)) return *failed;
  const Recording& recording = recorder.recording();
  std::string text = fmt::format("{} x {}", size->width, size->height);
  if (is_video) text += fmt::format(", {}", counted(recording.all_frames, "frame"));
  return write_export(
      request, recording.bytes, text,
      {{"width", size->width}, {"height", size->height}, {"frames", is_video ? recording.all_frames : 1}}, {}, console);
}

}  // namespace

ExitCode export_picture(const ExportRequest& request, Console& console) {
  return export_recorded(request, false, console);
}

ExitCode export_video(const ExportRequest& request, Console& console) {
  return export_recorded(request, true, console);
}

}  // namespace gelenk::app
