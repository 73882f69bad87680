#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gelenk/results/layout.h"
#include "gelenk/results/row_sink.h"

namespace gelenk::results {

// What a run has recorded, in the shapes of its file: for each block the rows one after the other.
struct MemoryRows {
  Layout layout;
  std::vector<double> times;
  std::vector<std::vector<double>> values;  // of each block of the layout, row_count() × Block::width
  std::vector<Event> events;

  std::size_t row_count() const { return times.size(); }
};

// Keeps a run in memory. Running out of it is an exception, std::bad_alloc, out of row() and event().
class MemoryRecorder final : public RowSink {
 public:
  explicit MemoryRecorder(const Layout& layout);

  Row row(double time) override;
  bool commit() override;
  void event(const Event& event) override { rows_->events.push_back(event); }
  std::size_t row_count() const override { return rows_->times.size(); }
  std::size_t event_count() const override { return rows_->events.size(); }
  std::string error() const override { return {}; }

  // Committed rows; the recorder is empty afterwards. They stay alive as long as anybody has them.
  std::shared_ptr<const MemoryRows> take();

 private:
  std::span<double> place(std::size_t block) const;

  RowPlaces places_;
  std::shared_ptr<MemoryRows> rows_;
  double pending_time_ = 0.0;  // of the row that is being filled
};

}  // namespace gelenk::results
