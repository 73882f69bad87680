#include "apps/gelenk/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "apps/gelenk/program_facts.h"
#include "gelenk/base/folded_text.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"

// The only place that knows CLI11, which takes seconds to compile.
namespace gelenk::app {
namespace {

void declare(CLI::App& app, const Options& options) {
  for (const Argument& argument : options.arguments) {
    CLI::Option* option = argument.list != nullptr ? app.add_option(argument.name, *argument.list)
                                                   : app.add_option(argument.name, *argument.target);
    option->required(argument.is_required);
  }
  for (const Flag& flag : options.flags) app.add_flag(flag.names, *flag.target);
  for (const ValueOption& value : options.values) {
    if (value.list != nullptr) {
      // One value for each mention, so that the argument behind it is not taken, too.
      app.add_option(value.names, *value.list)->allow_extra_args(false);
    } else {
      app.add_option(value.names, *value.target);
    }
  }
}

std::vector<std::string> all_option_names(const Options& options) {
  std::vector<std::string> names{"--help"};
  const auto add = [&](const std::string& text) {
    for (std::string& name : split(text, ',')) names.push_back(std::move(name));
  };
  for (const Flag& flag : options.flags) add(flag.names);
  for (const ValueOption& value : options.values) add(value.names);
  return names;
}

// "did you mean '--publish'?" for a name by which other programs call it; empty: for none.
std::string option_called(const Options& options, const std::string& name) {
  for (const ValueOption& value : options.values) {
    const std::vector<std::string> others = split(value.also_called, ',');
    if (std::find(others.begin(), others.end(), name) == others.end()) continue;
    return fmt::format("did you mean '{}'? {}", value.names.substr(value.names.find("--")), value.doc);
  }
  return {};
}

std::string usage_line(const Verb& verb, const Options& options) {
  std::string line = fmt::format("gelenk {}", verb.name);
  for (const Argument& argument : options.arguments) {
    const std::string name = argument.list != nullptr ? argument.name + "..." : argument.name;
    line += argument.is_required ? " " + name : " [" + name + "]";
  }
  return line + " [options]";
}

ExitCode report_extra(const Verb& verb, const Options& options, const std::string& extra, Console& console) {
  if (extra.starts_with("-") && extra.size() > 1) {
    const std::string name = extra.substr(0, extra.find('='));
    std::string hint = option_called(options, name);
    if (hint.empty()) hint = did_you_mean(name, all_option_names(options));
    if (hint.empty()) hint = fmt::format("'gelenk {} --help' lists the options", verb.name);
    return console.fail(ExitCode::usage_error, fmt::format("'gelenk {}' has no option {}", verb.name, shown(name)),
                        hint);
  }
  return console.fail(ExitCode::usage_error,
                      fmt::format("'gelenk {}' cannot use the argument {}", verb.name, shown(extra)),
                      "usage: " + usage_line(verb, options));
}

ExitCode report_missing(const Verb& verb, const Options& options, Console& console) {
  std::string names;
  for (const Argument& argument : options.arguments) {
    const bool is_empty = argument.list != nullptr ? argument.list->empty() : argument.target->empty();
    if (argument.is_required && is_empty) names += (names.empty() ? "" : " and ") + argument.name;
  }
  return console.fail(ExitCode::usage_error, fmt::format("'gelenk {}' needs {}", verb.name, names),
                      "usage: " + usage_line(verb, options));
}

// An option that stands there twice, or without its value. CLI11 begins its text with the name of the option.
ExitCode report_mismatch(const Verb& verb, const Options& options, const CLI::App& app, std::string_view text,
                         Console& console) {
  const std::string name(text.substr(0, text.find_first_of(": ")));
  const CLI::Option* option = app.get_option_no_throw(name);
  const bool is_repeated = option != nullptr && option->count() > 1;
  const std::string message = is_repeated
                                  ? fmt::format("{} is given {} times, but takes one value", name, option->count())
                                  : fmt::format("{} needs a value", name);
  return console.fail(ExitCode::usage_error, message, "usage: " + usage_line(verb, options));
}

// "--detials=3" -> the first that CLI11 could not use, options before arguments.
std::string first_extra(const std::vector<std::string>& extras) {
  const auto option = std::find_if(extras.begin(), extras.end(), [](const auto& e) { return e.starts_with("-"); });
  return option != extras.end() ? *option : extras.empty() ? std::string() : extras.front();
}

struct HelpRow {
  std::string left;
  std::string_view right;
};

// What is too long for the left column has a line of its own.
std::string format_rows(const std::vector<HelpRow>& rows) {
  constexpr std::size_t kWidestColumn = 24;
  constexpr std::size_t kMostWidth = 100;
  constexpr int kLeastWidth = 50;
  const int terminal = std::max(terminal_width(kStdout).value_or(kMostWidth), kLeastWidth);
  const std::size_t width = std::min(static_cast<std::size_t>(terminal), kMostWidth);
  std::size_t column = 0;
  for (const HelpRow& row : rows) {
    if (row.left.size() <= kWidestColumn) column = std::max(column, row.left.size());
  }
  std::string text;
  for (const HelpRow& row : rows) {
    const bool is_long = row.left.size() > column;
    const std::string pad(column + 4, ' ');
    if (is_long) text += folded("  " + row.left, width) + "\n";
    const std::string right = folded(std::string(row.right), width - pad.size());
    std::string line = is_long ? pad : fmt::format("  {:<{}}  ", row.left, column);
    for (const std::string& piece : split(right, '\n')) {
      text += line + std::string(trim(piece)) + "\n";
      line = pad;
    }
  }
  return text;
}

std::string with_blanks(std::string names) {
  for (std::size_t i = names.find(','); i != std::string::npos; i = names.find(',', i + 2)) names.insert(i + 1, " ");
  return names;
}

}  // namespace

ExitCode run_verb(const Verb& verb, std::vector<std::string> arguments, Console& console) {
  const DescribedVerb described = describe(verb, console);
  const Options& options = described.options;
  CLI::App app;
  declare(app, options);
  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    console.out(verb_help(verb));
    return ExitCode::ok;
  } catch (const CLI::ExtrasError&) {
    return report_extra(verb, options, first_extra(app.remaining()), console);
  } catch (const CLI::RequiredError&) {
    // A mistyped option is the likelier reason when there is one.
    const std::string extra = first_extra(app.remaining());
    if (extra.starts_with("-")) return report_extra(verb, options, extra, console);
    return report_missing(verb, options, console);
  } catch (const CLI::ArgumentMismatch& error) {
    return report_mismatch(verb, options, app, error.what(), console);
  } catch (const CLI::ConversionError& error) {
    // "Could not convert: --force = maybe": all values are texts, so only a flag can have a value that does not fit.
    const std::string_view text = error.what();
    const std::size_t begin = std::min(text.find("--"), text.size());
    const std::string_view name = text.substr(begin, text.find(' ', begin) - begin);
    return console.fail(ExitCode::usage_error, fmt::format("{} takes no value", name),
                        "usage: " + usage_line(verb, options));
  } catch (const CLI::ParseError& error) {
    return console.fail(ExitCode::usage_error, error.what(), "usage: " + usage_line(verb, options));
  }
  return described.action(console);
}

std::string verb_help(const Verb& verb) {
  Console unused;
  const Options options = describe(verb, unused).options;
  std::string text = fmt::format("gelenk {}: {}\n\nusage: {}\n", verb.name, verb.doc, usage_line(verb, options));
  std::vector<HelpRow> arguments;
  for (const Argument& argument : options.arguments) arguments.push_back({argument.name, argument.doc});
  std::vector<HelpRow> rows;
  for (const ValueOption& value : options.values) {
    rows.push_back({with_blanks(value.names) + " " + value.value_name, value.doc});
  }
  for (const Flag& flag : options.flags) rows.push_back({with_blanks(flag.names), flag.doc});
  rows.push_back({"-h, --help", "print this help"});
  if (!arguments.empty()) text += "\n" + format_rows(arguments);
  text += "\noptions:\n" + format_rows(rows);
  if (!options.details.empty()) text += "\n" + options.details;
  return text;
}

std::string program_help() {
  std::vector<HelpRow> rows;
  for (const Verb& verb : verbs()) rows.push_back({std::string(verb.name), verb.doc});
  return fmt::format("Gelenk: {}\n\nusage: gelenk VERB [arguments] [options]\n\n", kWhatItIs) + format_rows(rows) +
         "\n  --version   print the version\n  --help      print this help\n\n"
         "'gelenk VERB --help' shows the options of a verb, 'gelenk help' the topics.\n";
}

std::string first_steps() {
  return fmt::format("Gelenk: {}\n\n", kWhatItIs) +
         "  gelenk new pendulum                    write a first model\n"
         "  gelenk check pendulum/pendulum.yaml    see what it is, or what is wrong with it\n"
         "  gelenk view pendulum/pendulum.yaml     see it, in the browser\n"
         "  gelenk help                            all verbs and topics\n";
}

}  // namespace gelenk::app
