#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"
#include "gelenk/results/certificate.h"

namespace gelenk::results {
namespace {

// "0.0012 %", "12 %", but "230 %" instead of "2.3e+02 %".
std::string percent_rounded(double share, int digits) {
  const double number = 100.0 * share;
  constexpr double kMostInFull = 1e7;
  const bool in_full = number >= 9.5 && number < kMostInFull;
  return (in_full ? fmt::format("{:.0f}", number) : format_rounded(number, digits)) + " %";
}
std::string percent(double share) { return percent_rounded(share, 2); }
std::string percent_of_one_digit(double share) { return percent_rounded(share, 1); }

// Collects reasons; the worst decides, and stands first.
class Judgment {
 public:
  void add(Verdict verdict, std::string reason) { found_.push_back({verdict, std::move(reason)}); }

  // What is not a number is worse than everything.
  template <class Text>
  void compare(double value, const Threshold& threshold, const Text& text) {
    if (value <= threshold.look_at) return;
    add(value <= threshold.do_not_use ? Verdict::look_at : Verdict::do_not_use, text(value));
  }

  void write(Certificate& certificate) {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Found& a, const Found& b) { return a.verdict > b.verdict; });
    certificate.verdict = found_.empty() ? Verdict::good : found_.front().verdict;
    certificate.reasons.clear();
    for (Found& one : found_) certificate.reasons.push_back(std::move(one.reason));
  }

 private:
  struct Found {
    Verdict verdict = Verdict::good;
    std::string reason;
  };
  std::vector<Found> found_;
};

void judge_residuals(const Certificate& c, Judgment& judgment) {
  // Lengths and angles are not distinguished in the residuals: of a small machine they count as lengths.
  const double size = std::min(1.0, c.machine_size);
  const auto open = [](std::string_view what, std::string_view unit) {
    return [what, unit](double value) {
      return fmt::format("{} {} of the machine's size{}", what, format_rounded(value, 2), unit);
    };
  };
  judgment.compare(c.position_residual / size, kPositionResidual, open("joints are open by", " (or rad)"));
  judgment.compare(c.rate_residual / size, kRateResidual, open("joints come apart at", " per second (or rad/s)"));
  judgment.compare(c.dropped_residual / size, kDroppedResidual,
                   open("redundant joints contradict each other by", " (or rad)"));
}

void judge_energy(const Certificate& c, Judgment& judgment) {
  const std::string_view setting = c.tolerance > 0.0 ? "tolerance" : "step";
  judgment.compare(relative_imbalance(c), kEnergyImbalance, [&](double share) {
    std::string text = fmt::format(
        "{} of the energy is gained or lost without cause ({} J at {} s): the {} is too large", percent(share),
        format_rounded(c.energy_imbalance, 3), format_rounded(c.imbalance_time, 4), setting);
    // Nobody outside can look into the books of a sealed component.
    if (!c.other_books.empty()) {
      text += fmt::format(", or the energy that '{}' reports is wrong: if a smaller {} changes little, ask its maker",
                          join(c.other_books, "' or '"), setting);
    }
    return text;
  });
  const double other_impacts =
      c.work_of_impacts - (c.contacts ? c.contacts->work_of_impacts + c.contacts->work_of_friction : 0.0);
  if (!c.impact.empty()) {
    judgment.add(Verdict::look_at, fmt::format("{}: an impact, which changed the energy by {} J", c.impact,
                                               format_rounded(c.work_of_impacts, 3)));
  } else if (!(std::abs(other_impacts) <= kNotableImpact * c.energy_turnover)) {
    judgment.add(Verdict::look_at, fmt::format("velocities jump at an event: impacts changed the energy by {} J",
                                               format_rounded(other_impacts, 3)));
  }
}

// One word for one contact, the worst.
void judge_contacts(const Certificate& c, Judgment& judgment) {
  if (!c.contacts) return;
  const Certificate::Contacts& k = *c.contacts;
  if (k.unsolved > 0 || !std::isfinite(k.worst)) {
    // As much as gravity does in a step: nobody knows what holds then.
    const bool is_bad = !(k.worst <= kUselessNaturalMap * k.tolerance);
    judgment.add(
        is_bad ? Verdict::do_not_use : Verdict::look_at,
        fmt::format("the law of contact was not reached in {} of {} steps and impacts: '{}' is off by {} m/s at {} s, "
                    "where {} is aimed at; try a smaller step, or masses that differ less",
                    k.unsolved, k.solves, k.worst_contact, format_rounded(k.worst, 2), format_rounded(k.worst_time, 4),
                    format_rounded(k.tolerance, 2)));
  }
  if (k.deepest > kNotableOverlap * c.machine_size) {
    judgment.add(Verdict::look_at, fmt::format("'{}' overlaps by {} at {} s: try a smaller step", k.deepest_contact,
                                               shown_quantity(c.display, k.deepest, Quantity::length, 3),
                                               format_rounded(k.deepest_time, 4)));
  }
  if (k.late_impacts > 0) {
    judgment.add(Verdict::look_at,
                 fmt::format("{} impacts waited for the end of their step, because there were too many in it: try a "
                             "smaller step",
                             k.late_impacts));
  }
  if (k.lost_bounces > 0) {
    judgment.add(
        Verdict::look_at,
        fmt::format("at {} impacts the restitution was left out, because with this friction Newton's law would "
                    "have gained energy",
                    k.lost_bounces));
  }
}

void judge_laws(const Certificate& c, Judgment& judgment) {
  if (c.hidden_law.empty()) return;
  judgment.add(Verdict::look_at, c.step > 0.0 ? fmt::format("{}: steps of {} s are too long to resolve it",
                                                            c.hidden_law, format_rounded(c.step, 3))
                                              : fmt::format("{}: its steps were too long to resolve it", c.hidden_law));
}

void judge_limits(const Certificate& c, Judgment& judgment) {
  for (const Certificate::ExceededLimit& limit : c.exceeded_limits) {
    const auto shown = [&](double value) { return shown_quantity(c.display, value, limit.quantity(), 4); };
    judgment.add(Verdict::look_at, fmt::format("limit of {} exceeded: {} at {} s, allowed {}", limit.coordinate,
                                               shown(limit.value), format_rounded(limit.time, 4), shown(limit.limit)));
  }
}

void judge_states(const Certificate& c, Judgment& judgment) {
  for (const Certificate::SmallState& one : c.small_states) {
    judgment.add(
        Verdict::look_at,
        fmt::format("state {} stays below {} {}, small relative to its scale of {} {}: the tolerance allows errors of "
                    "{} of it; choose a `scale` of its size",
                    one.state, format_rounded(one.largest, 3), one.unit, format_rounded(one.scale, 3), one.unit,
                    percent(c.tolerance * one.scale / one.largest)));
  }
}

std::string_view pronoun(const Certificate::Departure& one) {
  return one.parts.find(" and ") == std::string::npos ? "it" : "them";
}

void judge_departures(const Certificate& c, Judgment& judgment) {
  for (const Certificate::Departure& one : c.departures) {
    if (!one.is_far(c.machine_size)) continue;
    judgment.add(
        Verdict::look_at,
        fmt::format("{} ended {} from the start, {} times the machine's size: nothing joins {} to the ground",
                    one.parts, shown_quantity(c.display, one.distance, Quantity::length, 3),
                    format_rounded(one.distance / (one.size > 0.0 ? one.size : c.machine_size), 3), pronoun(one)));
  }
}

void judge_ranks(const Certificate& c, Judgment& judgment) {
  if (c.rank_change_count == 0) return;
  std::string place;
  if (const Certificate::RankChange* first = first_rank_change(c)) {
    place = fmt::format(" at {} s", format_rounded(first->time, 4));
    const std::vector<std::string>& names = first->lost.empty() ? first->regained : first->lost;
    if (!names.empty()) place += fmt::format(", at '{}'", names.front());
    if (names.size() > 1) place += fmt::format(" and {} more", names.size() - 1);
  }
  judgment.add(
      Verdict::look_at,
      fmt::format("the machine passed a singular pose{}: its joints do not determine how it continues from there",
                  place));
}

// What rests on contacts creeps by what their solver leaves, and a part of nothing is not a measure: changes this small
// beside the machine do not count.
bool is_rest(const Certificate& c, const Certificate::Change& change) {
  if (!c.contacts) return false;
  const bool is_turn = change.unit == "rad" || change.unit == "1" || change.unit == "rad/s";
  const bool is_way = change.unit == "m" || change.unit == "m/s";
  const double unit = is_way ? std::min(1.0, c.machine_size) : 1.0;
  return (is_way || is_turn) && change.largest_change <= kCreepOfContacts * unit;
}

const Threshold& allowed_change(const Certificate& c) { return c.contacts ? kChangeWithContacts : kConfirmedChange; }

// What a large change with another step says.
std::string_view change_words(const Certificate& c, double share) {
  const bool may_be_chaos = c.contacts && share > kConfirmedChange.do_not_use;
  return may_be_chaos
             ? "; where things fall and bounce, small differences grow: a smaller step shows whether it is that"
             : "";
}

void judge_confirmation(const Certificate& c, Judgment& judgment) {
  if (!c.confirmation) return;
  for (const Certificate::Change& change : *c.confirmation) {
    if (change.largest_change == 0.0 || is_rest(c, change)) continue;
    judgment.compare(change.largest_change / change.range, allowed_change(c), [&](double share) {
      return fmt::format("{} changes by {} of its range at {} s when the run is repeated more accurately{}",
                         change.output, percent(share), format_rounded(change.at_time, 4), change_words(c, share));
    });
  }
}

void judge_fixed_steps(const Certificate& c, Judgment& judgment) {
  if (!c.unknown_step_error.empty()) {
    judgment.add(Verdict::look_at, "the error of the fixed steps is not known: " + c.unknown_step_error);
  }
  if (!c.doubled_step) return;
  const std::optional<StepError> worst = largest_step_error(c);
  if (worst->change == nullptr) return;
  judgment.compare(worst->share, allowed_change(c), [&](double share) {
    const std::string_view words = change_words(c, share);
    return fmt::format("{} may be off by {} of its range at {} s{}", worst->change->output, percent(share),
                       format_rounded(worst->change->at_time, 4), words.empty() ? ": the step is too large" : words);
  });
}

// "; the error of the steps is not included: --confirm estimates it"
std::string step_error_words(const Certificate& c) {
  const std::optional<StepError> worst = largest_step_error(c);
  if (!worst) return "; the error of the steps is not included: --confirm estimates it";
  if (worst->change == nullptr) {
    return c.contacts ? ", error of the steps below a thousandth of the machine's size"
                      : ", error of the steps below rounding";
  }
  return fmt::format(", error of the steps about {} of the motion", percent_of_one_digit(worst->share));
}

// "; 'hub' and 'lid' ended 4.9 m from the start: nothing joins them to the ground"
std::string departure_words(const Certificate& c) {
  if (c.departures.empty()) return {};
  const Certificate::Departure& one = c.departures.front();
  const std::size_t more = c.departures.size() - 1;
  return fmt::format("; {}{} ended {} from the start: nothing joins {} to the ground", one.parts,
                     more == 0 ? std::string() : fmt::format(" (and {} more groups of parts)", more),
                     shown_quantity(c.display, one.distance, Quantity::length, 3), pronoun(one));
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::good:
      return "good";
    case Verdict::look_at:
      return "look at";
    case Verdict::do_not_use:
      return "do not use";
  }
  return "";
}

std::string_view verdict_words(Verdict verdict) {
  return verdict == Verdict::look_at ? "needs a look" : verdict_name(verdict);
}

const Certificate::RankChange* first_rank_change(const Certificate& certificate) {
  for (const Certificate::RankChange& change : certificate.rank_changes) {
    if (change.before != change.after) return &change;
  }
  return nullptr;
}

std::optional<StepError> largest_step_error(const Certificate& certificate) {
  const bool is_confirmed = certificate.confirmation.has_value();
  if (!is_confirmed && !certificate.doubled_step) return std::nullopt;
  const double part = is_confirmed ? 1.0 : kErrorOfDoubledStep;
  StepError worst;
  for (const Certificate::Change& change : is_confirmed ? *certificate.confirmation : *certificate.doubled_step) {
    if (change.largest_change == 0.0 || is_rest(certificate, change)) continue;
    const double error = part * change.largest_change;
    const double share = error / change.range;
    if (share <= worst.share || std::isnan(worst.share)) continue;
    worst = {&change, error, share};
  }
  return worst;
}

double relative_imbalance(const Certificate& certificate) {
  return certificate.energy_imbalance == 0.0 ? 0.0 : certificate.energy_imbalance / certificate.energy_turnover;
}

Quantity Certificate::ExceededLimit::quantity() const {
  for (const Quantity known : {Quantity::length, Quantity::angle, Quantity::speed, Quantity::angular_rate}) {
    if (quantity_info(known).si_symbol == unit) return known;
  }
  return Quantity::any;
}

bool Certificate::Departure::is_far(double machine_size) const {
  return distance > kFarAway * (size > 0.0 ? size : machine_size);
}

void judge(Certificate& certificate) {
  Judgment judgment;
  if (certificate.status == "failed") {
    judgment.add(Verdict::do_not_use, fmt::format("the run failed at {} s", format_rounded(certificate.end_time, 6)));
  } else if (certificate.status != "done") {
    judgment.add(Verdict::look_at,
                 fmt::format("the run was {} at {} s", certificate.status, format_rounded(certificate.end_time, 6)));
  }
  judge_residuals(certificate, judgment);
  judge_energy(certificate, judgment);
  judge_contacts(certificate, judgment);
  judge_laws(certificate, judgment);
  judge_limits(certificate, judgment);
  judge_states(certificate, judgment);
  judge_departures(certificate, judgment);
  judge_confirmation(certificate, judgment);
  judge_fixed_steps(certificate, judgment);
  judge_ranks(certificate, judgment);
  judgment.write(certificate);
}

std::string verdict_line(const Certificate& certificate) {
  if (certificate.verdict == Verdict::good || certificate.reasons.empty()) {
    return fmt::format("{} (joints closed to {} m, energy balanced to {}{}{})", verdict_words(certificate.verdict),
                       format_rounded(certificate.position_residual, 1),
                       format_rounded(relative_imbalance(certificate), 1), step_error_words(certificate),
                       departure_words(certificate));
  }
  const std::size_t more = certificate.reasons.size() - 1;
  return fmt::format("{}: {}{}", verdict_words(certificate.verdict), certificate.reasons.front(),
                     more == 0 ? std::string() : fmt::format("; and {} more", more));
}

}  // namespace gelenk::results
