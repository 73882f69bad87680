#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "gelenk/analysis/recorded_rows.h"
#include "gelenk/analysis/verify_findings.h"

// Comparisons of a row with those before it.
namespace gelenk::analysis {

// A part that no joint holds could be moved in a single row without any other number of the row knowing. It would have
// to jump there and back: farther than its recorded velocities and accelerations let it come.
class FreePartCheck {
 public:
  FreePartCheck(const system::System& system, const RecordedRows& rows);
  // `rounding`: m
  void check(const RecordedRows& rows, double rounding, Findings& findings);

 private:
  struct Place {
    Vector3 position = Vector3::Zero();
    double speed = 0.0, acceleration = 0.0, time = 0.0;
  };
  static bool is_too_far(const Place& a, const Place& b, double rounding, double& allowed);

  const system::System& system_;
  std::vector<std::size_t> parts_;
  std::vector<std::array<Place, 2>> before_;  // in the last row but one, and the last
  std::size_t rows_seen_ = 0;
};

// An angle is known from positions but for its full turns. One that is wrong in a single row would have to turn there
// and back.
class TurnCheck {
 public:
  explicit TurnCheck(std::size_t coordinates) : before_(coordinates) {}
  // `reach`: rad, as far as it can turn in the step to this row.
  template <class Name>
  void check(std::size_t coordinate, double angle, double reach, const Name& name, Findings& findings) {
    std::array<double, 2>& before = before_[coordinate].angles;
    std::size_t& rows = before_[coordinate].rows;
    if (rows >= 2) {
      const auto is_far = [&](double a, double b) { return !(std::abs(b - a) <= reach); };
      const bool is_spike = is_far(before[0], before[1]) && is_far(before[1], angle) && !is_far(before[0], angle);
      findings.compare(CheckId::coordinates, is_spike ? before[1] - before[0] : 0.0, 0.0, reach,
                       [&] { return name() + ": a turn away and back in the row before"; });
    }
    before = {before[1], angle};
    ++rows;
  }

 private:
  struct Before {
    std::array<double, 2> angles{};
    std::size_t rows = 0;
  };
  std::vector<Before> before_;
};

// The work since the first row by the trapezoidal rule over recorded powers, against the work that was recorded. Rows
// may be coarse: what the rule is wrong by is measured along the way.
class WorkCheck {
 public:
  struct Row {
    double time = 0.0;
    double force_power = 0.0;  // W, of all forces, gravity and springs among them
    double driver_power = 0.0;
    double kinetic = 0.0;  // J, less the work of impacts
  };
  void add(const Row& row);
  double work_of_forces() const { return force_work_; }
  double work_of_drivers() const { return driver_work_; }
  // Of the difference; nothing is expected of a few rows.
  double allowed(double turnover) const;

 private:
  double force_work_ = 0.0, driver_work_ = 0.0, error_ = 0.0;
  Row before_, last_;
  std::size_t rows_seen_ = 0;
};

}  // namespace gelenk::analysis
