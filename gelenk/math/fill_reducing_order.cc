#include "gelenk/math/fill_reducing_order.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace gelenk {

std::vector<std::int32_t> fill_reducing_order(const Graph& graph) {
  const auto n = static_cast<Eigen::Index>(graph.node_count());
  if (n == 0) return {};
  // Only the pattern counts. Eigen asks for the diagonal, too, and for rows in ascending order.
  Eigen::SparseMatrix<double> pattern(n, n);
  pattern.reserve(static_cast<Eigen::Index>(graph.neighbors.size()) + n);
  for (std::size_t k = 0; k < graph.node_count(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    bool has_diagonal = false;
    pattern.startVec(column);
    for (const std::int32_t row : graph.neighbors_of(k)) {
      if (row > column && !has_diagonal) {
        pattern.insertBack(column, column) = 1.0;
        has_diagonal = true;
      }
      pattern.insertBack(row, column) = 1.0;
    }
    if (!has_diagonal) pattern.insertBack(column, column) = 1.0;
  }
  pattern.finalize();
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(pattern, permutation);
  std::vector<std::int32_t> order(graph.node_count());
  for (Eigen::Index k = 0; k < n; ++k) order[static_cast<std::size_t>(k)] = permutation.indices()[k];
  return order;
}

}  // namespace gelenk
