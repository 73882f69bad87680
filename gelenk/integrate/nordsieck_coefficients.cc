#include "gelenk/integrate/nordsieck_coefficients.h"

#include "gelenk/base/index.h"

#include <cstddef>

namespace gelenk::integrate {
namespace {

// Π (1 + x/ξᵢ) over the first nodes.
Powers node_polynomial(const Distances& xi, int count) {
  Powers p{1.0};
  for (int i = 1; i <= count; ++i) {
    for (int j = i; j >= 1; --j) p[at(j)] += p[at(j - 1)] / xi[at(i)];
  }
  return p;
}

double product(const Distances& xi, int count) {
  double value = 1.0;
  for (int i = 1; i <= count; ++i) value *= xi[at(i)];
  return value;
}

double sum_of_inverses(const Distances& xi, int count) {
  double value = 0.0;
  for (int i = 1; i <= count; ++i) value += 1.0 / xi[at(i)];
  return value;
}

// Integrals over the step, x from -1 to 0, of m = Π (1 + x/ξᵢ) and of -x m. In u = 1 + x no coefficient of m is
// negative because ξᵢ ≥ 1: nothing cancels, whatever the order.
struct Moments {
  double zeroth = 0.0;
  double first = 0.0;
};

Moments step_moments(const Distances& xi, int count) {
  Powers p{1.0};
  for (int i = 1; i <= count; ++i) {
    const double slope = 1.0 / xi[at(i)];
    for (int j = i; j >= 1; --j) p[at(j)] = p[at(j)] * (1.0 - slope) + p[at(j - 1)] * slope;
    p[0] *= 1.0 - slope;
  }
  Moments moments;
  for (int j = 0; j <= count; ++j) {
    moments.zeroth += p[at(j)] / (j + 1);
    moments.first += p[at(j)] / ((j + 1) * (j + 2));
  }
  return moments;
}

}  // namespace

// Adams: Λ' = m / ∫m with m of the nodes 1 … q-1, and Λ(-1) = 0, so that Λ(0) = 1.
Powers correction_polynomial(Multistep method, int order, const Distances& xi) {
  if (method == Multistep::bdf) return node_polynomial(xi, order);
  const Powers m = node_polynomial(xi, order - 1);
  const double area = step_moments(xi, order - 1).zeroth;
  Powers lambda{1.0};
  for (int j = 0; j < order; ++j) lambda[at(j + 1)] = m[at(j)] / (area * (j + 1));
  return lambda;
}

// Adams: y' - p' = f[t_n … t_{n-q}] Π (t - t_{n-i}), i = 0 … q-1, integrated over the step; the divided difference is
// Λ'(0) e / h over Π (h ξᵢ), i = 1 … q.
// BDF: the values at q + 1 nodes and e give y[t_n … t_{n-q-1}], and the slope at the end is wrong by its share with the
// last node, which the implicit equation turns into an error of the value.
double error_per_correction(Multistep method, int order, const Distances& xi) {
  if (method == Multistep::bdf) return 1.0 / (xi[at(order + 1)] * sum_of_inverses(xi, order));
  const Moments moments = step_moments(xi, order - 1);
  return moments.first / (moments.zeroth * xi[at(order)]);
}

double lower_error_per_power(Multistep method, int order, const Distances& xi) {
  if (method == Multistep::bdf) return product(xi, order - 1) / sum_of_inverses(xi, order - 1);
  return order * product(xi, order - 2) * step_moments(xi, order - 2).first;
}

double higher_error_per_change(Multistep method, int order, const Distances& xi) {
  if (method == Multistep::bdf) return 1.0 / (xi[at(order + 2)] * sum_of_inverses(xi, order + 1));
  return step_moments(xi, order).first / (step_moments(xi, order - 1).zeroth * xi[at(order + 1)]);
}

double derivative_per_correction(Multistep method, int order, const Distances& xi) {
  if (method == Multistep::bdf) return 1.0 / product(xi, order + 1);
  return 1.0 / (step_moments(xi, order - 1).zeroth * product(xi, order));
}

// Newton's form: the next divided difference times the product over the nodes that are fitted already; for Adams this
// is so for the slope, and the value at the end stays.
Powers raising_polynomial(Multistep method, int order, const Distances& xi) {
  Powers change{};
  if (method == Multistep::bdf) {
    const Powers nodes = node_polynomial(xi, order);
    for (int j = 0; j <= order; ++j) change[at(j + 1)] = nodes[at(j)] / xi[at(order + 1)];
    return change;
  }
  const Powers nodes = node_polynomial(xi, order - 1);
  const double scale = 1.0 / (step_moments(xi, order - 1).zeroth * xi[at(order)]);
  for (int j = 0; j < order; ++j) change[at(j + 2)] = scale * nodes[at(j)] / (j + 2);
  return change;
}

Powers lowering_polynomial(Multistep method, int order, const Distances& xi) {
  Powers change{};
  if (method == Multistep::bdf) {
    const Powers nodes = node_polynomial(xi, order - 1);
    const double scale = product(xi, order - 1);
    for (int j = 0; j < order; ++j) change[at(j + 1)] = -scale * nodes[at(j)];
    return change;
  }
  const Powers nodes = node_polynomial(xi, order - 2);
  const double scale = order * product(xi, order - 2);
  for (int j = 0; j + 1 < order; ++j) change[at(j + 2)] = -scale * nodes[at(j)] / (j + 2);
  return change;
}

}  // namespace gelenk::integrate
