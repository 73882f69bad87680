#include "gelenk/results/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "gelenk/base/bytes.h"
#include "gelenk/base/hash.h"
#include "gelenk/base/platform.h"
#include "gelenk/results/synthetic_machine_test_support.h"

namespace gelenk::results::checkpoint_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const std::string kRunId = "0123456789abcdef0123456789abcdef";
constexpr std::uint64_t kManyRows = 1'000'000;

Checkpoint checkpoint_at(double time) {
  return {kRunId, time, static_cast<std::uint64_t>(100.0 * time), 7, "payload of " + std::to_string(time)};
}

std::string content(const std::string& file) { return *read_file(file, kMostCheckpointBytes).text; }
void overwrite(const std::string& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

class Checkpoints : public testing::Test {
 protected:
  Checkpoints() : folder_(testing::UnitTest::GetInstance()->current_test_info()->name()) {}

  FoundCheckpoint found(std::uint64_t rows = kManyRows) const { return newest_checkpoint(run_, kRunId, rows); }
  double time_found() const {
    const FoundCheckpoint result = found();
    return result.checkpoint ? result.checkpoint->time : std::numeric_limits<double>::quiet_NaN();
  }

  TemporaryFolder folder_;
  std::string run_ = folder_.file("crank.h5");
  std::string first_ = folder_.file("crank.checkpoint-1");
  std::string second_ = folder_.file("crank.checkpoint-2");
};

TEST_F(Checkpoints, WhatIsWrittenIsFound) {
  EXPECT_FALSE(found().checkpoint);
  EXPECT_THAT(found().notes, IsEmpty());
  Checkpoint written{kRunId, 0.1 + 0.2, 42, 3, std::string("\0\xff bytes\n", 9)};
  ASSERT_EQ(write_checkpoint(run_, written), "");
  const FoundCheckpoint result = found(42);
  ASSERT_TRUE(result.checkpoint);
  EXPECT_EQ(result.checkpoint->run_id, written.run_id);
  EXPECT_EQ(result.checkpoint->time, written.time);
  EXPECT_EQ(result.checkpoint->row_count, written.row_count);
  EXPECT_EQ(result.checkpoint->event_count, written.event_count);
  EXPECT_EQ(result.checkpoint->payload, written.payload);
  EXPECT_EQ(result.file, first_);
  EXPECT_THAT(result.notes, IsEmpty());
}

TEST_F(Checkpoints, TwoFilesInTurn) {
  for (int i = 1; i <= 7; ++i) {
    const std::string before = i > 1 ? content(i % 2 == 0 ? first_ : second_) : "";
    ASSERT_EQ(write_checkpoint(run_, checkpoint_at(i)), "");
    EXPECT_EQ(time_found(), i);
    if (i == 1) continue;
    EXPECT_EQ(content(i % 2 == 0 ? first_ : second_), before) << "the one before is kept";
  }
  EXPECT_THAT(checkpoint_files(run_), ElementsAre(first_, second_));
  remove_checkpoints(run_);
  EXPECT_THAT(checkpoint_files(run_), IsEmpty());
}

TEST_F(Checkpoints, EveryFlippedBitIsDetectedAndTheOneBeforeIsUsed) {
  ASSERT_EQ(write_checkpoint(run_, checkpoint_at(1.0)), "");
  ASSERT_EQ(write_checkpoint(run_, checkpoint_at(2.0)), "");
  const std::string whole = content(second_);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const unsigned mask : {0x01u, 0x80u, 0xffu}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(static_cast<unsigned char>(bytes[i]) ^ mask);
      overwrite(second_, bytes);
      const FoundCheckpoint result = found();
      ASSERT_TRUE(result.checkpoint) << i;
      ASSERT_EQ(result.checkpoint->time, 1.0) << i;
      ASSERT_EQ(result.notes.size(), 1U) << i;
      ASSERT_THAT(result.notes[0], StartsWith("crank.checkpoint-2 is damaged (")) << i;
      ASSERT_THAT(result.notes[0], HasSubstr("): the other one is used")) << i;
    }
  }
}

TEST_F(Checkpoints, EveryLengthButTheRightOneIsDetected) {
  ASSERT_EQ(write_checkpoint(run_, checkpoint_at(1.0)), "");
  const std::string whole = content(first_);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    overwrite(first_, whole.substr(0, size));
    ASSERT_FALSE(found().checkpoint) << size;
    ASSERT_EQ(found().notes.size(), 1U) << size;
  }
  overwrite(first_, whole + '\0');
  EXPECT_FALSE(found().checkpoint);
  overwrite(first_, whole);
  EXPECT_TRUE(found().checkpoint);
}

// Lengths that no memory holds, with a right checksum: a faulty writer, not a faulty disk.
TEST_F(Checkpoints, AbsurdLengthsAndVersionsAreRefused) {
  ASSERT_EQ(write_checkpoint(run_, checkpoint_at(1.0)), "");
  const std::string whole = content(first_);
  const std::string mark = whole.substr(0, whole.find('\n', whole.find('\x1a')) + 1);
  const auto put = [&](std::uint32_t version, std::uint64_t length) {
    ByteWriter body;
    body.put(version);
    body.put(length);
    const std::string bytes = mark + body.bytes() + std::string(100, 'x');
    Sha256 hash;
    hash.add(bytes);
    overwrite(first_, bytes + hash.digest());
  };
  for (const std::uint64_t length : {std::uint64_t{101}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    put(4, length);
    EXPECT_THAT(found().notes, ElementsAre("crank.checkpoint-1 is damaged (its content makes no sense)"));
  }
  put(99, 32);
  EXPECT_THAT(found().notes, ElementsAre(HasSubstr("a different version of the program (format 99)")));
}

TEST_F(Checkpoints, FoldersAndForeignFilesAreNotes) {
  std::filesystem::create_directory(first_);
  overwrite(second_, "something that somebody put here, longer than the mark of a checkpoint and its checksum");
  const FoundCheckpoint result = found();
  EXPECT_FALSE(result.checkpoint);
  EXPECT_THAT(result.notes, ElementsAre("crank.checkpoint-1 cannot be read (it is a folder)",
                                        HasSubstr("it does not begin like a checkpoint")));
  EXPECT_THAT(checkpoint_files(run_), ElementsAre(second_));
  EXPECT_THAT(write_checkpoint(run_, checkpoint_at(1.0)), HasSubstr("Is a directory"));
}

TEST_F(Checkpoints, OtherRunsAndRowsThatAreNotThere) {
  Checkpoint foreign = checkpoint_at(9.0);
  foreign.run_id = "another";
  ASSERT_EQ(write_checkpoint(run_, foreign), "");
  EXPECT_THAT(found().notes, ElementsAre("crank.checkpoint-1 belongs to another run"));
  ASSERT_EQ(write_checkpoint(run_, checkpoint_at(1.0)), "");
  EXPECT_EQ(content(first_).find("another"), std::string::npos) << "what is useless is overwritten first";
  ASSERT_EQ(write_checkpoint(run_, checkpoint_at(2.0)), "");
  const FoundCheckpoint result = found(199);
  ASSERT_TRUE(result.checkpoint);
  EXPECT_EQ(result.checkpoint->time, 1.0);
  EXPECT_THAT(result.notes,
              ElementsAre("crank.checkpoint-2 needs 200 rows, but the run has 199: the other one is used"));
  EXPECT_EQ(found(200).checkpoint->time, 2.0);
}

// A run that goes back behind a checkpoint computes those rows anew.
TEST_F(Checkpoints, OnesBeyondARunThatWentBackGiveWay) {
  ASSERT_EQ(write_checkpoint(run_, checkpoint_at(1.0)), "");
  ASSERT_EQ(write_checkpoint(run_, checkpoint_at(2.0)), "");
  remove_checkpoints_beyond(run_, 100);
  EXPECT_THAT(checkpoint_files(run_), ElementsAre(first_));
  ASSERT_EQ(write_checkpoint(run_, checkpoint_at(3.0)), "");
  ASSERT_EQ(write_checkpoint(run_, checkpoint_at(1.5)), "");
  EXPECT_THAT(content(second_), HasSubstr("payload of 1.5")) << "not the one at 1 s, which lies before";
}

TEST_F(Checkpoints, UnwritablePlacesAreSentences) {
  const std::string problem = write_checkpoint(folder_.file("no/such/run.h5"), checkpoint_at(0.25));
  EXPECT_THAT(problem, StartsWith("the checkpoint at 0.25 s was not written: "));
  EXPECT_THAT(problem, HasSubstr("there is no folder"));
}

TEST_F(Checkpoints, NamesOfFilesWithoutTheUsualEnding) {
  ASSERT_EQ(write_checkpoint(folder_.file("run.2"), checkpoint_at(1.0)), "");
  EXPECT_THAT(checkpoint_files(folder_.file("run.2")), ElementsAre(folder_.file("run.2.checkpoint-1")));
}

}  // namespace
}  // namespace gelenk::results::checkpoint_test
