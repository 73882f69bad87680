#include <algorithm>
#include <cmath>
#include <limits>

#include "gelenk/solve/rank_rule.h"
#include "gelenk/solve/sparse_factor.h"

// Which rows a sparse factor accepts. Rows come in an order that keeps fill small, so a small pivot may mean three
// things: a redundant row, rounding (of about 1e-16 / the smallest pivot before), or a row that is independent but
// badly placed. Hence three steps:
//   1. accept in order what is clearly independent, postpone the rest;
//   2. measure the postponed rows: distance from the space of all accepted ones, without cancellation;
//   3. of those that have a distance, accept the largest first, as a pivoted Cholesky of their distances would.
#include "gelenk/base/index.h"

namespace gelenk::solve {
namespace {

// Accepted at once above this pivot. Rounding then leaves less than 1e-9 of a redundant row, so none is accepted.
constexpr double kClearPivot = 1e-6;
// When no accepted pivot is smaller than this, what is left of a redundant row is far below any tolerance: step 2 can
// be left out for rows that are nothing.
constexpr double kSafePivot = 1e-3;
// A pivot of an accepted row that is rounding only: the row is below what this order can resolve.
constexpr double kNoise = 1e-15;
// Rows of step 3 that are compared with each other at once.
constexpr std::size_t kMostCandidates = 128;

}  // namespace

// |w|² in the metric of M⁻¹, w = Gᵀ S z the rest of the scaled row after its best approximation by accepted rows:
// z_j = 1, z_I = -N_II⁻¹ N_Ij with one correction. A sum of squares of what remains: exact where N_jj - |…|² is not.
// `force` (6 per body, or empty) takes w.
double SparseFactor::distance_from_accepted(RowSystem& system, std::int32_t row, double enough,
                                            std::span<double> force) {
  std::fill(combination_.begin(), combination_.end(), 0.0);
  combination_[at(row)] = 1.0;
  double distance = std::numeric_limits<double>::infinity();
  // Every combination gives an upper bound: below `enough` there is nothing to correct.
  for (int pass = 0; pass < 2 && !(distance <= enough); ++pass) {
    system.respond(combination_, response_);
    solve(response_);
    for (std::size_t j = 0; j < combination_.size(); ++j) combination_[j] += response_[j];
    distance = system.mobility(combination_, force);
  }
  return distance;
}

void SparseFactor::choose(RowSystem& system, const RankRule& rule, PivotSet& pivots) {
  const double tau = rule.tolerance;
  const std::size_t most = rule.most_rows(std::ssize(pivots.accepted));
  accept_above(system, std::max(kClearPivot, tau * tau));
  std::vector<std::int32_t> candidates;
  for (std::size_t row = 0; row < plan_.place_of_row.size(); ++row) {
    const std::size_t place = at(plan_.place_of_row[row]);
    const bool is_redundant = smallest_ > kSafePivot && rest_[place] <= tau * tau;
    if (is_accepted_[place] == 0 && !is_redundant) candidates.push_back(static_cast<std::int32_t>(row));
  }
  while (!candidates.empty()) {
    choose_among(system, tau, most, candidates);
    factor_accepted(system, kNoise);
    if (!is_positive_) {
      for (std::size_t place = 0; place < rest_.size(); ++place) {
        if (!(rest_[place] > kNoise)) is_accepted_[place] = 0;
      }
      factor_accepted(system, 0.0);
    }
  }
  pivots.accepted.clear();
  pivots.dropped.clear();
  pivots.smallest = 0.0;
  for (std::size_t row = 0; row < plan_.place_of_row.size(); ++row) {
    const bool is_accepted = is_accepted_[at(plan_.place_of_row[row])] != 0;
    (is_accepted ? pivots.accepted : pivots.dropped).push_back(static_cast<std::int32_t>(row));
  }
}

// Accepts the best of the candidates and removes what is decided: distances never grow when more rows are accepted.
void SparseFactor::choose_among(RowSystem& system, double tau, std::size_t most,
                                std::vector<std::int32_t>& candidates) {
  struct Candidate {
    std::int32_t row;
    double distance;
  };
  std::vector<Candidate> independent;
  for (const std::int32_t row : candidates) {
    const double distance = distance_from_accepted(system, row, tau * tau, {});
    if (distance > tau * tau) independent.push_back({row, distance});
  }
  std::stable_sort(independent.begin(), independent.end(),
                   [](const Candidate& p, const Candidate& q) { return p.distance > q.distance; });
  candidates.clear();
  for (std::size_t k = kMostCandidates; k < independent.size(); ++k) candidates.push_back(independent[k].row);
  const auto accepted = static_cast<std::size_t>(std::count(is_accepted_.begin(), is_accepted_.end(), char{1}));
  const std::size_t room = most - std::min(most, accepted);
  const std::size_t count = std::min({kMostCandidates, independent.size(), room});
  if (count == room) candidates.clear();

  // Gram-Schmidt on the rests w in the metric of M⁻¹, largest rest first.
  const std::size_t size = 6 * system.body_count();
  std::vector<std::vector<double>> rests(count, std::vector<double>(size));
  for (std::size_t k = 0; k < count; ++k) distance_from_accepted(system, independent[k].row, 0.0, rests[k]);
  std::vector<double> motion(size);
  for (std::size_t step = 0; step < count; ++step) {
    std::size_t best = step;
    for (std::size_t k = step; k < count; ++k) {
      if (independent[k].distance > independent[best].distance) best = k;
    }
    if (!(independent[best].distance > tau * tau)) break;
    std::swap(independent[step], independent[best]);
    std::swap(rests[step], rests[best]);
    is_accepted_[at(plan_.place_of_row[at(independent[step].row)])] = 1;
    system.move(rests[step], motion);
    for (std::size_t k = step + 1; k < count; ++k) {
      for (int pass = 0; pass < 2; ++pass) {
        double overlap = 0.0;
        for (std::size_t i = 0; i < size; ++i) overlap += rests[k][i] * motion[i];
        overlap /= independent[step].distance;
        for (std::size_t i = 0; i < size; ++i) rests[k][i] -= overlap * rests[step][i];
      }
      independent[k].distance = system.mobility_of_force(rests[k]);
    }
  }
}

}  // namespace gelenk::solve
