// Inverse dynamics: what drives must do for a motion, prescribed by laws of time or by a results file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/gelenk/analyses/coordinate_names.h"
#include "apps/gelenk/analyses/inverse.h"
#include "apps/gelenk/analyses/pose_record.h"
#include "apps/gelenk/analyses/recorded_motion.h"
#include "apps/gelenk/analyses/text_file.h"
#include "apps/gelenk/option_number.h"
#include "gelenk/analysis/kinematic/drive_efforts.h"
#include "gelenk/analysis/kinematic/driven_poses.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/base/index.h"
#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"
#include "gelenk/mechanics/switches.h"
#include "gelenk/system/compile.h"

namespace gelenk::app {
namespace {

constexpr double kSmallestStep = 1e-9;  // of the duration
// Of the largest acceleration: where a recorded motion differs by more, this machine would move in another way.
constexpr double kSameMotion = 1e-6;

// What one drive has to do.
struct Needed {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  double squares = 0.0, largest_power = 0.0, work = 0.0;
  double last_power = 0.0;
};

class Inverse {
 public:
  Inverse(const AnalyzeRequest& request, ModelInput& input, const AssembledMachine& machine, Console& console)
      : request_(request),
        input_(input),
        base_(machine),
        console_(console),
        driven_(std::make_unique<DrivenMachine>()) {
    driven_->machine = *input.machine;
  }

  ExitCode run() {
    if (const std::optional<ExitCode> refused = refuse_to_drive(base_.system, console_)) return *refused;
    if (const std::optional<ExitCode> failed = leave_out()) return *failed;
    const std::optional<ExitCode> failed = request_.motion.empty() ? follow_laws() : follow_file();
    if (failed) return *failed;
    report();
    return ExitCode::ok;
  }

 private:
  // Forces whose part the drives shall take.
  std::optional<ExitCode> leave_out() {
    for (const std::string& name : request_.without) {
      std::vector<std::string> names;
      bool is_found = false;
      for (model::ForceNode& force : driven_->machine.forces) {
        names.push_back(force.path);
        if (force.path != name) continue;
        is_found = true;
        force.value.factor = 0.0;
      }
      if (is_found) continue;
      std::string hint = did_you_mean(name, names);
      if (hint.empty() && !names.empty()) hint = "there are " + join(names, ", ");
      return console_.fail(ExitCode::usage_error, fmt::format("--without: there is no force '{}'", name), hint);
    }
    return std::nullopt;
  }
  std::optional<ExitCode> compile() {
    std::optional<system::System> system = system::compile(driven_->machine, {}, input_.diagnostics);
    if (!system) return fail_with_diagnostics(input_, console_);
    driven_->system = *std::move(system);
    driven_->params = system::make_params(driven_->system, driven_->machine);
    for (const system::Force& force : driven_->system.forces) {
      if (std::find(request_.without.begin(), request_.without.end(), force.path) == request_.without.end()) continue;
      if (force.value >= 0 && driven_->params.signals[at(force.value)].factor == 0.0) continue;
      return console_.fail(ExitCode::usage_error,
                           fmt::format("--without: the value of '{}' is not a formula of the model", force.path),
                           "give it enabled: false in the model");
    }
    return std::nullopt;
  }

  std::optional<ExitCode> follow_laws() {
    if (!request_.by.empty()) {
      return console_.fail(ExitCode::usage_error, "--by needs a motion: --motion RUN.h5",
                           "without a file, drivers prescribe the motion: --drive \"joint.angle==0.2 rad * sin(...)\"");
    }
    if (base_.system.drivers.empty()) {
      return console_.fail(ExitCode::usage_error, "nothing prescribes a motion: the model has no driver",
                           "give one: --drive \"joint.angle==0.2 rad * sin(3 (rad/s) * time)\", or --motion RUN.h5");
    }
    for (const system::Driver& driver : base_.system.drivers) {
      if (driver.level == model::DriverNode::Level::position) continue;
      return console_.fail(
          ExitCode::usage_error,
          fmt::format("driver '{}' prescribes a rate or an acceleration: where it is, only a run knows", driver.path),
          "prescribe a position, or record a run and give it: --motion RUN.h5");
    }
    if (const std::optional<ExitCode> failed = compile()) return failed;
    model::SimulationSettings wanted;
    std::optional<ExitCode> failed;
    if (!read_option("--duration", request_.duration, Quantity::time, wanted.duration, console_, failed) ||
        !read_option("--output-every", request_.output_every, Quantity::time, wanted.output_every, console_, failed)) {
      return failed;
    }
    std::string problem;
    const std::optional<analysis::RunOptions> options =
        analysis::decide_options(driven_->machine.simulation, wanted, problem);
    if (!options) return console_.fail(ExitCode::usage_error, problem);
    const double tau = analysis::run_rank_tolerance(base_.assembly);
    analysis::DrivenPoses poses(driven_->system, driven_->params, tau, kSmallestStep * options->duration);
    if (!poses.start(analysis::state_for(driven_->system, driven_->params, base_.system, base_.assembly.state))) {
      return console_.fail(ExitCode::simulation_failed, "the motion does not begin where the machine can be",
                           "'gelenk check' says what is wrong with the start");
    }
    if (poses.undetermined() > 0) {
      return console_.fail(ExitCode::simulation_failed,
                           fmt::format("{} nothing prescribes: what they do depends on the loads",
                                       counted(poses.undetermined(), "motion")),
                           "drive them as well, or record a run and give it: --motion RUN.h5");
    }
    const auto rows = static_cast<std::size_t>(std::llround(options->duration / options->output_every)) + 1;
    begin(tau);
    ExitCode code = ExitCode::ok;
    if (!open_record(tau, {0.0, options->duration, rows}, code)) return code;
    for (std::size_t k = 0; k < rows; ++k) {
      const double time = k + 1 == rows ? options->duration : static_cast<double>(k) * options->output_every;
      if (!poses.lead_to(time)) {
        return console_.fail(
            ExitCode::simulation_failed,
            fmt::format("the machine cannot follow its drivers past {} s", format_rounded(poses.time(), 6)),
            "the drivers contradict each other or the joints there");
      }
      if (const std::optional<ExitCode> bad = add(poses.state())) return bad;
    }
    return close_record();
  }

  // Coordinates that are to be driven: those named, and those of the drivers.
  std::optional<ExitCode> choose_drives(std::vector<std::int32_t>& coordinates) {
    for (const std::string& name : request_.by) {
      std::string problem, hint;
      const std::int32_t found = find_coordinate(base_.system, name, "--by", problem, hint);
      if (found < 0) return console_.fail(ExitCode::usage_error, problem, hint);
      coordinates.push_back(found);
    }
    for (const system::Driver& driver : base_.system.drivers) {
      const bool is_named = std::find(coordinates.begin(), coordinates.end(), driver.coordinate) != coordinates.end();
      if (!is_named) coordinates.push_back(driver.coordinate);
    }
    if (!coordinates.empty()) return std::nullopt;
    return console_.fail(ExitCode::usage_error, "nothing drives the motion: the model has no driver",
                         "name the coordinates that are to be driven: --by shoulder.angle --by elbow.angle");
  }

  std::optional<ExitCode> follow_file() {
    if (!request_.duration.empty() || !request_.output_every.empty()) {
      return console_.fail(ExitCode::usage_error, "--motion has times of its own: no --duration, no --output-every");
    }
    std::vector<std::int32_t> coordinates;
    if (const std::optional<ExitCode> failed = choose_drives(coordinates)) return failed;
    std::vector<std::size_t> drivers;
    for (const std::int32_t c : coordinates) {
      const system::Coordinate& type = base_.system.coordinates[at(c)];
      const auto number = static_cast<std::size_t>(c - base_.system.joints[at(type.joint)].first_coordinate);
      drivers.push_back(analysis::add_instant_drive({model::JointId(at(type.joint)), number}, driven_->machine));
    }
    if (const std::optional<ExitCode> failed = compile()) return failed;
    std::string error;
    if (!request_.output.empty() && !is_table()) {
      return console_.fail(ExitCode::usage_error, "efforts of a recorded motion are written as a table",
                           "give the file a name that ends in .csv");
    }
    const std::unique_ptr<RecordedMotion> motion =
        RecordedMotion::open(request_.motion, driven_->system, driven_->params, error);
    if (!motion)
      return console_.fail(ExitCode::file_error, error,
                           "it needs all channels of this model: a run of it without --record");
    if (motion->rows() == 0)
      return console_.fail(ExitCode::file_error, fmt::format("'{}' has no rows", request_.motion));
    const double tau = analysis::run_rank_tolerance(base_.assembly);
    begin(tau);
    analysis::Equations rows(driven_->system, driven_->params, analysis::Partitioning::none);
    RecordedMotion::Row row;
    row.state = analysis::state_for(driven_->system, driven_->params, base_.system, base_.assembly.state);
    for (std::size_t k = 0; k < motion->rows(); ++k) {
      if (error = motion->read(k, row); !error.empty()) return console_.fail(ExitCode::file_error, error);
      mechanics::set_time_sides(driven_->system, driven_->params, row.state);
      prescribe(row, drivers, rows);
      if (const std::optional<ExitCode> bad = add(row.state)) return bad;
      note_difference(row);
    }
    return close_record();
  }

  // The drivers as the row moves: first where and how fast, as their rows are those of a driver that is there, then how
  // fast that changes.
  void prescribe(RecordedMotion::Row& row, const std::vector<std::size_t>& drivers, analysis::Equations& rows) {
    const system::System& system = driven_->system;
    mechanics::Workspace& workspace = rows.workspace();
    const mechanics::Context context{system, driven_->params, row.state};
    rows.load_rows(row.state);
    mechanics::set_all_sides(system, driven_->params, workspace, row.state);
    std::vector<analysis::InstantMotion> motions;
    for (const std::size_t d : drivers) {
      const mechanics::View<double> now = mechanics::view(context, workspace);
      const std::int32_t c = system.drivers[d].coordinate;
      motions.push_back({row.state.time, now.coordinate(c), now.rate(c), 0.0});
    }
    for (std::size_t i = 0; i < drivers.size(); ++i) {
      analysis::set_instant_motion(system, drivers[i], motions[i], driven_->params);
    }
    rows.load_rows(row.state);
    std::vector<double> biases(system.row_count());
    mechanics::row_biases(context, workspace, biases);
    for (std::size_t i = 0; i < drivers.size(); ++i) {
      const std::size_t r = at(system.drivers[drivers[i]].row);
      const RowBodies& bodies = system.row_bodies[r];
      double& acceleration = motions[i].acceleration;
      acceleration = -biases[r];
      for (std::size_t k = 0; k < 6; ++k) {
        if (bodies.a >= 0) acceleration += workspace.blocks[r].a[k] * row.accelerations[6 * at(bodies.a) + k];
        if (bodies.b >= 0) acceleration += workspace.blocks[r].b[k] * row.accelerations[6 * at(bodies.b) + k];
      }
      analysis::set_instant_motion(system, drivers[i], motions[i], driven_->params);
    }
  }

  void begin(double tau) {
    efforts_ = std::make_unique<analysis::DriveEfforts>(driven_->system, driven_->params, tau);
    needed_.assign(driven_->system.drivers.size(), {});
  }

  bool open_record(double tau, const RecordSpan& span, ExitCode& code) {
    if (request_.output.empty() || is_table()) return true;
    record_ = PoseRecord::open(request_, input_, *driven_, tau, span, console_, code);
    return record_ != nullptr;
  }

  bool is_table() const { return request_.output.ends_with(".csv"); }

  std::optional<ExitCode> close_record() {
    if (record_) {
      const std::string error = record_->close();
      return error.empty() ? std::nullopt : std::optional(console_.fail(ExitCode::file_error, error));
    }
    if (!is_table()) return std::nullopt;
    return save_text(request_.output, table_, request_.force, console_);
  }

  void add_line(double time) {
    if (!is_table()) return;
    const system::System& system = driven_->system;
    if (table_.empty()) {
      table_ = "time [s]";
      for (const system::Driver& driver : system.drivers) {
        const std::string name = coordinate_path(system, at(driver.coordinate));
        const Quantity effort = system.coordinates[at(driver.coordinate)].type->effort_quantity();
        table_ += fmt::format(",{}.effort [{}],{}.power [W]", name, quantity_info(effort).si_symbol, name);
      }
      table_ += '\n';
    }
    table_ += format_number(time);
    for (const double number : efforts_->efforts()) table_ += ',' + format_number(number);
    table_ += '\n';
  }

  std::optional<ExitCode> add(const system::State& state) {
    if (!efforts_->evaluate(state)) {
      return console_.fail(ExitCode::simulation_failed,
                           fmt::format("the loads at {} s are not finite", format_rounded(state.time, 6)));
    }
    if (rows_ == 0) {
      for (std::size_t d = 0; d < needed_.size(); ++d) unique_.push_back(efforts_->is_unique(d) ? 1 : 0);
      free_motions_ = efforts_->free_motions();
    }
    for (std::size_t d = 0; d < needed_.size(); ++d) {
      const double effort = efforts_->efforts()[2 * d], power = efforts_->efforts()[2 * d + 1];
      Needed& one = needed_[d];
      one.least = std::min(one.least, effort);
      one.most = std::max(one.most, effort);
      one.squares += effort * effort;
      if (std::abs(power) > std::abs(one.largest_power)) one.largest_power = power;
      if (rows_ > 0) one.work += 0.5 * (power + one.last_power) * (state.time - last_time_);
      one.last_power = power;
    }
    ++rows_;
    last_time_ = state.time;
    add_line(state.time);
    if (!record_ || record_->add(state)) return std::nullopt;
    return console_.fail(ExitCode::file_error, record_->close());
  }

  // Between how this machine moves and how the recorded one did.
  void note_difference(const RecordedMotion::Row& row) {
    for (std::size_t i = 0; i < row.accelerations.size(); ++i) {
      const double unit = i % 6 < 3 ? driven_->params.length : 1.0;
      fastest_ = std::max(fastest_, std::abs(row.accelerations[i]) / unit);
      const double off = std::abs(row.accelerations[i] - efforts_->accelerations()[i]) / unit;
      if (off <= difference_) continue;
      difference_ = off;
      differs_ = i / 6;
    }
  }
  bool is_another_motion() const { return difference_ > kSameMotion * fastest_; }

  double root_mean_square(const Needed& one) const {
    return std::sqrt(one.squares / static_cast<double>(std::max<std::size_t>(rows_, 1)));
  }

  void report() {
    const system::System& system = driven_->system;
    if (console_.json) {
      JsonWriter json;
      json.begin_object().member("file", request_.model.file).member("ok", true).key("inverse").begin_object();
      json.member("rows", rows_).member("freeMotions", free_motions_);
      json.member("sameMotion", !is_another_motion()).key("drives").begin_array();
      for (std::size_t d = 0; d < needed_.size(); ++d) {
        const Needed& one = needed_[d];
        json.begin_object().member("coordinate", coordinate_path(system, at(system.drivers[d].coordinate)));
        json.member("driver", system.drivers[d].path).member("unique", unique_[d] != 0);
        json.member("least", one.least).member("most", one.most).member("rootMeanSquare", root_mean_square(one));
        json.member("largestPower", one.largest_power).member("work", one.work).end_object();
      }
      json.end_array().end_object();
      console_.out(json.end_object().take());
      return;
    }
    std::string text =
        fmt::format("{}: efforts of {} in {}\n", system.name, counted(needed_.size(), "drive"), counted(rows_, "row"));
    text += fmt::format("  {:<28} {:>14} {:>14} {:>14} {:>14}\n", "coordinate", "least", "most", "root mean sq.",
                        "largest power");
    for (std::size_t d = 0; d < needed_.size(); ++d) {
      const std::size_t c = at(system.drivers[d].coordinate);
      const Quantity quantity = system.coordinates[c].type->effort_quantity();
      const auto shown_effort = [&](double value) { return shown_quantity(system.display, value, quantity, 5); };
      const Needed& one = needed_[d];
      text += fmt::format("  {:<28} {:>14} {:>14} {:>14} {:>14}{}\n", coordinate_path(system, c),
                          shown_effort(one.least), shown_effort(one.most), shown_effort(root_mean_square(one)),
                          shown_quantity(system.display, one.largest_power, Quantity::power, 5),
                          unique_[d] != 0 ? "" : "  shared");
    }
    if (std::find(unique_.begin(), unique_.end(), 0) != unique_.end()) {
      text +=
          "shared: more drives than freedoms, or drives against redundant joints; of all efforts that make the "
          "motion these are the smallest\n";
    }
    if (free_motions_ > 0) {
      text += fmt::format("{} not driven: they move as the loads say\n", counted(free_motions_, "motion is"));
    }
    if (is_another_motion()) {
      text += fmt::format("'{}' would not move as in {}: other loads or masses, or it is not driven\n",
                          system.lead_part(differs_).path, request_.motion);
    }
    console_.out(text);
  }

  const AnalyzeRequest& request_;
  ModelInput& input_;
  const AssembledMachine& base_;
  Console& console_;
  std::unique_ptr<DrivenMachine> driven_;
  std::unique_ptr<analysis::DriveEfforts> efforts_;
  std::unique_ptr<PoseRecord> record_;
  std::vector<Needed> needed_;
  std::string table_;
  std::vector<char> unique_;
  std::size_t rows_ = 0, free_motions_ = 0, differs_ = 0;
  double last_time_ = 0.0, difference_ = 0.0, fastest_ = 0.0;
};

}  // namespace

ExitCode analyze_inverse(const AnalyzeRequest& request, ModelInput& input, const AssembledMachine& machine,
                         Console& console) {
  return Inverse(request, input, machine, console).run();
}

}  // namespace gelenk::app
