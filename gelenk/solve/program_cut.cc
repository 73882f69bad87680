#include "gelenk/solve/program_cut.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "gelenk/base/index.h"

namespace gelenk::solve {
namespace {

// The part at the ground also carries the wrenches at its tip as far as they reach: it has fewer bodies, so that both
// take the same time.
constexpr double kOuterShare = 0.56;
// A bushy tree has no joint that divides it well.
constexpr double kFewestOuter = 0.4;

// Tree ops by what hangs on them.
class OpTree {
 public:
  explicit OpTree(const Program& program)
      : program_(program),
        op_of_body_(program.body_count, kNone),
        size_(program.ops.size(), 0),
        heaviest_(program.ops.size(), kNone),
        is_plain_(program.ops.size(), 1) {
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
      const Op& op = program.ops[i];
      if (op.kind == OpKind::tree) op_of_body_[at(op.body)] = static_cast<std::int32_t>(i);
    }
    for (std::size_t i = 0; i < program.ops.size(); ++i) add(static_cast<std::int32_t>(i));
  }

  std::int32_t size(std::int32_t op) const { return size_[at(op)]; }
  std::int32_t heaviest(std::int32_t op) const { return heaviest_[at(op)]; }

  std::int32_t largest_root() const {
    std::int32_t best = kNone;
    for (std::size_t i = 0; i < size_.size(); ++i) {
      const Op& op = program_.ops[i];
      if (op.kind != OpKind::tree || op.parent != kNone || is_plain_[i] == 0) continue;
      if (best == kNone || size_[i] > size(best)) best = static_cast<std::int32_t>(i);
    }
    return best;
  }

  // Marks the op and all that hang on it.
  std::vector<char> below(std::int32_t root) const {
    std::vector<char> result(size_.size(), 0);
    result[at(root)] = 1;
    for (std::int32_t i = root; i-- > 0;) {
      const std::int32_t above = consumer(program_.ops[at(i)]);
      if (program_.ops[at(i)].kind == OpKind::tree && above != kNone) result[at(i)] = result[at(above)];
    }
    return result;
  }

 private:
  // The op of the body on which this one is condensed.
  std::int32_t consumer(const Op& op) const {
    const std::int32_t body = op.kind == OpKind::tree ? op.parent : op.base;
    return body < 0 ? kNone : op_of_body_[at(body)];
  }

  void add(std::int32_t i) {
    const Op& op = program_.ops[at(i)];
    const std::int32_t above = consumer(op);
    if (op.kind == OpKind::tree) ++size_[at(i)];
    if (above == kNone) return;
    // Fronts need room of their own while they are worked on; two threads must not share it.
    if (op.kind != OpKind::tree || is_plain_[at(i)] == 0) is_plain_[at(above)] = 0;
    if (op.kind != OpKind::tree) return;
    size_[at(above)] += size_[at(i)];
    std::int32_t& heaviest = heaviest_[at(above)];
    if (heaviest == kNone || size_[at(i)] > size_[at(heaviest)]) heaviest = i;
  }

  const Program& program_;
  std::vector<std::int32_t> op_of_body_;
  std::vector<std::int32_t> size_, heaviest_;  // by op
  std::vector<char> is_plain_;                 // nothing but tree ops up to here
};

void put_in_order(Program& program, std::span<const std::int32_t> order) {
  std::vector<std::int32_t> place(order.size());
  std::vector<Op> ops;
  ops.reserve(order.size());
  for (const std::int32_t old : order) {
    place[at(old)] = static_cast<std::int32_t>(ops.size());
    ops.push_back(program.ops[at(old)]);
  }
  for (Op& op : ops) {
    for (std::int32_t& source : op.source) {
      if (source != kNone) source = place[at(source)];
    }
  }
  for (std::int32_t& op : program.published) op = place[at(op)];
  for (std::int32_t& op : program.cut.path) op = place[at(op)];
  program.cut.joint_op = place[at(program.cut.joint_op)];
  program.ops = std::move(ops);
}

}  // namespace

void cut_long_chain(Program& program, std::int32_t fewest_bodies) {
  if (program.ops.size() < at(fewest_bodies)) return;
  const OpTree tree(program);
  const std::int32_t root = tree.largest_root();
  if (root == kNone || tree.size(root) < fewest_bodies) return;
  std::vector<std::int32_t> path{root};
  std::int32_t joint_op = tree.heaviest(root);
  while (joint_op != kNone && tree.size(joint_op) > kOuterShare * tree.size(root)) {
    path.push_back(joint_op);
    joint_op = tree.heaviest(joint_op);
  }
  if (joint_op == kNone || tree.size(joint_op) < kFewestOuter * tree.size(root)) return;
  std::reverse(path.begin(), path.end());

  const std::vector<char> is_ours = tree.below(root);
  const std::vector<char> is_outer = tree.below(joint_op);
  std::vector<std::int32_t> order;
  order.reserve(program.ops.size());
  const auto take = [&](auto&& wanted) {
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
      if (wanted(i)) order.push_back(static_cast<std::int32_t>(i));
    }
  };
  take([&](std::size_t i) { return is_ours[i] != 0 && is_outer[i] == 0; });
  program.cut.inner_end = static_cast<std::int32_t>(order.size());
  take([&](std::size_t i) { return is_outer[i] != 0; });  // the joint itself is the last of them
  take([&](std::size_t i) { return is_ours[i] == 0; });
  program.cut.path = std::move(path);
  program.cut.joint_op = joint_op;
  program.cut.tip = program.ops[at(joint_op)].parent;
  program.ops[at(joint_op)].parent = static_cast<std::int32_t>(program.body_count);
  put_in_order(program, order);
}

}  // namespace gelenk::solve
