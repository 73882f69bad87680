#pragma once

#include <array>

// Coefficients of multistep methods whose steps may all have different lengths.
//
// After a step the solution is a polynomial p of degree q, written around the end of the step in x = (t - t_end) / h.
// Nodes are the ends of steps before, at x = -ξᵢ. What the polynomial fits there makes the method:
//   Adams-Moulton: the value at the first node, and the slopes at the end and at the nodes 1 … q-1;
//   BDF:           the values at the nodes 1 … q, and the slope at the end (both together determine the end).
// The step adds e·Λ(x) to the polynomial π of the step before, e being the change of the value at the end; Λ is zero,
// or has no slope, where old numbers must stay. Nothing here assumes that lengths are equal: a step may be cut or
// stretched without loss of order.
namespace gelenk::integrate {

enum class Multistep { adams, bdf };

inline constexpr int kMaxAdamsOrder = 12;
inline constexpr int kMaxBdfOrder = 5;  // 6 is unstable in a wide wedge beside the imaginary axis
inline constexpr int kMaxMultistepOrder = kMaxAdamsOrder;

// Coefficients of x⁰, x¹, …
using Powers = std::array<double, kMaxMultistepOrder + 2>;

// ξ₁ = 1 ≤ ξ₂ ≤ … from index 1 on. Before the first step of all there are no nodes: there the first one counts several
// times, which is Hermite interpolation, ξ₂ = ξ₁.
inline constexpr int kMaxNodes = kMaxMultistepOrder + 2;
using Distances = std::array<double, kMaxNodes + 1>;

// Λ, with Λ(0) = 1. Its slope there is h over the gain γ of the implicit equation e = γ f(y) + …
Powers correction_polynomial(Multistep method, int order, const Distances& xi);

// Leading term of the error of a step,
double error_per_correction(Multistep method, int order, const Distances& xi);  // over e
// that it would have had with the order below,
double lower_error_per_power(Multistep method, int order, const Distances& xi);  // over z_q, coefficient of x^q in p
// and with the order above, over the change of e since the step before as far as it comes from the next derivative:
// e - (c'/c) (h/h')^(q+1) e', where e', c' and h' belong to that step.
double higher_error_per_change(Multistep method, int order, const Distances& xi);
// c: the derivative q + 1 is proportional to c e / h^(q+1).
double derivative_per_correction(Multistep method, int order, const Distances& xi);

// One node more or less at the old end: the polynomial of order q + 1 is p + e·raising(x), that of order q - 1 is
// p + z_q·lowering(x).
Powers raising_polynomial(Multistep method, int order, const Distances& xi);
Powers lowering_polynomial(Multistep method, int order, const Distances& xi);

}  // namespace gelenk::integrate
