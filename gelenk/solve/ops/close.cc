#include "gelenk/solve/ops/close.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "gelenk/base/index.h"
#include "gelenk/solve/fixed_sizes.h"
#include "gelenk/solve/joint_motion.h"
#include "gelenk/solve/row_reflectors.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {
namespace {

template <bool is_one_hinge>
CloseParts close_parts(OpData& data, const Op& op, const Place& place) {
  return {at(place.columns_in), is_one_hinge ? 5 : at(op.row_count), at(op.live_count), data.at(place.own)};
}

template <bool is_one_hinge>
RowReflectors<> reflectors(OpData& data, const Op& op, std::size_t index) {
  const Place& place = data.places[index];
  const CloseParts parts = close_parts<is_one_hinge>(data, op, place);
  RowReflectors<> rows;
  rows.rows = parts.matrix();
  rows.factors = parts.factors();
  rows.row_count = parts.rows;
  rows.order = data.orders.data() + place.order;
  rows.rank = data.rank(index);
  for (const std::int32_t source : op.source) {
    if (is_one_hinge || source != kNone) rows.columns += data.columns(at(source));
  }
  return rows;
}

// The same with columns that the compiler knows where they are few, and with the rows of a hinge.
template <bool is_one_hinge, class Kernel>
GELENK_ALWAYS_INLINE decltype(auto) with_reflectors(OpData& data, const Op& op, std::size_t index, Kernel&& kernel) {
  const RowReflectors<> rows = reflectors<is_one_hinge>(data, op, index);
  return with_fixed_size(rows.columns, [&](auto n) GELENK_INLINE_LAMBDA {
    const auto row_count = [&] {
      if constexpr (is_one_hinge) {
        return FixedSize<5>{};
      } else {
        return rows.row_count;
      }
    }();
    RowReflectors<decltype(n), std::remove_const_t<decltype(row_count)>> same{
        n, row_count, rows.rows, rows.factors, rows.order, rows.rank};
    return kernel(same);
  });
}

// A = E W of the scaled rows, and E Φ + E_0 in columns of all rows.
template <class Rows>
void close_rows(OpData& data, const Op& op, const Rows& rows, double* base_columns) {
  const std::size_t count = rows.row_count;
  for (std::size_t i = 0; i < count; ++i) std::fill_n(rows.rows + i * rows.columns, rows.columns, 0.0);
  if (op.base != kNone) std::fill_n(base_columns, 6 * count, 0.0);
  const std::size_t first_live = at(data.program.ops[at(op.source[0])].live_count);
  const std::size_t first_columns = data.columns(at(op.source[0]));
  std::size_t row = 0;
  for (const Closing& closing : data.program.closing_of(op)) {
    const JointRows& joint = data.joint(closing.joint);
    const std::size_t c = joint.row_count();
    const double* const scale = data.scales_of(closing.joint);
    const bool has_point = joint.points == 1 && joint.turns <= 3 && joint.lines == 0;  // hinges, balls, ...
    for (const bool is_b : {false, true}) {
      const std::int32_t where = is_b ? closing.place_b : closing.place_a;
      if (where == Closing::kGround) continue;
      const JointView side = data.view(closing.joint, is_b);
      double* const E = data.products.data();  // scaled
      if (!has_point || where == Closing::kBase) {
        put_rows(side, E);
        for (std::size_t i = 0; i < c; ++i) {
          for (std::size_t m = 0; m < 6; ++m) E[6 * i + m] *= scale[i];
        }
      }
      if (where == Closing::kBase) {
        for (std::size_t i = 0; i < c; ++i) {
          for (std::size_t j = 0; j < 6; ++j) base_columns[j * count + row + i] += E[6 * i + j];
        }
        continue;
      }
      // E times columns x of motion, `height` apart; products go to places `next_row` and `next` apart.
      const auto add_products = [&](const double* x, std::size_t height, std::size_t n, double* to,
                                    std::size_t next_row, std::size_t next) {
        for (std::size_t j = 0; j < n; ++j, x += height, to += next) {
          if (has_point) {
            double product[6];
            point_products(side, std::size_t{joint.turns}, x, product);
            for (std::size_t i = 0; i < c; ++i) to[i * next_row] += scale[i] * product[i];
          } else {
            for (std::size_t i = 0; i < c; ++i) to[i * next_row] += dot6(E + 6 * i, x);
          }
        }
      };
      const bool is_second = at(where) >= first_live;
      const auto source = at(op.source[is_second ? 1 : 0]);
      const std::size_t local = 6 * (at(where) - (is_second ? first_live : 0));
      const std::size_t height = 6 * at(data.program.ops[source].live_count);
      add_products(data.at(data.places[source].W) + local, height, data.columns(source),
                   rows.rows + row * rows.columns + (is_second ? first_columns : 0), rows.columns, 1);
      if (op.base != kNone)
        add_products(data.at(data.places[source].phi) + local, height, 6, base_columns + row, 1, count);
    }
    row += c;
  }
}

// The same for one hinge between two fronts on the ground.
template <class Rows>
void close_hinge_rows(OpData& data, const Op& op, const HingeClosing& closing, const Rows& rows) {
  const double* const scale = data.scales.data() + closing.first_row;
  for (const bool is_b : {false, true}) {
    const HingeClosing::Side& side = closing.sides[is_b ? 1 : 0];
    const JointView view{&kHingeRows, data.values + closing.first_value, is_b};
    const double* W = data.at(side.W);
    double* const to = rows.rows + (side.is_second ? data.columns(at(op.source[0])) : 0);
    const std::size_t count = data.columns(at(side.source));
    for (std::size_t j = 0; j < count; ++j, W += side.height) {
      double product[5];
      hinge_products(view, W, product);
      for (std::size_t i = 0; i < 5; ++i) to[i * rows.columns + j] = scale[i] * product[i];
    }
  }
}

// The columns of one body among all: from `first` on, else zero.
void put_columns(std::size_t count, std::size_t first, std::size_t own, std::size_t height, const double* from,
                 double* X) {
  std::fill_n(X, 6 * count, 0.0);
  for (std::size_t j = 0; j < own; ++j) copy6(from + j * height, X + 6 * (first + j));
}

// W' = W Q₂ and P = W Q₁. The columns of each live body are reflected as a whole, or where they are few multiplied with
// their rows of Q: all other columns of the body are zero.
template <class Rows>
void close_front(OpData& data, const Op& op, std::size_t index, const Rows& rows) {
  const Place& place = data.places[index];
  const auto live = at(op.live_count);
  const CloseParts parts = close_parts<false>(data, op, place);
  const auto first_source = at(op.source[0]);
  const auto first_live = at(data.program.ops[first_source].live_count);
  const std::span<const std::int32_t> kept = data.program.kept_of(op);
  double few[6 * kMostFixed];
  double* const X = rows.columns <= kMostFixed ? few : data.products.data();
  for (std::size_t b = 0; b < live; ++b) {
    const auto where = at(kept[b]);
    const bool is_second = where >= first_live;
    const auto source = at(op.source[is_second ? 1 : 0]);
    const std::size_t local = where - (is_second ? first_live : 0);
    const std::size_t height = 6 * at(data.program.ops[source].live_count);
    const std::size_t first = is_second ? data.columns(first_source) : 0;
    const double* const from = data.at(data.places[source].W) + 6 * local;
    if constexpr (Rows::kIsFixed) {
      for (std::size_t m = 0; m < 6 * rows.columns; ++m) X[m] = 0.0;
      for (std::size_t l = 0; l < data.columns(source); ++l) {
        double of_Q[kMostFixed];
        for (std::size_t j = 0; j < rows.columns; ++j) of_Q[j] = (j == first + l ? 1.0 : 0.0);
        rows.to_factored(of_Q);
        for (std::size_t j = 0; j < rows.columns; ++j) {
          for (std::size_t m = 0; m < 6; ++m) X[6 * j + m] += of_Q[j] * from[l * height + m];
        }
      }
    } else {
      put_columns(rows.columns, first, data.columns(source), height, from, X);
      rows.to_factored_columns(X);
    }
    for (std::size_t j = 0; j < rows.columns; ++j) {
      double* const to = j < rows.rank ? parts.moves() + j * 6 * live : data.at(place.W) + (j - rows.rank) * 6 * live;
      for (std::size_t m = 0; m < 6; ++m) to[6 * b + m] = X[6 * j + m];
    }
    if (op.base == kNone) continue;
    for (std::size_t j = 0; j < 6; ++j) {
      copy6(data.at(data.places[source].phi) + j * height + 6 * local, data.at(place.phi) + j * 6 * live + 6 * b);
    }
  }
}

// Φ' = Φ - P Z and I_b' = I_b + Zᵀ Z with Z = L⁻¹ (E Φ + E_0)_I.
template <class Rows>
void close_base(OpData& data, const Op& op, std::size_t index, const Rows& rows, const double* base_columns) {
  const Place& place = data.places[index];
  const auto live = at(op.live_count);
  const CloseParts parts = close_parts<false>(data, op, place);
  const std::size_t k = rows.rank;
  const auto stride = at(op.row_count);
  double* const base_inertia = data.at(place.Ib);
  for (std::size_t j = 0; j < 6; ++j) {
    double* const z = parts.base_part() + j * stride;
    for (std::size_t i = 0; i < k; ++i) z[i] = base_columns[j * stride + at(rows.order[i])];
  }
  rows.solve_lower_columns(6, stride, parts.base_part());
  for (std::size_t j = 0; j < 6; ++j) {
    const double* const z = parts.base_part() + j * stride;
    for (std::size_t b = 0; b < live; ++b) {
      double* const column = data.at(place.phi) + 6 * (j * live + b);
      double sum[6];
      for (std::size_t m = 0; m < 6; ++m) sum[m] = column[m];
      for (std::size_t i = 0; i < k; ++i) {
        const double* const move = parts.moves() + 6 * (i * live + b);
        for (std::size_t m = 0; m < 6; ++m) sum[m] -= z[i] * move[m];
      }
      for (std::size_t m = 0; m < 6; ++m) column[m] = sum[m];
    }
  }
  const double* const first = data.at(data.places[at(op.source[0])].Ib);
  const double* const second = op.source[1] == kNone ? nullptr : data.at(data.places[at(op.source[1])].Ib);
  for (std::size_t p = 0; p < 6; ++p) {
    for (std::size_t q = 0; q <= p; ++q) {
      double sum = 0.0;
      for (std::size_t i = 0; i < k; ++i) sum += parts.base_part()[p * stride + i] * parts.base_part()[q * stride + i];
      const std::size_t n = 6 * p + q;
      base_inertia[n] = (second == nullptr ? first[n] : first[n] + second[n]) + sum;
    }
  }
}

template <bool is_one_hinge>
OpOutcome factor_any_close(OpData& data, std::size_t index, const RankRule& rule, OpReport& report) {
  const Op& op = data.program.ops[index];
  return with_reflectors<is_one_hinge>(data, op, index, [&](auto& rows) {
    double* const base_columns = data.block.data();
    const auto load_rows = [&] {
      if constexpr (is_one_hinge) {
        close_hinge_rows(data, op, data.hinge_closings[data.places[index].sides], rows);
      } else {
        close_rows(data, op, rows, base_columns);
      }
    };
    load_rows();
    Decision& decision = data.decisions[at(op.decision)];
    const bool is_cached = decision.accepted >= 0;
    if (!is_cached || !rows.factor_with(at(decision.accepted), rule, decision.smallest)) {
      if (is_cached) load_rows();
      rows.choose(double(rule.tolerance), rule.most_rows(decision.accepted));
      decision.accepted = static_cast<std::int32_t>(rows.rank);
      decision.smallest = rows.smallest();
      ++report.chosen_again;
      // As from the cache, so that a restart from saved pivots gives the same bits.
      load_rows();
      rows.factor_with(rows.rank, kTheseRows, 0.0);
      rows.rank = at(decision.accepted);
    }
    report.smallest = std::min(report.smallest, rows.smallest());
    data.ranks[index] = static_cast<std::int32_t>(rows.rank);
    const std::size_t left = rows.columns - rows.rank;
    data.column_counts[index] = static_cast<std::int32_t>(left);
    if (left > at(data.places[index].columns)) return OpOutcome::too_many_columns;
    close_front(data, op, index, rows);
    if (!is_one_hinge && op.base != kNone) close_base(data, op, index, rows, base_columns);
    return OpOutcome::good;
  });
}

// e = u - E r of the scaled rows; r_at(place) finds r of a live body that goes in.
template <class Find>
void close_gaps(OpData& data, const Op& op, Find&& r_at, double* e) {
  std::size_t row = 0;
  for (const Closing& closing : data.program.closing_of(op)) {
    const JointRows& joint = data.joint(closing.joint);
    const double* const u = data.u_of(closing.joint);
    const double* const scale = data.scales_of(closing.joint);
    const std::size_t c = joint.row_count();
    double* const product = data.line.data();
    std::fill_n(product, c, 0.0);
    if (closing.place_a >= 0) add_row_products(data.view(closing.joint, false), r_at(closing.place_a), product);
    if (closing.place_b >= 0) add_row_products(data.view(closing.joint, true), r_at(closing.place_b), product);
    for (std::size_t i = 0; i < c; ++i) e[row + i] = scale[i] * (u[i] - product[i]);
    row += c;
  }
}

GELENK_ALWAYS_INLINE void close_hinge_gaps(OpData& data, const HingeClosing& closing, double* e) {
  const double* const values = data.values + closing.first_value;
  const double* const u = data.u + closing.first_row;
  const double* const scale = data.scales.data() + closing.first_row;
  double product[5];
  double other[5];
  hinge_products(JointView{&kHingeRows, values, false}, data.at(closing.sides[0].r), product);
  hinge_products(JointView{&kHingeRows, values, true}, data.at(closing.sides[1].r), other);
  for (std::size_t i = 0; i < 5; ++i) e[i] = scale[i] * (u[i] - (product[i] + other[i]));
}

template <bool is_one_hinge>
void up_any_close(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const Place& place = data.places[index];
  const auto live = at(op.live_count);
  const CloseParts parts = close_parts<is_one_hinge>(data, op, place);
  const std::int32_t first_live = data.program.ops[at(op.source[0])].live_count;
  const auto r_at = [&](std::int32_t where) {
    const bool is_second = where >= first_live;
    return data.at(data.places[at(op.source[is_second ? 1 : 0])].r) + 6 * at(where - (is_second ? first_live : 0));
  };
  double of_hinge[5];
  double* const e = is_one_hinge ? of_hinge : data.block.data();
  if (is_one_hinge) {
    close_hinge_gaps(data, data.hinge_closings[place.sides], e);
  } else {
    close_gaps(data, op, r_at, e);
  }
  const std::span<const std::int32_t> kept = data.program.kept_of(op);
  double* const z = parts.z();
  const std::size_t rank = with_reflectors<is_one_hinge>(data, op, index, [&](const auto& rows) GELENK_INLINE_LAMBDA {
    repeat(rows.columns, [&](auto i) {
      if (i < rows.rank) z[i] = e[rows.order[i]];
    });
    rows.solve_lower(z);
    return rows.rank;
  });
  for (std::size_t k = 0; k < live; ++k) {
    const double* const before = r_at(kept[k]);
    double sum[6];
    for (std::size_t m = 0; m < 6; ++m) sum[m] = before[m];
    for (std::size_t i = 0; i < rank; ++i) {
      const double* const move = parts.moves() + 6 * (i * live + k);
      for (std::size_t m = 0; m < 6; ++m) sum[m] += z[i] * move[m];
    }
    copy6(sum, data.at(place.r) + 6 * k);
  }
  if (is_one_hinge || op.base == kNone) return;
  double* const pb = data.at(place.pb);
  for (std::size_t j = 0; j < 6; ++j) {
    double sum = 0.0;
    for (const std::int32_t source : op.source) {
      if (source != kNone) sum += data.at(data.places[at(source)].pb)[j];
    }
    const double* const Z = parts.base_part() + j * at(op.row_count);
    for (std::size_t i = 0; i < rank; ++i) sum -= Z[i] * z[i];
    pb[j] = sum;
  }
}

// λ_I = L⁻ᵀ (z - Z a_0 - Q₁ᵀ Wᵀ τ), zero on the dropped rows.
void close_reactions(OpData& data, const Op& op, std::size_t index, const double* z, double* lambda) {
  const RowReflectors<> rows = reflectors<false>(data, op, index);
  double* const x = data.products.data();
  std::size_t first = 0;
  for (const std::int32_t source : op.source) {
    if (source == kNone) continue;
    const auto from = at(source);
    const std::span<const std::int32_t> live = data.program.live_of(data.program.ops[from]);
    for (std::size_t j = 0; j < data.columns(from); ++j) {
      const double* const W = data.at(data.places[from].W) + j * 6 * live.size();
      double sum = 0.0;
      for (std::size_t b = 0; b < live.size(); ++b) {
        sum += dot6(W + 6 * b, &data.loads[6 * at(live[b])]);
      }
      x[first + j] = sum;
    }
    first += data.columns(from);
  }
  rows.to_factored(x);
  for (std::size_t i = 0; i < rows.rank; ++i) x[i] = z[i] - x[i];
  rows.solve_lower_transposed(x);
  double* const by_row = data.block.data();
  std::fill_n(by_row, rows.row_count, 0.0);
  for (std::size_t i = 0; i < rows.rank; ++i) by_row[rows.order[i]] = x[i];
  std::size_t row = 0;
  for (const Closing& closing : data.program.closing_of(op)) {
    const JointRows& joint = data.joint(closing.joint);
    const double* const scale = data.scales_of(closing.joint);
    double* const ours = lambda + joint.first_row;
    for (std::size_t i = 0; i < joint.row_count(); ++i) ours[i] = scale[i] * by_row[row + i];
    if (closing.place_a >= 0) {
      add_row_wrench(data.view(closing.joint, false), ours, &data.loads[6 * at(joint.a)]);
    }
    if (closing.place_b >= 0) {
      add_row_wrench(data.view(closing.joint, true), ours, &data.loads[6 * at(joint.b)]);
    }
    row += joint.row_count();
  }
}

template <bool is_one_hinge>
void down_any_close(OpData& data, std::size_t index, const double* a, double* lambda) {
  const Op& op = data.program.ops[index];
  const Place& place = data.places[index];
  const CloseParts parts = close_parts<is_one_hinge>(data, op, place);
  with_reflectors<is_one_hinge>(data, op, index, [&](const auto& rows) GELENK_INLINE_LAMBDA {
    double few[kMostFixed] = {};
    double* const y = rows.columns <= kMostFixed ? few : data.line.data();
    repeat(rows.columns, [&](auto i) {
      if (i >= rows.rank) {
        y[i] = data.at(place.y)[i - rows.rank];
        return;
      }
      double sum = parts.z()[i];
      if (!is_one_hinge && op.base != kNone) {
        const double* const base = a + 6 * at(op.base);
        for (std::size_t j = 0; j < 6; ++j) sum -= parts.base_part()[j * rows.row_count + i] * base[j];
      }
      y[i] = sum;
    });
    if (lambda != nullptr) close_reactions(data, op, index, y, lambda);
    rows.from_factored(y);
    const auto first = at(op.source[0]);
    const std::size_t count = data.columns(first);
    double* const to_first = data.at(data.places[first].y);
    double* const to_second = op.source[1] == kNone ? nullptr : data.at(data.places[at(op.source[1])].y);
    repeat(rows.columns, [&](auto i) {
      if (i < count) {
        to_first[i] = y[i];
      } else {
        to_second[i - count] = y[i];
      }
    });
  });
}

}  // namespace

bool closes_one_hinge(const OpData& data, const Op& op) {
  if (op.base != kNone || op.closing_count != 1 || op.source[1] == kNone) return false;
  const Closing& closing = data.program.closing_of(op)[0];
  const auto first_live = data.program.ops[at(op.source[0])].live_count;
  return is_hinge(data.joint(closing.joint)) && closing.place_a >= 0 && closing.place_b >= 0 &&
         (closing.place_a < first_live) != (closing.place_b < first_live);
}

HingeClosing hinge_closing(const OpData& data, const Op& op) {
  const Closing& closing = data.program.closing_of(op)[0];
  const JointRows& joint = data.joint(closing.joint);
  const auto first_live = data.program.ops[at(op.source[0])].live_count;
  HingeClosing result{joint.first_value, joint.first_row, {}};
  for (const bool is_b : {false, true}) {
    const std::int32_t where = is_b ? closing.place_b : closing.place_a;
    HingeClosing::Side& side = result.sides[is_b ? 1 : 0];
    side.is_second = where >= first_live;
    side.source = op.source[side.is_second ? 1 : 0];
    const auto source = at(side.source);
    const auto local = 6 * static_cast<std::uint32_t>(where - (side.is_second ? first_live : 0));
    side.W = data.places[source].W + local;
    side.r = data.places[source].r + local;
    side.height = 6 * static_cast<std::uint32_t>(data.program.ops[source].live_count);
  }
  return result;
}

OpOutcome factor_close(OpData& data, std::size_t index, const RankRule& rule, OpReport& report) {
  return factor_any_close<false>(data, index, rule, report);
}
OpOutcome factor_hinge_close(OpData& data, std::size_t index, const RankRule& rule, OpReport& report) {
  return factor_any_close<true>(data, index, rule, report);
}

void up_close(OpData& data, std::size_t index) { return up_any_close<false>(data, index); }
void up_hinge_close(OpData& data, std::size_t index) { return up_any_close<true>(data, index); }

void down_close(OpData& data, std::size_t index, const double* a, double* lambda) {
  return down_any_close<false>(data, index, a, lambda);
}
void down_hinge_close(OpData& data, std::size_t index, const double* a, double* lambda) {
  return down_any_close<true>(data, index, a, lambda);
}

}  // namespace gelenk::solve
