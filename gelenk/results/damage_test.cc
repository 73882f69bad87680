// Files in which bits were flipped: everything that says something is missed.
#include "gelenk/results/damage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "gelenk/results/reader.h"
#include "gelenk/results/synthetic_machine_test_support.h"

namespace gelenk::results::damage_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t kRows = 300;

class DamagedFile : public testing::Test {
 protected:
  void SetUp() override {
    RunInfo info;
    info.run_id = "0123456789abcdef0123456789abcdef";
    info.options = "{}";
    info.resolved_model = "gelenk: 1 # the text of a model";
    info.expected_rows = kRows;
    std::mt19937 dice(11);
    for (char& byte : picture_) byte = static_cast<char>(dice());
    info.files = {{"lid.glb", picture_}, {"empty.stl", ""}};
    std::string error;
    const auto recorder = Recorder::open(path_, make_layout(small_machine()), info, error);
    ASSERT_NE(recorder, nullptr) << error;
    for (std::size_t i = 0; i < kRows; ++i) {
      fill_invented(recorder->row(invented_time(i)), invented_time(i));
      if (i % 100 == 0) recorder->event({invented_time(i), "mark", "crank", "a switch"});
      ASSERT_TRUE(recorder->commit());
    }
    ASSERT_EQ(recorder->close(RunStatus::stopped, "by hand", R"({"verdict": "good"})"), "");
    std::ifstream file(path_, std::ios::binary);
    whole_.assign(std::istreambuf_iterator<char>(file), {});
  }

  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  // What is said about the file; empty: nothing is wrong.
  std::string damage() const {
    std::string error;
    const std::unique_ptr<Reader> reader = Reader::open(path_, error);
    return reader ? reader->find_damage().text() : error;
  }

  std::string with_flipped_bit(std::size_t place, unsigned bit) const {
    std::string bytes = whole_;
    bytes[place] = static_cast<char>(static_cast<unsigned char>(bytes[place]) ^ (1u << bit));
    return bytes;
  }

  std::size_t place_of(double number) const {
    std::string bytes(sizeof number, '\0');
    std::memcpy(bytes.data(), &number, sizeof number);
    return whole_.find(bytes);
  }

  // Tests run at the same time.
  TemporaryFolder folder_{std::string("damage_") + testing::UnitTest::GetInstance()->current_test_info()->name()};
  std::string path_ = folder_.file("run.h5");
  std::string whole_;
  std::string picture_ = std::string(5000, '\0');
};

TEST_F(DamagedFile, NothingIsFoundInAWholeOne) { EXPECT_EQ(damage(), ""); }

TEST_F(DamagedFile, RowsAreNamed) {
  const std::size_t place = place_of(invented(BlockId::reaction, 3, invented_time(17)));
  ASSERT_NE(place, std::string::npos);
  write(with_flipped_bit(place, 0));
  EXPECT_EQ(damage(), "1 row differs from what was recorded: 17");
}

TEST_F(DamagedFile, TimesCount) {
  write(with_flipped_bit(place_of(invented_time(23)), 0));
  EXPECT_EQ(damage(), "1 row differs from what was recorded: 23");
}

TEST_F(DamagedFile, TextsEventsAndTheStatusCount) {
  write(with_flipped_bit(whole_.find("a switch"), 1));
  EXPECT_EQ(damage(), "event 0 differs from what was recorded");
  write(with_flipped_bit(whole_.find("by hand"), 2));
  EXPECT_EQ(damage(), "the status differs from what was recorded");
  write(with_flipped_bit(whole_.find(R"("good")"), 1));
  EXPECT_EQ(damage(), "the certificate cannot be read");
  write(with_flipped_bit(whole_.find("the text of a model"), 3));
  EXPECT_THAT(damage(), HasSubstr("is damaged: its header cannot be read"));
}

TEST_F(DamagedFile, PicturesCount) {
  // Bytes without any order are stored as they are.
  const std::size_t place = whole_.find(picture_.substr(0, 100));
  ASSERT_NE(place, std::string::npos);
  write(with_flipped_bit(place + 50, 4));
  EXPECT_EQ(damage(), "the copy of 'lid.glb' cannot be read");
}

// Whatever is read back from a file in which nothing was found is as it was recorded.
TEST_F(DamagedFile, NoFlippedBitIsTakenForAResult) {
  std::mt19937 dice(5);
  std::size_t found = 0;
  constexpr int kFlips = 150;
  for (int i = 0; i < kFlips; ++i) {
    const std::size_t place = dice() % whole_.size();
    write(with_flipped_bit(place, dice() % 8));
    std::string error;
    const std::unique_ptr<Reader> reader = Reader::open(path_, error);
    if (!reader || reader->find_damage().is_found()) {
      ++found;
      continue;
    }
    ASSERT_EQ(reader->row_count(), kRows) << place;
    Frame frame;
    for (std::size_t row = 0; row < kRows; ++row) {
      ASSERT_EQ(reader->read_frame(row, frame), "");
      ASSERT_EQ(frame.time, invented_time(row)) << place;
      for (std::size_t b = 1; b < frame.rows.size(); ++b) {
        for (std::size_t c = 0; c < frame.rows[b].size(); ++c) {
          ASSERT_EQ(frame.rows[b][c], invented(small_blocks()[b - 1], c, frame.time)) << place;
        }
      }
    }
    EXPECT_EQ(reader->certificate(), R"({"verdict": "good"})") << place;
    EXPECT_EQ(reader->message(), "by hand") << place;
    ASSERT_THAT(reader->header().files, ElementsAre("lid.glb", "empty.stl")) << place;
    EXPECT_EQ(reader->read_file(0), picture_) << place;
    EXPECT_EQ(reader->read_file(1), "") << place;
  }
  EXPECT_GT(found, kFlips / 2u);  // the rest lies where nothing is
}

TEST_F(DamagedFile, IsNotContinued) {
  write(with_flipped_bit(place_of(invented(BlockId::pose, 2, invented_time(40))), 7));
  std::string error;
  EXPECT_EQ(Recorder::reopen(path_, make_layout(small_machine()), 100, 1, error), nullptr);
  EXPECT_THAT(error, HasSubstr("cannot be continued: 1 row differs from what was recorded: 40"));
  // Rows that are cut off may be what they want.
  EXPECT_NE(Recorder::reopen(path_, make_layout(small_machine()), 40, 1, error), nullptr) << error;
}

TEST(Damage, NamesTheFirstRanges) {
  Damage damage;
  for (const std::size_t row : {1u, 2u, 3u, 7u, 9u, 11u, 13u, 15u, 17u, 19u, 20u, 22u}) damage.add_row(row);
  EXPECT_THAT(damage.sentences(), ElementsAre("12 rows differ from what was recorded: 1 to 3, 7, 9, 11, 13, 15, 17, "
                                              "19 to 20, and more"));
  for (int i = 0; i < 20; ++i) damage.add("'x' cannot be opened");
  EXPECT_EQ(damage.sentences().size(), 10u);
  EXPECT_THAT(damage.text(), StartsWith("12 rows"));
}

}  // namespace
}  // namespace gelenk::results::damage_test
