#include "gelenk/solve/implicit_node.h"

#include <algorithm>

#include "gelenk/base/index.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {

ImplicitNode::ImplicitNode(const Plan& plan, const NodePlan& node)
    : node_(node), children_(node.children.size()), port_maps_(node.ports.size()) {
  auto next = static_cast<std::int32_t>(6 * node.own_count());
  for (std::size_t c = 0; c < children_.size(); ++c) {
    Child& child = children_[c];
    child.plan = &node.children[c];
    const std::size_t size = child.plan->size;
    child.mobility.resize(2 * size * size);
    child.tau.resize(size);
    child.motion.resize(2 * size);
    child.first_motion = next;
    next += static_cast<std::int32_t>(2 * size);
  }
  for (Child& child : children_) {
    child.first_wrench = next;
    next += static_cast<std::int32_t>(child.plan->size);
    for (const PlanChild::Port& port : child.plan->ports) {
      // Elements act on frames; other ports only take loads.
      if (plan.ports[at(port.number)].width != 6) continue;
      seen_.emplace_back(port.number, Place{child.first_motion + 2 * port.first, child.first_wrench + port.first});
    }
  }
  std::sort(seen_.begin(), seen_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  at_rows_ = at(next);
  for (std::size_t p = 0; p < node.ports.size(); ++p) {
    const std::int32_t first = 6 * node.ports[p].body;
    port_places_.push_back(is_own(p) ? Place{first, first} : place_of_port(node.ports[p].number));
  }
}

ImplicitFunctions ImplicitNode::functions() {
  return {this, [](void* self, double* D) { return static_cast<ImplicitNode*>(self)->factor(D); },
          [](void* self, double* r) { static_cast<ImplicitNode*>(self)->up(r); },
          [](void* self, const double* tau, double* x) { static_cast<ImplicitNode*>(self)->down(tau, x); }};
}

ImplicitNode::Place ImplicitNode::place_of_body(std::int32_t body) const {
  const auto found = std::lower_bound(node_.bodies.begin(), node_.bodies.end(), body);
  if (found == node_.bodies.end() || *found != body) return {};
  const auto first = 6 * static_cast<std::int32_t>(found - node_.bodies.begin());
  return {first, first};
}

ImplicitNode::Place ImplicitNode::place_of_port(std::int32_t port) const {
  const auto found = std::lower_bound(seen_.begin(), seen_.end(), port,
                                      [](const auto& seen, std::int32_t p) { return seen.first < p; });
  return found == seen_.end() || found->first != port ? Place{} : found->second;
}

// Entries in the order in which factor() lists their values.
void ImplicitNode::set_pattern(std::vector<BlockPlace> blocks, std::vector<RowPlace> rows) {
  blocks_ = std::move(blocks);
  rows_ = std::move(rows);
  values_.assign(kBlockSize * blocks_.size() + kRowSize * rows_.size(), 0.0);
  std::vector<SparseLu::Entry> entries;
  for (const BlockPlace& block : blocks_) {
    for (std::int32_t i = 0; i < 6; ++i) {
      for (std::int32_t k = 0; k < block.columns; ++k) entries.push_back({block.on + i, block.by + k});
    }
  }
  auto row = static_cast<std::int32_t>(at_rows_);
  for (const RowPlace& ends : rows_) {
    for (const bool is_b : {false, true}) {
      const Place& end = is_b ? ends.b : ends.a;
      if (end.is_none()) continue;
      for (std::int32_t k = 0; k < 6; ++k) {
        entries.push_back({row, end.motion + k});
        entries.push_back({end.balance + k, row});
      }
      for (std::int32_t k = 6; k < (is_b ? ends.columns_b : ends.columns_a); ++k) {
        entries.push_back({row, end.motion + k});
      }
    }
    ++row;
  }
  for (const Child& child : children_) {
    const auto size = static_cast<std::int32_t>(child.plan->size);
    for (std::int32_t i = 0; i < size; ++i) entries.push_back({child.first_wrench + i, child.first_wrench + i});
    for (std::int32_t i = 0; i < 2 * size; ++i) {
      entries.push_back({child.first_motion + i, child.first_motion + i});
      for (std::int32_t k = 0; k < size; ++k) entries.push_back({child.first_motion + i, child.first_wrench + k});
    }
  }
  right_side_.assign(at(row), 0.0);
  solution_.assign(at(row), 0.0);
  lu_.set_pattern(row, entries);
}

bool ImplicitNode::factor(double* D) {
  for (Child& child : children_) {
    if (!child.functions.factor(child.functions.self, child.mobility.data())) return false;
  }
  entries_.clear();
  const double* value = values_.data();
  for (const BlockPlace& block : blocks_) {
    for (std::size_t i = 0; i < 6; ++i, value += kBlockColumns) {
      entries_.insert(entries_.end(), value, value + block.columns);
    }
  }
  for (const RowPlace& ends : rows_) {
    for (const bool is_b : {false, true}) {
      if ((is_b ? ends.b : ends.a).is_none()) continue;
      const double* const by = value + (is_b ? kBlockColumns : 0);
      const double* const on = value + 2 * kBlockColumns + (is_b ? 6 : 0);
      for (std::size_t k = 0; k < 6; ++k) {
        entries_.push_back(by[k]);
        entries_.push_back(-on[k]);
      }
      entries_.insert(entries_.end(), by + 6, by + (is_b ? ends.columns_b : ends.columns_a));
    }
    value += kRowSize;
  }
  for (const Child& child : children_) {
    const std::size_t size = child.plan->size;
    entries_.insert(entries_.end(), size, 1.0);
    for (std::size_t i = 0; i < 2 * size; ++i) {
      entries_.push_back(1.0);
      for (std::size_t k = 0; k < size; ++k) entries_.push_back(-child.mobility[i * size + k]);
    }
  }
  if (!lu_.factor(entries_)) return false;
  const std::size_t size = 6 * port_places_.size();
  std::vector<double> column(2 * size);
  double unit[6] = {};
  for (std::size_t k = 0; k < size; ++k) {
    std::fill(solution_.begin(), solution_.end(), 0.0);
    unit[k % 6] = 1.0;
    add_wrench(k / 6, unit, solution_);
    unit[k % 6] = 0.0;
    lu_.solve_refined(solution_);
    put_motions(solution_, column.data());
    for (std::size_t i = 0; i < column.size(); ++i) D[i * size + k] = column[i];
  }
  return true;
}

void ImplicitNode::add_wrench(std::size_t port, const double* tau, std::span<double> to) const {
  constexpr double kNoArm[3] = {};
  add_shifted_wrench(is_own(port) ? port_maps_[port].arm.data() : kNoArm, tau, &to[at(port_places_[port].balance)]);
}

void ImplicitNode::put_motions(std::span<const double> x, double* at_ports) const {
  for (std::size_t p = 0; p < port_places_.size(); ++p, at_ports += 12) {
    const double* const from = &x[at(port_places_[p].motion)];
    if (!is_own(p)) {
      std::copy_n(from, 12, at_ports);
      continue;
    }
    for (std::size_t i = 0; i < 12; ++i) at_ports[i] = dot6(&port_maps_[p].motion[6 * i], from);
  }
}

void ImplicitNode::up(double* r) {
  for (Child& child : children_) child.functions.up(child.functions.self, right_side_.data() + child.first_motion);
  if (port_places_.empty()) return;
  solution_ = right_side_;
  lu_.solve_refined(solution_);
  put_motions(solution_, r);
}

void ImplicitNode::down(const double* tau, double* x) {
  solution_ = right_side_;
  for (std::size_t p = 0; p < port_places_.size(); ++p) add_wrench(p, tau + 6 * p, solution_);
  lu_.solve_refined(solution_);
  for (Child& child : children_) {
    std::copy_n(solution_.data() + child.first_wrench, child.tau.size(), child.tau.begin());
    child.functions.down(child.functions.self, child.tau.data(), child.motion.data());
  }
  put_motions(solution_, x);
}

}  // namespace gelenk::solve
