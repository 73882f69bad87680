#include "apps/gelenk/manual_page.h"

#include <fmt/format.h>

#include <cctype>

#include "apps/gelenk/command_line.h"
#include "apps/gelenk/help_topics.h"
#include "apps/gelenk/manual_details.h"
#include "apps/gelenk/program_facts.h"
#include "apps/gelenk/roff.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

std::string manual_head(std::string_view name, std::string_view doc) {
  std::string title(name);
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  // The field of the date is empty.
  return fmt::format(".TH {} 1 \"\" \"gelenk {}\" \"Gelenk\"\n", roff_filled(title), GELENK_VERSION) +
         roff_section("NAME") + fmt::format("{} \\- {}\n", roff_filled(name), roff_filled(doc));
}

// "a text" -> "A text."
std::string as_sentence(std::string_view text) {
  std::string sentence(text);
  if (!sentence.empty()) sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return sentence + ".";
}

// "-o,--output" -> "\fB\-o\fR, \fB\-\-output\fR"
std::string option_term(const std::string& names, const std::string& value_name) {
  std::string term;
  for (const std::string& name : split(names, ',')) term += (term.empty() ? "" : ", ") + roff_bold(name);
  return value_name.empty() ? term : term + " " + roff_italic(value_name);
}

std::string synopsis(const Verb& verb, const Options& options) {
  std::string line = roff_bold(fmt::format("gelenk {}", verb.name));
  for (const Argument& argument : options.arguments) {
    const std::string name = roff_italic(argument.name) + (argument.list != nullptr ? "..." : "");
    line += argument.is_required ? " " + name : " [" + name + "]";
  }
  return line + " [" + roff_italic("options") + "]\n";
}

std::string option_terms(const Options& options) {
  std::string text;
  for (const ValueOption& value : options.values) {
    text += roff_term(option_term(value.names, value.value_name), value.doc);
  }
  for (const Flag& flag : options.flags) text += roff_term(option_term(flag.names, ""), flag.doc);
  return text + roff_term(option_term("-h,--help", ""), "print the options");
}

std::string fact_terms(std::span<const Fact> facts) {
  std::string text;
  for (const Fact& fact : facts) text += roff_term(roff_bold(fact.name), fact.doc);
  return text;
}

std::string page_name(const Verb& verb) { return fmt::format("gelenk-{}", verb.name); }
std::string page_reference(std::string_view name) { return roff_bold(name) + "(1)"; }

}  // namespace

std::string program_manual() {
  std::string text = manual_head("gelenk", kWhatItIs);
  text += roff_section("SYNOPSIS") + roff_bold("gelenk") + " " + roff_italic("VERB") + " [" + roff_italic("arguments") +
          "] [" + roff_italic("options") + "]\n";
  text += roff_section("DESCRIPTION");
  text +=
      "Gelenk simulates machines that people design in CAD: from a text file or a STEP file to a motion with loads,\n"
      "energies and plots, shown in the browser. Every run reports how good it is.\n";
  text += roff_section("VERBS") + "Each has a page of its own.\n";
  for (const Verb& verb : verbs()) text += roff_term(page_reference(page_name(verb)), verb.doc);
  text += roff_section("OPTIONS");
  Options common;
  common.flags = {{"-V,--version", "print the version"},
                  {"--json", "print one JSON object on stdout instead of text; works with every verb"},
                  {"-q,--quiet", "no summary and no warnings"}};
  text += option_terms(common);
  text += roff_section("TOPICS") + roff_bold("gelenk help") + " " + roff_italic("TOPIC") + " shows one of them.\n";
  for (const Topic& topic : all_topics()) text += roff_term(roff_bold(topic.name), topic.title);
  text += roff_section("\"EXIT STATUS\"") + fact_terms(exit_codes());
  text += roff_section("ENVIRONMENT") + fact_terms(environment_variables());
  text += roff_section("FILES") + fact_terms(user_files());
  const std::string steps = first_steps();
  const std::size_t title_end = steps.find('\n');
  text += roff_section("EXAMPLES") + manual_details(std::string_view(steps).substr(title_end + 1)).description;
  return text + roff_section("\"SEE ALSO\"") + page_reference("gelenk-help") + ", " + page_reference("gelenk-doctor") +
         "\n";
}

std::string verb_manual(const Verb& verb) {
  Console unused;
  const Options options = describe(verb, unused).options;
  const ManualDetails details = manual_details(options.details);
  std::string text = manual_head(page_name(verb), verb.doc);
  text += roff_section("SYNOPSIS") + synopsis(verb, options);
  text += roff_section("DESCRIPTION") + roff_filled(as_sentence(verb.doc)) + "\n" + details.description;
  if (!options.arguments.empty()) text += roff_section("ARGUMENTS");
  for (const Argument& argument : options.arguments) text += roff_term(roff_italic(argument.name), argument.doc);
  text += roff_section("OPTIONS") + option_terms(options);
  if (!details.examples.empty()) text += roff_section("EXAMPLES") + details.examples;
  text += roff_section("\"EXIT STATUS\"") + "As for all verbs: " + page_reference("gelenk") + " lists the codes.\n";
  return text + roff_section("\"SEE ALSO\"") + page_reference("gelenk") + "\n";
}

}  // namespace gelenk::app
