// Files that are opened again: continued, or repaired.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

#include "gelenk/base/file_lock.h"
#include "gelenk/base/platform.h"
#include "gelenk/results/checkpoint.h"
#include "gelenk/results/reader.h"
#include "gelenk/results/repair.h"
#include "gelenk/results/synthetic_machine_test_support.h"

namespace gelenk::results::reopen_test {
namespace {

using testing::HasSubstr;

constexpr std::size_t kRows = 4001;       // more than all batches hold, several chunks
constexpr std::size_t kEventEvery = 100;  // rows
constexpr const char* kCertificate = R"({"verdict": "good", "text": "µ"})";
constexpr std::size_t kMostFileBytes = 1u << 28;

RunInfo small_info() {
  RunInfo info;
  info.run_id = "0123456789abcdef0123456789abcdef";
  info.options = "{}";
  return info;
}

// Rows [first, last) of the invented motion, with an event at every hundredth.
void record(Recorder& recorder, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    fill_invented(recorder.row(invented_time(i)), invented_time(i));
    if (i % kEventEvery == 0) recorder.event({invented_time(i), "mark", "crank", "row " + std::to_string(i)});
    ASSERT_TRUE(recorder.commit());
  }
}
constexpr std::size_t events_before(std::size_t row) { return (row + kEventEvery - 1) / kEventEvery; }

void record_in_one_go(const std::string& path, std::size_t rows = kRows) {
  std::string error;
  const auto recorder = Recorder::open(path, make_layout(small_machine()), small_info(), error);
  ASSERT_NE(recorder, nullptr) << error;
  record(*recorder, 0, rows);
  ASSERT_EQ(recorder->close(RunStatus::done, "", kCertificate), "");
}

// Goes on behind the first rows of a file up to the end.
void continue_run(const std::string& path, std::size_t rows) {
  std::string error;
  const auto recorder = Recorder::reopen(path, make_layout(small_machine()), rows, events_before(rows), error);
  ASSERT_NE(recorder, nullptr) << error;
  EXPECT_EQ(recorder->row_count(), rows);
  EXPECT_EQ(recorder->event_count(), events_before(rows));
  record(*recorder, rows, kRows);
  EXPECT_EQ(recorder->row_count(), kRows);
  EXPECT_EQ(recorder->event_count(), events_before(kRows));
  ASSERT_EQ(recorder->close(RunStatus::done, "", kCertificate), "");
}

// Every value, event and text of the file is as if the run had been recorded in one go.
void expect_complete(const std::string& path, std::size_t rows = kRows) {
  std::string error;
  const std::unique_ptr<Reader> reader = Reader::open(path, error);
  ASSERT_NE(reader, nullptr) << error;
  EXPECT_TRUE(reader->is_closed());
  ASSERT_EQ(reader->row_count(), rows);
  Frame frame;
  for (std::size_t i = 0; i < rows; ++i) {
    ASSERT_EQ(reader->read_frame(i, frame), "");
    ASSERT_EQ(frame.time, invented_time(i));
    for (std::size_t b = 1; b < frame.rows.size(); ++b) {
      for (std::size_t c = 0; c < frame.rows[b].size(); ++c) {
        ASSERT_EQ(frame.rows[b][c], invented(small_blocks()[b - 1], c, frame.time))
            << i << " " << reader->blocks()[b].name;
      }
    }
  }
  std::vector<Event> events;
  ASSERT_EQ(reader->read_events(events), "");
  ASSERT_EQ(events.size(), events_before(rows));
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].time, invented_time(i * kEventEvery));
    EXPECT_EQ(events[i].text, "row " + std::to_string(i * kEventEvery));
  }
}

void expect_done(const std::string& path) {
  expect_complete(path);
  std::string error;
  const std::unique_ptr<Reader> reader = Reader::open(path, error);
  ASSERT_NE(reader, nullptr) << error;
  EXPECT_EQ(reader->status(), RunStatus::done);
  EXPECT_EQ(reader->message(), "");
  EXPECT_EQ(reader->certificate(), kCertificate);
  EXPECT_EQ(reader->header().run_id, small_info().run_id);
}

TEST(Certificate, IsReadAsItWasWritten) {
  const TemporaryFolder folder("certificate");
  const std::string text = "{" + std::string(100'000, ' ') + "}";  // many chunks
  std::string error;
  const auto recorder = Recorder::open(folder.file("a.h5"), make_layout(small_machine()), {}, error);
  ASSERT_NE(recorder, nullptr) << error;
  ASSERT_TRUE(recorder->flush());
  {
    const std::unique_ptr<Reader> reader = Reader::open(folder.file("a.h5"), error);
    ASSERT_NE(reader, nullptr) << error;
    EXPECT_EQ(reader->certificate(), "") << "the run has not ended";
    EXPECT_EQ(reader->header().run_id.size(), 32U) << "one is made up";
  }
  ASSERT_EQ(recorder->close(RunStatus::done, "", text), "");
  const std::unique_ptr<Reader> reader = Reader::open(folder.file("a.h5"), error);
  ASSERT_NE(reader, nullptr) << error;
  EXPECT_EQ(reader->certificate(), text);
}

TEST(Sync, WhatWasCommittedIsInTheFile) {
  const TemporaryFolder folder("sync");
  std::string error;
  const auto recorder = Recorder::open(folder.file("a.h5"), make_layout(small_machine()), small_info(), error);
  ASSERT_NE(recorder, nullptr) << error;
  record(*recorder, 0, 1234);
  ASSERT_TRUE(recorder->sync());
  const std::unique_ptr<Reader> reader = Reader::open(folder.file("a.h5"), error);
  ASSERT_NE(reader, nullptr) << error;
  EXPECT_EQ(reader->row_count(), 1234U);
  std::filesystem::remove(folder.file("a.h5"));
  EXPECT_FALSE(recorder->sync());
  EXPECT_THAT(recorder->error(), HasSubstr("has disappeared"));
}

// Behind no row, in the middle of a chunk, at the end of one, and behind all.
class Reopened : public testing::TestWithParam<std::size_t> {};

TEST_P(Reopened, FinishedRunIsAsInOneGo) {
  const TemporaryFolder folder("reopened_" + std::to_string(GetParam()));
  record_in_one_go(folder.file("a.h5"));
  continue_run(folder.file("a.h5"), GetParam());
  expect_done(folder.file("a.h5"));
}

INSTANTIATE_TEST_SUITE_P(AtRows, Reopened, testing::Values(0, 1, 100, 1024, 1560, 3999, 4000, kRows));

TEST(Reopen, TakesTheVerdictBackAndIsOpenToReaders) {
  const TemporaryFolder folder("reopened_verdict");
  record_in_one_go(folder.file("a.h5"));
  ASSERT_EQ(write_checkpoint(folder.file("a.h5"), {small_info().run_id, 0.1, 100, 1, ""}), "");
  ASSERT_EQ(write_checkpoint(folder.file("a.h5"), {small_info().run_id, 0.5, 500, 5, ""}), "");
  std::string error;
  const auto recorder = Recorder::reopen(folder.file("a.h5"), make_layout(small_machine()), 100, 1, error);
  ASSERT_NE(recorder, nullptr) << error;
  {
    const std::unique_ptr<Reader> reader = Reader::open(folder.file("a.h5"), error);
    ASSERT_NE(reader, nullptr) << error;
    EXPECT_FALSE(reader->is_closed());
    EXPECT_EQ(reader->status(), RunStatus::running);
    EXPECT_EQ(reader->certificate(), "");
    EXPECT_EQ(reader->row_count(), 100U);
    EXPECT_EQ(newest_checkpoint(folder.file("a.h5"), small_info().run_id, kRows).checkpoint->time, 0.1)
        << "the one behind the new end is gone";
  }
  record(*recorder, 100, 150);
  ASSERT_EQ(recorder->close(RunStatus::stopped), "");
  expect_complete(folder.file("a.h5"), 150);
}

TEST(Reopen, RefusesWhatDoesNotFit) {
  const TemporaryFolder folder("reopened_refused");
  const std::string path = folder.file("a.h5");
  record_in_one_go(path);
  const std::string before = *read_file(path, kMostFileBytes).text;
  const auto problem = [&](const Layout& layout, std::size_t rows, std::size_t events) {
    std::string error;
    EXPECT_EQ(Recorder::reopen(path, layout, rows, events, error), nullptr);
    return error;
  };
  const Layout layout = make_layout(small_machine());
  EXPECT_THAT(problem(layout, kRows + 1, 0), HasSubstr("it has 4001 rows, but 4002 are needed"));
  EXPECT_THAT(problem(layout, 10, 1000), HasSubstr("it has 41 events, but 1000 are needed"));
  model::Machine larger = small_machine();
  larger.parts.emplace_back().path = "another";
  EXPECT_THAT(problem(make_layout(larger), 10, 1), HasSubstr("parts/pose has 21 values"));
  model::Machine renamed = small_machine();
  renamed.parts[0].path = "cranck";
  EXPECT_THAT(problem(make_layout(renamed), 10, 1),
              HasSubstr("'crank.position.x' where the model has 'cranck.position.x'"));
  Selection selection;
  selection.patterns = {"slider.*"};
  EXPECT_THAT(problem(make_layout(small_machine(), selection), 10, 1), HasSubstr("it records different channels"));
  EXPECT_EQ(*read_file(path, kMostFileBytes).text, before) << "a refusal changes nothing";
}

TEST(Reopen, RefusesWhatSomebodyHasOpenAndWhatIsNotThere) {
  const TemporaryFolder folder("reopened_busy");
  const std::string path = folder.file("a.h5");
  const Layout layout = make_layout(small_machine());
  std::string error;
  EXPECT_EQ(Recorder::reopen(path, layout, 0, 0, error), nullptr);
  EXPECT_THAT(error, HasSubstr("there is no file"));
  std::ofstream(path) << "something else";
  EXPECT_EQ(Recorder::reopen(path, layout, 0, 0, error), nullptr);
  EXPECT_THAT(error, HasSubstr("it is not an HDF5 file"));
  const auto recorder = Recorder::open(path, layout, small_info(), error);
  ASSERT_NE(recorder, nullptr) << error;
  ASSERT_TRUE(recorder->flush());
  EXPECT_EQ(Recorder::reopen(path, layout, 0, 0, error), nullptr);
  EXPECT_THAT(error, HasSubstr("cannot be continued: another program has it open"));
  RepairReport report;
  EXPECT_THAT(repair_file(path, report), HasSubstr("cannot be repaired: another program has it open"));
  ASSERT_EQ(recorder->close(RunStatus::done), "");
  const SharedFileLock reader_elsewhere(path);
  EXPECT_THAT(repair_file(path, report), HasSubstr("another program has it open"));
}

TEST(Repair, LeavesWholeFilesAlone) {
  const TemporaryFolder folder("repair_whole");
  record_in_one_go(folder.file("a.h5"));
  const std::string before = *read_file(folder.file("a.h5"), kMostFileBytes).text;
  RepairReport report;
  ASSERT_EQ(repair_file(folder.file("a.h5"), report), "");
  EXPECT_TRUE(report.was_whole);
  EXPECT_EQ(report.rows, kRows);
  EXPECT_EQ(report.end, invented_time(kRows - 1));
  EXPECT_EQ(report.status, RunStatus::done);
  EXPECT_EQ(*read_file(folder.file("a.h5"), kMostFileBytes).text, before);
}

// Is killed when some rows are safe and some are not. With `reopened` rows the file had an end before, and was opened
// again behind them.
[[noreturn]] void record_and_die(const std::string& path, std::size_t reopened, std::size_t flushed, std::size_t more) {
  std::string error;
  const Layout layout = make_layout(small_machine());
  std::unique_ptr<Recorder> recorder = Recorder::open(path, layout, small_info(), error);
  if (recorder && reopened > 0) {
    record(*recorder, 0, kRows);
    recorder->close(RunStatus::failed, "for now", kCertificate);
    recorder = Recorder::reopen(path, layout, reopened, events_before(reopened), error);
  }
  if (!recorder) std::_Exit(EXIT_FAILURE);
  record(*recorder, reopened, flushed);
  recorder->flush();
  record(*recorder, flushed, flushed + more);
  std::raise(SIGKILL);
  std::_Exit(EXIT_FAILURE);
}

class KilledRun : public testing::Test {
 protected:
  // The program starts anew in the child: a fork of a program with threads would inherit their locks.
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(KilledRun, GoesOn) {
  const TemporaryFolder folder("killed_reopen");
  EXPECT_EXIT(record_and_die(folder.file("a.h5"), 0, 900, 1100), testing::KilledBySignal(SIGKILL), "");
  continue_run(folder.file("a.h5"), 850);
  expect_done(folder.file("a.h5"));
}

TEST_F(KilledRun, GoesOnWhenItWasOpenedAgainBefore) {
  const TemporaryFolder folder("killed_reopen_twice");
  EXPECT_EXIT(record_and_die(folder.file("a.h5"), 850, 2500, 1100), testing::KilledBySignal(SIGKILL), "");
  continue_run(folder.file("a.h5"), 2200);
  expect_done(folder.file("a.h5"));
}

TEST_F(KilledRun, IsRepaired) {
  const TemporaryFolder folder("killed_repair");
  const std::string path = folder.file("a.h5");
  EXPECT_EXIT(record_and_die(path, 0, 900, 1500), testing::KilledBySignal(SIGKILL), "");
  RepairReport report;
  ASSERT_EQ(repair_file(path, report), "");
  EXPECT_FALSE(report.was_whole);
  ASSERT_GE(report.rows, 900U);
  EXPECT_EQ(report.end, invented_time(report.rows - 1));
  EXPECT_EQ(report.run_id, small_info().run_id);
  std::string error;
  {
    const std::unique_ptr<Reader> reader = Reader::open(path, error);
    ASSERT_NE(reader, nullptr) << error;
    EXPECT_TRUE(reader->is_closed());
    EXPECT_EQ(reader->row_count(), report.rows);
    EXPECT_EQ(reader->status(), RunStatus::stopped);
    EXPECT_THAT(reader->message(), HasSubstr("the run was killed"));
    EXPECT_EQ(reader->message(), report.message);
  }
  RepairReport again;
  ASSERT_EQ(repair_file(path, again), "");
  EXPECT_TRUE(again.was_whole);
  EXPECT_EQ(again.rows, report.rows);
  continue_run(path, 900);
  expect_done(path);
}

}  // namespace
}  // namespace gelenk::results::reopen_test
