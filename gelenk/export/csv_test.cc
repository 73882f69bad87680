#include "gelenk/export/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "gelenk/base/text.h"
#include "gelenk/results/synthetic_machine_test_support.h"

namespace gelenk::exporting::csv_test {
namespace {

using testing::StartsWith;

class Csv : public testing::Test {
 protected:
  static constexpr std::size_t kRows = 700;

  Csv() : folder_(testing::UnitTest::GetInstance()->current_test_info()->name()) {
    EXPECT_EQ(results::record_invented(folder_.file("run.h5"), results::make_layout(results::small_machine()), kRows),
              "");
    std::string error;
    reader_ = results::Reader::open(folder_.file("run.h5"), error);
    EXPECT_EQ(error, "");
  }

  std::string table(const std::vector<std::string>& names, const CsvOptions& options = {}) const {
    std::string text;
    const results::Choice choice = results::choose_channels(*reader_, names);
    EXPECT_EQ(choice.error, "");
    EXPECT_EQ(write_csv(*reader_, choice.channels, options,
                        [&](std::string_view piece) {
                          text += piece;
                          return true;
                        }),
              "");
    return text;
  }

  results::TemporaryFolder folder_;
  std::unique_ptr<results::Reader> reader_;
};

TEST_F(Csv, NumbersReadBackToTheSameBits) {
  const std::string text = table({"slider.position.y", "energy.kinetic", "mount.force.magnitude"});
  const std::vector<std::string> lines = split(text, '\n');
  EXPECT_EQ(lines[0], "time [s],slider.position.y [m],energy.kinetic [J],mount.force.magnitude [N]");
  ASSERT_EQ(lines.size(), kRows + 2) << "head, rows, and nothing behind the last line end";
  for (std::size_t i = 0; i < kRows; ++i) {
    const std::vector<std::string> cells = split(lines[i + 1], ',');
    ASSERT_EQ(cells.size(), 4U);
    const double time = results::invented_time(i);
    using results::BlockId, results::invented;
    ASSERT_EQ(parse_number(cells[0]), time);
    ASSERT_EQ(parse_number(cells[1]), invented(BlockId::pose, 2 * 7 + 1, time));
    ASSERT_EQ(parse_number(cells[2]), invented(BlockId::energy, 0, time));
    ASSERT_EQ(parse_number(cells[3]), std::hypot(invented(BlockId::force, 3, time), invented(BlockId::force, 4, time),
                                                 invented(BlockId::force, 5, time)));
  }
}

TEST_F(Csv, DisplayUnits) {
  const std::vector<std::string> lines = split(table({"crank.position.x"}, {.display_units = true}), '\n');
  EXPECT_EQ(lines[0], "time [s],crank.position.x [mm]");
  const double millimeters = *parse_number(split(lines[1], ',')[1]);
  EXPECT_DOUBLE_EQ(millimeters, 1000.0 * results::invented(results::BlockId::pose, 0, 0.0));
}

TEST_F(Csv, TimeIsWrittenOnce) { EXPECT_THAT(table({"time", "stroke"}), StartsWith("time [s],stroke [m]\n0,")); }

TEST_F(Csv, AStoppedSinkStops) {
  int pieces = 0;
  const std::string error = write_csv(*reader_, results::all_channels(*reader_), {}, [&](std::string_view) {
    ++pieces;
    return false;
  });
  EXPECT_EQ(error, "");
  EXPECT_EQ(pieces, 1);
}

}  // namespace
}  // namespace gelenk::exporting::csv_test
