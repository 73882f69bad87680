#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/gelenk/command_line.h"
#include "apps/gelenk/help_topics.h"
#include "apps/gelenk/manual_page.h"
#include "apps/gelenk/markdown.h"
#include "apps/gelenk/verb.h"
#include "gelenk/base/json.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

std::string overview() {
  std::string text = program_help() + "\ntopics:\n";
  std::size_t width = 0;
  for (const Topic& topic : all_topics()) width = std::max(width, topic.name.size());
  for (const Topic& topic : all_topics()) text += fmt::format("  {:<{}}  {}\n", topic.name, width, topic.title);
  return text + "\n'gelenk help units' shows one of them.\n";
}

void print_overview(Console& console) {
  if (!console.json) {
    console.out(overview());
    return;
  }
  JsonWriter json;
  json.begin_object().key("verbs").begin_array();
  for (const Verb& verb : verbs()) json.begin_object().member("name", verb.name).member("doc", verb.doc).end_object();
  json.end_array().key("topics").begin_array();
  for (const Topic& topic : all_topics()) {
    json.begin_object().member("name", topic.name).member("title", topic.title).end_object();
  }
  console.out(json.end_array().end_object().take());
}

ExitCode show(const std::string& word, Console& console) {
  if (word.empty()) {
    print_overview(console);
    return ExitCode::ok;
  }
  const Verb* verb = find_verb(word);
  const std::optional<std::string> page = topic_page(word);
  if (verb == nullptr && !page) {
    std::vector<std::string> known = topic_names();
    for (std::string& name : verb_names()) known.push_back(std::move(name));
    std::string hint = verb_called(word);
    if (hint.empty()) hint = did_you_mean(word, known);
    if (hint.empty()) hint = "'gelenk help' lists verbs and topics";
    return console.fail(ExitCode::usage_error, fmt::format("there is no topic {}", shown(word)), hint);
  }
  if (console.json) {
    JsonWriter json;
    json.begin_object().member("topic", word).member("text", page ? *page : verb_help(*verb));
    console.out(json.end_object().take());
  } else {
    console.out(page ? markdown_to_text(*page, console.has_color_on_stdout()) : verb_help(*verb));
  }
  return ExitCode::ok;
}

ExitCode show_manual(const std::string& word, Console& console) {
  const Verb* verb = find_verb(word);
  if (verb == nullptr && !word.empty()) {
    std::string hint = did_you_mean(word, verb_names());
    if (hint.empty()) hint = "verbs have manual pages, topics have none: gelenk help TOPIC";
    return console.fail(ExitCode::usage_error, fmt::format("there is no manual page of {}", shown(word)), hint);
  }
  const std::string page = verb == nullptr ? program_manual() : verb_manual(*verb);
  if (!console.json) {
    console.out(page);
    return ExitCode::ok;
  }
  JsonWriter json;
  console.out(json.begin_object().member("topic", word).member("text", page).end_object().take());
  return ExitCode::ok;
}

}  // namespace

Action describe_help(Options& options) {
  const auto word = std::make_shared<std::string>();
  std::vector<std::string> words = topic_names();
  for (std::string& name : verb_names()) words.push_back(std::move(name));
  options.arguments.push_back({.name = "TOPIC",
                               .doc = "a topic or a verb; by default, all are listed",
                               .target = word.get(),
                               .is_required = false,
                               .completion = Completion::words,
                               .words = std::move(words)});
  const auto as_manual = std::make_shared<bool>(false);
  options.flags.push_back({"--man", "the manual page of a verb, or of the program, as man reads it", as_manual.get()});
  options.details =
      "examples:\n"
      "  gelenk help units\n"
      "  gelenk help run\n"
      "  gelenk help --man run | man -l -\n";
  return
      [word, as_manual](Console& console) { return *as_manual ? show_manual(*word, console) : show(*word, console); };
}

}  // namespace gelenk::app
