#include "gelenk/results/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

#include "gelenk/results/choose.h"
#include "gelenk/results/model_files.h"
#include "gelenk/results/synthetic_machine_test_support.h"

// What the leak check of the sanitized build leaves out: on a damaged index of chunks the HDF5 library does not free
// its own description of it. What this project allocates is still checked. Visible: the sanitizer looks for it from a
// library of its own.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer's name
extern "C" [[gnu::visibility("default")]] const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "leak:libhdf5";
}

namespace gelenk::results::reader_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// A file with 50 rows of the small machine.
class OneRun : public testing::Test {
 protected:
  static constexpr std::size_t kRows = 50;

  OneRun() : folder_(testing::UnitTest::GetInstance()->current_test_info()->name()) {
    RunInfo info;
    info.expected_rows = kRows;
    EXPECT_EQ(record_invented(file(), make_layout(small_machine()), kRows, info), "");
  }
  std::string file() const { return folder_.file("run.h5"); }
  std::unique_ptr<Reader> open() const {
    std::string error;
    return Reader::open(file(), error);
  }

  TemporaryFolder folder_;
};

std::vector<std::string> names_of(const std::vector<ChannelSource>& channels) {
  std::vector<std::string> names;
  for (const ChannelSource& channel : channels) names.push_back(channel.name);
  return names;
}

TEST_F(OneRun, ChannelsAreColumns) {
  const auto reader = open();
  std::vector<double> values;
  ASSERT_EQ(reader->read_channel(*reader->find("slider.velocity.z"), values), "");
  ASSERT_EQ(values.size(), kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    EXPECT_EQ(values[i], invented(BlockId::twist, 2 * 6 + 2, invented_time(i)));
  }
}

TEST_F(OneRun, MagnitudesAreDerived) {
  const auto reader = open();
  const std::optional<ChannelSource> channel = reader->find("ball.reaction.moment.magnitude");
  ASSERT_TRUE(channel);
  EXPECT_EQ(channel->unit, "N*m");
  std::vector<double> values;
  ASSERT_EQ(reader->read_channel(*channel, values), "");
  for (std::size_t i = 0; i < kRows; ++i) {
    double sum = 0.0;
    for (std::size_t c = 9; c < 12; ++c) sum += std::pow(invented(BlockId::reaction, c, invented_time(i)), 2);
    EXPECT_NEAR(values[i], std::sqrt(sum), 1e-12) << "three roundings of numbers of size 10";
  }
  EXPECT_FALSE(reader->find("crank.orientation.magnitude")) << "a quaternion is no vector";
  EXPECT_FALSE(reader->find("bearing.angle.magnitude"));
}

TEST_F(OneRun, ChoosesByNameVectorElementAndPattern) {
  const auto reader = open();
  const auto chosen = [&](std::vector<std::string> names) {
    return names_of(choose_channels(*reader, names).channels);
  };
  EXPECT_THAT(chosen({"bearing.angle"}), ElementsAre("bearing.angle"));
  EXPECT_THAT(chosen({"crank.velocity"}), ElementsAre("crank.velocity.x", "crank.velocity.y", "crank.velocity.z"));
  EXPECT_THAT(chosen({"motor"}), ElementsAre("motor.torque", "motor.power"));
  EXPECT_THAT(chosen({"*.power", "motor.power"}), ElementsAre("motor.power", "piston.power", "servo.power"));
  EXPECT_THAT(chosen({"*.force.magnitude"}),
              ElementsAre("bearing.reaction.force.magnitude", "ball.reaction.force.magnitude",
                          "rail.reaction.force.magnitude", "weld.reaction.force.magnitude", "mount.force.magnitude"));
  EXPECT_EQ(all_channels(*reader).size(), make_layout(small_machine()).row_width());
  EXPECT_THAT(names_of(output_channels(*reader)), ElementsAre("stroke"));
}

TEST_F(OneRun, MistypedNamesGetSuggestions) {
  const auto reader = open();
  const Choice choice = choose_channels(*reader, std::vector<std::string>{"crnk.position.x"});
  EXPECT_THAT(choice.error, HasSubstr("'crnk.position.x'"));
  EXPECT_EQ(choice.hint, "did you mean 'crank.position.x'?");
  EXPECT_THAT(choose_channels(*reader, std::vector<std::string>{"*.nothing"}).error, HasSubstr("no channel matches"));
  EXPECT_NE(choose_channels(*reader, std::vector<std::string>{""}).error, "");
}

TEST_F(OneRun, DisplayUnitsConvert) {
  const auto reader = open();
  const ShownUnit length = display_unit(*reader, *reader->find("crank.position.x"));
  EXPECT_EQ(length.symbol, "mm");
  EXPECT_DOUBLE_EQ(length.shown(0.25), 250.0);
  EXPECT_EQ(display_unit(*reader, *reader->find("bearing.angle")).symbol, "deg");
  EXPECT_EQ(display_unit(*reader, *reader->find("rail.speed")).symbol, "m/s");
  EXPECT_EQ(si_unit(*reader->find("bearing.angle")).symbol, "rad");
}

TEST_F(OneRun, RowsBehindTheEndAreRefused) {
  const auto reader = open();
  Frame frame;
  EXPECT_NE(reader->read_frame(kRows, frame), "");
  std::vector<double> two(2);
  EXPECT_NE(reader->read_rows(0, kRows - 1, 2, two), "");
  EXPECT_NE(reader->read_rows(99, 0, 1, two), "");
}

TEST_F(OneRun, ForeignFilesAreNamed) {
  std::string error;
  EXPECT_EQ(Reader::open(folder_.file("missing.h5"), error), nullptr);
  EXPECT_THAT(error, HasSubstr("there is no file"));
  EXPECT_EQ(Reader::open(folder_.path().string(), error), nullptr);
  EXPECT_THAT(error, HasSubstr("not an ordinary file"));
  write_bytes(folder_.file("text.h5"), "gelenk: 1\n");
  EXPECT_EQ(Reader::open(folder_.file("text.h5"), error), nullptr);
  EXPECT_THAT(error, HasSubstr("not an HDF5 file"));
  write_bytes(folder_.file("empty.h5"), "");
  EXPECT_EQ(Reader::open(folder_.file("empty.h5"), error), nullptr);
  EXPECT_THAT(error, HasSubstr("not an HDF5 file"));
}

// Reads all that there is; the file may be refused at any point. True when all of it was accepted.
bool read_everything(const std::string& path) {
  std::string error;
  const std::unique_ptr<Reader> reader = Reader::open(path, error);
  if (!reader) {
    EXPECT_NE(error, "");
    return false;
  }
  Frame frame;
  std::vector<Event> events;
  bool is_good = reader->read_events(events).empty();
  for (std::size_t i = 0; i < reader->row_count(); i += 7) is_good = reader->read_frame(i, frame).empty() && is_good;
  std::vector<double> values;
  for (const ChannelSource& channel : all_channels(*reader)) {
    is_good = reader->read_channel(channel, values).empty() && is_good;
  }
  return is_good;
}

TEST_F(OneRun, TruncatedFilesAreRefused) {
  const std::string whole = bytes_of(file());
  ASSERT_TRUE(read_everything(file()));
  constexpr std::size_t kStep = 4096;
  for (std::size_t size = 0; size < whole.size(); size += kStep) {
    write_bytes(folder_.file("cut.h5"), whole.substr(0, size));
    EXPECT_FALSE(read_everything(folder_.file("cut.h5"))) << size;
  }
}

TEST_F(OneRun, RandomDamageNeverCrashes) {
  const std::string whole = bytes_of(file());
  std::mt19937 random(3);
  std::uniform_int_distribution<std::size_t> anywhere(0, whole.size() - 1);
  std::uniform_int_distribution<int> any_byte(0, 255);
  int refused = 0;
  constexpr int kTries = 300;
  for (int i = 0; i < kTries; ++i) {
    std::string damaged = whole;
    // Few bytes hit one structure, many bytes hit all of them.
    const int count = 1 << (i % 12);
    for (int k = 0; k < count; ++k) damaged[anywhere(random)] = static_cast<char>(any_byte(random));
    write_bytes(folder_.file("damaged.h5"), damaged);
    refused += read_everything(folder_.file("damaged.h5")) ? 0 : 1;
  }
  EXPECT_GT(refused, kTries / 4) << "much of the file is structure with checksums";
}

// What a writer of ours keeps to, a reader counts on: the sizes are summed before anything is unpacked.
TEST(Reader, LeavesOutModelFilesBeyondTheLimit) {
  const TemporaryFolder folder("model_files");
  RunInfo info;
  info.files = {{"small.stl", "solid"}, {"large.stl", std::string(kMostModelFileBytes, 'x')}, {"last.stl", "solid"}};
  ASSERT_EQ(record_invented(folder.file("run.h5"), make_layout(small_machine()), 2, info), "");
  std::string error;
  const std::unique_ptr<Reader> reader = Reader::open(folder.file("run.h5"), error);
  ASSERT_NE(reader, nullptr) << error;
  EXPECT_THAT(reader->header().files, ElementsAre("small.stl"));
  EXPECT_EQ(reader->read_file(0), "solid");
  EXPECT_THAT(reader->find_damage().text(), HasSubstr("more than 64 MB together"));
}

}  // namespace
}  // namespace gelenk::results::reader_test
