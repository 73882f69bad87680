// The options of `gelenk run`.
#include <string>
#include <utility>

#include "apps/gelenk/run_model.h"
#include "gelenk/analysis/run_options.h"

namespace gelenk::app {

void add_run_options(Options& options, RunRequest& request) {
  add_file_options(options, request.model);
  options.arguments.front().is_required = false;  // not with --resume
  add_settings_option(options, request.model);
  add_code_option(options, request.model);
  add_override_options(options, request.overrides);
  const auto value = [&](std::string names, std::string name, std::string doc, std::string& target,
                         std::string also_called = {}) {
    options.values.push_back({.names = std::move(names),
                              .value_name = std::move(name),
                              .doc = std::move(doc),
                              .target = &target,
                              .also_called = std::move(also_called)});
  };
  value("-o,--output", "RUN.h5", "results file; by default NAME.h5, or the next free number", request.output,
        "--out,--file,--results");
  options.flags.push_back({"--force", "overwrite the file named by -o", &request.force});
  value("--duration", "TIME", "how long to simulate", request.duration, "--time,--end,--stop,--until,-t,-d");
  value("--method", "auto|" + analysis::method_names("|"), "integration method; see gelenk help simulation",
        request.method, "--solver,--integrator,-m");
  value("--step", "TIME", "step of rk4, generalized_alpha and moreau", request.step, "--dt,--timestep,--time-step");
  value("--tolerance", "NUMBER", "relative error allowed in a step of the other methods", request.tolerance,
        "--tol,--rtol,--accuracy");
  value("--max-step", "TIME", "longest step of the other methods", request.max_step);
  value("--spectral-radius", "NUMBER",
        "generalized_alpha: fraction of the fastest oscillations left after a step, 0 to 1", request.spectral_radius);
  value("--output-every", "TIME", "time between recorded rows", request.output_every,
        "--interval,--sample-time,--rate");
  options.values.push_back({.names = "--record",
                            .value_name = "PATTERN",
                            .doc = "record only channels that match, such as 'piston.*' or '*.angle'; may be repeated",
                            .list = &request.record});
  value("--checkpoint", "TIME", "write a checkpoint every TIME of simulated time; --resume continues from it",
        request.checkpoint);
  options.values.push_back({.names = "--resume",
                            .value_name = "RUN.h5",
                            .doc = "continue a run that was stopped or killed; model and options come from its file",
                            .target = &request.resume,
                            .completion = Completion::run_files});
  options.flags.push_back({"--confirm",
                           "repeat the run with half the step or a tenth of the tolerance and report what changes",
                           &request.confirm});
  options.flags.push_back({"--no-estimate",
                           "fixed steps: skip the repetition with twice the step that estimates their error",
                           &request.without_estimate});
  options.flags.push_back({"--view", "watch the run in the browser; pause or stop it there", &request.has_view});
  options.flags.push_back({"--no-browser", "with --view: print the address only", &request.without_browser});
  value("--partition", "auto|model|sealed|none",
        "which assemblies are solved on their own: chosen automatically, all, all as if sealed, or none; the results "
        "differ "
        "by rounding",
        request.partition);
  value("--reactions", "by_mass|equal",
        "how joints share loads that rigid parts leave undetermined: each as compliant as its parts, or all equally",
        request.reactions);
  value("--threads", "N", "threads for large machines; by default, all of this computer; results do not depend on it",
        request.threads);
  options.flags.push_back({"--no-limit", "start even with more than 1e9 rows or 1e11 steps", &request.has_no_limit});
  options.flags.push_back(
      {"--at-rest", "start where the machine rests under its loads (gelenk analyze equilibrium)", &request.at_rest});
  options.flags.push_back({"--keep-welds", "keep parts fixed to each other as separate bodies", &request.keep_welds});
}

}  // namespace gelenk::app
