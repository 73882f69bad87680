#include "gelenk/results/recorder.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <new>

#include "gelenk/base/durable_file.h"
#include "gelenk/base/memory_guard.h"
#include "gelenk/results/checkpoint.h"
#include "gelenk/results/continuation.h"
#include "gelenk/results/run_file.h"

namespace gelenk::results {
namespace {

constexpr std::size_t kBatchBytes = 4u << 20;
constexpr std::size_t kMostBatchRows = 1024;
constexpr std::size_t kBatchCount = 3;

// What the deed returns, or that there was no memory for it.
template <class Deed>
std::string guarded(Deed&& deed) {
  try {
    return deed();
  } catch (const std::bad_alloc&) {
    return memory_shortage();
  }
}

std::vector<std::string> names_of(const Layout& layout) {
  std::vector<std::string> names;
  for (const Block& block : layout.blocks) names.emplace_back(block.id.name());
  return names;
}

}  // namespace

// Rows for all blocks. Committed rows never change, so the writing thread may read them while the next is filled.
struct Recorder::Batch {
  std::vector<double> times;
  std::vector<std::vector<double>> values;  // of each block
  std::atomic<std::size_t> committed{0};
  std::size_t written = 0;   // writing thread
  bool is_complete = false;  // under the mutex: to be emptied by the writing thread
};

std::unique_ptr<Recorder> Recorder::open(const std::string& path, const Layout& layout, const RunInfo& info,
                                         std::string& error) {
  std::unique_ptr<Recorder> recorder;
  bool is_created = false;
  error = guarded([&] {
    std::string problem;
    std::unique_ptr<RunFile> file = RunFile::create(path, layout, info, problem);
    if (!file) return problem;
    is_created = true;
    recorder.reset(new Recorder(path, std::move(file), layout));
    return problem;
  });
  // A file without a run says nothing to anybody.
  std::error_code ignored;
  if (is_created && !recorder) std::filesystem::remove(path, ignored);
  return recorder;
}

std::unique_ptr<Recorder> Recorder::reopen(const std::string& path, const Layout& layout, std::size_t rows,
                                           std::size_t events, std::string& error) {
  std::unique_ptr<Recorder> recorder;
  error = guarded([&] {
    std::string problem = continuation_obstacle(path, layout, rows, events);
    if (!problem.empty()) return problem;
    std::unique_ptr<RunFile> file =
        RunFile::reopen(path, names_of(layout), rows, events, RunStatus::running, "", problem);
    if (!file) return problem;
    remove_checkpoints_beyond(path, rows);
    recorder.reset(new Recorder(path, std::move(file), layout));
    recorder->row_count_ = rows;
    recorder->event_count_ = events;
    return problem;
  });
  return recorder;
}

Recorder::Recorder(const std::string& path, std::unique_ptr<RunFile> file, const Layout& layout)
    : path_(path), places_(layout), file_(std::move(file)), written_(layout.blocks.size()) {
  const std::size_t row_bytes = sizeof(double) * (layout.row_width() + 1);
  batch_rows_ = std::clamp<std::size_t>(kBatchBytes / row_bytes, 1, kMostBatchRows);
  for (std::size_t i = 0; i < kBatchCount; ++i) {
    batches_.push_back(std::make_unique<Batch>());
    batches_.back()->times.resize(batch_rows_);
    for (const Block& block : layout.blocks) batches_.back()->values.emplace_back(batch_rows_ * block.width);
  }
  thread_ = std::thread([this] { write_until_closed(); });
}

Recorder::~Recorder() {
  if (thread_.joinable()) close(RunStatus::stopped);
}

std::span<double> Recorder::place_in_batch(std::size_t block) const {
  Batch& batch = current();
  const std::size_t width = places_.blocks()[block].width;
  const std::size_t row = batch.committed.load(std::memory_order_relaxed);
  return std::span(batch.values[block]).subspan(row * width, width);
}

Row Recorder::row(double time) {
  pending_time_ = time;
  return places_.begin([this](std::size_t block) { return place_in_batch(block); });
}

bool Recorder::commit() {
  if (has_failed_.load(std::memory_order_relaxed)) return false;
  places_.finish([this](std::size_t block) { return place_in_batch(block); });
  Batch& batch = current();
  const std::size_t row = batch.committed.load(std::memory_order_relaxed);
  batch.times[row] = pending_time_;
  batch.committed.store(row + 1, std::memory_order_release);
  ++row_count_;
  if (row + 1 == batch_rows_) next_batch();
  return !has_failed_.load(std::memory_order_relaxed);
}

void Recorder::next_batch() {
  std::unique_lock lock(mutex_);
  current().is_complete = true;
  wake_writer_.notify_one();
  const std::size_t next = (fill_ + 1) % kBatchCount;
  wake_simulation_.wait(lock, [&] { return !batches_[next]->is_complete; });
  fill_ = next;
}

void Recorder::event(const Event& event) {
  ++event_count_;
  const std::lock_guard lock(mutex_);
  events_.push_back(event);
}

bool Recorder::flush() {
  if (!thread_.joinable()) return false;  // closed
  std::unique_lock lock(mutex_);
  const std::size_t wanted = ++flushes_wanted_;
  wake_writer_.notify_one();
  wake_simulation_.wait(lock, [&] { return flushes_done_ >= wanted; });
  return error_.empty();
}

bool Recorder::sync() {
  if (!flush()) return false;
  note_error(sync_file(path_));
  return error().empty();
}

std::string Recorder::close(RunStatus status, const std::string& message, const std::string& certificate) {
  if (thread_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      is_closing_ = true;
      final_status_ = status;
      final_message_ = message;
      certificate_ = certificate;
    }
    wake_writer_.notify_one();
    thread_.join();
    has_failed_ = true;  // rows after the end are dropped
  }
  return error();
}

std::string Recorder::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

void Recorder::note_error(std::string text) {
  if (text.empty()) return;
  const std::lock_guard lock(mutex_);
  if (error_.empty()) error_ = std::move(text);
  has_failed_ = true;
}

void Recorder::write_rows(Batch& batch) {
  const std::size_t committed = batch.committed.load(std::memory_order_acquire);
  const std::size_t count = committed - batch.written;
  if (count == 0) return;
  if (!has_failed_.load(std::memory_order_relaxed)) {
    for (std::size_t b = 0; b < written_.size(); ++b) {
      written_[b] = batch.values[b].data() + batch.written * places_.blocks()[b].width;
    }
    const std::span<const double> times = std::span(batch.times).subspan(batch.written, count);
    note_error(guarded([&] { return file_->append(times, written_); }));
  }
  batch.written = committed;
}

// Empties complete batches in order; true when the one being filled is all that is left.
bool Recorder::write_batches() {
  for (;;) {
    Batch& batch = *batches_[empty_];
    {
      const std::lock_guard lock(mutex_);
      if (!batch.is_complete) return true;
    }
    write_rows(batch);
    {
      const std::lock_guard lock(mutex_);
      batch.written = 0;
      batch.committed.store(0, std::memory_order_relaxed);
      batch.is_complete = false;
    }
    wake_simulation_.notify_all();
    empty_ = (empty_ + 1) % kBatchCount;
  }
}

void Recorder::write_events() {
  std::vector<Event> events;
  {
    const std::lock_guard lock(mutex_);
    events.swap(events_);
  }
  if (!events.empty() && !has_failed_.load(std::memory_order_relaxed))
    note_error(guarded([&] { return file_->append(events); }));
}

void Recorder::write_until_closed() {
  using Clock = std::chrono::steady_clock;
  note_error(guarded([&] { return file_->begin(); }));
  Clock::time_point next_flush = Clock::now() + flush_period_.load(std::memory_order_relaxed);
  for (bool is_last = false; !is_last;) {
    std::size_t flushes = 0;
    {
      std::unique_lock lock(mutex_);
      wake_writer_.wait_until(lock, next_flush, [&] {
        return is_closing_ || flushes_wanted_ > flushes_done_ || batches_[empty_]->is_complete;
      });
      is_last = is_closing_;
      flushes = flushes_wanted_;
    }
    write_batches();
    if (!is_last && flushes == flushes_done_ && Clock::now() < next_flush) continue;
    write_rows(*batches_[empty_]);
    write_events();
    if (!is_last && !has_failed_.load(std::memory_order_relaxed)) note_error(guarded([&] { return file_->flush(); }));
    next_flush = Clock::now() + flush_period_.load(std::memory_order_relaxed);
    {
      const std::lock_guard lock(mutex_);
      flushes_done_ = flushes;
    }
    wake_simulation_.notify_all();
  }
  note_error(guarded([&] { return file_->close(final_status_, final_message_, certificate_); }));
}

}  // namespace gelenk::results
