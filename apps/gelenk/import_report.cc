#include "apps/gelenk/import_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <utility>

#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"
#include "gelenk/export/markup.h"
#include "gelenk/model/loose_groups.h"
#include "gelenk/model/summary.h"

namespace gelenk::app {
namespace {

using exporting::html_escaped;

// The colors of a run's report, and others for a dark screen.
constexpr std::string_view kStyle = R"css(
@page { size: A4; margin: 10mm 12mm; }
:root { color-scheme: light dark; --ink: #222; --soft: #555; --paper: #fff; --line: #bbb; --faint: #e4e4e4;
  --code: #f1f1f1; --good: #e9f6ec; --look: #fff5da; --stop: #fdeaea; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e2e2e2; --soft: #a8a8a8; --paper: #1b1d20;
  --line: #555; --faint: #34373b; --code: #2a2d31; --good: #17301e; --look: #3a2f10; --stop: #3f1b1b; } }
* { box-sizing: border-box; }
body { font: 14px/1.4 "Helvetica Neue", Arial, "Liberation Sans", sans-serif; color: var(--ink);
  background: var(--paper); max-width: 980px; margin: 18px auto; padding: 0 16px; }
h1 { font-size: 22px; margin: 0; }
h2 { font-size: 15px; margin: 18px 0 4px; border-bottom: 1px solid var(--line); }
h3 { font-size: 14px; margin: 0; overflow-wrap: anywhere; }
p { margin: 2px 0; }
.sub, .lead, footer { color: var(--soft); font-size: 12px; }
.verdict { margin: 8px 0 4px; padding: 6px 10px; border: 1px solid; border-left-width: 8px; border-radius: 3px; }
.verdict b { font-size: 15px; }
.good { background: var(--good); border-color: #2e8b45; }
.look_at { background: var(--look); border-color: #d39a00; }
.do_not_use { background: var(--stop); border-color: #c62f2f; }
.joint { margin: 12px 0 18px; break-inside: avoid; }
.picture { overflow-x: auto; margin: 4px 0; }
.picture svg { display: block; width: 100%; min-width: 560px; height: auto; border-radius: 3px; }
.word { display: inline-block; padding: 0 6px; border-radius: 8px; font-size: 12px; border: 1px solid var(--line); }
.word.guess { background: var(--stop); border-color: #c62f2f; }
.word.look { background: var(--look); border-color: #d39a00; }
.word.sure { background: var(--good); border-color: #2e8b45; }
code { font: 12px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; background: var(--code); padding: 1px 5px;
  border-radius: 3px; user-select: all; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-size: 12px; font-variant-numeric: tabular-nums; }
th { text-align: left; vertical-align: bottom; border-bottom: 1px solid var(--line); }
td { text-align: left; vertical-align: top; border-bottom: 1px solid var(--faint); overflow-wrap: anywhere; }
th, td { padding: 2px 8px 2px 0; }
td.n, th.n { text-align: right; white-space: nowrap; }
td:first-child { font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 1px 12px; margin: 4px 0; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
ul { margin: 3px 0; padding-left: 18px; }
footer { margin-top: 16px; }
.changes { margin: 2px 0; } .changes td { border: 0; padding-bottom: 1px; } .changes td:first-child { font-weight: 400;
  width: 40%; }
@media (max-width: 640px) { section { overflow-x: auto; } .changes td { display: block; width: auto !important; } }
@media print { body { margin: 0; padding: 0; max-width: none; font-size: 9pt; print-color-adjust: exact;
  -webkit-print-color-adjust: exact; } .picture svg { min-width: 0; } h2 { break-after: avoid; } }
)css";

// What is doubtful comes first.
constexpr std::array<std::string_view, 4> kCertainties{"guess", "look", "sure", "assumed"};

struct FoundJoint {
  std::string name, type, certainty, reason, picture;
  std::vector<std::string> between;
  double score = 0.0;

  bool is_doubtful() const { return certainty == "guess" || certainty == "look"; }
};

std::vector<FoundJoint> joints_of(const JsonValue& report) {
  std::vector<FoundJoint> joints;
  if (const JsonValue* list = report.find("joints")) {
    for (const JsonValue& item : list->items) {
      joints.push_back({item.text_or("name", ""), item.text_or("type", ""), item.text_or("certainty", ""),
                        item.text_or("reason", ""), item.text_or("picture", ""), item.texts("between"),
                        item.number_or("score", 0.0)});
    }
  }
  const auto rank = [](const FoundJoint& joint) {
    return std::find(kCertainties.begin(), kCertainties.end(), joint.certainty) - kCertainties.begin();
  };
  std::stable_sort(joints.begin(), joints.end(), [&](const FoundJoint& a, const FoundJoint& b) {
    return rank(a) != rank(b) ? rank(a) < rank(b) : a.score < b.score;
  });
  return joints;
}

// What else a joint may be, and what to write then.
std::vector<std::pair<std::string_view, std::string_view>> other_types(const FoundJoint& joint) {
  const std::string& type = joint.type;
  constexpr std::pair<std::string_view, std::string_view> kSeat{"nothing moves there", "type: fixed"};
  if (type == "revolute") return {{"it also slides along the axis", "type: cylindrical"}, kSeat};
  if (type == "cylindrical") {
    return {
        {"it turns, but does not slide", "type: revolute"}, {"it slides, but does not turn", "type: prismatic"}, kSeat};
  }
  if (type == "prismatic") return {{"it also turns about the axis", "type: cylindrical"}, kSeat};
  if (type == "planar") return {{"it turns about the normal only", "type: revolute"}, kSeat};
  if (type == "spherical") return {kSeat};
  // Its frame is that of the planes.
  if (joint.reason.find("taken as fixed") != std::string::npos) {
    return {{"it slides on the plane", "type: planar, axis: z"}};
  }
  return {};
}

std::string changes_html(const FoundJoint& joint) {
  std::string text = "<table class=\"changes\">\n";
  const auto add = [&](std::string_view when, std::string_view change) {
    text += fmt::format("<tr><td>{}:</td><td><code>modify: {{joints.{}: {{{}}}}}</code></td></tr>\n", when,
                        html_escaped(joint.name), change);
  };
  for (const auto& [when, change] : other_types(joint)) add("if " + std::string(when), change);
  add("if nothing joins them there", "enabled: false");
  return text + "</table>\n";
}

// What the user's own file has made of a joint; empty: nothing.
std::string users_change(const FoundJoint& joint, const ImportedMachine& machine) {
  if (!machine.input.machine || machine.input.diagnostics.has_errors()) return "";
  for (const model::JointNode& used : machine.input.machine->joints) {
    if (used.path != joint.name) continue;
    return used.type->name == joint.type ? "" : "your file makes it " + std::string(used.type->name);
  }
  return joint.type.empty() ? "" : "your file leaves it out";
}

std::string picture_of(const FoundJoint& joint, const ImportPlaces& places) {
  constexpr std::size_t kMostBytes = std::size_t{4} << 20;
  if (joint.picture.empty()) return "";
  const ReadResult text = read_file(fmt::format("{}/{}.cad/{}", places.folder, places.name, joint.picture), kMostBytes);
  return text.text ? "<div class=\"picture\">" + *text.text + "</div>\n" : "";
}

std::string doubtful_html(const std::vector<FoundJoint>& joints, const ImportedMachine& machine,
                          const ImportPlaces& places) {
  std::string text;
  for (const FoundJoint& joint : joints) {
    if (!joint.is_doubtful()) continue;
    text += fmt::format("<div class=\"joint\" id=\"joint-{0}\">\n<h3>{0} <span class=\"word {1}\">{1}</span></h3>\n",
                        html_escaped(joint.name), html_escaped(joint.certainty));
    const std::string change = users_change(joint, machine);
    text += fmt::format("<p>{} between {}, because of {} (score {}){}.</p>\n", html_escaped(joint.type),
                        html_escaped(join(joint.between, " and ")), html_escaped(joint.reason),
                        format_rounded(joint.score, 2), change.empty() ? "" : "; " + html_escaped(change));
    text += picture_of(joint, places) + changes_html(joint) + "</div>\n";
  }
  if (text.empty()) return "";
  return fmt::format(
             "<section>\n<h2>Joints to look at</h2>\n<p class=\"lead\">If one of them is wrong, copy a line into "
             "{}.yaml. Put several changes under one <code>modify:</code>.</p>\n",
             html_escaped(places.name)) +
         text + "</section>\n";
}

std::string table_html(const std::vector<FoundJoint>& joints, const ImportedMachine& machine) {
  if (joints.empty()) return "";
  std::string text = "<section>\n<h2>All joints</h2>\n<table>\n<thead><tr>";
  for (const char* title : {"joint", "type", "between", "how sure", "because of"}) {
    text += fmt::format("<th>{}</th>", title);
  }
  text += machine.joints.empty() ? "" : "<th class=\"n\">open as drawn</th><th class=\"n\">open now</th>";
  text += "</tr></thead>\n<tbody>\n";
  for (const FoundJoint& joint : joints) {
    const std::string name = html_escaped(joint.name);
    text += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td><span class=\"word {}\">{}</span></td><td>{}</td>",
                        joint.is_doubtful() ? fmt::format("<a href=\"#joint-{0}\">{0}</a>", name) : name,
                        html_escaped(joint.type), html_escaped(join(joint.between, ", ")),
                        html_escaped(joint.certainty), html_escaped(joint.certainty), html_escaped(joint.reason));
    if (!machine.joints.empty()) {
      const auto found = std::find_if(machine.joints.begin(), machine.joints.end(),
                                      [&](const ImportedMachine::Joint& one) { return one.name == joint.name; });
      text += found == machine.joints.end()
                  ? "<td class=\"n\"></td><td class=\"n\"></td>"
                  : fmt::format("<td class=\"n\">{} mm, {} deg</td><td class=\"n\">{}</td>",
                                format_rounded(found->drawn.distance * 1e3, 2),
                                format_rounded(found->drawn.angle * 180.0 / std::numbers::pi, 2),
                                format_rounded(found->residual, 2));
    }
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table>\n</section>\n";
}

std::string list_html(std::string_view title, const std::vector<std::string>& points) {
  if (points.empty()) return "";
  std::string text = fmt::format("<section>\n<h2>{}</h2>\n<ul>\n", title);
  for (const std::string& point : points) text += "<li>" + html_escaped(point) + "</li>\n";
  return text + "</ul>\n</section>\n";
}

std::vector<std::string> assumptions(const JsonValue& report) {
  std::vector<std::string> points;
  if (report.number_or("assumedMass", 0.0) > 0.0) points.push_back("Mass: " + import_mass_text(report));
  if (const JsonValue* ground = report.find("ground"); ground != nullptr && ground->truth_or("isAssumed", false)) {
    points.push_back("Ground: " + import_ground_text(report));
  }
  if (const std::vector<std::string> held = report.texts("held"); !held.empty()) {
    points.push_back(fmt::format("Nothing joins {}: fixed as drawn.", join(held, ", ")));
  }
  if (const double fasteners = report.number_or("fasteners", 0.0); fasteners > 0.0) {
    points.push_back(
        fmt::format("{} merged into the parts they hold.", counted(static_cast<std::size_t>(fasteners), "fastener")));
  }
  points.emplace_back("Sub-assemblies are rigid. Parts do not collide in this version.");
  return points;
}

std::string verdict_html(const std::vector<FoundJoint>& joints, const ImportedMachine& machine) {
  const auto doubtful = static_cast<std::size_t>(
      std::count_if(joints.begin(), joints.end(), [](const FoundJoint& joint) { return joint.is_doubtful(); }));
  std::string tone = "good", words = "every joint is sure", reasons;
  if (!machine.mobility) {
    tone = "do_not_use";
    words = "the machine cannot be assembled";
  } else if (doubtful > 0) {
    tone = "look_at";
    words = fmt::format("{} to look at", counted(doubtful, "joint"));
  }
  const std::string loose = machine.mobility ? model::loose_text(*machine.input.machine) : std::string();
  if (!loose.empty()) {
    tone = "look_at";
    words = doubtful > 0 ? words + ", and loose parts" : "loose parts";
    reasons += "<li>" + html_escaped(loose) + "</li>\n";
  }
  for (const Diagnostic& diagnostic : machine.input.diagnostics.sorted()) {
    reasons += fmt::format("<li>{}: {}</li>\n", diagnostic.severity == Severity::error ? "error" : "warning",
                           html_escaped(diagnostic.message));
  }
  if (machine.mobility) {
    reasons += "<li>" + html_escaped(model::motion_text(*machine.input.machine, *machine.mobility)) + "</li>\n";
  }
  return fmt::format("<div class=\"verdict {}\"><b>{}</b>\n{}</div>\n", tone, words,
                     reasons.empty() ? "" : "<ul>\n" + reasons + "</ul>\n");
}

std::string facts_html(const JsonValue& report, const std::vector<FoundJoint>& joints, const ImportedMachine& machine) {
  const auto count = [&](std::string_view key) { return static_cast<std::size_t>(report.number_or(key, 0.0)); };
  std::string text = "<section>\n<h2>The machine</h2>\n<dl>\n";
  const auto add = [&](std::string_view name, const std::string& value) {
    text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html_escaped(value));
  };
  add("size", import_size_text(report));
  add("parts", fmt::format("{} of {}, in {} that can move relative to each other", counted(count("parts"), "part"),
                           counted(count("products"), "kind"), counted(count("bodies"), "group")));
  add("mass", import_mass_text(report));
  std::vector<std::string> kinds;
  for (const std::string_view certainty : kCertainties) {
    const auto number = std::count_if(joints.begin(), joints.end(),
                                      [&](const FoundJoint& joint) { return joint.certainty == certainty; });
    if (number > 0) kinds.push_back(fmt::format("{} {}", number, certainty));
  }
  add("joints", kinds.empty() ? "none" : join(kinds, ", "));
  add("ground", import_ground_text(report));
  if (machine.mobility) {
    add("free motions", std::to_string(machine.mobility->free_motions));
    add("held twice", counted(machine.mobility->redundant(), "joint direction"));
    add("open after assembly", format_rounded(machine.residual, 2) + " (m per machine length, or rad)");
  }
  return text + "</dl>\n</section>\n";
}

std::string path_of_report(const ImportPlaces& places) {
  return fmt::format("{}/{}", places.folder, kImportReportName);
}

}  // namespace

std::string import_report_html(const JsonValue& report, const ImportedMachine& machine, const ImportPlaces& places) {
  const std::vector<FoundJoint> joints = joints_of(report);
  const std::string name = html_escaped(places.name);
  std::string text = std::string(kImportReportMark) + "\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n";
  text += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n";
  text += fmt::format("<title>{}: import</title>\n<style>{}</style>\n</head>\n<body>\n", name, kStyle);
  text += fmt::format("<header>\n<h1>{}</h1>\n<p class=\"sub\">imported from {}</p>\n</header>\n", name,
                      html_escaped(report.text_or("source", "")));
  text += verdict_html(joints, machine) + doubtful_html(joints, machine, places);
  text += facts_html(report, joints, machine) + list_html("Assumptions", assumptions(report));
  text += list_html("Notes", report.texts("notes")) + table_html(joints, machine);
  return text + "<footer>Written by gelenk import. The next import overwrites it.</footer>\n</body>\n</html>\n";
}

std::string import_report_refusal(const ImportPlaces& places) {
  constexpr std::size_t kMostBytes = std::size_t{256} << 20;
  const std::string path = path_of_report(places);
  const ReadResult old = read_file(path, kMostBytes);
  if (old.code == Code::file_not_found || (old.text && old.text->starts_with(kImportReportMark))) return "";
  return fmt::format("{} already exists, and `gelenk import` did not write it", shown(path));
}

std::string write_import_report(const JsonValue& report, const ImportedMachine& machine, const ImportPlaces& places) {
  const std::string path = path_of_report(places);
  const std::string error = write_file_atomically(path, import_report_html(report, machine, places));
  return error.empty() ? "" : fmt::format("{} cannot be written: {}", shown(path), error);
}

}  // namespace gelenk::app
