#include "apps/gelenk/view_server.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "apps/gelenk/model_bench.h"
#include "apps/gelenk/start_page.h"
#include "apps/gelenk/viewer_page.h"
#include "gelenk/base/hash.h"
#include "gelenk/base/interrupt.h"
#include "gelenk/base/json.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/export/flat_json.h"
#include "gelenk/view/server.h"

namespace gelenk::app {
namespace {

constexpr double kTick = 0.1;  // s: how often files that grow are looked at

double end_time(const view::RunData& run) {
  std::string error;
  const std::optional<JsonValue> options = read_json(run.reader().header().options, error);
  return options ? options->number_or("startTime", 0.0) + options->number_or("duration", 0.0) : 0.0;
}

// Follows runs that are going on and passes on what is new.
class Live {
 public:
  Live(view::ViewerData& data, const ServeOptions& options)
      : data_(data), control_(options.control), bench_(options.bench) {}

  std::vector<std::string> greeting() const {
    std::vector<std::string> lines;
    if (bench_ != nullptr) lines = bench_->greeting();
    for (std::size_t run = 0; run < data_.runs.size(); ++run) {
      if (!data_.runs[run]) continue;
      lines.push_back(rows_text(run));
      lines.push_back(status_text(run, {}));
    }
    return lines;
  }

  void command(std::string_view word) {
    if (word != "pause" && word != "resume" && word != "stop") return;
    view::LiveControl* control = steered().control;
    if (control == nullptr) {
      complaint_ = "this run was not started by this viewer: it cannot be steered from here";
      return;
    }
    using Wish = view::LiveControl::Wish;
    if (control->wish() == Wish::stop) return;
    control->set_wish(word == "pause" ? Wish::pause : word == "resume" ? Wish::go_on : Wish::stop);
  }

  void look(view::Server& server) {
    bool is_any_live = false;
    if (bench_ != nullptr) bench_->look(server);
    for (std::size_t run = 0; run < data_.runs.size(); ++run) {
      if (!data_.runs[run]) continue;
      const bool is_new = run >= known_;  // it may even be over already
      const std::string before = is_new ? std::string() : status_name(run);
      if (data_.runs[run]->refresh() || is_new) {
        server.announce(rows_text(run));
        show_newest(run, server);
      }
      const bool is_live = is_going_on(run);
      if (is_live || status_name(run) != before || !complaint_.empty()) server.announce(status_text(run, complaint_));
      complaint_.clear();
      is_any_live = is_any_live || is_live;
    }
    known_ = data_.runs.size();
    // Also those who came when it was over already.
    if (!is_any_live && bench_ == nullptr) server.close_followers();
  }

 private:
  // The run that can be steered from here. Its number is not known while it is only about to begin.
  struct Steered {
    view::LiveControl* control = nullptr;
    std::optional<std::size_t> run;
  };
  Steered steered() const {
    if (bench_ != nullptr) return {bench_->runs().control(), bench_->runs().number()};
    return {control_, 0};
  }

  bool is_going_on(std::size_t run) const { return data_.runs[run]->state() == view::RunState::running; }
  // Null: nobody here steers it.
  const view::LiveControl* control_of(std::size_t run) const {
    const Steered known = steered();
    return is_going_on(run) && known.run == run ? known.control : nullptr;
  }

  std::string status_name(std::size_t run) const {
    const view::LiveControl* control = control_of(run);
    const bool is_paused = control != nullptr && control->phase() == view::LiveControl::Phase::paused;
    return std::string(view::state_name(is_paused ? view::RunState::paused : data_.runs[run]->state()));
  }

  static std::string line(JsonWriter& json) { return exporting::flat_json(json.end_object().take()); }

  std::string rows_text(std::size_t run) const {
    JsonWriter json;
    json.begin_object().member("type", "rows").member("run", run).member("rows", data_.runs[run]->rows());
    return line(json);
  }

  std::string status_text(std::size_t run, const std::string& message) const {
    const view::RunData& data = *data_.runs[run];
    const double written = data.rows() > 0 ? data.time(data.rows() - 1) : 0.0;
    JsonWriter json;
    json.begin_object().member("type", "status").member("run", run).member("status", status_name(run));
    const view::LiveControl* control = control_of(run);
    json.member("time", control != nullptr ? control->time() : written);
    json.member("end", end_time(data)).member("message", message);
    return line(json);
  }

  void show_newest(std::size_t run, view::Server& server) const {
    const view::RunData& data = *data_.runs[run];
    const bool is_shown = bench_ == nullptr ? run == 0 : steered().run == run;
    if (!is_shown || data.rows() == 0) return;
    const auto row = static_cast<std::uint32_t>(data.rows() - 1);
    const double time = data.time(row);
    constexpr std::size_t kHeadBytes = 16;
    constexpr std::size_t kRunAt = 2;
    constexpr std::size_t kRowAt = 4;
    constexpr std::size_t kTimeAt = 8;
    std::string bytes(kHeadBytes, '\0');
    bytes[0] = 1;
    const auto number = static_cast<std::uint16_t>(run);
    std::memcpy(bytes.data() + kRunAt, &number, sizeof number);
    std::memcpy(bytes.data() + kRowAt, &row, sizeof row);
    std::memcpy(bytes.data() + kTimeAt, &time, sizeof time);
    if (!data.poses(row, bytes)) server.show(bytes);
  }

  view::ViewerData& data_;
  view::LiveControl* control_;
  ModelBench* bench_;
  std::size_t known_ = data_.runs.size();  // runs that were announced
  std::string complaint_;
};

}  // namespace

void announce_page(const std::string& address, Console& console) {
  if (console.json) return console.error_text(address + "\n");
  console.out(address + "\n");
  console.flush();
}

ExitCode serve_viewer(view::ViewerData& data, const ServeOptions& options, Console& console) {
  Live live(data, options);
  view::ServerParts parts;
  parts.page = viewer_page();
  parts.token = options.control != nullptr ? options.control->token() : random_id();
  parts.get = [&](const view::HttpTarget& target) { return answer(data, target); };
  if (options.bench != nullptr) {
    parts.most_post_bytes = view::kMostWishBytes;
    parts.post = [&](const view::HttpTarget& target, const std::string& body) {
      return options.bench->post(target, body);
    };
  }
  parts.greeting = [&] { return live.greeting(); };
  parts.command = [&](std::string_view word) { live.command(word); };
  std::string error;
  const std::unique_ptr<view::Server> server = view::Server::open(std::move(parts), error);
  if (!server) return console.fail(ExitCode::file_error, error);
  const InterruptWatch watch;
  std::optional<StartPage> start;  // stays as long as the server: nobody knows when the browser reads it
  if (options.control != nullptr) {
    options.control->set_port(server->port());
  } else {
    announce_page(server->address(), console);
    if (options.has_browser) start.emplace(server->address());
    const bool is_opened = start && start->open();
    console.message(is_opened ? "the page is open in your browser; Ctrl-C ends it\n"
                              : "open this address in a browser on this computer; Ctrl-C ends it\n");
  }
  server->run(
      [&] {
        live.look(*server);
        return watch.was_interrupted();
      },
      kTick);
  return ExitCode::ok;
}

}  // namespace gelenk::app
