#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "gelenk/solve/elimination.h"
#include "gelenk/solve/elimination_parts.h"
#include "gelenk/solve/fixed_sizes.h"
#include "gelenk/solve/rank_rule.h"

// Rows between bodies of one or two fronts; included by elimination.cc only. Equations: docs/theory/elimination.md.
namespace gelenk::solve {

template <class T>
bool Elimination<T>::closes_one_hinge(const Op& op) const {
  if (op.base != kNone || op.closing_count != 1 || op.source[1] == kNone) return false;
  const Closing& closing = program_.closing_of(op)[0];
  const auto first_live = program_.ops[static_cast<std::size_t>(op.source[0])].live_count;
  return is_hinge(program_.layout.joints[static_cast<std::size_t>(closing.joint)]) && closing.place_a >= 0 &&
         closing.place_b >= 0 && (closing.place_a < first_live) != (closing.place_b < first_live);
}

template <class T>
typename Elimination<T>::HingeClosing Elimination<T>::hinge_closing(const Op& op) const {
  const Closing& closing = program_.closing_of(op)[0];
  const JointRows& joint = program_.layout.joints[static_cast<std::size_t>(closing.joint)];
  const auto first_live = program_.ops[static_cast<std::size_t>(op.source[0])].live_count;
  HingeClosing result{joint.first_value, joint.first_row, {}};
  for (const bool is_b : {false, true}) {
    const std::int32_t where = is_b ? closing.place_b : closing.place_a;
    typename HingeClosing::Side& side = result.sides[is_b ? 1 : 0];
    side.is_second = where >= first_live;
    side.source = op.source[side.is_second ? 1 : 0];
    const auto source = static_cast<std::size_t>(side.source);
    const auto local = 6 * static_cast<std::uint32_t>(where - (side.is_second ? first_live : 0));
    side.W = places_[source].W + local;
    side.r = places_[source].r + local;
    side.height = 6 * static_cast<std::uint32_t>(program_.ops[source].live_count);
  }
  return result;
}

template <class T>
template <bool is_one_hinge>
typename Elimination<T>::CloseParts Elimination<T>::close_parts(const Op& op, const Place& place) {
  return {static_cast<std::size_t>(place.columns_in), is_one_hinge ? 5 : static_cast<std::size_t>(op.row_count),
          static_cast<std::size_t>(op.live_count), at(place.own)};
}

template <class T>
template <bool is_one_hinge>
RowReflectors<T> Elimination<T>::reflectors(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  const auto n = static_cast<std::size_t>(place.columns_in);
  RowReflectors<T> rows;
  rows.order = orders_.data() + place.order;
  rows.rank = rank(index);
  for (const std::int32_t source : op.source) {
    if (is_one_hinge || source != kNone) rows.columns += columns(static_cast<std::size_t>(source));
  }
  if (is_one_hinge || op.kind == OpKind::close) {
    const CloseParts parts = close_parts<is_one_hinge>(op, place);
    rows.rows = parts.matrix();
    rows.factors = parts.factors();
    rows.row_count = parts.rows;
  } else {
    const CompressParts parts{n, static_cast<std::size_t>(op.live_count), at(place.own)};
    rows.rows = parts.matrix();
    rows.factors = parts.factors();
    rows.row_count = 6 * static_cast<std::size_t>(op.live_count);
  }
  return rows;
}

// The same with columns that the compiler knows where they are few, and with the rows of a hinge.
template <class T>
template <bool is_one_hinge, class Kernel>
GELENK_ALWAYS_INLINE decltype(auto) Elimination<T>::with_reflectors(const Op& op, std::size_t index, Kernel&& kernel) {
  const RowReflectors<T> rows = reflectors<is_one_hinge>(op, index);
  return with_fixed_size(rows.columns, [&](auto n) GELENK_INLINE_LAMBDA {
    const auto row_count = [&] {
      if constexpr (is_one_hinge) {
        return FixedSize<5>{};
      } else {
        return rows.row_count;
      }
    }();
    RowReflectors<T, decltype(n), std::remove_const_t<decltype(row_count)>> same{
        n, row_count, rows.rows, rows.factors, rows.order, rows.rank};
    return kernel(same);
  });
}

// A = E W of the scaled rows, and E Φ + E_0 in columns of all rows.
template <class T>
template <class Rows>
void Elimination<T>::close_rows(const Op& op, const Rows& rows, T* base_columns) {
  const std::size_t count = rows.row_count;
  for (std::size_t i = 0; i < count; ++i) std::fill_n(rows.rows + i * rows.columns, rows.columns, T(0));
  if (op.base != kNone) std::fill_n(base_columns, 6 * count, T(0));
  const std::size_t first_live =
      static_cast<std::size_t>(program_.ops[static_cast<std::size_t>(op.source[0])].live_count);
  const std::size_t first_columns = columns(static_cast<std::size_t>(op.source[0]));
  std::size_t row = 0;
  for (const Closing& closing : program_.closing_of(op)) {
    const JointRows& joint = program_.layout.joints[static_cast<std::size_t>(closing.joint)];
    const std::size_t c = joint.row_count();
    const T* const scale = scales(closing.joint);
    const bool has_point = joint.points == 1 && joint.turns <= 3 && joint.lines == 0;  // hinges, balls, ...
    for (const bool is_b : {false, true}) {
      const std::int32_t where = is_b ? closing.place_b : closing.place_a;
      if (where == Closing::kGround) continue;
      const JointView<T> side = view(closing.joint, is_b);
      T* const E = products_.data();  // scaled
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
      const auto add_products = [&](const T* x, std::size_t height, std::size_t n, T* to, std::size_t next_row,
                                    std::size_t next) {
        for (std::size_t j = 0; j < n; ++j, x += height, to += next) {
          if (has_point) {
            T product[6];
            point_products(side, std::size_t{joint.turns}, x, product);
            for (std::size_t i = 0; i < c; ++i) to[i * next_row] += scale[i] * product[i];
          } else {
            for (std::size_t i = 0; i < c; ++i) to[i * next_row] += dot6(E + 6 * i, x);
          }
        }
      };
      const bool is_second = static_cast<std::size_t>(where) >= first_live;
      const auto source = static_cast<std::size_t>(op.source[is_second ? 1 : 0]);
      const std::size_t local = 6 * (static_cast<std::size_t>(where) - (is_second ? first_live : 0));
      const std::size_t height = 6 * static_cast<std::size_t>(program_.ops[source].live_count);
      add_products(at(places_[source].W) + local, height, columns(source),
                   rows.rows + row * rows.columns + (is_second ? first_columns : 0), rows.columns, 1);
      if (op.base != kNone) add_products(at(places_[source].phi) + local, height, 6, base_columns + row, 1, count);
    }
    row += c;
  }
}

// The same for one hinge between two fronts on the ground.
template <class T>
template <class Rows>
void Elimination<T>::close_hinge_rows(const Op& op, const HingeClosing& closing, const Rows& rows) {
  const T* const scale = scales_.data() + closing.first_row;
  for (const bool is_b : {false, true}) {
    const typename HingeClosing::Side& side = closing.sides[is_b ? 1 : 0];
    const JointView<T> view{&kHingeRows, values_ + closing.first_value, is_b};
    const T* W = at(side.W);
    T* const to = rows.rows + (side.is_second ? columns(static_cast<std::size_t>(op.source[0])) : 0);
    const std::size_t count = columns(static_cast<std::size_t>(side.source));
    for (std::size_t j = 0; j < count; ++j, W += side.height) {
      T product[5];
      hinge_products(view, W, product);
      for (std::size_t i = 0; i < 5; ++i) to[i * rows.columns + j] = scale[i] * product[i];
    }
  }
}

template <class T>
template <bool is_one_hinge>
typename Elimination<T>::Outcome Elimination<T>::factor_close(const Op& op, std::size_t index, const RankRule& rule,
                                                              Report& report) {
  return with_reflectors<is_one_hinge>(op, index, [&](auto& rows) {
    T* const base_columns = block_.data();
    const auto load_rows = [&] {
      if constexpr (is_one_hinge) {
        close_hinge_rows(op, hinge_closings_[places_[index].sides], rows);
      } else {
        close_rows(op, rows, base_columns);
      }
    };
    load_rows();
    Decision& decision = decisions_[static_cast<std::size_t>(op.decision)];
    const bool is_cached = decision.accepted >= 0;
    if (!is_cached || !rows.factor_with(static_cast<std::size_t>(decision.accepted), rule, decision.smallest)) {
      if (is_cached) load_rows();
      rows.choose(T(rule.tolerance), rule.most_rows(decision.accepted));
      decision.accepted = static_cast<std::int32_t>(rows.rank);
      decision.smallest = rows.smallest();
      ++report.chosen_again;
      // As from the cache, so that a restart from saved pivots gives the same bits.
      load_rows();
      rows.factor_with(rows.rank, kTheseRows, T(0));
      rows.rank = static_cast<std::size_t>(decision.accepted);
    }
    report.smallest = std::min(report.smallest, rows.smallest());
    ranks_[index] = static_cast<std::int32_t>(rows.rank);
    const std::size_t left = rows.columns - rows.rank;
    columns_[index] = static_cast<std::int32_t>(left);
    if (left > static_cast<std::size_t>(places_[index].columns)) return Outcome::too_many_columns;
    close_front(op, index, rows);
    if (!is_one_hinge && op.base != kNone) close_base(op, index, rows, base_columns);
    return Outcome::good;
  });
}

// The columns of one body among all: from `first` on, else zero.
template <class T>
void put_columns(std::size_t count, std::size_t first, std::size_t own, std::size_t height, const T* from, T* X) {
  std::fill_n(X, 6 * count, T(0));
  for (std::size_t j = 0; j < own; ++j) copy6(from + j * height, X + 6 * (first + j));
}

// W' = W Q₂ and P = W Q₁. The columns of each live body are reflected as a whole, or where they are few multiplied with
// their rows of Q: all other columns of the body are zero.
template <class T>
template <class Rows>
void Elimination<T>::close_front(const Op& op, std::size_t index, const Rows& rows) {
  const Place& place = places_[index];
  const auto live = static_cast<std::size_t>(op.live_count);
  const CloseParts parts = close_parts<false>(op, place);
  const auto first_source = static_cast<std::size_t>(op.source[0]);
  const auto first_live = static_cast<std::size_t>(program_.ops[first_source].live_count);
  const std::span<const std::int32_t> kept = program_.kept_of(op);
  T few[6 * kMostFixed];
  T* const X = rows.columns <= kMostFixed ? few : products_.data();
  for (std::size_t b = 0; b < live; ++b) {
    const auto where = static_cast<std::size_t>(kept[b]);
    const bool is_second = where >= first_live;
    const auto source = static_cast<std::size_t>(op.source[is_second ? 1 : 0]);
    const std::size_t local = where - (is_second ? first_live : 0);
    const std::size_t height = 6 * static_cast<std::size_t>(program_.ops[source].live_count);
    const std::size_t first = is_second ? columns(first_source) : 0;
    const T* const from = at(places_[source].W) + 6 * local;
    if constexpr (Rows::kIsFixed) {
      for (std::size_t m = 0; m < 6 * rows.columns; ++m) X[m] = T(0);
      for (std::size_t l = 0; l < columns(source); ++l) {
        T of_Q[kMostFixed];
        for (std::size_t j = 0; j < rows.columns; ++j) of_Q[j] = T(j == first + l ? 1 : 0);
        rows.to_factored(of_Q);
        for (std::size_t j = 0; j < rows.columns; ++j) {
          for (std::size_t m = 0; m < 6; ++m) X[6 * j + m] += of_Q[j] * from[l * height + m];
        }
      }
    } else {
      put_columns(rows.columns, first, columns(source), height, from, X);
      rows.to_factored_columns(X);
    }
    for (std::size_t j = 0; j < rows.columns; ++j) {
      T* const to = j < rows.rank ? parts.moves() + j * 6 * live : at(place.W) + (j - rows.rank) * 6 * live;
      for (std::size_t m = 0; m < 6; ++m) to[6 * b + m] = X[6 * j + m];
    }
    if (op.base == kNone) continue;
    for (std::size_t j = 0; j < 6; ++j) {
      copy6(at(places_[source].phi) + j * height + 6 * local, at(place.phi) + j * 6 * live + 6 * b);
    }
  }
}

// Φ' = Φ - P Z and I_b' = I_b + Zᵀ Z with Z = L⁻¹ (E Φ + E_0)_I.
template <class T>
template <class Rows>
void Elimination<T>::close_base(const Op& op, std::size_t index, const Rows& rows, const T* base_columns) {
  const Place& place = places_[index];
  const auto live = static_cast<std::size_t>(op.live_count);
  const CloseParts parts = close_parts<false>(op, place);
  const std::size_t k = rows.rank;
  const auto stride = static_cast<std::size_t>(op.row_count);
  T* const base_inertia = at(place.Ib);
  for (std::size_t j = 0; j < 6; ++j) {
    T* const z = parts.base_part() + j * stride;
    for (std::size_t i = 0; i < k; ++i) z[i] = base_columns[j * stride + static_cast<std::size_t>(rows.order[i])];
  }
  rows.solve_lower_columns(6, stride, parts.base_part());
  for (std::size_t j = 0; j < 6; ++j) {
    const T* const z = parts.base_part() + j * stride;
    for (std::size_t b = 0; b < live; ++b) {
      T* const column = at(place.phi) + 6 * (j * live + b);
      T sum[6];
      for (std::size_t m = 0; m < 6; ++m) sum[m] = column[m];
      for (std::size_t i = 0; i < k; ++i) {
        const T* const move = parts.moves() + 6 * (i * live + b);
        for (std::size_t m = 0; m < 6; ++m) sum[m] -= z[i] * move[m];
      }
      for (std::size_t m = 0; m < 6; ++m) column[m] = sum[m];
    }
  }
  const T* const first = at(places_[static_cast<std::size_t>(op.source[0])].Ib);
  const T* const second = op.source[1] == kNone ? nullptr : at(places_[static_cast<std::size_t>(op.source[1])].Ib);
  for (std::size_t p = 0; p < 6; ++p) {
    for (std::size_t q = 0; q <= p; ++q) {
      T sum(0);
      for (std::size_t i = 0; i < k; ++i) sum += parts.base_part()[p * stride + i] * parts.base_part()[q * stride + i];
      const std::size_t n = 6 * p + q;
      base_inertia[n] = (second == nullptr ? first[n] : first[n] + second[n]) + sum;
    }
  }
}

// e = u - E r of the scaled rows; r_at(place) finds r of a live body that goes in.
template <class T>
template <class Find>
void Elimination<T>::close_gaps(const Op& op, Find&& r_at, T* e) {
  std::size_t row = 0;
  for (const Closing& closing : program_.closing_of(op)) {
    const JointRows& joint = program_.layout.joints[static_cast<std::size_t>(closing.joint)];
    const T* const u = rows_of(u_, closing.joint);
    const T* const scale = scales(closing.joint);
    const std::size_t c = joint.row_count();
    T* const product = line_.data();
    std::fill_n(product, c, T(0));
    if (closing.place_a >= 0) add_row_products(view(closing.joint, false), r_at(closing.place_a), product);
    if (closing.place_b >= 0) add_row_products(view(closing.joint, true), r_at(closing.place_b), product);
    for (std::size_t i = 0; i < c; ++i) e[row + i] = scale[i] * (u[i] - product[i]);
    row += c;
  }
}

template <class T>
GELENK_ALWAYS_INLINE void Elimination<T>::close_hinge_gaps(const HingeClosing& closing, T* e) {
  const T* const values = values_ + closing.first_value;
  const T* const u = u_ + closing.first_row;
  const T* const scale = scales_.data() + closing.first_row;
  T product[5];
  T other[5];
  hinge_products(JointView<T>{&kHingeRows, values, false}, at(closing.sides[0].r), product);
  hinge_products(JointView<T>{&kHingeRows, values, true}, at(closing.sides[1].r), other);
  for (std::size_t i = 0; i < 5; ++i) e[i] = scale[i] * (u[i] - (product[i] + other[i]));
}

template <class T>
template <bool is_one_hinge>
void Elimination<T>::up_close(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  const auto live = static_cast<std::size_t>(op.live_count);
  const CloseParts parts = close_parts<is_one_hinge>(op, place);
  const std::int32_t first_live = program_.ops[static_cast<std::size_t>(op.source[0])].live_count;
  const auto r_at = [&](std::int32_t where) {
    const bool is_second = where >= first_live;
    return at(places_[static_cast<std::size_t>(op.source[is_second ? 1 : 0])].r) +
           6 * static_cast<std::size_t>(where - (is_second ? first_live : 0));
  };
  T of_hinge[5];
  T* const e = is_one_hinge ? of_hinge : block_.data();
  if (is_one_hinge) {
    close_hinge_gaps(hinge_closings_[place.sides], e);
  } else {
    close_gaps(op, r_at, e);
  }
  const std::span<const std::int32_t> kept = program_.kept_of(op);
  T* const z = parts.z();
  const std::size_t rank = with_reflectors<is_one_hinge>(op, index, [&](const auto& rows) GELENK_INLINE_LAMBDA {
    repeat(rows.columns, [&](auto i) {
      if (i < rows.rank) z[i] = e[rows.order[i]];
    });
    rows.solve_lower(z);
    return rows.rank;
  });
  for (std::size_t k = 0; k < live; ++k) {
    const T* const before = r_at(kept[k]);
    T sum[6];
    for (std::size_t m = 0; m < 6; ++m) sum[m] = before[m];
    for (std::size_t i = 0; i < rank; ++i) {
      const T* const move = parts.moves() + 6 * (i * live + k);
      for (std::size_t m = 0; m < 6; ++m) sum[m] += z[i] * move[m];
    }
    copy6(sum, at(place.r) + 6 * k);
  }
  if (is_one_hinge || op.base == kNone) return;
  T* const pb = at(place.pb);
  for (std::size_t j = 0; j < 6; ++j) {
    T sum(0);
    for (const std::int32_t source : op.source) {
      if (source != kNone) sum += at(places_[static_cast<std::size_t>(source)].pb)[j];
    }
    const T* const Z = parts.base_part() + j * static_cast<std::size_t>(op.row_count);
    for (std::size_t i = 0; i < rank; ++i) sum -= Z[i] * z[i];
    pb[j] = sum;
  }
}

template <class T>
template <bool is_one_hinge>
void Elimination<T>::down_close(const Op& op, std::size_t index, const T* a, T* lambda) {
  const Place& place = places_[index];
  const CloseParts parts = close_parts<is_one_hinge>(op, place);
  with_reflectors<is_one_hinge>(op, index, [&](const auto& rows) GELENK_INLINE_LAMBDA {
    T few[kMostFixed] = {};
    T* const y = rows.columns <= kMostFixed ? few : line_.data();
    repeat(rows.columns, [&](auto i) {
      if (i >= rows.rank) {
        y[i] = at(place.y)[i - rows.rank];
        return;
      }
      T sum = parts.z()[i];
      if (!is_one_hinge && op.base != kNone) {
        const T* const base = a + 6 * static_cast<std::size_t>(op.base);
        for (std::size_t j = 0; j < 6; ++j) sum -= parts.base_part()[j * rows.row_count + i] * base[j];
      }
      y[i] = sum;
    });
    if (lambda != nullptr) close_reactions(op, index, y, lambda);
    rows.from_factored(y);
    const auto first = static_cast<std::size_t>(op.source[0]);
    const std::size_t count = columns(first);
    T* const to_first = at(places_[first].y);
    T* const to_second = op.source[1] == kNone ? nullptr : at(places_[static_cast<std::size_t>(op.source[1])].y);
    repeat(rows.columns, [&](auto i) {
      if (i < count) {
        to_first[i] = y[i];
      } else {
        to_second[i - count] = y[i];
      }
    });
  });
}

// λ_I = L⁻ᵀ (z - Z a_0 - Q₁ᵀ Wᵀ τ), zero on the dropped rows.
template <class T>
void Elimination<T>::close_reactions(const Op& op, std::size_t index, const T* z, T* lambda) {
  const RowReflectors<T> rows = reflectors<false>(op, index);
  T* const x = products_.data();
  std::size_t first = 0;
  for (const std::int32_t source : op.source) {
    if (source == kNone) continue;
    const auto from = static_cast<std::size_t>(source);
    const std::span<const std::int32_t> live = program_.live_of(program_.ops[from]);
    for (std::size_t j = 0; j < columns(from); ++j) {
      const T* const W = at(places_[from].W) + j * 6 * live.size();
      T sum(0);
      for (std::size_t b = 0; b < live.size(); ++b) {
        sum += dot6(W + 6 * b, &loads_[6 * static_cast<std::size_t>(live[b])]);
      }
      x[first + j] = sum;
    }
    first += columns(from);
  }
  rows.to_factored(x);
  for (std::size_t i = 0; i < rows.rank; ++i) x[i] = z[i] - x[i];
  rows.solve_lower_transposed(x);
  T* const by_row = block_.data();
  std::fill_n(by_row, rows.row_count, T(0));
  for (std::size_t i = 0; i < rows.rank; ++i) by_row[rows.order[i]] = x[i];
  std::size_t row = 0;
  for (const Closing& closing : program_.closing_of(op)) {
    const JointRows& joint = program_.layout.joints[static_cast<std::size_t>(closing.joint)];
    const T* const scale = scales(closing.joint);
    T* const ours = lambda + joint.first_row;
    for (std::size_t i = 0; i < joint.row_count(); ++i) ours[i] = scale[i] * by_row[row + i];
    if (closing.place_a >= 0) {
      add_row_wrench(view(closing.joint, false), ours, &loads_[6 * static_cast<std::size_t>(joint.a)]);
    }
    if (closing.place_b >= 0) {
      add_row_wrench(view(closing.joint, true), ours, &loads_[6 * static_cast<std::size_t>(joint.b)]);
    }
    row += joint.row_count();
  }
}

}  // namespace gelenk::solve
