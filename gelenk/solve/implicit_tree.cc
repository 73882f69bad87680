#include "gelenk/solve/implicit_tree.h"

#include <algorithm>
#include <utility>

namespace gelenk::solve {

ImplicitTree::ImplicitTree(std::shared_ptr<const Plan> plan, std::span<const ImplicitFunctions> foreign)
    : plan_(std::move(plan)), node_of_(plan_->partition.owner.size(), kNone) {
  std::vector<char> is_foreign(node_of_.size(), 0);
  for (const ForeignComponent& component : plan_->foreign) is_foreign[at(component.component)] = 1;
  // Nodes come owners last, components owners first.
  std::int32_t next = 0;
  for (std::size_t c = node_of_.size(); c-- > 0;) {
    if (is_foreign[c] == 0) node_of_[c] = next++;
  }
  for (const NodePlan& node_plan : plan_->nodes) {
    ImplicitNode& node = *nodes_.emplace_back(std::make_unique<ImplicitNode>(*plan_, node_plan));
    for (std::size_t c = 0; c < node_plan.children.size(); ++c) {
      const PlanChild& child = node_plan.children[c];
      node.set_child(c, child.node != kNone ? nodes_[at(child.node)]->functions() : foreign[at(child.foreign)]);
    }
  }
  std::size_t size = 0;
  for (const Port& port : plan_->partition.ports) {
    first_load_.push_back(size);
    size += at(port.width);
  }
  const std::size_t shown = 6 * plan_->nodes.back().ports.size();
  shown_.resize(2 * shown * shown);
  next_value_.resize(nodes_.size());
}

ImplicitNode::Place ImplicitTree::place_of(std::int32_t node, std::int32_t end) const {
  if (end < 0) return {};
  const auto bodies = static_cast<std::int32_t>(plan_->masses.size());
  return end < bodies ? nodes_[at(node)]->place_of_body(end) : nodes_[at(node)]->place_of_port(end - bodies);
}

std::int32_t ImplicitTree::columns_of(const Matrix& matrix, std::int32_t row, std::int32_t end) const {
  const bool is_of_velocity = !matrix.is_of_velocity.empty() && matrix.is_of_velocity[at(row)] != 0;
  return is_of_velocity && end >= static_cast<std::int32_t>(plan_->masses.size()) ? 12 : 6;
}

void ImplicitTree::set_pattern(const Matrix& matrix) {
  std::vector<std::vector<ImplicitNode::BlockPlace>> blocks(nodes_.size());
  for (const ImplicitBlock& block : matrix.blocks) {
    const std::int32_t node = node_of_[at(block.component)];
    const bool is_port = at(block.by) >= plan_->masses.size();
    blocks[at(node)].push_back({place_of(node, block.on).balance, place_of(node, block.by).motion, is_port ? 12 : 6});
  }
  std::vector<std::int32_t> order(matrix.rows.size(), kNone);  // among the accepted rows
  for (std::size_t i = 0; i < matrix.accepted.size(); ++i) order[at(matrix.accepted[i])] = static_cast<std::int32_t>(i);
  row_places_.resize(matrix.accepted.size());
  std::vector<std::vector<ImplicitNode::RowPlace>> rows(nodes_.size());
  const JointRowLayout& layout = plan_->layout();
  for (std::size_t j = 0; j < layout.joints.size(); ++j) {
    const std::int32_t node = node_of_[at(plan_->home_of_joint[j])];
    for (const std::int32_t row : layout.rows_of(layout.joints[j])) {
      if (order[at(row)] == kNone) continue;
      row_places_[at(order[at(row)])] = {at(node), rows[at(node)].size()};
      const RowBodies& ends = matrix.row_ends[at(row)];
      rows[at(node)].push_back({place_of(node, ends.a), place_of(node, ends.b), columns_of(matrix, row, ends.a),
                                columns_of(matrix, row, ends.b)});
    }
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) nodes_[n]->set_pattern(std::move(blocks[n]), std::move(rows[n]));
}

void ImplicitTree::load(const Matrix& matrix) {
  ends_.clear();
  for (const ImplicitBlock& block : matrix.blocks) ends_.insert(ends_.end(), {block.component, block.on, block.by});
  const bool is_known =
      ends_ == pattern_ends_ &&
      std::equal(pattern_rows_.begin(), pattern_rows_.end(), matrix.accepted.begin(), matrix.accepted.end()) &&
      pattern_has_rates_ == !matrix.is_of_velocity.empty();
  if (!is_known || pattern_ends_.empty()) {
    set_pattern(matrix);
    pattern_ends_ = ends_;
    pattern_rows_.assign(matrix.accepted.begin(), matrix.accepted.end());
    pattern_has_rates_ = !matrix.is_of_velocity.empty();
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    next_value_[n] = nodes_[n]->values().data();
    for (std::size_t p = 0; p < plan_->nodes[n].ports.size(); ++p) {
      nodes_[n]->port_maps()[p] = matrix.ports[at(plan_->nodes[n].ports[p].number)];
    }
  }
  for (const ImplicitBlock& block : matrix.blocks) {
    double*& to = next_value_[at(node_of_[at(block.component)])];
    to = std::copy(block.values.begin(), block.values.end(), to);
  }
  for (std::size_t i = 0; i < matrix.accepted.size(); ++i) {
    const std::size_t row = at(matrix.accepted[i]);
    double* to = next_value_[row_places_[i].node] + kRowSize * row_places_[i].place;
    const RowBlock& by = matrix.row_motions[row];
    const RowBlock& G = matrix.rows[row];
    // What has six columns leaves the others unread.
    for (const std::array<double, 6>* const part : {&by.a, &G.a, &by.b, &G.b, &G.a, &G.b}) {
      to = std::copy(part->begin(), part->end(), to);
    }
  }
}

void ImplicitTree::set_right_side(std::span<const double> f, std::span<const double> u) {
  const std::span<const double> loads = f.subspan(6 * plan_->masses.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const NodePlan& plan = plan_->nodes[n];
    const std::span<double> to = nodes_[n]->right_side();
    for (std::size_t b = 0; b < plan.own_count(); ++b) std::copy_n(&f[6 * at(plan.bodies[b])], 6, &to[6 * b]);
    for (std::size_t c = 0; c < plan.children.size(); ++c) {
      for (const PlanChild::Port& port : plan.children[c].ports) {
        if (!port.is_home || at(port.number) >= first_load_.size()) continue;
        std::copy_n(&loads[first_load_[at(port.number)]], at(plan_->ports[at(port.number)].width),
                    &to[at(nodes_[n]->balance_of(c, port))]);
      }
    }
  }
  for (std::size_t i = 0; i < u.size(); ++i) {
    ImplicitNode& node = *nodes_[row_places_[i].node];
    node.right_side()[node.first_row() + row_places_[i].place] = u[i];
  }
}

void ImplicitTree::sweep() {
  root().up(nullptr);
  root().down(nullptr, nullptr);
}

void ImplicitTree::collect(std::span<double> x, std::span<double> l) const {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const NodePlan& plan = plan_->nodes[n];
    for (std::size_t b = 0; b < plan.own_count(); ++b) {
      std::copy_n(&nodes_[n]->x()[6 * b], 6, &x[6 * at(plan.bodies[b])]);
    }
  }
  for (std::size_t i = 0; i < l.size(); ++i) {
    const ImplicitNode& node = *nodes_[row_places_[i].node];
    l[i] = node.x()[node.first_row() + row_places_[i].place];
  }
}

}  // namespace gelenk::solve
