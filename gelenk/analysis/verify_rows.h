#pragma once

#include <vector>

#include "gelenk/analysis/verify_history.h"
#include "gelenk/analysis/verify_newton.h"
#include "gelenk/results/certificate.h"

namespace gelenk::analysis {

// All comparisons of recorded rows. They are read twice: how large the numbers of each column become says how exact
// each of them has to be.
class RowChecks {
 public:
  // `certificate` may be null. `event_times`: ascending.
  RowChecks(const VerifyInput& input, const RecordedRows& rows, const results::Certificate* certificate,
            std::vector<double> event_times, Findings& findings);

  void measure();               // first pass: the row that was read
  void check(std::size_t row);  // second pass
  void finish();

 private:
  using BlockId = results::BlockId;

  void check_numbers();
  void check_parts();
  void check_joints();
  void check_coordinates();
  void check_orientation(std::size_t coordinate);
  void check_energy();
  void check_balance();
  void check_loads();
  void check_forces();
  void check_drivers();
  void check_outputs();
  void check_code();
  void check_work();
  bool is_at_switch();
  void say_what_is_missing();

  double largest(BlockId block, std::size_t column) const { return largest_[block][column]; }
  // What rounding may do to a number of this column.
  double allowed(BlockId block, std::size_t column, double relative = kRelative) const;
  bool can_evaluate(const system::Signal& signal) const;
  mechanics::Context context() const { return {input_.system, input_.params, recorded_.state()}; }

  static constexpr double kRelative = 1e-9;

  const VerifyInput& input_;
  const RecordedRows& rows_;
  const results::Certificate* certificate_;
  std::vector<double> event_times_;
  Findings& findings_;
  RecordedState recorded_;
  mechanics::Workspace workspace_;
  NewtonCheck newton_;
  FreePartCheck free_parts_;
  TurnCheck turns_;
  WorkCheck work_;
  bool has_loads_ = false;     // accelerations, reactions and efforts
  bool has_energies_ = false;  // the whole block

  results::PerBlock<std::vector<double>> largest_;  // magnitude of each column
  results::PerBlock<double> largest_of_block_;
  double reach_ = 0.0;     // m, how far from the world's origin anything goes, and the size of the machine
  double heaviest_ = 0.0;  // N, weight of all
  double start_total_ = 0.0, start_potential_ = 0.0;  // J, as recorded in the first row
  std::vector<double> slacks_, largest_slacks_, row_values_, row_rates_, slopes_;
  double time_before_ = 0.0;
  std::size_t rows_at_switches_ = 0;
};

}  // namespace gelenk::analysis
