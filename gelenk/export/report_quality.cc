#include <fmt/format.h>

#include <cmath>

#include "gelenk/base/json_reader.h"
#include "gelenk/base/text.h"
#include "gelenk/export/report_sections.h"

// The part of a report that says how good the run is.
namespace gelenk::exporting {
namespace {

using results::Certificate;

constexpr int kFewDigits = 2;

std::string few(double value) { return format_rounded(value, kFewDigits); }

std::string method_text(const Certificate& c, const ReportWords& words) {
  std::string text = c.method;
  if (c.step > 0.0) text += ", step " + words.amount(c.step, Quantity::time);
  if (c.tolerance > 0.0) text += ", tolerance " + format_rounded(c.tolerance, 3);
  if (!c.solver.empty()) text += ", solver " + c.solver;
  return c.method_reason.empty() ? text : text + " (" + c.method_reason + ")";
}

std::string steps_text(const Certificate& c, const ReportWords& words) {
  std::string text = fmt::format("{} taken, {} rejected", c.steps, c.rejected_steps);
  if (c.largest_step > 0.0) {
    text += fmt::format(", {} to {} long", words.number(c.smallest_step, Quantity::time),
                        words.amount(c.largest_step, Quantity::time));
  }
  text += fmt::format("; {} evaluations", c.evaluations);
  if (c.newton_iterations > 0) text += fmt::format(", {} Newton iterations", c.newton_iterations);
  if (c.event_count > 0) text += fmt::format(", {} events", c.event_count);
  return text;
}

std::string energy_text(const Certificate& c, const ReportWords& words) {
  const auto joules = [&](double value) { return words.amount(value, Quantity::energy, c.energy_turnover); };
  std::string text =
      fmt::format("{} at the start, {} at the end; work of forces {}, of drivers {}", joules(c.start_energy),
                  joules(c.end_energy), joules(c.work_of_forces), joules(c.work_of_drivers));
  if (c.work_of_impacts != 0.0) text += ", of impacts " + joules(c.work_of_impacts);
  return text;
}

std::string balance_text(const Certificate& c, const ReportWords& words) {
  std::string text = fmt::format("off by at most {} {}", few(words.shown(c.energy_imbalance, Quantity::energy)),
                                 words.unit(Quantity::energy));
  if (c.energy_turnover > 0.0)
    text += fmt::format(", {} of the energy turnover", few(c.energy_imbalance / c.energy_turnover));
  return text;
}

std::string joints_text(const Certificate& c) {
  return fmt::format(
      "closed to {} (m, rad), rates to {} (per s); a step opens them by up to {} before they are closed again",
      few(c.position_residual), few(c.rate_residual), few(c.drift));
}

std::string rank_text(const Certificate& c) {
  std::string text = fmt::format("{} rows of joints and drivers, {} of them independent", c.rows, c.independent_rows);
  if (c.rank_change_count > 0) {
    text += fmt::format("; that number changes {} times", c.rank_change_count);
    if (const Certificate::RankChange* first = results::first_rank_change(c)) {
      text += fmt::format(", first at {} s", format_rounded(first->time, 4));
      if (!first->lost.empty()) text += fmt::format(": {} lost", join(first->lost, ", "));
      if (!first->regained.empty()) text += fmt::format(": {} regained", join(first->regained, ", "));
    }
  }
  for (const Certificate::RankChange& change : c.rank_changes) {
    if (change.locked.empty()) continue;
    text +=
        fmt::format("; {} in its own singular pose at {} s", join(change.locked, ", "), format_rounded(change.time, 4));
    break;
  }
  return text;
}

std::string time_step_text(const Certificate& c, const ReportWords& words) {
  if (!c.confirmation && !c.doubled_step) {
    return c.unknown_step_error.empty() ? "not estimated (use gelenk run --confirm)"
                                        : "not known: " + c.unknown_step_error;
  }
  std::vector<std::string> pieces;
  for (const Certificate::Change& change : c.confirmation ? *c.confirmation : *c.doubled_step) {
    if (change.largest_change == 0.0) continue;
    const std::string relative = change.range > 0.0
                                     ? fmt::format(" ({} of its range)", few(change.largest_change / change.range))
                                     : std::string();
    pieces.push_back(fmt::format("{} by {} {}{} at {}", change.output, few(change.largest_change), change.unit,
                                 relative, words.amount(change.at_time, Quantity::time)));
  }
  const std::string changes = pieces.empty() ? std::string("nothing") : join(pieces, ", ");
  if (c.confirmation) return "a repetition with smaller steps changed " + changes;
  return "a repetition with twice the step changed " + changes +
         (pieces.empty() ? "" : "; the error is taken as half of that");
}

void add_hashes(const Certificate& c, ReportSection& section) {
  if (!c.model_hash.empty()) section.facts.push_back({"Hash of the model", c.model_hash});
  if (!c.options_hash.empty()) section.facts.push_back({"Hash of the options", c.options_hash});
  if (!c.state_hash.empty()) section.facts.push_back({"Hash of the last state", c.state_hash});
}

// Energies of a motion that has run away mean nothing.
void add_certificate(const Certificate& c, bool has_run_away, const ReportWords& words, ReportSection& section) {
  section.facts.push_back({"Method", method_text(c, words)});
  section.facts.push_back({"Steps", steps_text(c, words)});
  section.facts.push_back({"Time-step error", time_step_text(c, words)});
  if (!has_run_away) {
    section.facts.push_back({"Energy", energy_text(c, words)});
    section.facts.push_back({"Energy balance", balance_text(c, words)});
  }
  section.facts.push_back({"Joints", joints_text(c)});
  section.facts.push_back({"Constraints", rank_text(c)});
  for (const Certificate::ExceededLimit& limit : c.exceeded_limits) {
    section.facts.push_back({"Limit exceeded", fmt::format("{} reaches {} at {}; the limit is {}", limit.coordinate,
                                                           words.amount(limit.value, limit.quantity()),
                                                           words.amount(limit.time, Quantity::time),
                                                           words.amount(limit.limit, limit.quantity()))});
  }
  if (!c.resumed_at.empty()) {
    std::vector<std::string> times;
    for (const double time : c.resumed_at) times.push_back(words.amount(time, Quantity::time));
    section.facts.push_back({"Continued at", join(times, ", ")});
  }
  if (!c.is_reproducible) {
    section.facts.push_back({"Repeatable", "not bit for bit: the method restarts at checkpoints"});
  }
  add_hashes(c, section);
}

// What a file without a certificate still shows.
void add_recorded(const RunDigest& digest, const results::Reader& reader, const ReportWords& words,
                  ReportSection& section) {
  std::string unused;
  const std::optional<JsonValue> options = read_json(reader.header().options, unused);
  if (options && options->find("method") != nullptr) {
    std::string text = options->text_or("method", "");
    if (const double step = options->number_or("step", 0.0); step > 0.0) {
      text += ", step " + words.amount(step, Quantity::time);
    }
    if (const double tolerance = options->number_or("tolerance", 0.0); tolerance > 0.0) {
      text += ", tolerance " + format_rounded(tolerance, 3);
    }
    section.facts.push_back({"Method", text});
  }
  for (const ChannelDigest& energy : digest.energies) {
    if (energy.name != "energy.total" || energy.summary.is_empty()) continue;
    section.facts.push_back(
        {"Energy", fmt::format("{} at the start, {} at the end", words.amount(energy.summary.start, energy),
                               words.amount(energy.summary.end, energy))});
  }
}

Tone tone_of(results::Verdict verdict) {
  switch (verdict) {
    case results::Verdict::good:
      return Tone::good;
    case results::Verdict::look_at:
      return Tone::look_at;
    case results::Verdict::do_not_use:
      break;
  }
  return Tone::do_not_use;
}

std::string status_sentence(const RunDigest& digest) {
  if (!digest.is_closed) return "The file was not closed: the run is still in progress, or was killed.";
  switch (digest.status) {
    case results::RunStatus::done:
      return {};
    case results::RunStatus::failed:
      return digest.message.empty() ? "The run failed." : "The run failed: " + digest.message;
    case results::RunStatus::stopped:
      return digest.message.empty() ? "The run was stopped before its end." : "The run was stopped: " + digest.message;
    case results::RunStatus::running:
      break;
  }
  return "The run did not finish.";
}

// The others are numbers of a motion that has run away.
void keep_first_reason(std::vector<std::string>& reasons) {
  if (reasons.size() < 2) return;
  const std::size_t others = reasons.size() - 1;
  reasons.resize(1);
  reasons.push_back(fmt::format("{} as well: gelenk info RUN.h5 --certificate lists {}",
                                counted(others, "other check fails", "other checks fail"),
                                others == 1 ? "it" : "them"));
}

std::string step_error_sentence(const Certificate& c) {
  if (c.confirmation) return "A more accurate repetition of the run agrees.";
  const std::optional<results::StepError> worst = results::largest_step_error(c);
  if (!worst) return "The error of the time steps was not estimated: gelenk run --confirm does that.";
  if (worst->change == nullptr) return "Twice the step changes nothing.";
  return fmt::format("The error of the time steps is about {} % of the motion.",
                     format_rounded(100.0 * worst->share, 1));
}

// What "good" covers, and what it does not.
std::string good_sentence(const Certificate& c) {
  return fmt::format("Joints stay closed to {} m, and energy is balanced to {} of its turnover. {}",
                     format_rounded(c.position_residual, 1), format_rounded(relative_imbalance(c), 1),
                     step_error_sentence(c));
}

void set_recorded_verdict(const RunDigest& digest, ReportPage& page) {
  if (digest.certificate) {
    page.tone = tone_of(digest.certificate->verdict);
    page.verdict = std::string(verdict_words(digest.certificate->verdict));
    page.reasons = digest.certificate->reasons;
    if (digest.certificate->verdict == results::Verdict::good)
      page.reasons.push_back(good_sentence(*digest.certificate));
    if (digest.run_away) keep_first_reason(page.reasons);
    // The certificate says that a run failed; the message says why.
    if (!digest.message.empty()) page.reasons.push_back(digest.message);
    return;
  }
  page.verdict = "not judged";
  page.tone = digest.status == results::RunStatus::failed ? Tone::do_not_use : Tone::unknown;
  const std::string status = status_sentence(digest);
  if (!status.empty()) page.reasons.push_back(status);
  page.reasons.push_back(digest.certificate_problem.empty()
                             ? "The file has no certificate, so the quality of the run is unknown."
                             : "The certificate of the run cannot be read: " + digest.certificate_problem);
}

}  // namespace

// The certificate is about the run, not about the file as it is now.
void set_verdict(const RunDigest& digest, ReportPage& page) {
  set_recorded_verdict(digest, page);
  if (digest.damage.empty()) return;
  page.tone = Tone::do_not_use;
  page.verdict = verdict_words(results::Verdict::do_not_use);
  page.reasons.insert(page.reasons.begin(), "The file is damaged: " + join(digest.damage, "; "));
}

ReportSection quality_section(const RunDigest& digest, const results::Reader& reader, const ReportWords& words) {
  ReportSection section{.title = "Quality"};
  if (digest.certificate) {
    add_certificate(*digest.certificate, digest.run_away.has_value(), words, section);
  } else {
    add_recorded(digest, reader, words, section);
  }
  return section;
}

ReportSection assumptions_section(const RunDigest& digest) {
  ReportSection section{.title = "Assumptions"};
  if (digest.certificate) section.points = digest.certificate->assumptions;
  return section;
}

}  // namespace gelenk::exporting
