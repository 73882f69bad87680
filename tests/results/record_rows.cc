// Records rows of an invented motion of a model: column c of block b is b + sin(time + c), time is row / 1000. Prints
// what it did, so that whoever kills it knows how much must be there.
//   record_rows MODEL OUT ROWS [--flush-every N] [--pause-us T] [--leave-open] [--status failed] [--patterns P,...]
//               [--run-id ID] [--checkpoint-every N] [--checkpoint-bytes N] [--resume]
// A checkpoint's payload begins with the number of its rows. --resume goes on from the newest checkpoint.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "gelenk/base/text.h"
#include "gelenk/formats/model_loader.h"
#include "gelenk/formats/model_writer.h"
#include "gelenk/model/expand.h"
#include "gelenk/results/checkpoint.h"
#include "gelenk/results/reader.h"
#include "gelenk/results/recorder.h"

namespace gelenk::results {
namespace {

constexpr double kTimeStep = 1e-3;

struct Request {
  std::string model;
  std::string out;
  std::size_t rows = 0;
  std::size_t flush_every = 0;
  std::size_t checkpoint_every = 0;
  std::size_t checkpoint_bytes = 0;
  long pause_us = 0;
  bool leave_open = false;  // ends as a crash would
  bool resume = false;
  std::string run_id;
  RunStatus status = RunStatus::done;
  Selection selection;
};

Request read_request(const std::vector<std::string>& words) {
  Request request{
      .model = words.at(0), .out = words.at(1), .rows = std::stoul(words.at(2)), .run_id = {}, .selection = {}};
  for (std::size_t i = 3; i < words.size(); ++i) {
    if (words[i] == "--leave-open") request.leave_open = true;
    if (words[i] == "--resume") request.resume = true;
    if (words[i] == "--run-id") request.run_id = words.at(i + 1);
    if (words[i] == "--checkpoint-every") request.checkpoint_every = std::stoul(words.at(i + 1));
    if (words[i] == "--checkpoint-bytes") request.checkpoint_bytes = std::stoul(words.at(i + 1));
    if (words[i] == "--flush-every") request.flush_every = std::stoul(words.at(i + 1));
    if (words[i] == "--pause-us") request.pause_us = std::stol(words.at(i + 1));
    if (words[i] == "--status" && words.at(i + 1) == "failed") request.status = RunStatus::failed;
    if (words[i] == "--patterns") request.selection.patterns = split(words.at(i + 1), ',');
  }
  return request;
}

void fill(const Row& row, double time) {
  for (std::size_t b = 0; b < row.blocks().size(); ++b) {
    const std::span<double> values = row[row.blocks()[b]];
    for (std::size_t c = 0; c < values.size(); ++c) {
      values[c] = static_cast<double>(b) + std::sin(time + static_cast<double>(c));
    }
  }
}

int report(const std::string& error) {
  fmt::print("error: {}\n", error);
  return EXIT_FAILURE;
}

// Where a run that was interrupted goes on, or a sentence in `error`.
Checkpoint find_checkpoint(const std::string& file, std::string& error) {
  const std::unique_ptr<Reader> reader = Reader::open(file, error);
  if (!reader) return {};
  FoundCheckpoint found = newest_checkpoint(file, reader->header().run_id, reader->row_count());
  for (const std::string& note : found.notes) fmt::print("note {}\n", note);
  if (!found.checkpoint) error = "there is no checkpoint";
  return found.checkpoint.value_or(Checkpoint{});
}

std::string save(const Request& request, Recorder& recorder, double time) {
  if (!recorder.sync()) return recorder.error();
  Checkpoint checkpoint{request.run_id, time, recorder.row_count(), recorder.event_count(), {}};
  checkpoint.payload = std::to_string(checkpoint.row_count) + " ";
  checkpoint.payload.resize(std::max(checkpoint.payload.size(), request.checkpoint_bytes), 'x');
  std::string error = write_checkpoint(request.out, checkpoint);
  if (error.empty()) fmt::print("checkpoint {}\n", checkpoint.row_count);
  std::fflush(stdout);
  return error;
}

int record(const Request& request) {
  Diagnostics diagnostics;
  const formats::LoadedModel loaded = formats::load_model(request.model, {}, diagnostics);
  const model::Machine machine = model::expand(loaded.model, {}, diagnostics);
  if (diagnostics.has_errors()) return report("the model has errors");
  RunInfo info;
  info.program_version = "test";
  info.sources.push_back({request.model, std::string(loaded.sources.file(0).text())});
  info.resolved_model = formats::write_model(loaded.model);
  info.options = R"({"method": "invented"})";
  info.expected_rows = request.rows;
  info.run_id = request.run_id;
  std::string error;
  const Layout layout = make_layout(machine, request.selection);
  std::size_t first = 0;
  std::unique_ptr<Recorder> recorder;
  if (request.resume) {
    const Checkpoint from = find_checkpoint(request.out, error);
    if (!error.empty()) return report(error);
    first = std::stoul(from.payload);
    recorder = Recorder::reopen(request.out, layout, from.row_count, from.event_count, error);
    fmt::print("resumed {}\n", first);
    std::fflush(stdout);
  } else {
    recorder = Recorder::open(request.out, layout, info, error);
  }
  if (!recorder) return report(error);
  for (std::size_t i = first; i < request.rows; ++i) {
    const double time = kTimeStep * static_cast<double>(i);
    fill(recorder->row(time), time);
    if (!recorder->commit()) break;
    if (request.flush_every > 0 && (i + 1) % request.flush_every == 0) {
      recorder->event({time, "test", "", fmt::format("flush after {} rows", i + 1)});
      if (!recorder->flush()) break;
      fmt::print("flushed {}\n", i + 1);
      std::fflush(stdout);
    }
    if (request.checkpoint_every > 0 && (i + 1) % request.checkpoint_every == 0) {
      if (error = save(request, *recorder, time); !error.empty()) return report(error);
    }
    if (request.pause_us > 0) std::this_thread::sleep_for(std::chrono::microseconds(request.pause_us));
  }
  if (request.leave_open) std::_Exit(EXIT_SUCCESS);
  error = recorder->close(request.status, request.status == RunStatus::failed ? "invented failure" : "",
                          R"({"rows": )" + std::to_string(recorder->row_count()) + "}");
  if (!error.empty()) return report(error);
  fmt::print("closed {}\n", recorder->row_count());
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace gelenk::results

int main(int argc, char** argv) {
  if (argc < 4) return EXIT_FAILURE;
  return gelenk::results::record(gelenk::results::read_request({argv + 1, argv + argc}));
}
