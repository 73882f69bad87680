#include "gelenk/view/viewer_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "gelenk/base/deflate.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/base/signing.h"
#include "gelenk/export/recorded_run_test_support.h"
#include "gelenk/view/numbers_test_support.h"

namespace gelenk::view::viewer_data_test {
namespace {

using results::BlockId;
using testing::HasSubstr;

constexpr const char* kBefore = "<!doctype html><p>page</p>\n<script id=\"gk-data\" type=\"application/octet-stream\">";
constexpr const char* kBehind = "</script>\n<script>start()</script>\n";
constexpr const char* kNasty = "</script><script>alert(1)</script><!-- \" \\ \n \xC3\xA4";
constexpr std::size_t kAlignment = 8;

JsonValue json_of(const std::string& text) {
  std::string error;
  const std::optional<JsonValue> value = read_json(text, error);
  EXPECT_TRUE(value) << error;
  return value.value_or(JsonValue{});
}

// A page with two runs of different length; an odd number of floats in some tables.
class ViewerDataTest : public testing::Test {
 protected:
  ViewerDataTest() {
    data_.scene = R"({"format": 1, "name": "scene"})";
    data_.messages.push_back({.severity = "error",
                              .text = kNasty,
                              .code = "GK1",
                              .hint = "</SCRIPT >",
                              .element = "crank",
                              .file = "a.yaml",
                              .line = 3,
                              .kind = "part"});
    data_.messages.push_back({.severity = "note", .text = "short", .code = {}, .hint = {}, .element = {}, .file = {}});
    add_run("a.h5", times_[0]);
    add_run("b.h5", times_[1]);
  }

  void add_run(const std::string& name, const std::vector<double>& times) {
    auto reader = exporting::recorded(folder_.file(name), times, results::fill_invented);
    ASSERT_TRUE(reader);
    data_.runs.push_back(std::make_unique<RunData>(std::move(reader)));
  }

  Answer get(const std::string& text) const {
    const std::optional<HttpTarget> target = parse_target(text);
    EXPECT_TRUE(target) << text;
    return target ? answer(data_, *target) : Answer{};
  }

  // The bytes that the page unpacks.
  static std::string unpacked(const std::string& file) {
    EXPECT_TRUE(file.starts_with(kBefore));
    EXPECT_TRUE(file.ends_with(kBehind));
    const std::size_t begin = std::strlen(kBefore);
    const std::string letters = file.substr(begin, file.find('<', begin) - begin);
    EXPECT_EQ(begin + letters.size() + std::strlen(kBehind), file.size()) << "no tag among the letters";
    const std::optional<std::string> packed = from_base64(letters);
    EXPECT_TRUE(packed);
    constexpr std::size_t kMost = 100'000'000;
    const std::optional<std::string> bytes = packed ? inflate_bytes(*packed, kMost) : std::nullopt;
    EXPECT_TRUE(bytes);
    return bytes.value_or(std::string());
  }

  std::string table(BlockId block, const std::vector<double>& times) const {
    std::string bytes;
    for (const double time : times) append_row(bytes, block, layout_, time);
    return bytes;
  }
  static std::string doubles(const std::vector<double>& times) {
    std::string bytes;
    for (const double time : times) append_number(bytes, time);
    return bytes;
  }

  // Tests run beside each other.
  const results::TemporaryFolder folder_{std::string("viewer_data_") +
                                         testing::UnitTest::GetInstance()->current_test_info()->name()};
  const results::Layout layout_ = results::make_layout(results::small_machine());
  const std::vector<double> times_[2] = {{0.0, 0.1, 0.25}, {1.0, 2.0, 3.0, 4.0, 5.0}};
  ViewerData data_;
};

TEST_F(ViewerDataTest, OneFileHoldsEverything) {
  std::string file;
  ASSERT_EQ(write_page(std::string(kBefore) + kBehind, data_, file), "");
  const std::string bytes = unpacked(file);
  std::uint32_t length = 0;
  ASSERT_GT(bytes.size(), sizeof length);
  std::memcpy(&length, bytes.data(), sizeof length);
  ASSERT_LE(sizeof length + length, bytes.size());
  const JsonValue head = json_of(bytes.substr(sizeof length, length));
  const std::size_t rest = (sizeof length + length + kAlignment - 1) / kAlignment * kAlignment;
  for (std::size_t i = sizeof length + length; i < rest; ++i) EXPECT_EQ(bytes[i], '\0');
  EXPECT_EQ(head.find("scene")->text_or("name", ""), "scene");
  EXPECT_EQ(head.find("diagnostics")->items.front().text_or("text", ""), kNasty);
  const std::vector<JsonValue>& runs = head.find("runs")->items;
  ASSERT_EQ(runs.size(), 2U);
  std::size_t end = 0;  // of what was looked at
  const auto expect_at = [&](const JsonValue& place, const char* name, const std::string& numbers) {
    const auto offset = static_cast<std::size_t>(place.number_or(name, -1));
    EXPECT_EQ(offset % kAlignment, 0U);
    EXPECT_GE(offset, end);
    ASSERT_LE(rest + offset + numbers.size(), bytes.size());
    EXPECT_EQ(bytes.substr(rest + offset, numbers.size()), numbers) << place.text_or("name", name);
    end = offset + numbers.size();
  };
  for (std::size_t run = 0; run < runs.size(); ++run) {
    EXPECT_EQ(runs[run].number_or("rows", 0), static_cast<double>(times_[run].size()));
    expect_at(runs[run], "timesOffset", doubles(times_[run]));
    const std::vector<JsonValue>& blocks = runs[run].find("blocks")->items;
    ASSERT_EQ(blocks.size(), layout_.blocks.size());
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      const BlockId id = layout_.blocks[block].id;
      EXPECT_EQ(blocks[block].text_or("name", ""), id.name());
      EXPECT_EQ(blocks[block].number_or("width", 0), static_cast<double>(layout_.block(id).width));
      expect_at(blocks[block], "offset", table(id, times_[run]));
    }
  }
  EXPECT_LT(bytes.size() - rest - end, kAlignment) << "nothing behind it";
  std::size_t row_bytes = sizeof(double);
  for (const BlockId id : layout_.ids()) row_bytes += layout_.block(id).width * sizeof(float);
  EXPECT_EQ(number_bytes(data_), row_bytes * (times_[0].size() + times_[1].size()));
}

// Enough numbers for several pieces of a megabyte, and of a kind that does not become small.
TEST_F(ViewerDataTest, LongRunsArePackedInPieces) {
  constexpr std::size_t kRows = 20'000;
  std::vector<double> times;
  for (std::size_t i = 0; i < kRows; ++i) times.push_back(static_cast<double>(i) * 0.37);
  data_.runs.clear();
  add_run("long.h5", times);
  std::string file;
  ASSERT_EQ(write_page(std::string(kBefore) + kBehind, data_, file), "");
  const std::string bytes = unpacked(file);
  EXPECT_GT(file.size(), std::size_t{3} << 20);
  EXPECT_THAT(bytes.find(doubles(times)), testing::Ne(std::string::npos));
  EXPECT_THAT(bytes.find(table(BlockId::energy, times)), testing::Ne(std::string::npos));
}

TEST_F(ViewerDataTest, PagesWithoutAPlaceAreRefused) {
  std::string file;
  EXPECT_EQ(write_page("<!doctype html><script id=\"other\"></script>", data_, file), "the page has no place for data");
}

TEST_F(ViewerDataTest, AModelAloneHasNoNumbers) {
  data_.runs.clear();
  std::string file;
  ASSERT_EQ(write_page(std::string(kBefore) + kBehind, data_, file), "");
  EXPECT_EQ(unpacked(file).size() % kAlignment, 0U);
  EXPECT_EQ(number_bytes(data_), 0U);
  EXPECT_EQ(get("/api/runs").body, "[]\n");
  EXPECT_EQ(get("/api/times?run=0").status, 404U);
}

TEST_F(ViewerDataTest, AnswersInJson) {
  EXPECT_EQ(get("/api/scene").body, data_.scene);
  EXPECT_EQ(get("/api/scene").type, "application/json");
  const JsonValue runs = json_of(get("/api/runs").body);
  ASSERT_EQ(runs.items.size(), 2U);
  EXPECT_EQ(runs.items[1].text_or("file", ""), "b.h5");
  EXPECT_EQ(runs.items[1].find("timesOffset"), nullptr);
  const JsonValue messages = json_of(get("/api/diagnostics").body);
  ASSERT_EQ(messages.items.size(), 2U);
  EXPECT_EQ(messages.items[0].text_or("text", ""), kNasty);
  EXPECT_EQ(messages.items[0].text_or("element", ""), "crank");
  EXPECT_EQ(messages.items[0].text_or("kind", ""), "part");
  EXPECT_EQ(messages.items[0].number_or("line", 0), 3);
  EXPECT_EQ(messages.items[1].members.size(), 2U) << "what is empty is left out";
}

TEST_F(ViewerDataTest, AnswersInNumbers) {
  const Answer times = get("/api/times?run=1&first=2");
  EXPECT_EQ(times.status, 200U);
  EXPECT_EQ(times.type, "application/octet-stream");
  EXPECT_EQ(times.body, doubles({3.0, 4.0, 5.0}));
  EXPECT_EQ(get("/api/rows?run=0&block=1&first=1&count=2").body, table(BlockId::twist, {0.1, 0.25}));
  EXPECT_EQ(get("/api/channel?run=0&name=stroke&first=1").body,
            doubles({results::invented(BlockId::output, 0, 0.1), results::invented(BlockId::output, 0, 0.25)}));
}

TEST_F(ViewerDataTest, AnswersToMistakes) {
  for (const char* text : {"/api/times", "/api/times?run=x", "/api/times?run=0&first=-1", "/api/rows?run=0&block=0",
                           "/api/rows?run=0&count=1", "/api/rows?run=0&block=0&count=1.5", "/api/channel?run=0"}) {
    EXPECT_EQ(get(text).status, 400U) << text;
  }
  for (const char* text : {"/api/times?run=2", "/api/rows?run=0&block=11&count=1", "/api/channel?run=0&name=x",
                           "/api/other", "/api/live", "/", "/api/scene/"}) {
    EXPECT_EQ(get(text).status, 404U) << text;
  }
  for (const char* text : {"/api/times?run=0&first=4", "/api/rows?run=0&block=0&first=3&count=1",
                           "/api/rows?run=0&block=0&first=0&count=4", "/api/channel?run=0&name=stroke&first=9"}) {
    EXPECT_EQ(get(text).status, 416U) << text;
    EXPECT_THAT(json_of(get(text).body).text_or("error", ""), HasSubstr("no such rows")) << text;
  }
  EXPECT_THAT(json_of(get("/api/channel?run=0&name=%22%3C").body).text_or("error", ""), HasSubstr("'\"<'"));
}

}  // namespace
}  // namespace gelenk::view::viewer_data_test
