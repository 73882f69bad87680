#include "gelenk/view/run_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include "gelenk/base/child_process.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/base/platform.h"
#include "gelenk/results/synthetic_machine_test_support.h"
#include "gelenk/view/numbers_test_support.h"

namespace gelenk::view::run_data_test {
namespace {

using results::BlockId;
using results::invented_time;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::size_t kRows = 23;
constexpr const char* kCertificate = R"({"verdict": "good"})";

std::unique_ptr<RunData> opened(const std::string& path) {
  std::string error;
  std::unique_ptr<results::Reader> reader = results::Reader::open(path, error);
  EXPECT_TRUE(reader) << error;
  return reader ? std::make_unique<RunData>(std::move(reader)) : nullptr;
}

JsonValue described(const RunData& run) {
  JsonWriter json;
  json.begin_object();
  run.write_members(json);
  std::string error;
  const std::optional<JsonValue> value = read_json(json.end_object().take(), error);
  EXPECT_TRUE(value) << error;
  return value.value_or(JsonValue{});
}

class RunDataTest : public testing::Test {
 protected:
  // Records rows and ends as asked.
  std::unique_ptr<RunData> recorded(results::RunStatus status, const std::string& message = {}) {
    std::string error;
    const auto recorder = results::Recorder::open(file_, layout_, {}, error);
    EXPECT_TRUE(recorder) << error;
    if (!recorder) return nullptr;
    for (std::size_t i = 0; i < kRows; ++i) {
      results::fill_invented(recorder->row(invented_time(i)), invented_time(i));
      EXPECT_TRUE(recorder->commit());
    }
    recorder->event({0.25, "switch", "arm.rod", "it \"turned\""});
    EXPECT_EQ(recorder->close(status, message, kCertificate), "");
    return opened(file_);
  }

  // Tests run beside each other.
  const results::TemporaryFolder folder_{std::string("run_data_") +
                                         testing::UnitTest::GetInstance()->current_test_info()->name()};
  const std::string file_ = folder_.file("a.h5");
  const results::Layout layout_ = results::make_layout(results::small_machine());
};

TEST_F(RunDataTest, TimesAreThoseOfTheRun) {
  const auto run = recorded(results::RunStatus::done);
  ASSERT_TRUE(run);
  for (const std::size_t first : {std::size_t{0}, std::size_t{7}, kRows}) {
    std::string bytes = "before";
    EXPECT_FALSE(run->times(first, bytes));
    std::string expected = "before";
    for (std::size_t i = first; i < kRows; ++i) append_number(expected, invented_time(i));
    EXPECT_EQ(bytes, expected) << first;
  }
  std::string bytes;
  EXPECT_EQ(run->times(kRows + 1, bytes).status, 416U);
  EXPECT_EQ(bytes, "");
  EXPECT_EQ(run->time(7), invented_time(7));
}

TEST_F(RunDataTest, TablesAreRoundedToFloat) {
  const auto run = recorded(results::RunStatus::done);
  ASSERT_TRUE(run);
  ASSERT_EQ(run->block_count(), layout_.blocks.size());
  for (std::size_t block = 0; block < run->block_count(); ++block) {
    const BlockId id = layout_.blocks[block].id;
    ASSERT_EQ(run->reader().blocks()[block + 1].name, id.name());
    EXPECT_EQ(run->block_width(block), layout_.block(id).width);
    for (const auto& [first, count] : {std::pair{0U, 23U}, {5U, 3U}, {22U, 1U}, {23U, 0U}}) {
      std::string bytes;
      EXPECT_FALSE(run->table(block, first, count, bytes));
      std::string expected;
      for (std::size_t row = first; row < first + count; ++row) append_row(expected, id, layout_, invented_time(row));
      EXPECT_EQ(bytes, expected) << id.name();
    }
  }
}

TEST_F(RunDataTest, RowsThatAreNotThere) {
  const auto run = recorded(results::RunStatus::done);
  ASSERT_TRUE(run);
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  std::string bytes;
  EXPECT_EQ(run->table(run->block_count(), 0, 1, bytes).status, 404U);
  EXPECT_EQ(run->table(kMost, 0, 1, bytes).status, 404U);
  for (const auto& [first, count] : {std::pair{kRows, std::size_t{1}},
                                     {0, kRows + 1},
                                     {1, kRows},
                                     {kMost, 1},
                                     {1, kMost},
                                     {kMost, kMost},
                                     {kRows + 1, 0}}) {
    EXPECT_EQ(run->table(0, first, count, bytes).status, 416U) << first << " " << count;
  }
  EXPECT_EQ(run->poses(kRows, bytes).status, 416U);
  EXPECT_EQ(run->channel("crank.position.x", kRows + 1, bytes).status, 416U);
  for (const char* name : {"", "crank", "crank.position", "crank.position.w", "none.position.x"}) {
    EXPECT_EQ(run->channel(name, 0, bytes).status, 404U) << name;
  }
  EXPECT_EQ(bytes, "");
}

TEST_F(RunDataTest, ChannelsAreDoubles) {
  const auto run = recorded(results::RunStatus::done);
  ASSERT_TRUE(run);
  // The second part's orientation y, and the magnitude of its position
  constexpr std::size_t kRod = 7, kOrientationY = kRod + 3 + 2;
  const auto value = [](std::size_t column, std::size_t row) {
    return results::invented(BlockId::pose, column, invented_time(row));
  };
  std::string bytes, expected;
  EXPECT_FALSE(run->channel("arm.rod.orientation.y", 4, bytes));
  for (std::size_t row = 4; row < kRows; ++row) append_number(expected, value(kOrientationY, row));
  EXPECT_EQ(bytes, expected);
  bytes.clear();
  EXPECT_FALSE(run->channel("arm.rod.position.magnitude", 0, bytes));
  ASSERT_EQ(bytes.size(), kRows * sizeof(double));
  double first = 0.0;
  std::memcpy(&first, bytes.data(), sizeof first);
  EXPECT_DOUBLE_EQ(first, std::sqrt(value(kRod, 0) * value(kRod, 0) + value(kRod + 1, 0) * value(kRod + 1, 0) +
                                    value(kRod + 2, 0) * value(kRod + 2, 0)));
}

TEST_F(RunDataTest, PosesAreOneRow) {
  const auto run = recorded(results::RunStatus::done);
  ASSERT_TRUE(run);
  std::string bytes, expected;
  EXPECT_FALSE(run->poses(9, bytes));
  append_row(expected, BlockId::pose, layout_, invented_time(9));
  EXPECT_EQ(bytes, expected);
  EXPECT_THAT(described(*run).texts("partOrder"), ElementsAre("crank", "arm.rod", "slider"));
}

TEST_F(RunDataTest, PosesThatWereNotRecordedAreNone) {
  results::Selection selection;
  selection.patterns = {"bearing.*"};
  ASSERT_EQ(results::record_invented(file_, results::make_layout(results::small_machine(), selection), kRows), "");
  const auto run = opened(file_);
  ASSERT_TRUE(run);
  std::string bytes;
  EXPECT_FALSE(run->poses(0, bytes));
  EXPECT_EQ(bytes, "");
  EXPECT_THAT(described(*run).texts("partOrder"), testing::IsEmpty());
}

TEST_F(RunDataTest, DescriptionSaysWhatIsRecorded) {
  const auto run = recorded(results::RunStatus::done);
  ASSERT_TRUE(run);
  const JsonValue json = described(*run);
  EXPECT_EQ(json.number_or("format", 0), 1);
  EXPECT_EQ(json.text_or("name", ""), "small");
  EXPECT_EQ(json.text_or("file", ""), "a.h5");
  EXPECT_EQ(json.number_or("rows", 0), kRows);
  const JsonValue& channels = *json.find("channels");
  EXPECT_EQ(channels.items.size() + 1, run->reader().channels().size()) << "the time is not one of them";
  for (const JsonValue& channel : channels.items) {
    const std::string name = channel.text_or("name", "");
    const auto source = run->reader().find(name);
    ASSERT_TRUE(source) << name;
    EXPECT_EQ(channel.number_or("block", -1), static_cast<double>(source->block) - 1) << name;
    EXPECT_EQ(channel.number_or("column", -1), static_cast<double>(source->columns[0])) << name;
    EXPECT_EQ(channel.text_or("unit", "?"), source->unit) << name;
  }
  ASSERT_EQ(json.find("events")->items.size(), 1U);
  const JsonValue& event = json.find("events")->items.front();
  EXPECT_EQ(event.number_or("time", 0), 0.25);
  EXPECT_EQ(event.text_or("element", ""), "arm.rod");
  EXPECT_EQ(event.text_or("text", ""), "it \"turned\"");
  EXPECT_EQ(json.find("display")->items.size(), 2U);
  EXPECT_EQ(json.find("certificate")->text_or("verdict", ""), "good");
}

TEST_F(RunDataTest, HowRunsEnd) {
  const std::pair<results::RunStatus, RunState> ends[] = {{results::RunStatus::done, RunState::done},
                                                          {results::RunStatus::failed, RunState::failed},
                                                          {results::RunStatus::stopped, RunState::stopped}};
  for (const auto& [status, state] : ends) {
    const auto run = recorded(status, "a reason");
    ASSERT_TRUE(run);
    EXPECT_EQ(run->state(), state);
    EXPECT_EQ(run->message(), "a reason");
    EXPECT_EQ(described(*run).text_or("status", ""), state_name(state));
    EXPECT_FALSE(run->refresh());
  }
}

// A run needs a process of its own: this program starts itself again, with a variable that names the file. It then
// writes some rows, more of them when a file with the ending `.more` appears, and closes when there is one with
// `.close`.
constexpr const char* kWriterVariable = "GELENK_TEST_WRITER";
constexpr std::size_t kMoreRows = 11;

void wait_for_file(const std::string& path) {
  while (!std::filesystem::exists(path)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

class Writer : public testing::Environment {
 public:
  void SetUp() override {
    const char* path = std::getenv(kWriterVariable);
    if (path == nullptr) return;
    std::string error;
    const auto recorder = results::Recorder::open(path, results::make_layout(results::small_machine()), {}, error);
    if (!die_with_owner() || !recorder) std::_Exit(EXIT_FAILURE);
    const auto record = [&](std::size_t rows) {
      for (std::size_t i = 0; i < rows; ++i) {
        const double time = invented_time(recorder->row_count());
        results::fill_invented(recorder->row(time), time);
        recorder->commit();
      }
      recorder->event({0.5, "switch", "crank", "something"});
      recorder->flush();
    };
    record(kRows);
    wait_for_file(std::string(path) + ".more");
    record(kMoreRows);
    wait_for_file(std::string(path) + ".close");
    std::_Exit(recorder->close(results::RunStatus::done, {}, kCertificate).empty() ? EXIT_SUCCESS : EXIT_FAILURE);
  }
};
[[maybe_unused]] const testing::Environment* const kWriter = testing::AddGlobalTestEnvironment(new Writer);

class RunningTest : public RunDataTest {
 protected:
  void SetUp() override {
    const std::optional<std::string> program = executable_path();
    ASSERT_TRUE(program);
    ChildCall call;
    call.has_environment = true;
    call.variables = {std::string(kWriterVariable) + "=" + file_};
    std::string error;
    process_ = ChildProcess::start(*program, {}, error, call);
    ASSERT_TRUE(process_) << error;
    const bool is_there = soon([&] {
      const auto reader = results::Reader::open(file_, error);
      return reader && reader->row_count() == kRows;
    });
    ASSERT_TRUE(is_there) << error;
    run_ = opened(file_);
    ASSERT_TRUE(run_);
  }

  template <class IsThere>
  static bool soon(const IsThere& is_there) {
    constexpr auto kPatience = std::chrono::seconds(30);
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!is_there()) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
  }
  void ask(const std::string& ending) { std::ofstream(file_ + ending) << "now"; }
  bool is_changed_soon() {
    return soon([this] { return run_->refresh(); });
  }
  void expect_all_rows(std::size_t rows) {
    std::string bytes, expected;
    ASSERT_EQ(run_->rows(), rows);
    EXPECT_FALSE(run_->table(0, 0, rows, bytes));
    for (std::size_t i = 0; i < rows; ++i) append_row(expected, BlockId::pose, layout_, invented_time(i));
    EXPECT_EQ(bytes, expected);
  }

  std::unique_ptr<ChildProcess> process_;
  std::unique_ptr<RunData> run_;
};

TEST_F(RunningTest, RowsComeUntilItIsDone) {
  EXPECT_EQ(run_->state(), RunState::running);
  EXPECT_EQ(described(*run_).find("certificate")->kind, JsonValue::Kind::null);
  EXPECT_EQ(described(*run_).find("events")->items.size(), 1U);
  expect_all_rows(kRows);
  EXPECT_FALSE(run_->refresh()) << "nothing new";
  EXPECT_EQ(run_->state(), RunState::running);
  ask(".more");
  ASSERT_TRUE(is_changed_soon());
  EXPECT_EQ(run_->state(), RunState::running);
  expect_all_rows(kRows + kMoreRows);
  EXPECT_EQ(described(*run_).find("events")->items.size(), 2U);
  ask(".close");
  ASSERT_TRUE(is_changed_soon());
  EXPECT_EQ(run_->state(), RunState::done);
  EXPECT_EQ(run_->message(), "");
  EXPECT_EQ(described(*run_).find("certificate")->text_or("verdict", ""), "good");
  expect_all_rows(kRows + kMoreRows);
}

TEST_F(RunningTest, KilledWhileItIsWatched) {
  process_->kill();
  ASSERT_TRUE(soon([this] { return process_->end().has_value(); }));
  ASSERT_TRUE(is_changed_soon());
  EXPECT_EQ(run_->state(), RunState::stopped);
  EXPECT_THAT(run_->message(), HasSubstr("killed"));
  expect_all_rows(kRows);
}

TEST_F(RunningTest, KilledBeforeItIsOpened) {
  process_->kill();
  ASSERT_TRUE(soon([this] { return process_->end().has_value(); }));
  run_.reset();
  // Others who look at the file, and who may not write it, come to the same verdict.
  const auto other = opened(file_);
  std::filesystem::permissions(file_, std::filesystem::perms::owner_read);
  run_ = opened(file_);
  ASSERT_TRUE(run_ && other);
  EXPECT_EQ(other->state(), RunState::stopped);
  EXPECT_EQ(run_->state(), RunState::stopped);
  expect_all_rows(kRows);
}

}  // namespace
}  // namespace gelenk::view::run_data_test
