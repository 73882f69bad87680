#include "gelenk/analysis/verify_history.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gelenk/base/index.h"

namespace gelenk::analysis {

using results::BlockId;

FreePartCheck::FreePartCheck(const system::System& system, const RecordedRows& rows) : system_(system) {
  std::vector<char> is_held(system.bodies.size(), 0);
  for (const RowBodies& bodies : system.row_bodies) {
    for (const std::int32_t body : {bodies.a, bodies.b}) {
      if (body != system::kGround) is_held[at(body)] = 1;
    }
  }
  for (std::size_t p = 0; p < system.parts.size(); ++p) {
    const std::int32_t body = system.parts[p].body;
    if (body == system::kGround || is_held[at(body)] != 0) continue;
    if (!rows.has(BlockId::pose, 7 * p, 7) || !rows.has(BlockId::twist, 6 * p, 6) ||
        !rows.has(BlockId::acceleration, 6 * p, 6)) {
      continue;
    }
    parts_.push_back(p);
  }
  before_.resize(parts_.size());
}

bool FreePartCheck::is_too_far(const Place& a, const Place& b, double rounding, double& allowed) {
  constexpr double kSafety = 2.0;
  const double step = b.time - a.time;
  allowed = kSafety * step * (std::max(a.speed, b.speed) + step * std::max(a.acceleration, b.acceleration)) + rounding;
  return !((b.position - a.position).norm() <= allowed);
}

void FreePartCheck::check(const RecordedRows& rows, double rounding, Findings& findings) {
  const auto length_of = [](std::span<const double> block, std::size_t first) {
    return std::hypot(block[first], block[first + 1], block[first + 2]);
  };
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const std::size_t p = parts_[i];
    const std::span<const double> pose = rows[BlockId::pose];
    const Place here{Vector3(pose[7 * p], pose[7 * p + 1], pose[7 * p + 2]), length_of(rows[BlockId::twist], 6 * p),
                     length_of(rows[BlockId::acceleration], 6 * p), rows.time()};
    const Place& first = before_[i][0];
    const Place& middle = before_[i][1];
    double allowed = 0.0;
    double unused = 0.0;
    const bool is_spike = rows_seen_ >= 2 && is_too_far(middle, here, rounding, unused) &&
                          is_too_far(first, middle, rounding, allowed) && !is_too_far(first, here, rounding, unused);
    if (rows_seen_ >= 2) {
      findings.compare(CheckId::parts, is_spike ? (middle.position - first.position).norm() : 0.0, 0.0, allowed,
                       [&] { return system_.parts[p].path + ".position: a jump away and back in the row before"; });
    }
    before_[i] = {middle, here};
  }
  ++rows_seen_;
}

// The rule errs by h³ P̈ / 12, and the second difference of the last three rows is h² P̈; in the first step the power may
// have done anything between its two values. Where rows are too far apart to see the power at all, both works together
// are not the change of the kinetic energy.
void WorkCheck::add(const Row& row) {
  if (rows_seen_ > 0) {
    const double step = row.time - last_.time;
    const double force_work = 0.5 * step * (row.force_power + last_.force_power);
    const double driver_work = 0.5 * step * (row.driver_power + last_.driver_power);
    force_work_ += force_work;
    driver_work_ += driver_work;
    error_ += std::abs(force_work + driver_work - (row.kinetic - last_.kinetic));
    const auto bend = [&](double Row::*power) {
      return rows_seen_ > 1 ? (row.*power - 2.0 * last_.*power + before_.*power) / 12.0
                            : 0.5 * (row.*power - last_.*power);
    };
    error_ += step * std::max(std::abs(bend(&Row::force_power)), std::abs(bend(&Row::driver_power)));
  }
  before_ = last_;
  last_ = row;
  ++rows_seen_;
}

double WorkCheck::allowed(double turnover) const {
  constexpr double kSafety = 2.0;   // powers that kink or oscillate between rows
  constexpr double kCoarse = 0.02;  // of the turnover: it is a loose check, the balance of energy is the sharp one
  constexpr std::size_t kFewRows = 20;
  if (rows_seen_ < kFewRows) return std::numeric_limits<double>::infinity();
  return kSafety * error_ + kCoarse * turnover;
}

}  // namespace gelenk::analysis
