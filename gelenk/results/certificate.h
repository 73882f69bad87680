#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/base/shown_quantity.h"

namespace gelenk {
class JsonWriter;
}

// What a run says about its own quality. It is written into the file of results when the run ends, as JSON, and can be
// checked afterwards with the numbers that were recorded. SI units.
namespace gelenk::results {

enum class Verdict : std::uint8_t { good, look_at, do_not_use };
std::string_view verdict_name(Verdict verdict);   // in files: "good", "look at", "do not use"
std::string_view verdict_words(Verdict verdict);  // for people: "good", "needs a look", "do not use"

struct Certificate {
  // Whose run it is. Hashes are SHA-256 in hexadecimal digits.
  std::string program_version;
  std::string build;         // compiler and kind of build
  std::string model_hash;    // of the resolved model
  std::string options_hash;  // of the options of the run
  std::string state_hash;    // of the last state, bit for bit
  std::string status;        // "done"
  double start_time = 0.0, end_time = 0.0;
  std::int64_t recorded_rows = 0;

  // How it was computed.
  std::string method;
  std::string method_reason;  // why, when the program chose it
  std::string solver;
  double step = 0.0;       // fixed-step methods; 0: chosen by the method
  double tolerance = 0.0;  // adaptive methods; 0: none
  std::int64_t steps = 0, rejected_steps = 0, evaluations = 0, newton_iterations = 0, factorizations = 0;
  double smallest_step = 0.0, largest_step = 0.0;
  std::int64_t time_laws = 0;      // formulas of time that were looked at between the stages of every step
  std::string hidden_law;          // one that does something within less than a fixed step, and when
  std::vector<double> resumed_at;  // times at which the run was continued from a checkpoint
  bool is_reproducible = true;     // false: a method that starts anew at checkpoints

  // How well the joints stay closed: largest residuals of all rows that are enforced (m, rad; m/s, rad/s), at the end
  // of all steps; `drift` is what a step opened before it was closed again.
  double drift = 0.0, position_residual = 0.0, rate_residual = 0.0;
  double dropped_residual = 0.0;  // of redundant rows, which are closed by the others
  double machine_size = 1.0;      // m: what is small for this machine

  // Change of the total energy = work of forces without potential + work of drivers + what impacts took or gave.
  double start_energy = 0.0, end_energy = 0.0;
  double work_of_forces = 0.0, work_of_drivers = 0.0, work_of_impacts = 0.0;
  double energy_turnover = 0.0;          // what the balance is compared with, see docs/certificate.md
  double energy_imbalance = 0.0;         // largest |difference of the two sides| over the recorded rows
  double imbalance_time = 0.0;           // when that was
  std::vector<std::string> other_books;  // sealed components, whose own word about their energy counts in the balance
  std::string impact;                    // "the rate of driver 'motor' jumps at 0.5 s"; empty: none

  struct RankChange {
    double time = 0.0;
    std::int32_t before = 0, after = 0;  // independent rows
    // Joints and drivers with rows that became dependent, and with rows that became independent again; joints that came
    // into a singular pose of their own, with the same number of independent rows or not.
    std::vector<std::string> lost, regained, locked;
  };
  std::int64_t rows = 0, independent_rows = 0;  // of all joints and drivers, at the start
  std::int64_t rank_change_count = 0;
  std::vector<RankChange> rank_changes;  // the first hundred, singular poses of single joints among them

  // Reactions that rigid parts do not determine. All directions that are not named here are unique in every recorded
  // row.
  struct SharedReaction {
    std::string channel;     // "crank_pin.reaction.force.y", "motor.torque"
    std::string element;     // "crank_pin"
    std::int32_t group = 0;  // elements of one group share with each other
    bool is_always = true;   // false: unique in some of the recorded rows
  };
  std::vector<SharedReaction> shared_reactions;  // the first kMostSharedReactions
  std::int64_t shared_reaction_count = 0;
  std::string reaction_split;         // how they were shared: "by_mass"
  bool has_reaction_partners = true;  // false: too many to find groups

  std::int64_t event_count = 0;

  struct ExceededLimit {
    std::string coordinate;                       // "lift.travel"
    double limit = 0.0, value = 0.0, time = 0.0;  // the worst value and when
    std::string unit;                             // SI

    Quantity quantity() const;  // from the unit; Quantity::any for one that no limit has
  };
  std::vector<ExceededLimit> exceeded_limits;
  Display display;  // units of sentences; numbers are SI

  // Parts that nothing joins to the ground and that ended farther from where they began than the machine is large,
  // without a start velocity that would send them there.
  struct Departure {
    std::string parts;      // "'crank', 'rod' and 6 more"
    double distance = 0.0;  // m, of the first of them
    double size = 0.0;      // m, of the machine as it is seen; 0: not known

    // Farther than kFarAway times the machine's size, which is `machine_size` where the other is not known.
    bool is_far(double machine_size) const;
  };
  std::vector<Departure> departures;

  // How well contacts kept Coulomb's law, in every step; nothing where there are none. SI.
  struct Contacts {
    std::int64_t solves = 0;    // problems of all contacts at once, steps and impacts
    std::int64_t unsolved = 0;  // of these, further from the law than a hundred times the tolerance
    std::int64_t most_sweeps = 0;
    std::int64_t impacts = 0;              // with restitution
    std::int64_t late_impacts = 0;         // of these, those that waited for the end of their step
    std::int64_t lost_bounces = 0;         // impacts at which restitution would have gained energy, and was left out
    double tolerance = 0.0;                // of the natural map, m/s
    double natural_map = 0.0;              // root of the mean square over all solves
    double worst = 0.0, worst_time = 0.0;  // largest of a point
    double deepest = 0.0, deepest_time = 0.0;              // largest overlap, m
    double work_of_impacts = 0.0, work_of_friction = 0.0;  // J, negative where energy is lost
    std::string worst_contact, deepest_contact;
  };
  std::optional<Contacts> contacts;

  // States that stay so small beside their scales that the tolerance allows errors as large as a notable part of them.
  struct SmallState {
    std::string state;                  // "valve.travel"
    double largest = 0.0, scale = 0.0;  // SI
    std::string unit;                   // SI
  };
  std::vector<SmallState> small_states;

  std::vector<std::string> assumptions;  // sentences

  // What a repetition with half the step, or a tenth of the tolerance, changed.
  struct Change {
    std::string output;
    double largest_change = 0.0, at_time = 0.0;
    double range = 0.0;  // largest - smallest value of the output; of a state, of what moves most in this unit
    std::string unit;    // SI
  };
  std::optional<std::vector<Change>> confirmation;
  // Fixed steps: what a repetition with twice the step changed in the state, the largest change for each unit; or why
  // that is not known. Neither in files of earlier programs, and for methods that choose their steps.
  std::optional<std::vector<Change>> doubled_step;
  std::string unknown_step_error;  // "with twice the step the run fails at 0.4 s"

  Verdict verdict = Verdict::good;
  std::vector<std::string> reasons;  // why it is not good: one sentence each, the worst first
};

inline constexpr std::size_t kMostSharedReactions = 1000;

// What is known about a channel of a reaction or of an effort.
enum class Sharing : std::uint8_t { unique, at_times, always, unknown };
std::string_view sharing_name(Sharing sharing);  // "unique", "shared at times", "shared", "unknown"
Sharing sharing_of(const Certificate& certificate, std::string_view channel);
// Elements that share with this one, each once.
std::vector<std::string> sharing_partners(const Certificate& certificate, std::string_view element);

// Above the first number a run is worth a look, above the second it should not be used. Reasons: docs/certificate.md.
struct Threshold {
  double look_at = 0.0;
  double do_not_use = 0.0;
};
// Residuals of positions are in machine sizes and rad, those of rates the same per second.
inline constexpr Threshold kPositionResidual{1e-9, 1e-6};
inline constexpr Threshold kRateResidual{1e-7, 1e-4};
inline constexpr Threshold kDroppedResidual{1e-6, 1e-2};
inline constexpr Threshold kEnergyImbalance{1e-3, 0.05};  // of the turnover
inline constexpr Threshold kConfirmedChange{0.01, 0.1};   // of the range of the output, also of estimated errors
// The same where there are contacts: which box of a pile falls first is chaos, and no error that a step makes smaller.
inline constexpr Threshold kChangeWithContacts{0.01, std::numeric_limits<double>::infinity()};
// Errors of fixed steps are at most this part of what twice the step changes: a method of order p leaves
// (y₂ₕ - yₕ)/(2ᵖ - 1), a third for the second order, which rk4 has left where kinks take two of its four.
inline constexpr double kErrorOfDoubledStep = 0.5;
// Loose parts further from their start than this many machine sizes have left the machine.
inline constexpr double kFarAway = 10.0;
// Errors of a state that the tolerance allows and that are larger than this part of its largest value are worth a look.
inline constexpr double kNotableStateError = 1e-3;
// A natural map of contacts above so many tolerances, ten times what gravity does in a step, is worth nothing.
inline constexpr double kUselessNaturalMap = 1e4;
// What rests on contacts may change by this part of the machine's size, or rad, when a run is repeated.
inline constexpr double kCreepOfContacts = 1e-3;
// Overlaps of contacts above this part of the machine's size are worth a look.
inline constexpr double kNotableOverlap = 0.02;
// Impacts that changed the energy by more than this part of the turnover are worth a look.
inline constexpr double kNotableImpact = 1e-6;

// The first change of the number of independent rows; null: none is known.
const Certificate::RankChange* first_rank_change(const Certificate& certificate);
// Sets the verdict and its reasons from everything else.
void judge(Certificate& certificate);
// The largest error that the time steps made, as far as a repetition shows it; nothing without one.
struct StepError {
  const Certificate::Change* change = nullptr;  // null: only rounding changed
  double error = 0.0;                           // in the unit of the change
  double share = 0.0;                           // of its range
};
std::optional<StepError> largest_step_error(const Certificate& certificate);
// Imbalance as a part of the turnover; 0 where there is neither.
double relative_imbalance(const Certificate& certificate);
// "good (joints closed to 2e-13 m, energy balanced to 1e-9)", "needs a look: ...": the verdict in one line.
std::string verdict_line(const Certificate& certificate);

// With a checksum at its end: a text that was changed by hand is not what its own numbers give when written again.
std::string to_json(const Certificate& certificate);
// The same as a value inside other JSON.
void write_json(const Certificate& certificate, JsonWriter& json);
// Nothing, and a sentence in `error`, when the text is no certificate.
std::optional<Certificate> certificate_from_json(std::string_view text, std::string& error);

}  // namespace gelenk::results
