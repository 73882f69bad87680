#include "gelenk/math/sparse_lu.h"

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

namespace gelenk {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int32_t>;

struct SparseLu::Impl {
  SparseMatrix matrix;
  std::vector<std::int32_t> place;  // of each entry among the stored values
  Eigen::SparseLU<SparseMatrix, Eigen::COLAMDOrdering<std::int32_t>> lu;
};

SparseLu::SparseLu() : impl_(std::make_unique<Impl>()) {}
SparseLu::~SparseLu() = default;
SparseLu::SparseLu(SparseLu&&) noexcept = default;
SparseLu& SparseLu::operator=(SparseLu&&) noexcept = default;

void SparseLu::set_pattern(std::int32_t size, std::span<const Entry> entries) {
  std::vector<Eigen::Triplet<double, std::int32_t>> triplets;
  triplets.reserve(entries.size());
  for (const Entry& e : entries) triplets.emplace_back(e.row, e.column, 1.0);
  impl_->matrix.resize(size, size);
  impl_->matrix.setFromTriplets(triplets.begin(), triplets.end());
  impl_->matrix.makeCompressed();
  impl_->place.resize(entries.size());
  const std::int32_t* const rows = impl_->matrix.innerIndexPtr();
  const std::int32_t* const starts = impl_->matrix.outerIndexPtr();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::int32_t* const first = rows + starts[entries[i].column];
    const std::int32_t* const last = rows + starts[entries[i].column + 1];
    impl_->place[i] = static_cast<std::int32_t>(std::lower_bound(first, last, entries[i].row) - rows);
  }
  if (size > 0) impl_->lu.analyzePattern(impl_->matrix);
}

bool SparseLu::factor(std::span<const double> values) {
  double* const stored = impl_->matrix.valuePtr();
  std::fill(stored, stored + impl_->matrix.nonZeros(), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) return false;
    stored[impl_->place[i]] += values[i];
  }
  if (impl_->matrix.rows() == 0) return true;
  impl_->lu.factorize(impl_->matrix);
  return impl_->lu.info() == Eigen::Success;
}

void SparseLu::solve(std::span<double> x) {
  if (x.empty()) return;
  Eigen::Map<Eigen::VectorXd> vector(x.data(), static_cast<Eigen::Index>(x.size()));
  vector = impl_->lu.solve(vector).eval();
}

void SparseLu::solve_refined(std::span<double> x) {
  if (x.empty()) return;
  Eigen::Map<Eigen::VectorXd> vector(x.data(), static_cast<Eigen::Index>(x.size()));
  const Eigen::VectorXd given = vector;
  vector = impl_->lu.solve(given).eval();
  vector += impl_->lu.solve(given - impl_->matrix * vector).eval();
}

}  // namespace gelenk
