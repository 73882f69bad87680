#include "gelenk/export/curve_sampler.h"

#include <utility>

namespace gelenk::exporting {
namespace {

constexpr std::size_t kPointsOfBin = 4;

}  // namespace

CurveSampler::CurveSampler(std::size_t rows, std::size_t bins)
    : rows_(rows),
      bins_(bins),
      bin_end_(bins == 0 ? 0 : rows / bins),
      is_thinned_(bins > 0 && rows > bins * kPointsOfBin) {}

void CurveSampler::add(double time, double value) {
  const Point point{row_, time, value};
  ++row_;
  if (!is_thinned_) {
    keep(point);
    return;
  }
  if (is_new_bin_) {
    first_ = low_ = high_ = point;
    is_new_bin_ = false;
  }
  // A gap must not be taken for the smallest or largest.
  if (!(low_.value <= value)) low_ = point;
  if (!(high_.value >= value)) high_ = point;
  if (row_ == bin_end_) finish_bin(point);
}

void CurveSampler::keep(const Point& point) {
  times_.push_back(point.time);
  values_.push_back(point.value);
}

void CurveSampler::finish_bin(const Point& last) {
  if (low_.row > high_.row) std::swap(low_, high_);
  keep(first_);
  std::size_t kept = first_.row;
  for (const Point& point : {low_, high_, last}) {
    if (point.row == kept) continue;
    keep(point);
    kept = point.row;
  }
  is_new_bin_ = true;
  ++bin_;
  bin_end_ = rows_ * (bin_ + 1) / bins_;
}

}  // namespace gelenk::exporting
