#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/export/curve.h"
#include "gelenk/export/run_digest.h"

// A report as a person reads it, in words and in the units of the model, before it becomes HTML or Markdown. Texts are
// plain: who writes them out escapes them.
namespace gelenk::exporting {

struct ReportTable {
  struct Column {
    enum class Kind : std::uint8_t { number, text, name };
    std::string title;
    Kind kind = Kind::number;
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  // a cell may have several lines
};

struct ReportFact {
  std::string name;
  std::string value;
};

// A picture of the machine, a whole SVG.
struct ReportPicture {
  std::string name;  // "start"
  std::string svg;
  std::string caption;
  std::string file{};  // where it is, for a page that cannot hold pictures
};

struct ReportSection {
  std::string title;
  std::string lead{};  // a line below the title
  std::optional<ReportTable> table{};
  std::vector<std::string> notes{};  // lines below the table
  std::vector<ReportFact> facts{};
  std::vector<std::string> points{};  // of a list
  std::vector<Curve> charts{};
  std::vector<ReportPicture> pictures{};
};

enum class Tone : std::uint8_t { good, look_at, do_not_use, unknown };

struct ReportPage {
  std::string title;
  std::string subtitle;
  Tone tone = Tone::unknown;
  std::string verdict;
  std::vector<std::string> reasons;
  std::vector<ReportSection> sections;
  std::string time_unit;
  std::string plot_command;  // draws the charts, for a page that cannot hold pictures
  std::string footer;
};

// What the file of a run does not have as numbers: its machine, built from the model in the file.
struct ReportParameter {
  std::string path;  // "front_left.spring"
  double value = 0.0;
  Dimension dimension{};
  bool is_angle = false;      // which its dimension does not say
  bool is_of_machine = true;  // false: of one of its assemblies
  std::string in_model{};     // as the model has it, where the run had another value
  std::string doc{};
};
struct ReportMachine {
  std::vector<ReportParameter> parameters;
  std::vector<std::string> other_changes;  // options of the run that changed the machine: "--gravity none"
  std::vector<ReportPicture> pictures;
  std::vector<std::string> notes;  // what is not shown, and why
};

// Longer tables show the largest of what they list.
inline constexpr std::size_t kMostTableRows = 25;

// The reader gives the units of the model's `display:`, unless SI is wanted.
ReportPage make_report_page(const RunDigest& digest, const results::Reader& reader, bool si_units,
                            const ReportMachine& machine = {});

// "along +x", "mainly -y", "between +x and -z", "oblique"; for a unit vector.
std::string direction_words(const std::array<double, 3>& direction);

}  // namespace gelenk::exporting
