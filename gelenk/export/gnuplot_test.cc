#include "gelenk/export/gnuplot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "gelenk/base/process.h"
#include "gelenk/results/synthetic_machine_test_support.h"

namespace gelenk::exporting::gnuplot_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::vector<Curve> three_curves() {
  std::vector<Curve> curves{{"it's_a.name", "mm", {}, {}}, {"b", "N", {}, {}}, {"c", "mm", {}, {}}};
  for (Curve& curve : curves) {
    for (int i = 0; i < 50; ++i) {
      curve.times.push_back(0.1 * i);
      curve.values.push_back(std::sin(0.1 * i));
    }
  }
  return curves;
}

TEST(GnuplotScript, OnePanelForEachUnit) {
  const std::string script = gnuplot_script(three_curves(), {PictureFormat::svg, "o'ut.svg", "title", "s"});
  EXPECT_THAT(script, HasSubstr("set multiplot layout 2,1"));
  EXPECT_THAT(script, HasSubstr("set output 'o''ut.svg'"));
  EXPECT_THAT(script, HasSubstr("title 'it''s_a.name'"));
}

class Picture : public testing::TestWithParam<std::pair<PictureFormat, const char*>> {};

TEST_P(Picture, IsDrawn) {
  constexpr double kPlenty = 60.0;  // s
  ASSERT_TRUE(run_program({"gnuplot", "--version"}, "", kPlenty).is_started) << "./dev setup installs gnuplot";
  const auto [format, beginning] = GetParam();
  const results::TemporaryFolder folder("picture_" + std::to_string(static_cast<int>(format)));
  const std::string file = folder.file("it's |a `name`");
  std::string hint;
  ASSERT_EQ(draw_picture(three_curves(), {format, file, "it's", "s"}, hint), "");
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  EXPECT_THAT(bytes, StartsWith(beginning));
  constexpr std::size_t kEmptyPicture = 2000;  // bytes
  EXPECT_GT(bytes.size(), kEmptyPicture);
}

INSTANTIATE_TEST_SUITE_P(Formats, Picture,
                         testing::Values(std::pair{PictureFormat::png, "\x89PNG"},
                                         std::pair{PictureFormat::svg, "<?xml"},
                                         std::pair{PictureFormat::pdf, "%PDF"}));

TEST(DrawPicture, AFolderThatIsNotThereIsAnError) {
  std::string hint;
  EXPECT_NE(draw_picture(three_curves(), {PictureFormat::png, "/no/such/folder/a.png", "t", "s"}, hint), "");
}

}  // namespace
}  // namespace gelenk::exporting::gnuplot_test
