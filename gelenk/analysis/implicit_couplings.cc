#include "gelenk/analysis/implicit_couplings.h"

#include <algorithm>

#include "gelenk/analysis/implicit_columns.h"
#include "gelenk/base/index.h"
#include "gelenk/math/small_dense.h"

namespace gelenk::analysis {

std::span<const std::int32_t> rows_of_joints(std::span<const std::int32_t> accepted, std::size_t first_coupling) {
  const auto end = std::lower_bound(accepted.begin(), accepted.end(), static_cast<std::int32_t>(first_coupling));
  return accepted.first(static_cast<std::size_t>(end - accepted.begin()));
}

void ImplicitCouplings::set(std::span<const CouplingBlock> blocks, std::span<const CouplingShaft> shafts,
                            std::span<const Matrix3> turns, std::span<const std::int32_t> accepted,
                            std::size_t first_coupling) {
  kept_.clear();
  for (const std::int32_t row : accepted.subspan(rows_of_joints(accepted, first_coupling).size())) {
    kept_.push_back(row - static_cast<std::int32_t>(first_coupling));
  }
  blocks_.clear();
  for (const CouplingBlock& block : blocks) {
    const auto place = std::lower_bound(kept_.begin(), kept_.end(), block.row);
    if (place == kept_.end() || *place != block.row) continue;
    blocks_.push_back(block);
    blocks_.back().row = static_cast<std::int32_t>(place - kept_.begin());
  }
  shafts_.clear();
  for (CouplingShaft shaft : shafts) {
    const auto place = std::lower_bound(kept_.begin(), kept_.end(), shaft.row);
    if (place == kept_.end() || *place != shaft.row) continue;
    shaft.row = static_cast<std::int32_t>(place - kept_.begin());
    shafts_.push_back(shaft);
  }
  by_unknowns_ = blocks_;
  if (turns.empty()) return;
  for (CouplingBlock& block : by_unknowns_) turn_columns(turns[at(block.body)], block.values.data() + 3);
}

void ImplicitCouplings::put_load(std::size_t number, double size, std::span<double> forces) const {
  for (const CouplingBlock& block : blocks_) {
    if (at(block.row) != number) continue;
    for (std::size_t i = 0; i < 6; ++i) forces[6 * at(block.body) + i] += size * block.values[i];
  }
  for (const CouplingShaft& shaft : shafts_) {
    if (at(shaft.row) == number) forces[first_shaft_ + at(shaft.shaft)] += size * shaft.factor;
  }
}

void ImplicitCouplings::add_loads(std::span<const double> m, std::span<double> forces) const {
  for (std::size_t k = 0; k < count(); ++k) put_load(k, m[k], forces);
}

void ImplicitCouplings::put_rates(std::span<const double> x, std::span<double> rates) const {
  std::fill(rates.begin(), rates.end(), 0.0);
  for (const CouplingBlock& block : by_unknowns_) {
    for (std::size_t i = 0; i < 6; ++i) rates[at(block.row)] += block.values[i] * x[6 * at(block.body) + i];
  }
  for (const CouplingShaft& shaft : shafts_) rates[at(shaft.row)] += shaft.factor * x[first_shaft_ + at(shaft.shaft)];
}

bool ImplicitCouplings::invert() {
  inverse_.resize(products_.size());
  multipliers_.resize(count());
  return invert_dense(products_, count(), inverse_);
}

void ImplicitCouplings::find_multipliers(std::span<const double> x, std::span<double> w) {
  put_rates(x, rates_);
  for (std::size_t k = 0; k < count(); ++k) rates_[k] = w[k] - rates_[k];
  for (std::size_t k = 0; k < count(); ++k) {
    multipliers_[k] = 0.0;
    for (std::size_t i = 0; i < count(); ++i) multipliers_[k] += inverse_[k * count() + i] * rates_[i];
  }
  std::copy(multipliers_.begin(), multipliers_.end(), w.begin());
}

void ImplicitCouplings::complete(std::span<double> x, std::span<double> l, std::span<double> w) {
  find_multipliers(x, w);
  for (std::size_t k = 0; k < count(); ++k) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += multipliers_[k] * motions_[k * motion_size_ + i];
    for (std::size_t i = 0; i < l.size(); ++i) l[i] += multipliers_[k] * loads_[k * load_size_ + i];
  }
}

}  // namespace gelenk::analysis
