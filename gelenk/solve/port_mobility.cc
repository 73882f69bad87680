#include "gelenk/solve/port_mobility.h"

#include <algorithm>

#include "gelenk/base/index.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {

PortMobility::PortMobility(const NodePlan& node)
    : node_(node), mobility_(36 * node.border.size() * node.border.size()), rates_(6 * node.border.size()) {}

void PortMobility::publish(const Elimination<double>& elimination, std::span<const double> arms, std::span<double> D) {
  elimination.publish_mobility(node_.border, mobility_);
  const std::size_t inner = 6 * node_.border.size();
  const std::size_t size = 6 * node_.ports.size();
  for (std::size_t p = 0; p < node_.ports.size(); ++p) {
    for (std::size_t q = 0; q <= p; ++q) {
      double block[6][6];
      for (std::size_t i = 0; i < 6; ++i) {
        const double* const row = &mobility_[(6 * at(node_.ports[p].place) + i) * inner + 6 * at(node_.ports[q].place)];
        shift_motion(&arms[3 * q], row, block[i]);
      }
      for (std::size_t k = 0; k < 6; ++k) {
        double column[6];
        for (std::size_t i = 0; i < 6; ++i) column[i] = block[i][k];
        shift_motion(&arms[3 * p], column, column);
        // Symmetric to the last bit.
        for (std::size_t i = p == q ? k : 0; i < 6; ++i) {
          D[(6 * p + i) * size + 6 * q + k] = D[(6 * q + k) * size + 6 * p + i] = column[i];
        }
      }
    }
  }
}

void PortMobility::publish_rates(const Elimination<double>& elimination, std::span<const double> arms,
                                 std::span<double> r) {
  elimination.publish_rates(node_.border, rates_);
  for (std::size_t p = 0; p < node_.ports.size(); ++p) {
    shift_motion(&arms[3 * p], &rates_[6 * at(node_.ports[p].place)], &r[6 * p]);
  }
}

void PortMobility::put_wrenches(std::span<const double> tau, std::span<const double> arms,
                                std::span<double> on_bodies) const {
  for (const std::int32_t body : node_.border) std::fill_n(&on_bodies[6 * at(body)], 6, 0.0);
  for (std::size_t p = 0; p < node_.ports.size(); ++p) {
    add_shifted_wrench(&arms[3 * p], &tau[6 * p], &on_bodies[6 * at(node_.ports[p].body)]);
  }
}

void PortMobility::put_motions(std::span<const double> a, std::span<const double> arms,
                               std::span<double> at_ports) const {
  for (std::size_t p = 0; p < node_.ports.size(); ++p) {
    shift_motion(&arms[3 * p], &a[6 * at(node_.ports[p].body)], &at_ports[6 * p]);
  }
}

std::size_t ghost_count(const PlanChild& child) {
  return static_cast<std::size_t>(std::count_if(child.ports.begin(), child.ports.end(),
                                                [](const PlanChild::Port& port) { return port.ghost != kNone; }));
}

void pick_mobility(const PlanChild& child, std::span<const double> D, std::span<double> of_ghosts) {
  std::size_t next = 0;
  for (const PlanChild::Port& row : child.ports) {
    if (row.ghost == kNone) continue;
    for (std::size_t i = 0; i < 6; ++i) {
      for (const PlanChild::Port& column : child.ports) {
        if (column.ghost == kNone) continue;
        std::copy_n(&D[(at(row.first) + i) * child.size + at(column.first)], 6, &of_ghosts[next]);
        next += 6;
      }
    }
  }
}

void pick_rates(const PlanChild& child, std::span<const double> r, std::span<double> of_ghosts) {
  std::size_t next = 0;
  for (const PlanChild::Port& port : child.ports) {
    if (port.ghost == kNone) continue;
    std::copy_n(&r[at(port.first)], 6, &of_ghosts[next]);
    next += 6;
  }
}

}  // namespace gelenk::solve
