#include "gelenk/results/memory_recorder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gelenk/results/reader.h"
#include "gelenk/results/synthetic_machine_test_support.h"

namespace gelenk::results::memory_recorder_test {
namespace {

void record(RowSink& sink, std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i) {
    fill_invented(sink.row(invented_time(i)), invented_time(i));
    ASSERT_TRUE(sink.commit());
  }
  sink.event({0.5, "switch", "spring", "it jumps"});
}

// The same rows, columns and times as in a file, with all elements and with some.
TEST(MemoryRecorder, KeepsWhatAFileWouldHave) {
  const TemporaryFolder folder("memory");
  Selection some;
  some.patterns = {"slider.*", "ball.orientation", "mount.force"};
  for (const Selection& selection : {Selection{}, some}) {
    const Layout layout = make_layout(small_machine(), selection);
    std::string error;
    const auto file = Recorder::open(folder.file("a.h5"), layout, {}, error);
    ASSERT_NE(file, nullptr) << error;
    record(*file, 40);
    ASSERT_EQ(file->close(RunStatus::done), "");
    MemoryRecorder memory(layout);
    record(memory, 40);
    EXPECT_EQ(memory.row_count(), 40u);
    EXPECT_EQ(memory.event_count(), 1u);
    const std::shared_ptr<const MemoryRows> rows = memory.take();

    const auto reader = Reader::open(folder.file("a.h5"), error);
    ASSERT_NE(reader, nullptr) << error;
    std::vector<double> expected;
    ASSERT_EQ(reader->read_times(expected), "");
    EXPECT_EQ(rows->times, expected);
    std::size_t compared = 0;
    for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
      if (!layout.blocks[b].is_recorded()) continue;
      std::size_t number = 0;
      while (reader->blocks()[number].name != layout.blocks[b].id.name()) ++number;
      expected.resize(40 * layout.blocks[b].width);
      ASSERT_EQ(reader->read_rows(number, 0, 40, expected), "");
      EXPECT_EQ(rows->values[b], expected) << layout.blocks[b].id.name();
      ++compared;
    }
    EXPECT_EQ(compared + 1, reader->blocks().size());
    EXPECT_EQ(rows->events.front().element, "spring");
  }
}

TEST(MemoryRecorder, WhatWasNotCommittedIsNotKept) {
  MemoryRecorder memory(make_layout(small_machine()));
  record(memory, 3);
  fill_invented(memory.row(9.0), 9.0);
  const auto rows = memory.take();
  EXPECT_EQ(rows->row_count(), 3u);
  EXPECT_EQ(rows->values[0].size(), 3 * rows->layout.blocks[0].width);
  EXPECT_EQ(memory.row_count(), 0u);
  memory.row(1.0);
  ASSERT_TRUE(memory.commit());
  EXPECT_TRUE(std::isnan(memory.take()->values[0][0])) << "what is not filled is not a number";
  EXPECT_EQ(rows->row_count(), 3u) << "rows that were taken stay as they are";
}

}  // namespace
}  // namespace gelenk::results::memory_recorder_test
