#include "apps/gelenk/doctor_tools.h"

#include <fmt/format.h>

#include <cstdlib>

#include "apps/gelenk/console.h"
#include "gelenk/base/child_process.h"
#include "gelenk/base/helper_files.h"
#include "gelenk/base/open_page.h"
#include "gelenk/base/page_opener.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/process.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

// A helper that is started without a question complains about the command and ends. Everything else means that it does
// not even begin, mostly because a library is not there. Returns the reason, or nothing.
std::string problem_of_start(const std::string& program) {
  constexpr double kTimeLimit = 20.0;
  const ProgramResult result = run_program({program}, "", kTimeLimit);
  if (result.exit_code == static_cast<int>(ExitCode::usage_error)) return {};
  if (!result.reason.empty()) return result.signal != 0 ? "killed by " + signal_name(result.signal) : result.reason;
  const std::string said(trim(result.output.substr(0, result.output.find('\n'))));
  return said.empty() ? fmt::format("it exited with code {}", result.exit_code) : said;
}

Finding helper_finding(const HelperFile& helper, bool is_program) {
  const std::string name(helper.name);
  Finding finding{name.substr(0, name.find('.')), Finding::State::ok, installed_file(name)};
  if (finding.text.empty()) {
    finding.text = looked_for(name);
  } else if (const std::string problem = is_program ? problem_of_start(finding.text) : ""; !problem.empty()) {
    finding.text = fmt::format("'{}' cannot be started: {}", finding.text, problem);
  } else {
    return finding;
  }
  finding.state = Finding::State::missing;
  finding.loss = helper.loss;
  finding.cure = kMissingHelperCure;
  return finding;
}

Finding tool_finding(const std::string& topic, const std::string& path, Finding missing) {
  if (!path.empty()) return {topic, Finding::State::ok, path};
  missing.topic = topic;
  missing.state = Finding::State::missing;
  return missing;
}

std::string variable_or(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr || value[0] == '\0' ? otherwise : std::string(value);
}

Finding gnuplot_finding() {
  return tool_finding("gnuplot", find_program("gnuplot"),
                      {.topic = {},
                       .text = "not on the PATH",
                       .loss = "no pictures by `gelenk plot --png`, `--svg`, `--pdf`; plots in the terminal work",
                       .cure = "apt install gnuplot-nox"});
}

Finding chromium_finding() {
  const std::string given = variable_or("CHROMIUM", "");
  const std::string text = given.empty() ? "neither Chromium nor Chrome is on the PATH"
                                         : fmt::format("the variable CHROMIUM names '{}', which cannot be run", given);
  return tool_finding("chromium", find_chromium(),
                      {.topic = {},
                       .text = text,
                       .loss = "no `gelenk export` to .png and .mp4; the viewer and .html work",
                       .cure = "apt install chromium; or name one that you have: export CHROMIUM=/path/to/chrome"});
}

Finding browser_finding() {
  const PageOpener opener = find_page_opener();
  Finding finding{"browser", Finding::State::ok, opener.path};
  if (!opener.path.empty()) return finding;
  finding.state = opener.has_desktop ? Finding::State::missing : Finding::State::note;
  finding.text = opener.reason;
  finding.loss = "`gelenk view` and `--view` do not open a page; they print its address for you to open";
  finding.cure = opener.has_desktop
                     ? "apt install xdg-utils; or name your browser: export BROWSER=firefox"
                     : "to see it on another computer: `gelenk export RUN.h5 -o run.html` makes one file to copy there";
  return finding;
}

// Only for people who write forces in C: `gelenk seal` itself compiles nothing.
Finding build_tool_finding(const std::string& topic, const std::string& program) {
  const std::string path = program.front() == '/' ? program : find_program(program);
  return tool_finding(topic, path,
                      {.topic = {},
                       .text = fmt::format("'{}' is not on the PATH", program),
                       .loss = "projects of `gelenk new --component c` cannot be compiled; everything else works",
                       .cure = "apt install gcc libc6-dev make"});
}

}  // namespace

std::vector<Finding> examine_tools() {
  return {
      helper_finding(kCadProgram, true),
      helper_finding(kWorkerProgram, true),
      helper_finding(kRuntimeLibrary, false),
      gnuplot_finding(),
      chromium_finding(),
      browser_finding(),
      build_tool_finding("c-compiler", variable_or("CC", "cc")),
      build_tool_finding("make", "make"),
  };
}

}  // namespace gelenk::app
