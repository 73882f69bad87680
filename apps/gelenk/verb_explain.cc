#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/gelenk/embedded_text.h"
#include "apps/gelenk/markdown.h"
#include "apps/gelenk/verb.h"
#include "gelenk/base/diagnostic_codes.h"
#include "gelenk/base/json.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

struct Group {
  int hundreds;
  std::string_view title;
};
constexpr Group kGroups[] = {
    {10, "the file and its syntax"},
    {11, "structure: keys and types"},
    {12, "values, units, expressions"},
    {13, "references"},
    {14, "mechanics"},
    {15, "edits"},
    {16, "limits"},
};

std::string_view group_title(Code code) {
  const int hundreds = static_cast<int>(code) / 100;
  const auto* group = std::find_if(std::begin(kGroups), std::end(kGroups),
                                   [&](const Group& candidate) { return candidate.hundreds == hundreds; });
  return group == std::end(kGroups) ? std::string_view("others") : group->title;
}

std::vector<std::string> all_labels() {
  std::vector<std::string> labels;
  for (const Code code : kAllCodes) labels.push_back(code_label(code));
  return labels;
}

// "gk1301", "1301" -> "GK1301"
std::string normalized(std::string_view word) {
  std::string label;
  for (const char c : trim(word)) label += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return label.starts_with("GK") ? label : "GK" + label;
}

void list_codes(Console& console) {
  if (console.json) {
    JsonWriter json;
    json.begin_object().key("codes").begin_array();
    for (const Code code : kAllCodes) {
      json.begin_object().member("code", code_label(code)).member("title", code_title(code));
      json.member("group", group_title(code)).end_object();
    }
    console.out(json.end_array().end_object().take());
    return;
  }
  std::string text;
  std::string_view group;
  for (const Code code : kAllCodes) {
    if (group_title(code) != group) {
      group = group_title(code);
      text += fmt::format("{}{}\n", text.empty() ? "" : "\n", group);
    }
    text += fmt::format("  {}  {}\n", code_label(code), code_title(code));
  }
  console.out(text + "\n'gelenk explain GK1301' explains one of them.\n");
}

ExitCode explain(const std::string& word, Console& console) {
  if (word.empty()) {
    list_codes(console);
    return ExitCode::ok;
  }
  const std::string label = normalized(word);
  const auto* code = std::find_if(std::begin(kAllCodes), std::end(kAllCodes),
                                  [&](Code candidate) { return code_label(candidate) == label; });
  if (code == std::end(kAllCodes)) {
    std::string hint = did_you_mean(label, all_labels());
    if (hint.empty()) hint = "'gelenk explain' lists all codes";
    return console.fail(ExitCode::usage_error, fmt::format("there is no code {}", shown(word)), hint);
  }
  const EmbeddedText* page = find_text(error_pages(), label);
  const std::string text =
      page != nullptr ? std::string(page->text) : fmt::format("# {}: {}\n", label, code_title(*code));
  if (console.json) {
    JsonWriter json;
    json.begin_object().member("code", label).member("title", code_title(*code));
    console.out(json.member("group", group_title(*code)).member("text", text).end_object().take());
  } else {
    console.out(markdown_to_text(text, console.has_color_on_stdout()));
  }
  return ExitCode::ok;
}

}  // namespace

Action describe_explain(Options& options) {
  const auto word = std::make_shared<std::string>();
  options.arguments.push_back({.name = "CODE",
                               .doc = "such as GK1301; by default, all codes are listed",
                               .target = word.get(),
                               .is_required = false,
                               .completion = Completion::words,
                               .words = all_labels()});
  return [word](Console& console) { return explain(*word, console); };
}

}  // namespace gelenk::app
