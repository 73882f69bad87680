#pragma once

#include <span>

// Laws of single rows: the impulse r is in an interval, and u = D r + q is what it works against. Inside of it u is
// zero; at the lower end u >= 0, at the upper end u <= 0. Stops and one-way clutches have [0, ∞), dry friction [-F, F].
namespace gelenk::contact {

double nearest_in_interval(double impulse, double low, double high);

// How far (u, r) is from the law, in the unit of u; contact.md (2.5).
double interval_map(double velocity, double impulse, double low, double high, double mobility);

// r of all rows at once, exactly, by choosing at which end of its interval each row is; contact.md (2.6). D: n × n,
// symmetric, by row. In: a first guess. False, and the guess left as it was: D is singular where impulses are inside of
// their intervals, or no choice was found.
bool solve_intervals(std::span<const double> D, std::span<const double> q, std::span<const double> low,
                     std::span<const double> high, std::span<double> impulses);

}  // namespace gelenk::contact
