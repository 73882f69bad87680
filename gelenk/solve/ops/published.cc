#include "gelenk/solve/ops/published.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gelenk/base/index.h"
#include "gelenk/solve/mobility_kernels.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {
namespace {

// Forces on the bodies of the border.
void push_network(OpData& data, std::size_t front, std::span<const double> tau) {
  const Op& op = data.program.ops[front];
  const std::span<const std::int32_t> live = data.program.live_of(op);
  for (std::size_t b = 0; b < live.size(); ++b) {
    double* const forces = data.at(data.places[front].y) + data.program.kept_of(op)[b];
    for (std::size_t i = 0; i < 6; ++i) {
      forces[i] = tau.empty() ? 0.0 : tau[6 * at(live[b]) + i];
    }
  }
}

}  // namespace

Published published(const Program& program, std::int32_t body) {
  for (const std::int32_t front : program.published) {
    const Op& op = program.ops[at(front)];
    const std::span<const std::int32_t> live = program.live_of(op);
    const auto found = std::find(live.begin(), live.end(), body);
    if (found == live.end()) continue;
    return {at(front), static_cast<std::size_t>(found - live.begin()), Program::is_network(op)};
  }
  assert(false && "a body of the border is in a published front");
  return {};
}

Columns columns_at(const OpData& data, const Published& body) {
  const std::size_t height = 6 * at(data.program.ops[body.front].live_count);
  return {data.at(data.places[body.front].W) + 6 * body.place, height, data.columns(body.front)};
}

void copy_mobility(const OpData& data, const Published& body, const Published& other, double* D) {
  const std::span<const std::int32_t> slots = data.program.kept_of(data.program.ops[body.front]);
  const auto first = at(slots[body.place]);
  const auto other_first = at(slots[other.place]);
  const double* const W = data.at(data.places[body.front].W);
  const auto stride = at(data.places[body.front].columns);
  for (std::size_t n = 0; n < 36; ++n) D[n] = symmetric(W, stride, first + n / 6, other_first + n % 6);
}

const double* rates_at(const OpData& data, const Published& body) {
  const std::size_t first =
      body.is_network ? at(data.program.kept_of(data.program.ops[body.front])[body.place]) : 6 * body.place;
  return data.at(data.places[body.front].r) + first;
}

void push_published(OpData& data, std::size_t front, std::span<const double> tau, bool wants_loads) {
  const Op& op = data.program.ops[front];
  if (Program::is_network(op)) {
    push_network(data, front, tau);
    return;
  }
  const std::span<const std::int32_t> live = data.program.live_of(op);
  double* const y = data.at(data.places[front].y);
  std::fill_n(y, data.columns(front), 0.0);
  if (tau.empty()) return;
  const double* const W = data.at(data.places[front].W);
  for (std::size_t b = 0; b < live.size(); ++b) {
    const double* const wrench = &tau[6 * at(live[b])];
    for (std::size_t j = 0; j < data.columns(front); ++j) y[j] += dot6(W + j * 6 * live.size() + 6 * b, wrench);
    if (wants_loads) copy6(wrench, &data.loads[6 * at(live[b])]);
  }
}

}  // namespace gelenk::solve
