#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "gelenk/results/layout.h"
#include "gelenk/results/row_sink.h"
#include "gelenk/results/run_info.h"

namespace gelenk::results {

class RunFile;

// Writes a run to disk while it is computed. The thread that simulates fills rows in memory; a thread of the recorder's
// own owns the file, writes what is complete and makes it readable for others at least every half second. A run that is
// killed loses at most that.
//   if (auto recorder = Recorder::open(path, layout, info, error)) {
//     const Row row = recorder->row(time);
//     fill(row[BlockId::pose]);
//     if (!recorder->commit()) ...
//     error = recorder->close(RunStatus::done);
//   }
// row() and commit() allocate nothing. Not for several simulating threads.
class Recorder final : public RowSink {
 public:
  // Creates the file, in the place of one that may be there. Null with a sentence in `error` when that is not possible.
  static std::unique_ptr<Recorder> open(const std::string& path, const Layout& layout, const RunInfo& info,
                                        std::string& error);
  // Goes on with the file of a run that ended or was killed, behind its first `rows` rows and `events` events: what
  // comes after them is cut off, the verdict and the certificate are taken back, checkpoints that are further are
  // removed. The file must have been recorded with this layout, and nobody may have it open, no Reader of this program
  // either. Null with a sentence in `error` when that is not possible.
  static std::unique_ptr<Recorder> reopen(const std::string& path, const Layout& layout, std::size_t rows,
                                          std::size_t events, std::string& error);
  // What was committed is kept; without close() the file says that the run was stopped.
  ~Recorder() override;

  Row row(double time) override;
  // Waits when the disk is far behind.
  bool commit() override;

  void event(const Event& event) override;

  // What the file has, or will have once everything is written.
  std::size_t row_count() const override { return row_count_; }
  std::size_t event_count() const override { return event_count_; }

  // How long others may have to wait for what was committed, where somebody is looking: half a second otherwise.
  void set_flush_period(std::chrono::milliseconds period) { flush_period_.store(period, std::memory_order_relaxed); }

  // Waits until all that was committed can be read by others. False as for commit().
  bool flush();
  // As flush(), and waits until it is on the disk: a checkpoint may now count on these rows and events.
  bool sync();
  // Writes the rest, the verdict and the certificate (JSON), and closes. Returns the sentence of error().
  std::string close(RunStatus status, const std::string& message = {}, const std::string& certificate = {});

  std::string error() const override;

 private:
  struct Batch;

  Recorder(const std::string& path, std::unique_ptr<RunFile> file, const Layout& layout);
  Batch& current() const { return *batches_[fill_]; }
  std::span<double> place_in_batch(std::size_t block) const;
  void next_batch();
  void note_error(std::string text);

  // The writing thread
  void write_until_closed();
  bool write_batches();
  void write_rows(Batch& batch);
  void write_events();

  const std::string path_;
  RowPlaces places_;
  std::unique_ptr<RunFile> file_;  // touched by the writing thread only, once that runs

  // A ring: the simulating thread fills one while the writing thread empties the others.
  std::vector<std::unique_ptr<Batch>> batches_;
  std::size_t batch_rows_ = 1;
  std::size_t fill_ = 0;         // index of the batch being filled; changed under the mutex
  std::size_t empty_ = 0;        // index of the batch being written; writing thread only
  std::size_t row_count_ = 0;    // simulating thread only
  std::size_t event_count_ = 0;  // likewise
  double pending_time_ = 0.0;    // of the row that is being filled

  std::vector<const double*> written_;  // where rows to be written begin in their batch; writing thread only

  mutable std::mutex mutex_;
  std::condition_variable wake_writer_;
  std::condition_variable wake_simulation_;
  std::vector<Event> events_;
  std::string error_;
  std::atomic<bool> has_failed_{false};
  std::atomic<std::chrono::milliseconds> flush_period_{std::chrono::milliseconds(500)};
  std::size_t flushes_wanted_ = 0;
  std::size_t flushes_done_ = 0;
  bool is_closing_ = false;
  RunStatus final_status_ = RunStatus::stopped;
  std::string final_message_, certificate_;
  std::thread thread_;
};

}  // namespace gelenk::results
