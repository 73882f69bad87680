#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gelenk/solve/ops/op_data.h"

// What a program publishes: how the bodies of its border move. Fronts with live bodies at the end are published, as W
// with D = W Wᵀ, elimination.md (4.1), or as D itself, elimination.md (9.1). Ports of these bodies: components.md (2).
namespace gelenk::solve {

// Where a body of the border is in what is published: the same for all factorizations. Bodies of different fronts do
// not move each other.
struct Published {
  std::size_t front;
  std::size_t place;
  bool is_network;  // D is there; else W
};
Published published(const Program& program, std::int32_t body);
// W at a body, six numbers a column.
struct Columns {
  const double* first;
  std::size_t stride;
  std::size_t count;
};
Columns columns_at(const OpData& data, const Published& body);
// D of two bodies of one mobility front, row by row.
void copy_mobility(const OpData& data, const Published& body, const Published& other, double* D);
// r of a body.
const double* rates_at(const OpData& data, const Published& body);
// Wrenches τ on the bodies of the border (six for each body of the program, or empty) at a published front, before the
// way down: y = Wᵀ τ, or μ = τ; and, if wanted, as loads on the bodies.
void push_published(OpData& data, std::size_t front, std::span<const double> tau, bool wants_loads);

}  // namespace gelenk::solve
