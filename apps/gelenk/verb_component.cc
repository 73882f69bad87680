#include <fmt/format.h>

#include <memory>

#include "apps/gelenk/component_trial.h"
#include "apps/gelenk/verb.h"
#include "gelenk/base/json.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"
#include "gelenk/component/manifest.h"

namespace gelenk::app {
namespace {

struct ComponentRequest {
  std::string action, file, report;
  std::vector<std::string> settings;
  bool trust_once = false;
};

// Nothing of the machine or the person who tried it: it can be sent back to the maker.
std::string trial_json(const Trial& trial, ExitCode code) {
  JsonWriter json;
  json.begin_object().member("ok", trial.is_good()).member("exitCode", static_cast<int>(code));
  json.member("component", trial.name).member("version", trial.version).member("identity", trial.identity);
  json.member("platform", component::host_platform()).member("carrier", trial.carrier);
  json.member("medianMicroseconds", trial.median_us).key("checks").begin_array();
  for (const TrialCheck& check : trial.checks) {
    json.begin_object()
        .member("name", check.name)
        .member("ok", check.is_good)
        .member("figure", check.figure)
        .end_object();
  }
  return json.end_array().end_object().take();
}

ExitCode test(const ComponentRequest& request, Console& console) {
  Trial trial;
  const std::string problem = try_component(request.file, request.settings, request.trust_once, console, trial);
  if (!problem.empty()) return console.fail(ExitCode::file_error, problem);
  const ExitCode code = trial.is_good() ? ExitCode::ok : ExitCode::component_failed;
  const std::string report = trial_json(trial, code);
  if (!request.report.empty()) {
    const std::string reason = write_file_atomically(request.report, report);
    if (!reason.empty()) {
      return console.fail(ExitCode::file_error,
                          fmt::format("the file '{}' cannot be written: {}", request.report, reason));
    }
  }
  if (console.json) {
    console.out(report);
    return code;
  }
  console.out(fmt::format("{} {}, {}\n", trial.name, trial.version, trial.carrier));
  for (const TrialCheck& check : trial.checks) {
    console.out(fmt::format("{}  {}{}{}\n", check.is_good ? "ok    " : "FAILED", check.name,
                            check.figure.empty() ? "" : ": ", check.figure));
  }
  if (trial.median_us > 0.0) {
    console.out(fmt::format("one evaluation takes {} us (median)\n", format_rounded(trial.median_us, 3)));
  }
  return code;
}

}  // namespace

Action describe_component(Options& options) {
  const auto request = std::make_shared<ComponentRequest>();
  options.arguments.push_back({.name = "ACTION",
                               .doc = "test",
                               .target = &request->action,
                               .completion = Completion::words,
                               .words = {"test"}});
  options.arguments.push_back({.name = "FILE.gkc",
                               .doc = "sealed component",
                               .target = &request->file,
                               .completion = Completion::run_or_component_files});
  options.values.push_back({.names = "--set",
                            .value_name = "NAME=VALUE",
                            .doc = "give a published parameter another value; may be repeated",
                            .list = &request->settings});
  options.values.push_back(
      {"--report", "REPORT.json", "write the findings there, to send to the maker", &request->report});
  options.flags.push_back(
      {"--trust-once", "run it even where this system cannot keep it in a cage", &request->trust_once});
  options.details =
      "Mounts the component between blocks on springs and looks whether it is what it must be: mobility against\n"
      "accelerations, motion, balance of energy, states, and the acceptance cases of its maker. Exit code 5 when not.\n"
      "example:\n"
      "  gelenk component test suspension.gkc --set spring=\"35 kN/m\" --report findings.json\n";
  return [request](Console& console) {
    if (request->action == "test") return test(*request, console);
    return console.fail(ExitCode::usage_error, fmt::format("there is no action {}", shown(request->action)),
                        "usage: gelenk component test FILE.gkc");
  };
}

}  // namespace gelenk::app
