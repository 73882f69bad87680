#include "gelenk/solve/port_mobility.h"

#include <algorithm>

#include "gelenk/base/index.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {

namespace {

// D := X W (Y V)ᵀ of two ports; the columns of both are shifted already.
void multiply_columns(const double* ours, const double* theirs, std::size_t count, double* D) {
  for (std::size_t i = 0; i < 6; ++i) {
    double sum[6] = {};
    for (std::size_t j = 0; j < count; ++j) {
      for (std::size_t k = 0; k < 6; ++k) sum[k] += ours[6 * j + i] * theirs[6 * j + k];
    }
    for (std::size_t k = 0; k < 6; ++k) D[6 * i + k] = sum[k];
  }
}

// D := X D Yᵀ, x and y the arms.
void shift_mobility(const double* x, const double* y, double* D) {
  for (std::size_t i = 0; i < 6; ++i) shift_motion(y, D + 6 * i, D + 6 * i);
  for (std::size_t k = 0; k < 6; ++k) {
    double column[6];
    for (std::size_t i = 0; i < 6; ++i) column[i] = D[6 * i + k];
    shift_motion(x, column, column);
    for (std::size_t i = 0; i < 6; ++i) D[6 * i + k] = column[i];
  }
}

}  // namespace

PortMobility::PortMobility(const NodePlan& node) : node_(node), first_columns_(node.shown_ports().size(), 0) {
  for (const PlanPort& port : node.shown_ports()) places_.push_back(published(node.program, port.body));
}

void PortMobility::publish(const OpData& data, std::span<const double> arms, std::span<double> D) {
  std::size_t used = 0;
  for (std::size_t p = 0; p < places_.size(); ++p) {
    first_columns_[p] = used;
    if (!places_[p].is_network) used += 6 * data.columns(places_[p].front);
  }
  if (columns_.size() < used) columns_.resize(used);
  const std::size_t size = 6 * places_.size();
  for (std::size_t p = 0; p < places_.size(); ++p) {
    double* const ours = columns_.data() + first_columns_[p];
    std::size_t count = 0;
    if (!places_[p].is_network) {
      const Columns W = columns_at(data, places_[p]);
      count = W.count;
      for (std::size_t j = 0; j < count; ++j) shift_motion(&arms[3 * p], W.first + j * W.stride, ours + 6 * j);
    }
    for (std::size_t q = 0; q <= p; ++q) {
      double block[36] = {};
      if (places_[p].front != places_[q].front) {
        // they do not move each other
      } else if (places_[p].is_network) {
        copy_mobility(data, places_[p], places_[q], block);
        shift_mobility(&arms[3 * p], &arms[3 * q], block);
      } else {
        multiply_columns(ours, columns_.data() + first_columns_[q], count, block);
      }
      // Symmetric to the last bit.
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t k = 0; k < (p == q ? i + 1 : 6); ++k) {
          D[(6 * p + i) * size + 6 * q + k] = D[(6 * q + k) * size + 6 * p + i] = block[6 * i + k];
        }
      }
    }
  }
}

void PortMobility::publish_rates(const OpData& data, std::span<const double> arms, std::span<double> r) {
  for (std::size_t p = 0; p < places_.size(); ++p) {
    shift_motion(&arms[3 * p], rates_at(data, places_[p]), &r[6 * p]);
  }
}

void PortMobility::put_wrenches(std::span<const double> tau, std::span<const double> arms,
                                std::span<double> on_bodies) const {
  for (const std::int32_t body : node_.border) std::fill_n(&on_bodies[6 * at(body)], 6, 0.0);
  for (std::size_t p = 0; p < places_.size(); ++p) {
    add_shifted_wrench(&arms[3 * p], &tau[6 * p], &on_bodies[6 * at(node_.ports[p].body)]);
  }
}

void PortMobility::put_motions(std::span<const double> a, std::span<const double> arms,
                               std::span<double> at_ports) const {
  for (std::size_t p = 0; p < places_.size(); ++p) {
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
