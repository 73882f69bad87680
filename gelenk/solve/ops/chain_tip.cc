#include "gelenk/solve/ops/chain_tip.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/solve/ops/hinge.h"
#include "gelenk/solve/ops/mobility_root.h"
#include "gelenk/solve/ops/tree.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {
namespace {

// In most poses a wrench at the tip fades on its way, by a factor for each joint. Far below rounding it is nothing at
// all; what is left of it would only slow the processor down, which has its trouble with the smallest numbers.
constexpr double kFaded = 1e-60;

}  // namespace

void place_tip(OpData& data) {
  data.tip = std::make_unique<ChainTip>();
  std::size_t motions = 0;
  for (const std::int32_t op : data.program.cut.path) {
    motions += at(data.program.ops[at(op)].free_count);
  }
  data.tip->carried.assign(6 * motions, 0.0);
  data.tip->touched.reserve(data.program.cut.path.size());
}

void start_tip(ChainTip& tip) {
  for (std::size_t i = 0; i < 36; ++i) tip.phi[i] = i % 7 == 0 ? 1.0 : 0.0;
  std::fill_n(tip.D, 36, 0.0);
  tip.touched.clear();
}

bool carry_tip(OpData& data, std::size_t index, double* P) {
  double(&phi)[36] = data.tip->phi;
  double(&D)[36] = data.tip->D;
  bool is_touched = false;
  // One motion s with its load, y = I s: P = sᵀΦ w, Φ -= y P, D += PᵀP for a weight w that makes sᵀy = 1.
  const auto pass = [&](const double(&motion)[6], const double* load, double weight, double* kept) {
    double row[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (std::size_t n = 0; n < 6; ++n) {
      for (std::size_t j = 0; j < 6; ++j) row[j] += motion[n] * phi[6 * n + j];
    }
    const bool is_nothing = std::all_of(row, row + 6, [](const double& x) { return x == 0.0; });
    is_touched = is_touched || !is_nothing;
    if (!is_nothing) {
      double weighted[6];
      for (std::size_t j = 0; j < 6; ++j) weighted[j] = weight * row[j];
      for (std::size_t n = 0; n < 6; ++n) {
        const double y = load[n];
        for (std::size_t j = 0; j < 6; ++j) phi[6 * n + j] -= y * weighted[j];
        for (std::size_t j = 0; j < 6; ++j) D[6 * n + j] += row[n] * weighted[j];
      }
    }
    std::copy_n(row, 6, kept);
  };
  double v[3];
  if (data.steps[index].shape == Shape::hinge) {
    const HingeParts& own = hinge_parts(data, data.steps[index]);
    const JointView joint = data.view_of(data.steps[index]);
    double S[6];
    hinge_screw(joint, S);
    pass(S, own.U, own.inverse, P);
    hinge_shift(joint, v);
  } else {
    const auto f = at(data.program.ops[index].free_count);
    const TreeParts parts{f, data.at(data.steps[index].own)};
    // S L⁻ᵀ, one motion after another, as the loads are
    double unit_motions[6][6];
    for (std::size_t i = 0; i < f; ++i) {
      double motion[6];
      std::copy_n(parts.motions() + 6 * i, 6, motion);
      const double* const l = parts.factor() + i * f;
      for (std::size_t k = 0; k < i; ++k) {
        for (std::size_t n = 0; n < 6; ++n) motion[n] -= l[k] * unit_motions[k][n];
      }
      for (std::size_t n = 0; n < 6; ++n) unit_motions[i][n] = motion[n] * l[i];
    }
    for (std::size_t i = 0; i < f; ++i) pass(unit_motions[i], parts.loads() + 6 * i, 1.0, P + 6 * i);
    std::copy_n(parts.v(), 3, v);
  }
  // Moments about the center of p: n += v × f
  for (std::size_t j = 0; j < 6; ++j) phi[18 + j] += v[1] * phi[12 + j] - v[2] * phi[6 + j];
  for (std::size_t j = 0; j < 6; ++j) phi[24 + j] += v[2] * phi[j] - v[0] * phi[12 + j];
  for (std::size_t j = 0; j < 6; ++j) phi[30 + j] += v[0] * phi[6 + j] - v[1] * phi[j];
  return is_touched;
}

bool has_tip_faded(ChainTip& tip) {
  using std::abs;
  double(&phi)[36] = tip.phi;
  bool have_all = true;
  for (std::size_t j = 0; j < 6; ++j) {
    double largest = 0.0;
    for (std::size_t n = 0; n < 6; ++n) largest = std::max(largest, abs(phi[6 * n + j]));
    have_all = have_all && largest < kFaded;
    for (std::size_t n = 0; largest < kFaded && n < 6; ++n) phi[6 * n + j] = 0.0;
  }
  return have_all;
}

void factor_tip(OpData& data) {
  ChainTip& tip = *data.tip;
  double scaled[36];
  tip.columns = root_of_mobility(data.program.reference_mass, std::span<const std::int32_t>(&data.program.cut.tip, 1),
                                 tip.D, scaled, tip.W);
  const Inertia& I = data.inertias[data.program.body_count];
  const std::size_t n = tip.columns;
  for (std::size_t j = 0; j < n; ++j) {
    double load[6];
    multiply(I, tip.W + 6 * j, load);
    for (std::size_t i = j; i < n; ++i) tip.L[i * n + j] = dot6(tip.W + 6 * i, load);
    tip.L[j * n + j] += 1.0;
  }
  cholesky(n, tip.L, n);
}

void find_tip_motion(OpData& data) {
  double motion[6];
  const double* inner = nullptr;
  const std::vector<std::int32_t>& path = data.program.cut.path;
  for (std::size_t i = data.tip->carried_to; i-- > 0;) {
    const auto op = at(path[i]);
    if (data.steps[op].shape == Shape::hinge) {
      down_hinge(data, data.steps[op], inner, data.tip->e);
    } else {
      down_tree(data, op, inner, data.tip->e);
    }
    std::copy_n(data.tip->e, 6, motion);
    inner = motion;
  }
}

void up_tip(OpData& data) {
  ChainTip& tip = *data.tip;
  double wrench[6];
  multiply(data.inertias[data.program.body_count], tip.e, wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] += data.bias[6 * data.program.body_count + i];
  for (std::size_t j = 0; j < tip.columns; ++j) tip.b[j] = dot6(tip.W + 6 * j, wrench);
  solve_lower(tip.columns, tip.L, tip.columns, tip.b);
}

void down_tip(OpData& data, double* a, double* wrench) {
  ChainTip& tip = *data.tip;
  double y[6];
  for (std::size_t j = 0; j < tip.columns; ++j) y[j] = -tip.b[j];
  solve_lower_transposed(tip.columns, tip.L, tip.columns, y);
  double* const a_t = a + 6 * at(data.program.cut.tip);
  std::copy_n(tip.e, 6, a_t);
  for (std::size_t j = 0; j < tip.columns; ++j) {
    for (std::size_t i = 0; i < 6; ++i) a_t[i] += y[j] * tip.W[6 * j + i];
  }
  multiply(data.inertias[data.program.body_count], a_t, wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] = -(wrench[i] + data.bias[6 * data.program.body_count + i]);
}

void load_path(OpData& data, const double* wrench, bool wants_reactions) {
  const double* P = data.tip->carried.data();
  // `left`: what arrives at the joint, less what goes into its motion
  const auto move_joint = [&](std::size_t index, double* left) {
    const auto f = at(data.program.ops[index].free_count);
    for (std::size_t i = 0; i < f; ++i, P += 6) {
      double z = dot6(P, wrench);
      const double* U = nullptr;
      if (data.steps[index].shape == Shape::hinge) {
        HingeParts& own = hinge_parts(data, data.steps[index]);
        z *= own.inverse;
        own.z -= z;
        U = own.U;
      } else {
        const TreeParts parts{f, data.at(data.steps[index].own)};
        parts.z()[i] -= z;
        U = parts.loads() + 6 * i;
      }
      for (std::size_t n = 0; left != nullptr && n < 6; ++n) left[n] -= z * U[n];
    }
  };
  const std::vector<std::int32_t>& path = data.program.cut.path;
  if (!wants_reactions) {
    for (const std::uint32_t k : data.tip->touched) move_joint(at(path[k]), nullptr);
    return;
  }
  double t[6];
  std::copy_n(wrench, 6, t);
  std::size_t next = 0;
  for (std::size_t k = 0; k < data.tip->carried_to; ++k) {
    const auto index = at(path[k]);
    double* const p = &data.bias[6 * at(data.program.ops[index].body)];
    for (std::size_t i = 0; i < 6; ++i) p[i] -= t[i];
    if (next < data.tip->touched.size() && data.tip->touched[next] == k) {
      move_joint(index, t);
      ++next;
    }
    double v[3];
    if (data.steps[index].shape == Shape::hinge) {
      hinge_shift(data.view_of(data.steps[index]), v);
    } else {
      std::copy_n(TreeParts{at(data.program.ops[index].free_count), data.at(data.steps[index].own)}.v(), 3, v);
    }
    add_cross(v, t, t + 3);
  }
}

}  // namespace gelenk::solve
