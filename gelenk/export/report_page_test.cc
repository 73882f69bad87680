#include "gelenk/export/report_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gelenk/export/recorded_run_test_support.h"
#include "gelenk/export/report_html.h"
#include "gelenk/export/report_markdown.h"

namespace gelenk::exporting::report_page_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(DirectionWords, SayWhereALoadPoints) {
  EXPECT_EQ(direction_words({1.0, 0.0, 0.0}), "along +x");
  EXPECT_EQ(direction_words({0.1, -0.95, 0.29}), "mainly -y");
  EXPECT_EQ(direction_words({0.7, 0.1, -0.71}), "between -z and +x");
  EXPECT_EQ(direction_words({0.58, 0.58, 0.58}), "oblique");
}

// A machine that shows one of everything; names as bad as they come.
RunDigest bad_names() {
  RunDigest digest;
  digest.file = "folder/a<b>.h5";
  digest.model_name = "<script>alert(1)</script>";
  digest.status = results::RunStatus::done;
  digest.row_count = 2;
  digest.end_time = 1.0;
  PartMotion& part = digest.parts.emplace_back();
  part.path = "a|b&<i>";
  part.is_moving = true;
  part.distance.count = 2;
  part.distance.max = {0.05, 0.5};
  part.speed.count = 2;
  ChannelDigest output{"_x_ \"y\"", "m", Quantity::length, {}};
  output.summary.count = 1;
  output.summary.gaps = 1;
  output.summary.max = output.summary.peak = {0.25, 0.5};
  digest.outputs.push_back(output);
  digest.outputs.push_back({"never", "m", Quantity::length, {}});
  digest.charts.push_back({{"<b>", "m", {0.0, 1.0}, {0.0, 0.25}}, Quantity::length});
  return digest;
}

class Report : public testing::Test {
 protected:
  Report() : folder_(std::string("report_") + testing::UnitTest::GetInstance()->current_test_info()->name()) {
    // Its display units are mm and deg.
    reader_ = recorded(folder_.file("run.h5"), {0.0, 1.0}, [](const results::Row&, double) {});
  }

  ReportPage page(const RunDigest& digest, bool si_units = false) const {
    return make_report_page(digest, *reader_, si_units);
  }

  results::TemporaryFolder folder_;
  std::unique_ptr<results::Reader> reader_;
};

TEST_F(Report, NamesMeanNothingButThemselves) {
  const std::string html = report_html(page(bad_names()));
  EXPECT_THAT(html, testing::StartsWith(std::string(kHtmlReportMark)));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(1)"));
  EXPECT_THAT(html, HasSubstr("a|b&amp;&lt;i&gt;"));
  EXPECT_THAT(html, Not(HasSubstr("<i>")));
  const std::string markdown = report_markdown(page(bad_names()));
  EXPECT_THAT(markdown, testing::StartsWith(std::string(kMarkdownReportMark)));
  EXPECT_THAT(markdown, HasSubstr("a\\|b&amp;&lt;i&gt;"));
  EXPECT_THAT(markdown, Not(HasSubstr("<script")));
  EXPECT_THAT(markdown, HasSubstr("gelenk plot 'a<b>.h5' --svg plot.svg"));
}

TEST_F(Report, UnitsAreThoseOfTheModelOrSi) {
  EXPECT_THAT(report_markdown(page(bad_names())), HasSubstr("250 mm"));
  EXPECT_THAT(report_markdown(page(bad_names(), true)), HasSubstr("0.25 m"));
  EXPECT_THAT(report_html(page(bad_names())), HasSubstr(">200</text>")) << "a tick of the chart";
}

TEST_F(Report, GapsAreSaidAndNeverPrinted) {
  const std::string html = report_html(page(bad_names()));
  EXPECT_THAT(html, HasSubstr("1 value of &#39;_x_ &quot;y&quot;&#39; is not a number."));
  EXPECT_THAT(html, HasSubstr("&#39;never&#39; has no numbers."));
  EXPECT_THAT(html, Not(HasSubstr(">nan")));
}

TEST_F(Report, TheVerdictHasItsColorAndReasons) {
  RunDigest digest = bad_names();
  EXPECT_EQ(page(digest).tone, Tone::unknown);
  EXPECT_THAT(report_html(page(digest)), HasSubstr("has no certificate"));
  digest.certificate.emplace();
  digest.certificate->assumptions = {"parts are rigid"};
  EXPECT_EQ(page(digest).tone, Tone::good);
  EXPECT_THAT(report_html(page(digest)), HasSubstr("class=\"verdict good\""));
  EXPECT_THAT(report_html(page(digest)), HasSubstr("<li>parts are rigid</li>"));
  digest.certificate->verdict = results::Verdict::look_at;
  digest.certificate->reasons = {"limit of lift.travel exceeded"};
  EXPECT_THAT(report_html(page(digest)), HasSubstr("class=\"verdict look_at\""));
  EXPECT_THAT(report_html(page(digest)), HasSubstr("<li>limit of lift.travel exceeded</li>"));
  digest.certificate->verdict = results::Verdict::do_not_use;
  digest.status = results::RunStatus::failed;
  digest.message = "the step became too small";
  EXPECT_THAT(report_html(page(digest)), HasSubstr("class=\"verdict do_not_use\""));
  EXPECT_THAT(page(digest).reasons, testing::ElementsAre("limit of lift.travel exceeded", "the step became too small"));
  digest.certificate.reset();
  EXPECT_EQ(page(digest).tone, Tone::do_not_use);
  EXPECT_THAT(report_markdown(page(digest)), HasSubstr("The run failed: the step became too small"));
}

const ReportSection* section_named(const ReportPage& page, const std::string& title) {
  for (const ReportSection& section : page.sections) {
    if (section.title == title) return &section;
  }
  return nullptr;
}

TEST_F(Report, ParametersHaveTheUnitsOfTheModelAndSayWhatWasChanged) {
  ReportMachine machine;
  const Dimension length = quantity_info(Quantity::length).dimension;
  machine.parameters.push_back({.path = "crank", .value = 0.06, .dimension = length, .in_model = "50 mm"});
  machine.parameters.push_back({.path = "tilt", .value = 1.5707963267948966, .is_angle = true, .doc = "of the bed"});
  machine.parameters.push_back({.path = "unit.crank", .value = 0.07, .dimension = length, .is_of_machine = false});
  machine.other_changes = {"--gravity none"};
  const ReportPage made = make_report_page(bad_names(), *reader_, false, machine);
  const ReportSection* section = section_named(made, "Parameters");
  ASSERT_NE(section, nullptr);
  EXPECT_EQ(section->table->rows,
            (std::vector<std::vector<std::string>>{{"crank", "60 mm", "yes; the model has 50 mm", "–"},
                                                   {"tilt", "90 deg", "–", "of the bed"}}));
  EXPECT_THAT(section->notes, testing::Contains(HasSubstr("1 parameter of an assembly follows from these")));
  EXPECT_THAT(section->notes, testing::Contains("Changed for this run: --gravity none"));
}

TEST_F(Report, PicturesAreInThePageOrBesideIt) {
  ReportMachine machine;
  machine.pictures.push_back({"start", "<svg>one</svg>", "Start <here>.", "run.start.svg"});
  const ReportPage made = make_report_page(bad_names(), *reader_, false, machine);
  EXPECT_THAT(report_html(made), HasSubstr("<figure><svg>one</svg><figcaption>Start &lt;here&gt;.</figcaption>"));
  EXPECT_THAT(report_markdown(made), HasSubstr("![start](<run.start.svg>)\n\nStart &lt;here&gt;."));
}

TEST_F(Report, RoundingOfTheMachineIsZero) {
  RunDigest digest = bad_names();
  digest.outputs[0].summary.max = digest.outputs[0].summary.peak = {1.338e-15, 0.5};
  digest.charts[0].curve.values = {0.0, 1.338e-15};
  EXPECT_THAT(report_html(page(digest)), HasSubstr("1.338e-12 mm")) << "as long as nothing is known about its size";
  digest.scales.include(Quantity::length, 0.2);
  const std::string html = report_html(page(digest));
  EXPECT_THAT(html, Not(HasSubstr("e-1")));
  EXPECT_THAT(html, HasSubstr("&lt;b&gt; [mm]: only rounding, drawn as zero"));
}

TEST_F(Report, AMotionThatRanAwayIsNotTold) {
  RunDigest digest = bad_names();
  digest.run_away = RunAway{1, 0.25, "arm"};
  const ReportPage made = page(digest);
  EXPECT_THAT(made.reasons, testing::Contains(HasSubstr("runs away at 0.25 s, where 'arm' becomes too fast")));
  EXPECT_THAT(made.reasons, testing::Contains(HasSubstr("what was before: 1 of 2 rows")));
  EXPECT_FALSE(section_named(made, "What moves")->table) << "one row says nothing about motion";
  EXPECT_TRUE(section_named(made, "Outputs")->charts.empty());
  digest.run_away->row = 2;
  EXPECT_TRUE(section_named(page(digest), "What moves")->table);
}

TEST_F(Report, LongTablesShowTheLargest) {
  RunDigest digest;
  for (int i = 0; i < 60; ++i) {
    ChannelDigest output{"output_" + std::to_string(i), "N", Quantity::force, {}};
    output.summary.count = 1;
    output.summary.peak.value = (i * 37) % 60;  // every number once
    digest.outputs.push_back(output);
  }
  const ReportPage made = page(digest);
  const auto section = std::find_if(made.sections.begin(), made.sections.end(),
                                    [](const ReportSection& one) { return one.title == "Outputs"; });
  ASSERT_NE(section, made.sections.end());
  ASSERT_EQ(section->table->rows.size(), kMostTableRows);
  EXPECT_EQ(section->table->rows.front().front(), "output_47") << "47 · 37 = 59 (mod 60)";
  EXPECT_THAT(section->notes, testing::Contains("The 25 largest are shown, and there are 35 more."));
}

TEST_F(Report, SectionsSayWhatWasNotRecorded) {
  RunDigest digest;
  digest.names.joints["pin"] = {"revolute", "ground", "arm"};
  digest.names.coordinate_count = 1;
  digest.names.drives["motor"] = "pin.angle";
  digest.names.output_count = 1;
  std::vector<std::string> titles;
  for (const ReportSection& section : page(digest).sections) {
    if (section.lead == "Not recorded in this run.") titles.push_back(section.title);
  }
  EXPECT_EQ(titles, (std::vector<std::string>{"What moves", "Joint motion", "Drivers and actuators",
                                              "Loads on the joints", "Outputs"}));
}

}  // namespace
}  // namespace gelenk::exporting::report_page_test
