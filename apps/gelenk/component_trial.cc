#include "apps/gelenk/component_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/gelenk/component_bench.h"
#include "apps/gelenk/component_case.h"
#include "apps/gelenk/component_pair.h"
#include "apps/gelenk/seal_draft.h"
#include "gelenk/base/hash.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

constexpr double kTrialDuration = 0.2;    // s, of the motion
constexpr double kLinear = 1e-8;          // of the largest acceleration: what rounding leaves of a = r + D τ
constexpr double kBalanced = 1e-4;        // of the energy that was turned over
constexpr double kTrialTolerance = 1e-7;  // of the steps
constexpr int kTimedCalls = 200;
const Vector3 kGravity(0.0, 0.0, -9.81);

class Trier {
 public:
  Trier(const TrialSetup& setup, Console& console, Trial& trial)
      : file_(setup.file), bed_(setup, console), trial_(trial) {}

  std::string run() {
    if (std::string error = bed_.open(); !error.empty()) return error;
    const component::About& about = bed_.container().manifest.about;
    trial_.name = about.name;
    trial_.version = about.version;
    trial_.identity = sha256(bed_.container().manifest_bytes);
    ModelInput input;
    if (std::string error = bed_.make(input); !error.empty()) return error;
    trial_.host = input.sealed->host_name(0);
    component::Host& host = *input.sealed->hosts().front();
    try {
      if (!check_loads(host)) return {};
      if (!check_motion()) return {};
      check_pair();
    } catch (const component::ComponentFailure& failure) {
      add("follows the interface", failure.what(), false);
      return {};
    }
    check_altered_state(host);
    check_cases();
    return {};
  }

 private:
  void add(std::string_view check, std::string figure, bool is_good) {
    trial_.checks.push_back({std::string(check), std::move(figure), is_good});
  }

  // a = r + D τ, for a unit load in each direction; and how long that takes.
  bool check_loads(component::Host& host) {
    bed_.mount(host, kGravity);
    Evaluation evaluation(host.sizes());
    if (!begin(host) || !host.perform(evaluation.commands())) {
      add("accelerations", "cannot be found where it is drawn", false);
      return false;
    }
    const std::size_t n = evaluation.size();
    double worst = 0.0, largest = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
      std::fill(evaluation.load.begin(), evaluation.load.end(), 0.0);
      evaluation.load[k] = 1.0;
      host.perform(evaluation.commands());
      for (std::size_t i = 0; i < n; ++i) {
        const double D = evaluation.D[n * i + k];
        worst = std::max(worst, std::abs(evaluation.a[i] - evaluation.r[i] - D));
        largest = std::max({largest, std::abs(evaluation.a[i]), std::abs(D)});
      }
    }
    const bool is_linear = worst <= kLinear * largest;
    add("mobility against accelerations",
        fmt::format("{} directions, error {} of the largest", n, format_rounded(worst / largest, 2)), is_linear);
    trial_.median_us = measure(kTimedCalls, [&] { host.perform(evaluation.commands()); }).median_us;
    return is_linear;
  }

  // A fresh machine, its motion, and what a run keeps in the middle of it.
  std::optional<analysis::RunResult> move(const std::string& resume_from, std::string& kept, std::string& error,
                                          TrialBed::Inputs inputs = TrialBed::Inputs::zero) const {
    TrialBed::Motion motion;
    motion.inputs = inputs;
    motion.options.duration = kTrialDuration;
    motion.options.output_every = kTrialDuration / 20.0;
    motion.options.tolerance = kTrialTolerance;
    motion.checkpointing.every = kTrialDuration / 2.0;
    motion.checkpointing.resume_from = resume_from;
    motion.checkpointing.store = [&](const analysis::Checkpoint& checkpoint) {
      if (kept.empty()) kept = checkpoint.bytes;
      return std::string();
    };
    return bed_.move(motion, error);
  }

  bool check_motion() {
    std::string kept, unused, error;
    const std::optional<analysis::RunResult> whole = move("", kept, error);
    if (!whole || !error.empty()) {
      add("moves in a machine", error, false);
      return false;
    }
    add("moves in a machine",
        fmt::format("{} s in {}", kTrialDuration, counted(static_cast<std::size_t>(whole->counters.accepted), "step")),
        true);
    const double imbalance = whole->audit.energy_imbalance / whole->audit.energy_turnover;
    add("balance of energy", fmt::format("error {} of the energy turnover", format_rounded(imbalance, 2)),
        imbalance <= kBalanced);
    using Run = std::optional<analysis::RunResult>;
    const auto is_same = [](const Run& one, const Run& other) {
      return one && other && other->end_state.position == one->end_state.position &&
             other->end_state.velocity == one->end_state.velocity && other->end_state.extra == one->end_state.extra;
    };
    add("same bits when repeated", "", is_same(whole, move("", unused, error)));
    add("same bits when continued from a stored state", "", is_same(whole, move(kept, unused, error)));
    if (!bed_.has_inputs()) return true;
    const Run stepped = move("", unused, error, TrialBed::Inputs::stepped);
    const bool is_good = stepped && error.empty();
    add("moves when its inputs step", error, is_good);
    if (is_good)
      add("same bits when they step again", "", is_same(stepped, move("", unused, error, TrialBed::Inputs::stepped)));
    return true;
  }

  void check_pair() {
    const PairOutcome outcome = try_pair(bed_);
    add("same bits beside a second instance, in two threads",
        outcome.failure.empty() ? counted(static_cast<std::size_t>(outcome.walks), "motion") : outcome.failure,
        outcome.failure.empty());
  }

  void check_altered_state(component::Host& host) {
    bool is_refused = false;
    try {
      std::string bytes = host.read(GELENK_STATE, 0);
      bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
      host.write(GELENK_STATE, 1, bytes);
    } catch (const component::ComponentFailure&) {
      is_refused = true;
    }
    add("refuses a state that was altered", "", is_refused);
  }

  void check_cases() {
    const std::string bytes = read_file(file_, std::size_t{512} << 20).text.value_or("");
    for (const ZipEntry& entry : bed_.container().files) {
      if (!entry.path.starts_with(kCasesFolder)) continue;
      const std::string case_name = entry.path.substr(kCasesFolder.size());
      std::string error;
      const std::optional<ComponentCase> one = read_case(case_name, entry.bytes, error);
      const CaseOutcome outcome = one ? run_case(*one, bytes) : CaseOutcome{0, 0.0, error};
      add(fmt::format("its maker's case: {}", case_name),
          outcome.failure.empty() ? fmt::format("{} of its tolerance", format_rounded(outcome.worst, 2))
                                  : outcome.failure,
          outcome.failure.empty());
    }
  }

  const std::string& file_;
  TrialBed bed_;
  Trial& trial_;
};

}  // namespace

bool Trial::is_good() const {
  return std::all_of(checks.begin(), checks.end(), [](const TrialCheck& check) { return check.is_good; });
}

std::string try_component(const TrialSetup& setup, Console& console, Trial& trial) {
  return Trier(setup, console, trial).run();
}

}  // namespace gelenk::app
