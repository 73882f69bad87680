#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gelenk::solve {

// A right side of a component and what is found for it, elimination.md (1.1): six numbers for each body of the program
// (f on ghosts is not read), rows as the program has them. The arrays belong to the node, or to its caller.
struct NodeSide {
  std::span<const double> f, u;
  std::span<double> a, lambda;
  std::vector<double> port_biases;  // centripetal accelerations of the ports, three each, world axes
  bool wants_multipliers = true;    // otherwise λ is found only if children or corrections need it

  std::vector<double> own_f, own_u, own_a, own_lambda;
  void use_own(std::size_t bodies, std::size_t rows) {
    for (std::vector<double>* by_body : {&own_f, &own_a}) by_body->resize(6 * bodies);
    for (std::vector<double>* by_row : {&own_u, &own_lambda}) by_row->resize(rows);
    f = own_f;
    u = own_u;
    a = own_a;
    lambda = own_lambda;
  }
};

}  // namespace gelenk::solve
