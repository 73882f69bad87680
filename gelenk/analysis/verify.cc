#include "gelenk/analysis/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gelenk/analysis/verify_rows.h"
#include "gelenk/base/hash.h"
#include "gelenk/base/text.h"
#include "gelenk/system/hard_laws.h"

namespace gelenk::analysis {
namespace {

constexpr const char* kCheckNames[kCheckCount] = {
    "certificate", "times",   "numbers",           "parts", "joints", "coordinates", "energies", "forces", "Newton",
    "drivers",     "outputs", "balance of energy", "work"};

class Verification {
 public:
  explicit Verification(const VerifyInput& input) : input_(input), findings_(report_) {
    for (const char* name : kCheckNames) report_.checks.push_back({.name = name});
  }

  VerifyReport run() {
    if (input_.system.has_jumps()) {
      report_.error = fmt::format("it has {}, and what they do cannot be verified from the recorded rows yet",
                                  system::jumps_text(input_.system));
      return std::move(report_);
    }
    read_certificate();
    RecordedRows rows(input_.layout, input_.reader);
    report_.error = rows.error();
    std::vector<results::Event> events;
    if (report_.error.empty()) report_.error = input_.reader.read_events(events);
    std::erase_if(events, [](const results::Event& event) { return event.kind == results::kFailureEvent; });
    if (!report_.error.empty()) return std::move(report_);
    std::vector<double> event_times;
    for (const results::Event& event : events) event_times.push_back(event.time);
    std::sort(event_times.begin(), event_times.end());

    RowChecks checks(input_, rows, certificate_ ? &*certificate_ : nullptr, std::move(event_times), findings_);
    if (!over_rows(rows, [&](std::size_t) { checks.measure(); })) return std::move(report_);
    double before = 0.0;
    const bool is_read = over_rows(rows, [&](std::size_t row) {
      findings_.set_row(row, rows.time());
      if (row > 0) {
        findings_.compare_text(CheckId::times, rows.time() > before, "time",
                               fmt::format("{} s follows {} s", format_number(rows.time()), format_number(before)));
      }
      before = rows.time();
      checks.check(row);
      if (row == 0) check_start(rows);
      if (row + 1 == input_.reader.row_count()) check_end(rows, events.size());
    });
    if (is_read) checks.finish();
    return std::move(report_);
  }

 private:
  template <class Visit>
  bool over_rows(RecordedRows& rows, const Visit& visit) {
    for (std::size_t row = 0; row < input_.reader.row_count(); ++row) {
      if (!rows.read(row)) {
        report_.error = rows.error();
        return false;
      }
      visit(row);
    }
    return true;
  }

  void read_certificate() {
    const std::string text = input_.reader.certificate();
    if (text.empty()) {
      findings_.not_checked("the certificate: there is none, as after a run was killed");
      return;
    }
    std::string error;
    certificate_ = results::certificate_from_json(text, error);
    findings_.compare_text(CheckId::certificate, certificate_.has_value(), "certificate",
                           "it cannot be read: " + error);
    if (!certificate_) return;
    findings_.compare_text(CheckId::certificate, results::to_json(*certificate_) == text, "certificate",
                           "its numbers do not match its own checksum");
    const auto same_hash = [&](const std::string& claimed, std::string_view what, const char* name) {
      findings_.compare_text(CheckId::certificate, claimed == sha256(what), name,
                             "it is not the one that the certificate was made for");
    };
    same_hash(certificate_->model_hash, input_.reader.header().resolved_model, "model");
    same_hash(certificate_->options_hash, input_.reader.header().options, "options");
    findings_.compare_text(
        CheckId::certificate, certificate_->status == status_name(input_.reader.status()), "status",
        fmt::format("the file says {}, the certificate {}", status_name(input_.reader.status()), certificate_->status));
    results::Certificate judged = *certificate_;
    results::judge(judged);
    findings_.compare_text(
        CheckId::certificate, judged.verdict == certificate_->verdict && judged.reasons == certificate_->reasons,
        "verdict",
        fmt::format("from the other numbers of the certificate it would be '{}'", results::verdict_line(judged)));
    findings_.not_checked("the hash of the last state: it covers more digits and states than a row holds");
  }

  // Energies are copied into the certificate, not computed again.
  void compare_energy(const RecordedRows& rows, std::size_t column, double claimed, const char* name) {
    if (!certificate_ || !rows.has(results::BlockId::energy, column)) return;
    const double recorded = rows[results::BlockId::energy][column];
    constexpr double kPrinted = 1e-14;
    findings_.compare(CheckId::certificate, recorded, claimed, kPrinted * std::abs(claimed),
                      [&] { return fmt::format("energy.{} and the certificate", name); });
  }

  void check_start(const RecordedRows& rows) {
    if (!certificate_) return;
    findings_.compare(CheckId::certificate, rows.time(), certificate_->start_time, 0.0,
                      [] { return std::string("time of the first row and the certificate"); });
    compare_energy(rows, 2, certificate_->start_energy, "total");
  }

  void check_end(const RecordedRows& rows, std::size_t events) {
    if (!certificate_) return;
    findings_.compare_text(CheckId::certificate, rows.time() <= certificate_->end_time, "time",
                           fmt::format("a row at {} s in a run that ended at {} s", format_number(rows.time()),
                                       format_number(certificate_->end_time)));
    findings_.compare(CheckId::certificate, static_cast<double>(input_.reader.row_count()),
                      static_cast<double>(certificate_->recorded_rows), 0.0,
                      [] { return std::string("number of rows and the certificate"); });
    compare_energy(rows, 2, certificate_->end_energy, "total");
    compare_energy(rows, 3, certificate_->work_of_forces, "work_of_forces");
    compare_energy(rows, 4, certificate_->work_of_drivers, "work_of_drivers");
    compare_energy(rows, 5, certificate_->work_of_impacts, "work_of_impacts");
    findings_.compare(CheckId::certificate, static_cast<double>(events), static_cast<double>(certificate_->event_count),
                      0.0, [] { return std::string("number of events and the certificate"); });
  }

  const VerifyInput& input_;
  VerifyReport report_;
  Findings findings_;
  std::optional<results::Certificate> certificate_;
};

}  // namespace

bool VerifyReport::is_good() const { return error.empty() && first_difference() == nullptr; }

const Difference* VerifyReport::first_difference() const {
  const Difference* first = nullptr;
  for (const Check& check : checks) {
    if (check.first && (first == nullptr || check.first->row < first->row)) first = &*check.first;
  }
  return first;
}

VerifyReport verify(const VerifyInput& input) { return Verification(input).run(); }

}  // namespace gelenk::analysis
