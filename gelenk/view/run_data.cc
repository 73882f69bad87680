#include "gelenk/view/run_data.h"

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>

#include "gelenk/base/file_lock.h"
#include "gelenk/base/json_copy.h"
#include "gelenk/export/run_away.h"

namespace gelenk::view {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers go to the page as they lie in memory");

constexpr int kRunFormat = 1;
constexpr std::size_t kPoseNumbers = 7;
constexpr std::string_view kPoseBlock = "parts/pose";
constexpr std::string_view kFirstOfPose = ".position.x";
constexpr std::size_t kPieceDoubles = std::size_t{1} << 17;  // read at once
// The page asks for 256 kB at most, or one row. Who asks for much more does not mean well.
constexpr std::size_t kMostTableBytes = std::size_t{64} << 20;

template <class Number>
void append(std::string& bytes, const Number* numbers, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(numbers), count * sizeof(Number));
}

Problem unreadable(const std::string& error) { return {500, error}; }

}  // namespace

std::string_view state_name(RunState state) {
  constexpr std::array<std::string_view, 5> kNames{"running", "paused", "done", "failed", "stopped"};
  return kNames[static_cast<std::size_t>(state)];
}

RunData::RunData(std::unique_ptr<results::Reader> reader) : reader_(std::move(reader)) { look(); }

void RunData::look() {
  // Who writes it holds a lock. Asked before anything is read: who lets go has written everything.
  const bool is_being_written = !reader_->is_closed() && is_file_in_use(reader_->path());
  const std::string problem = reader_->refresh();
  if (is_being_written) {
    // The end may be announced already while the rest is still on its way to the disk.
    state_ = RunState::running;
  } else if (!problem.empty()) {
    state_ = RunState::stopped;
    message_ = problem;
  } else {
    find_end();
    leave_out_what_runs_away();
  }
}

// As in reports: no picture and no plot is made of numbers that mean nothing.
void RunData::leave_out_what_runs_away() {
  if (state_ == RunState::running || !reader_->is_closed()) return;
  std::string error;
  const std::optional<results::Certificate> certificate = results::certificate_from_json(reader_->certificate(), error);
  std::optional<exporting::RunAway> away;
  if (!certificate || !exporting::find_run_away(*reader_, *certificate, away).empty() || !away || away->row == 0)
    return;
  left_out_ = exporting::left_out_text(*away, reader_->row_count());
  reader_->keep_first_rows(away->row);
}

void RunData::find_end() {
  message_ = reader_->message();
  switch (reader_->status()) {
    case results::RunStatus::done:
      state_ = RunState::done;
      break;
    case results::RunStatus::failed:
      state_ = RunState::failed;
      break;
    case results::RunStatus::stopped:
      state_ = RunState::stopped;
      break;
    case results::RunStatus::running:
      state_ = RunState::stopped;
      message_ = "the run was killed: its results so far are shown";
      break;
  }
}

bool RunData::refresh() {
  if (state_ != RunState::running) return false;
  const std::size_t rows_before = rows();
  look();
  return rows() != rows_before || state_ != RunState::running;
}

std::vector<std::string> RunData::part_order() const {
  std::vector<std::string> paths;
  for (const results::RecordedChannel& channel : reader_->channels()) {
    if (reader_->blocks()[channel.block].name != kPoseBlock || !channel.name.ends_with(kFirstOfPose)) continue;
    const std::size_t part = channel.column / kPoseNumbers;
    if (paths.size() <= part) paths.resize(part + 1);
    paths[part] = channel.name.substr(0, channel.name.size() - kFirstOfPose.size());
  }
  return paths;
}

void RunData::write_members(JsonWriter& json) const {
  const std::string file = std::filesystem::path(reader_->path()).filename().string();
  json.member("format", kRunFormat)
      .member("name", reader_->header().model_name)
      .member("file", title_.empty() ? file : title_);
  json.member("status", state_name(state_)).member("message", message_).member("rows", rows());
  if (!left_out_.empty()) json.member("leftOut", left_out_);
  json.key("partOrder").begin_array();
  for (const std::string& path : part_order()) json.value(path);
  json.end_array().key("channels").begin_array();
  for (const results::RecordedChannel& channel : reader_->channels()) {
    if (channel.block == 0) continue;  // the time
    json.begin_object().member("name", channel.name).member("unit", channel.unit);
    json.member("quantity", quantity_info(channel.quantity).name);
    if (!channel.shown_unit.empty()) json.member("shownUnit", channel.shown_unit);
    json.member("block", channel.block - 1).member("column", channel.column).end_object();
  }
  json.end_array().key("display").begin_array();
  for (const auto& [quantity, unit] : reader_->header().display) {
    json.begin_array().value(quantity_info(quantity).name).value(unit).end_array();
  }
  json.end_array().key("events").begin_array();
  std::vector<results::Event> events;
  if (!reader_->read_events(events).empty()) events.clear();
  for (const results::Event& event : events) {
    json.begin_object().member("time", event.time).member("kind", event.kind).member("element", event.element);
    json.member("text", event.text).end_object();
  }
  json.end_array().key("certificate");
  std::string error;
  const std::optional<JsonValue> certificate = read_json(reader_->certificate(), error);
  if (certificate && state_ != RunState::running) {
    write_json(json, *certificate);
  } else {
    json.null();
  }
}

Problem RunData::times(std::size_t first, std::string& bytes) const {
  std::vector<double> times;
  if (first > rows()) return {416, "there are no such rows"};
  if (const std::string error = reader_->read_times(times); !error.empty()) return unreadable(error);
  append(bytes, times.data() + first, times.size() - first);
  return {};
}

Problem RunData::table(std::size_t block, std::size_t first, std::size_t count, std::string& bytes) const {
  if (block >= block_count()) return {404, "there is no such table in the run"};
  if (first > rows() || count > rows() - first) return {416, "there are no such rows"};
  const std::size_t width = block_width(block);
  if (count > 1 && count > kMostTableBytes / sizeof(float) / width) return {416, "these are too many rows at once"};
  const std::size_t piece = std::max<std::size_t>(1, kPieceDoubles / width);
  std::vector<double> values(std::min(piece, count) * width);
  std::vector<float> narrow(values.size());
  for (std::size_t row = first; row < first + count; row += piece) {
    const std::size_t here = std::min(piece, first + count - row);
    const std::string error = reader_->read_rows(block + 1, row, here, std::span(values).first(here * width));
    if (!error.empty()) return unreadable(error);
    std::transform(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(here * width), narrow.begin(),
                   [](double value) { return static_cast<float>(value); });
    append(bytes, narrow.data(), here * width);
  }
  return {};
}

Problem RunData::channel(const std::string& name, std::size_t first, std::string& bytes) const {
  const std::optional<results::ChannelSource> source = reader_->find(name);
  if (!source) return {404, "the run has no channel '" + name + "'"};
  if (first > rows()) return {416, "there are no such rows"};
  std::vector<double> values;
  if (const std::string error = reader_->read_channel(*source, values); !error.empty()) return unreadable(error);
  append(bytes, values.data() + first, values.size() - first);
  return {};
}

Problem RunData::poses(std::size_t row, std::string& bytes) const {
  for (std::size_t block = 0; block < block_count(); ++block) {
    if (reader_->blocks()[block + 1].name == kPoseBlock) return table(block, row, 1, bytes);
  }
  return {};
}

double RunData::time(std::size_t row) const {
  double time = 0.0;
  return reader_->read_rows(0, row, 1, std::span(&time, 1)).empty() ? time : 0.0;
}

}  // namespace gelenk::view
