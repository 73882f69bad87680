#include <fmt/format.h>

#include <memory>

#include "apps/gelenk/component_bench.h"
#include "apps/gelenk/component_diff.h"
#include "apps/gelenk/component_trial.h"
#include "apps/gelenk/verb.h"
#include "gelenk/base/json.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"
#include "gelenk/component/manifest.h"

namespace gelenk::app {
namespace {

struct ComponentRequest {
  std::string action, other, report;
  TrialSetup setup;
};

// What an action has to say.
struct Findings {
  ExitCode code = ExitCode::ok;
  std::string text, json;
};

// Nothing of the machine or the person who tried it: it can be sent back to the maker.
template <class Tried>
void begin_findings(JsonWriter& json, const Tried& tried, ExitCode code) {
  json.begin_object().member("ok", code == ExitCode::ok).member("exitCode", static_cast<int>(code));
  json.member("component", tried.name).member("version", tried.version).member("identity", tried.identity);
  json.member("platform", component::host_platform());
}

std::string trial_json(const Trial& trial, ExitCode code) {
  JsonWriter json;
  begin_findings(json, trial, code);
  json.member("carrier", trial.host).member("medianMicroseconds", trial.median_us).key("checks").begin_array();
  for (const TrialCheck& check : trial.checks) {
    json.begin_object()
        .member("name", check.name)
        .member("ok", check.is_good)
        .member("figure", check.figure)
        .end_object();
  }
  return json.end_array().end_object().take();
}

std::string trial_text(const Trial& trial) {
  std::string text = fmt::format("{} {}, {}\n", trial.name, trial.version, trial.host);
  for (const TrialCheck& check : trial.checks) {
    text += fmt::format("{}  {}{}{}\n", check.is_good ? "ok    " : "FAILED", check.name,
                        check.figure.empty() ? "" : ": ", check.figure);
  }
  if (trial.median_us > 0.0) {
    text += fmt::format("one evaluation takes {} us (median)\n", format_rounded(trial.median_us, 3));
  }
  return text;
}

std::string test(const ComponentRequest& request, Console& console, Findings& findings) {
  Trial trial;
  std::string problem = try_component(request.setup, console, trial);
  findings.code = trial.is_good() ? ExitCode::ok : ExitCode::component_failed;
  findings.json = trial_json(trial, findings.code);
  findings.text = trial_text(trial);
  return problem;
}

struct TimingRow {
  std::string_view name;
  std::vector<Timing> times;  // one for each host
};

std::vector<TimingRow> timing_rows(const ComponentBench& bench) {
  std::vector<TimingRow> rows{{"evaluation", {}}};
  for (const std::string_view name : Evaluation::names()) rows.push_back({name, {}});
  rows.push_back({"rk4 step", {}});
  for (const HostTimes& host : bench.hosts) {
    rows.front().times.push_back(host.evaluation);
    for (std::size_t c = 0; c < host.commands.size(); ++c) rows[1 + c].times.push_back(host.commands[c]);
    rows.back().times.push_back(host.step);
  }
  return rows;
}

std::string bench_json(const ComponentBench& bench) {
  JsonWriter json;
  begin_findings(json, bench, ExitCode::ok);
  json.member("ports", bench.ports).key("carriers").begin_array();
  for (std::size_t c = 0; c < bench.hosts.size(); ++c) {
    json.begin_object().member("carrier", bench.hosts[c].host).key("microseconds").begin_object();
    for (const TimingRow& row : timing_rows(bench)) {
      json.key(row.name).begin_object();
      json.member("median", row.times[c].median_us).member("percentile99", row.times[c].high_us).end_object();
    }
    json.end_object().end_object();
  }
  return json.end_array().end_object().take();
}

// Three digits that count, without an exponent.
std::string time_text(double us) {
  constexpr double kWhole = 100.0;
  return us < kWhole ? format_rounded(us, 3) : fmt::format("{:.0f}", us);
}

std::string bench_text(const ComponentBench& bench) {
  std::string text = fmt::format("{} {}, {}, times in us\n", bench.name, bench.version, counted(bench.ports, "port"));
  text += fmt::format("{:<12}", "");
  for (const HostTimes& host : bench.hosts) text += fmt::format("{:>22}", host.host);
  text += fmt::format("\n{:<12}", "");
  for (std::size_t c = 0; c < bench.hosts.size(); ++c) text += fmt::format("{:>12}{:>10}", "median", "99 %");
  text += '\n';
  for (const TimingRow& row : timing_rows(bench)) {
    text += fmt::format("{:<12}", row.name);
    for (const Timing& time : row.times) {
      text += fmt::format("{:>12}{:>10}", time_text(time.median_us), time_text(time.high_us));
    }
    text += '\n';
  }
  return text;
}

std::string bench(const ComponentRequest& request, Console& console, Findings& findings) {
  ComponentBench bench;
  std::string problem = bench_component(request.setup, console, bench);
  if (!problem.empty()) return problem;
  findings.json = bench_json(bench);
  findings.text = bench_text(bench);
  if (bench.hosts.size() == 1) {
    findings.text += "not measured in the process: it is not signed by a key that you trust (--trust-once does it)\n";
  }
  return {};
}

std::string diff(const ComponentRequest& request, Console& console, Findings& findings) {
  TrialSetup other = request.setup;
  other.file = request.other;
  ComponentDiff diff;
  std::string problem = diff_components(request.setup, other, console, diff);
  if (!problem.empty()) return problem;
  findings.code = diff.is_same_behavior() ? ExitCode::ok : ExitCode::simulation_failed;
  findings.json = diff_json(diff, findings.code);
  findings.text = diff_text(diff);
  return {};
}

ExitCode present(const ComponentRequest& request, const Findings& findings, Console& console) {
  if (!request.report.empty()) {
    const std::string reason = write_file_atomically(request.report, findings.json);
    if (!reason.empty()) {
      return console.fail(ExitCode::file_error,
                          fmt::format("the file '{}' cannot be written: {}", request.report, reason));
    }
  }
  console.out(console.json ? findings.json : findings.text);
  return findings.code;
}

constexpr const char* kUsage = "usage: gelenk component test|bench FILE.gkc, or diff A.gkc B.gkc";

ExitCode act(const ComponentRequest& request, Console& console) {
  if ((request.action == "diff") == request.other.empty()) {
    return console.fail(ExitCode::usage_error,
                        request.other.empty() ? "diff needs two components" : "only diff takes two components", kUsage);
  }
  Findings findings;
  std::string problem;
  try {
    if (request.action == "test") {
      problem = test(request, console, findings);
    } else if (request.action == "bench") {
      problem = bench(request, console, findings);
    } else if (request.action == "diff") {
      problem = diff(request, console, findings);
    } else {
      return console.fail(ExitCode::usage_error, fmt::format("there is no action {}", shown(request.action)), kUsage);
    }
  } catch (const component::ComponentFailure& failure) {
    return console.fail(ExitCode::component_failed, failure.what());
  }
  if (!problem.empty()) return console.fail(ExitCode::file_error, problem);
  return present(request, findings, console);
}

}  // namespace

Action describe_component(Options& options) {
  const auto request = std::make_shared<ComponentRequest>();
  options.arguments.push_back({.name = "ACTION",
                               .doc = "test, bench or diff",
                               .target = &request->action,
                               .completion = Completion::words,
                               .words = {"test", "bench", "diff"}});
  options.arguments.push_back({.name = "FILE.gkc",
                               .doc = "sealed component",
                               .target = &request->setup.file,
                               .completion = Completion::run_or_component_files});
  options.arguments.push_back({.name = "B.gkc",
                               .doc = "with diff: the component to compare it with",
                               .target = &request->other,
                               .is_required = false,
                               .completion = Completion::run_or_component_files});
  options.values.push_back({.names = "--set",
                            .value_name = "NAME=VALUE",
                            .doc = "set a published parameter; may be repeated",
                            .list = &request->setup.settings});
  options.values.push_back(
      {"--report", "REPORT.json", "write the findings to this file, to send to the maker", &request->report});
  options.flags.push_back({"--trust-once",
                           "run it even where this system cannot sandbox it; with bench, also in this process",
                           &request->setup.trust_once});
  options.details =
      "test   Mounts the component between blocks on springs and checks that it works as it must: mobility,\n"
      "       motion, energy balance, states, two instances at once, and its maker's cases. Exit code 5 if not.\n"
      "bench  How long it takes, in this process and in a worker: one evaluation, each of its commands alone, and a\n"
      "       step of the method rk4 of the machine around it.\n"
      "diff   How a new version differs in description and behavior, as drawn and in the same machine. Exit code 1\n"
      "       unless it behaves identically to the last bit.\n"
      "examples:\n"
      "  gelenk component test suspension.gkc --set spring=\"35 kN/m\" --report findings.json\n"
      "  gelenk component diff suspension-1.0.gkc suspension-1.1.gkc\n";
  return [request](Console& console) { return act(*request, console); };
}

}  // namespace gelenk::app
