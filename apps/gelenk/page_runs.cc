#include "apps/gelenk/page_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <thread>

#include "apps/gelenk/live_run.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/base/platform.h"
#include "gelenk/results/reader.h"

namespace gelenk::app {
namespace {

namespace fs = std::filesystem;

// NAME.h5, NAME.2.h5, ... beside the model, whichever is free first.
std::string free_file(const std::string& model, std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  const std::string folder = folder_of(model);
  std::string file = fmt::format("{}/{}.h5", folder, name);
  std::error_code problem;
  for (int number = 2; fs::exists(file, problem); ++number) file = fmt::format("{}/{}.{}.h5", folder, name, number);
  return file;
}

ChildCall child_call(const PageRunCall& call, const std::string& file) {
  ChildCall child;
  std::vector<std::string>& words = child.arguments;
  words = {"run", call.model.file, "--json", "--quiet", "--output", file};
  const auto add = [&](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) words.insert(words.end(), {option, value});
  };
  add("--set", call.model.settings);
  add("--set", call.settings);
  add("--start", call.starts);
  if (!call.duration.empty()) add("--duration", {call.duration});
  if (call.model.allow_outside) words.emplace_back("--allow-outside");
  if (call.model.trust_once) words.emplace_back("--trust-once");
  child.has_environment = true;
  child.variables = {std::string(LiveRun::kVariable) + "=1"};
  return child;
}

// Why a run has not even begun: what it said.
std::string early_end_reason(const std::string& output) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;
  std::string error;
  const std::optional<JsonValue> report = read_json(read_file(output, kMostBytes).text.value_or(""), error);
  if (!report) return "the run ended before it had begun";
  if (std::string message = report->text_or("message", ""); !message.empty()) return message;
  constexpr double kErrorSeverity = 1.0;  // as editors count them, see write_diagnostics_json()
  const JsonValue* diagnostics = report->find("diagnostics");
  for (const JsonValue& diagnostic : diagnostics == nullptr ? std::vector<JsonValue>() : diagnostics->items) {
    if (diagnostic.number_or("severity", 0.0) == kErrorSeverity) return diagnostic.text_or("message", "");
  }
  return "the run ended before it had begun";
}

}  // namespace

PageRuns::~PageRuns() {
  if (going_ == nullptr || !going_->is_kept) return;
  going_->control.set_wish(view::LiveControl::Wish::stop);
  await_end();
}

// For some seconds.
void PageRuns::await_end() {
  constexpr auto kPatience = std::chrono::seconds(5);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!going_->process->end() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

std::string PageRuns::start(const PageRunCall& call) {
  // The page knows that a run is over from its file; its process needs a moment longer.
  const bool has_results = going_ != nullptr && going_->number && data_.runs[*going_->number] != nullptr;
  if (has_results) {
    const view::RunState state = data_.runs[*going_->number]->state();
    if (state != view::RunState::running && state != view::RunState::paused) {
      await_end();
      look();
    }
  }
  if (going_ != nullptr) return "a run is in progress: stop it first";
  std::string error;
  std::optional<view::LiveControl> control = view::LiveControl::create(error);
  const std::optional<std::string> program = executable_path();
  if (!control || !program) return "the run cannot be started: " + error;
  auto run = std::make_unique<Run>(*std::move(control));
  if (run->folder.path().empty()) return "the run cannot be started: " + run->folder.error();
  run->is_kept = !call.kept_name.empty();
  run->file = run->is_kept ? free_file(call.model.file, call.kept_name) : run->folder.path() + "/run.h5";
  run->output = run->folder.path() + "/output";
  ++count_;
  const std::string name = run->is_kept ? fs::path(run->file).filename().string() : fmt::format("run {}", count_);
  run->title = call.title.empty() ? name : name + ": " + call.title;
  ChildCall child = child_call(call, run->file);
  child.folder = run->folder.path();
  child.output = run->output;
  const std::array<int, 1> descriptors{run->control.descriptor()};
  run->process = ChildProcess::start(*program, descriptors, error, child);
  if (!run->process) return "the run cannot be started: " + error;
  going_ = runs_.emplace_back(std::move(run)).get();
  return {};
}

bool PageRuns::look() {
  if (going_ == nullptr) return false;
  // Asked first: what it has written before its end is there.
  const bool is_over = going_->process->end().has_value();
  const bool is_new = !going_->number && going_->control.is_readable() && open(*going_);
  if (!is_over) return is_new;
  if (!going_->number) {
    complaint_ = early_end_reason(going_->output);
    runs_.pop_back();
  }
  going_ = nullptr;
  return is_new;
}

bool PageRuns::open(Run& run) {
  std::string error;
  std::unique_ptr<results::Reader> reader = results::Reader::open(run.file, error);
  if (!reader) return false;
  make_room();
  run.number = data_.runs.size();
  data_.runs.push_back(std::make_unique<view::RunData>(std::move(reader)));
  data_.runs.back()->set_title(run.title);
  return true;
}

// Before another one is shown. The files of runs that are kept stay.
void PageRuns::make_room() {
  while (runs_.size() > kMost) {
    data_.runs[*runs_.front()->number].reset();
    runs_.erase(runs_.begin());
  }
}

}  // namespace gelenk::app
