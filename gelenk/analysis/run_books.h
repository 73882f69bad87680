#pragma once

#include "gelenk/analysis/machine/problem.h"
#include "gelenk/analysis/observer.h"
#include "gelenk/analysis/run_audit.h"
#include "gelenk/analysis/run_options.h"
#include "gelenk/analysis/shared_reactions.h"
#include "gelenk/base/bytes.h"

namespace gelenk::analysis {

// Keeps what the certificate of a run knows: at the start, at every row, and at the end of every step, whether a row is
// due there or not.
class RunBooks {
 public:
  RunBooks(const system::System& system, const system::Params& params, const RunOptions& options,
           MachineProblem& problem, Observer& observer);

  // Of a row that the observer has just filled from the slot. The first one opens the books.
  void note_row(int slot);
  // At the end of a step. False: something that is wanted is not finite.
  bool note_step();

  const RunAudit& audit() const { return audit_; }
  // m/s or machine lengths per second of turning: whether anything moves at all.
  double largest_speed() const { return largest_speed_; }

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  void note_speed(const system::State& state);
  void note_observed(int slot);

  const system::System& system_;
  const system::Params& params_;
  const RunOptions& options_;
  MachineProblem& problem_;
  Observer& observer_;
  SharingFinder sharing_;
  RunAudit audit_;
  double largest_speed_ = 0.0;
  double kept_until_ = 0.0;  // s
};

}  // namespace gelenk::analysis
