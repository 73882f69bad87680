#include "gelenk/analysis/rate_rows.h"

#include <array>

#include "gelenk/mechanics/row_derivatives.h"

namespace gelenk::analysis {

void RateRows::find(const mechanics::Context& context, mechanics::Workspace& workspace,
                    std::span<const std::int32_t> accepted, double share) {
  const std::size_t count = context.system.row_count();
  is_rate_.clear();
  share_ = share;
  for (const std::int32_t row : accepted) {
    if (!context.system.is_row_of_velocity(row)) continue;
    is_rate_.resize(count, 0);
    by_position_.resize(count);
    is_rate_[at(row)] = 1;
    RowBlock& H = by_position_[at(row)];
    H = mechanics::rate_derivatives(context, workspace, at(row));
    for (std::array<double, 6>* const part : {&H.a, &H.b}) {
      for (double& value : *part) value *= share;
    }
  }
}

}  // namespace gelenk::analysis
