#include "gelenk/results/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>

#include "gelenk/base/allocation_count_test_support.h"
#include "gelenk/results/reader.h"
#include "gelenk/results/synthetic_machine_test_support.h"

namespace gelenk::results::recorder_test {
namespace {

using testing::HasSubstr;

std::unique_ptr<Reader> open_or_fail(const std::string& path) {
  std::string error;
  std::unique_ptr<Reader> reader = Reader::open(path, error);
  EXPECT_NE(reader, nullptr) << error;
  return reader;
}

// Every value of every block, bit for bit.
void expect_invented(const Reader& reader, const Layout& layout, std::size_t rows) {
  ASSERT_EQ(reader.row_count(), rows);
  Frame frame;
  for (std::size_t i = 0; i < rows; ++i) {
    ASSERT_EQ(reader.read_frame(i, frame), "");
    ASSERT_EQ(frame.time, invented_time(i));
    for (std::size_t b = 1; b < reader.blocks().size(); ++b) {
      for (const BlockId id : layout.ids()) {
        if (reader.blocks()[b].name != id.name()) continue;
        ASSERT_EQ(frame.rows[b].size(), layout.block(id).width);
        const std::vector<std::size_t>& kept = layout.block(id).kept;
        for (std::size_t c = 0; c < frame.rows[b].size(); ++c) {
          ASSERT_EQ(frame.rows[b][c], invented(id, kept.empty() ? c : kept[c], frame.time)) << id.name();
        }
      }
    }
  }
}

TEST(Recorder, WhatIsRecordedIsRead) {
  const TemporaryFolder folder("round_trip");
  const Layout layout = make_layout(small_machine());
  // More rows than all batches hold, and no multiple of anything.
  constexpr std::size_t kRows = 5003;
  ASSERT_EQ(record_invented(folder.file("a.h5"), layout, kRows), "");
  const auto reader = open_or_fail(folder.file("a.h5"));
  ASSERT_NE(reader, nullptr);
  EXPECT_TRUE(reader->is_closed());
  EXPECT_EQ(reader->status(), RunStatus::done);
  EXPECT_EQ(reader->blocks().size(), small_blocks().size() + 1);
  expect_invented(*reader, layout, kRows);
}

// A block that no other file knows: what makes the layout and what fills the row agree on its name, and that is all.
TEST(Recorder, BlocksAreAnOpenList) {
  const TemporaryFolder folder("open_list");
  Layout layout = make_layout(small_machine());
  layout.blocks.push_back({"contacts/force", "normal slip", 2, 2, {1, 2}, {}});
  using Shape = model::Channel::Shape;
  layout.channels.push_back({"wheel.normal", "contacts/force", 0, Shape::scalar, Quantity::force, "N", ""});
  layout.channels.push_back({"wheel.slip", "contacts/force", 1, Shape::scalar, Quantity::number, "1", ""});
  layout.slices.push_back({"wheel", "contact", "contacts/force", 0, 2});
  std::string error;
  auto recorder = Recorder::open(folder.file("a.h5"), layout, {}, error);
  const auto record = [&](int from, int to) {
    for (int i = from; i < to; ++i) {
      const Row row = recorder->row(i);
      row["contacts/force"][0] = 10.0 * i;
      row["contacts/force"][1] = 0.5;
      ASSERT_TRUE(recorder->commit());
    }
    ASSERT_EQ(recorder->close(RunStatus::done), "");
  };
  ASSERT_NE(recorder, nullptr) << error;
  record(0, 3);
  recorder = Recorder::reopen(folder.file("a.h5"), layout, 2, 0, error);
  ASSERT_NE(recorder, nullptr) << error;
  record(2, 5);
  const auto reader = open_or_fail(folder.file("a.h5"));
  ASSERT_NE(reader, nullptr);
  std::vector<double> values;
  ASSERT_EQ(reader->read_channel(*reader->find("wheel.normal"), values), "");
  EXPECT_EQ(values, (std::vector<double>{0.0, 10.0, 20.0, 30.0, 40.0}));
  EXPECT_EQ(reader->blocks().back().name, "contacts/force");
  EXPECT_EQ(Recorder::reopen(folder.file("a.h5"), make_layout(small_machine()), 5, 0, error), nullptr)
      << "its model would not record the same";
}

TEST(Recorder, SelectedElementsOnly) {
  const TemporaryFolder folder("selection");
  Selection selection;
  selection.patterns = {"slider.*", "ball.orientation", "mount.force"};
  const Layout layout = make_layout(small_machine(), selection);
  ASSERT_EQ(record_invented(folder.file("a.h5"), layout, 10), "");
  const auto reader = open_or_fail(folder.file("a.h5"));
  ASSERT_NE(reader, nullptr);
  expect_invented(*reader, layout, 10);
  EXPECT_TRUE(reader->find("slider.position.y"));
  EXPECT_FALSE(reader->find("crank.position.y"));
}

TEST(Recorder, WhatWasNotFilledIsNotANumber) {
  const TemporaryFolder folder("nan");
  std::string error;
  const auto recorder = Recorder::open(folder.file("a.h5"), make_layout(small_machine()), {}, error);
  ASSERT_NE(recorder, nullptr) << error;
  for (int i = 0; i < 3; ++i) {
    const Row row = recorder->row(i);
    row[BlockId::energy][1] = 7.0;
    ASSERT_TRUE(recorder->commit());
  }
  ASSERT_EQ(recorder->close(RunStatus::done), "");
  const auto reader = open_or_fail(folder.file("a.h5"));
  ASSERT_NE(reader, nullptr);
  std::vector<double> values;
  ASSERT_EQ(reader->read_channel(*reader->find("energy.potential"), values), "");
  EXPECT_EQ(values[2], 7.0);
  ASSERT_EQ(reader->read_channel(*reader->find("crank.position.x"), values), "");
  EXPECT_TRUE(std::isnan(values[2]));
}

TEST(Recorder, RowsAllocateNothing) {
  const TemporaryFolder folder("allocation");
  Selection selection;
  selection.patterns = {"slider.*", "energy.*"};
  ASSERT_FALSE(small_blocks().empty());  // made when they are first asked for
  for (const Layout& layout : {make_layout(small_machine()), make_layout(small_machine(), selection)}) {
    std::string error;
    const auto recorder = Recorder::open(folder.file("a.h5"), layout, {}, error);
    ASSERT_NE(recorder, nullptr) << error;
    const long before = test::allocation_count;
    for (std::size_t i = 0; i < 5000; ++i) {
      fill_invented(recorder->row(invented_time(i)), invented_time(i));
      recorder->commit();
    }
    EXPECT_EQ(test::allocation_count - before, 0);
    EXPECT_EQ(recorder->close(RunStatus::done), "");
  }
}

TEST(Recorder, TextsAndEventsAreKept) {
  const TemporaryFolder folder("texts");
  RunInfo info;
  info.program_version = "1.2.3";
  info.sources = {{"a.yaml", "gelenk: 1\n# µ\n"}, {"b.yaml", ""}};
  info.resolved_model = std::string(200'000, 'x');
  info.options = "{}";
  std::string error;
  const auto recorder = Recorder::open(folder.file("a.h5"), make_layout(small_machine()), info, error);
  ASSERT_NE(recorder, nullptr) << error;
  recorder->event({0.25, "switch", "arm.rod", "it turned"});
  recorder->event({0.5, "note", "", std::string(10'000, 'y')});
  ASSERT_EQ(recorder->close(RunStatus::failed, "the step became too small"), "");
  EXPECT_FALSE(recorder->flush()) << "nothing happens behind the end";
  EXPECT_FALSE(recorder->commit());
  const auto reader = open_or_fail(folder.file("a.h5"));
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(reader->status(), RunStatus::failed);
  EXPECT_EQ(reader->message(), "the step became too small");
  EXPECT_EQ(reader->header().model_name, "small");
  EXPECT_EQ(reader->header().program_version, "1.2.3");
  ASSERT_EQ(reader->header().sources.size(), 2U);
  EXPECT_EQ(reader->header().sources[0].file, "a.yaml");
  EXPECT_EQ(reader->header().sources[0].text, info.sources[0].text);
  EXPECT_EQ(reader->header().resolved_model, info.resolved_model);
  EXPECT_THAT(reader->header().display, testing::UnorderedElementsAreArray(small_machine().display));
  std::vector<Event> events;
  ASSERT_EQ(reader->read_events(events), "");
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].time, 0.25);
  EXPECT_EQ(events[0].kind, "switch");
  EXPECT_EQ(events[0].element, "arm.rod");
  EXPECT_EQ(events[0].text, "it turned");
}

TEST(Recorder, WithoutCloseTheRunWasStopped) {
  const TemporaryFolder folder("stopped");
  {
    std::string error;
    const auto recorder = Recorder::open(folder.file("a.h5"), make_layout(small_machine()), {}, error);
    ASSERT_NE(recorder, nullptr) << error;
    fill_invented(recorder->row(0.0), 0.0);
    recorder->commit();
  }
  const auto reader = open_or_fail(folder.file("a.h5"));
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(reader->status(), RunStatus::stopped);
  EXPECT_EQ(reader->row_count(), 1U);
}

TEST(Recorder, ShortRunsMakeSmallFiles) {
  const TemporaryFolder folder("small");
  RunInfo info;
  info.expected_rows = 200;
  const Layout layout = make_layout(small_machine());
  ASSERT_EQ(record_invented(folder.file("a.h5"), layout, 200, info), "");
  const std::uintmax_t data = 200 * sizeof(double) * (layout.row_width() + 1);
  constexpr std::uintmax_t kStructure = 120'000;  // index, views, events, texts
  EXPECT_LT(std::filesystem::file_size(folder.file("a.h5")), data + kStructure);
}

TEST(Recorder, UnwritablePlacesAreSentences) {
  const TemporaryFolder folder("unwritable");
  const Layout layout = make_layout(small_machine());
  EXPECT_THAT(record_invented(folder.file("no/such/folder.h5"), layout, 1), HasSubstr("there is no folder"));
  EXPECT_THAT(record_invented(folder.path().string(), layout, 1), HasSubstr("it is a folder"));
  EXPECT_THAT(record_invented("/dev/full", layout, 1), HasSubstr("No space left on device"));
}

TEST(Recorder, VanishedFileIsNoticed) {
  const TemporaryFolder folder("vanished");
  std::string error;
  const auto recorder = Recorder::open(folder.file("a.h5"), make_layout(small_machine()), {}, error);
  ASSERT_NE(recorder, nullptr) << error;
  recorder->row(0.0);
  ASSERT_TRUE(recorder->commit());
  ASSERT_TRUE(recorder->flush());
  std::filesystem::remove(folder.file("a.h5"));
  recorder->row(1.0);
  recorder->commit();
  EXPECT_FALSE(recorder->flush());
  EXPECT_FALSE(recorder->commit());
  EXPECT_THAT(recorder->close(RunStatus::done), HasSubstr("has disappeared"));
}

// Records, makes `flushed` rows readable, goes on for `more` rows, and is killed.
[[noreturn]] void record_and_die(const std::string& path, std::size_t flushed, std::size_t more, bool wait_for_timer) {
  constexpr std::size_t kFlushEvery = 500;
  std::string error;
  const auto recorder = Recorder::open(path, make_layout(small_machine()), {}, error);
  if (!recorder) std::_Exit(EXIT_FAILURE);
  for (std::size_t i = 0; i < flushed + more; ++i) {
    fill_invented(recorder->row(invented_time(i)), invented_time(i));
    recorder->commit();
    if (!wait_for_timer && i % kFlushEvery == 0 && i < flushed) recorder->flush();
    if (i + 1 != flushed) continue;
    if (wait_for_timer) {
      std::this_thread::sleep_for(std::chrono::seconds(2));  // four times the period
    } else {
      recorder->flush();
    }
  }
  std::raise(SIGKILL);
  std::_Exit(EXIT_FAILURE);
}

class Killed : public testing::TestWithParam<bool> {
 protected:
  // The program starts anew in the child: a fork of a program with threads would inherit their locks.
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_P(Killed, EveryFlushedRowIsRead) {
  const TemporaryFolder folder(GetParam() ? "killed_timer" : "killed_flush");
  const std::string path = folder.file("a.h5");
  constexpr std::size_t kFlushed = 1234;
  constexpr std::size_t kMore = 77;
  EXPECT_EXIT(record_and_die(path, kFlushed, kMore, GetParam()), testing::KilledBySignal(SIGKILL), "");
  const auto reader = open_or_fail(path);
  ASSERT_NE(reader, nullptr);
  EXPECT_FALSE(reader->is_closed());
  EXPECT_EQ(reader->status(), RunStatus::running);
  ASSERT_GE(reader->row_count(), kFlushed);
  ASSERT_LE(reader->row_count(), kFlushed + kMore);
  expect_invented(*reader, make_layout(small_machine()), reader->row_count());
}

INSTANTIATE_TEST_SUITE_P(ByCallAndByTimer, Killed, testing::Bool());

// A copy that was made during the run ends somewhere. Fewer rows may be reported, but no wrong ones: what lies
// behind the end of a file reads as zeros.
TEST(KilledAndCopied, CopiesThatEndTooEarlyTellNoWrongRows) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const TemporaryFolder folder("killed_cut");
  constexpr std::size_t kRows = 8000;
  EXPECT_EXIT(record_and_die(folder.file("a.h5"), kRows, 0, false), testing::KilledBySignal(SIGKILL), "");
  const std::uintmax_t size = std::filesystem::file_size(folder.file("a.h5"));
  const std::string cut = folder.file("cut.h5");
  std::filesystem::copy_file(folder.file("a.h5"), cut);
  constexpr std::uintmax_t kStep = 50'000;
  std::size_t shortened = 0;
  for (std::uintmax_t bytes = size; bytes > kStep; bytes -= kStep) {
    std::filesystem::resize_file(cut, bytes);
    std::string error;
    const std::unique_ptr<Reader> reader = Reader::open(cut, error);
    if (!reader) {
      EXPECT_NE(error, "");
      continue;
    }
    if (reader->row_count() > 0 && reader->row_count() < kRows) ++shortened;
    Frame frame;
    for (std::size_t i = 0; i < reader->row_count(); i += 101) {
      ASSERT_EQ(reader->read_frame(i, frame), "") << bytes;
      ASSERT_EQ(frame.time, invented_time(i)) << bytes;
      for (std::size_t b = 1; b < reader->blocks().size(); ++b) {
        ASSERT_EQ(frame.rows[b].front(), invented(small_blocks()[b - 1], 0, frame.time)) << bytes << " " << i;
      }
    }
  }
  EXPECT_GT(shortened, 0U) << "some cuts must leave a part of the rows";
}

}  // namespace
}  // namespace gelenk::results::recorder_test
