#include "gelenk/cad/loose_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "gelenk/base/disjoint_sets.h"
#include "gelenk/formats/imported_choices.h"

namespace gelenk::cad {
namespace {

using formats::ImportedChild;
using formats::ImportedJoint;
using formats::ImportedLeaf;

double gap_between(const geometry::Bounds& a, const geometry::Bounds& b) {
  const Vector3 apart = (a.lower - b.upper).cwiseMax(b.lower - a.upper).cwiseMax(0.0);
  return apart.norm();
}

class LooseGroups {
 public:
  LooseGroups(const formats::ImportedModel& model, std::size_t ground)
      : leaves_(formats::leaves(model)),
        sets_(model.assemblies.front().children.size()),
        ground_(ground),
        count_(model.assemblies.front().children.size()) {
    for (const ImportedChild& child : model.assemblies.front().children) masses_.push_back(mass_of(model, child).mass);
    for (const ImportedLeaf& leaf : leaves_) boxes_.push_back(geometry::bounds(model.parts[leaf.part].mesh, leaf.X_WP));
    for (const ImportedJoint& joint : model.joints) join(joint.ends[0].path.front(), joint.ends[1].path.front());
  }

  void join(std::size_t a, std::size_t b) { sets_.join(a, b); }
  const std::vector<ImportedLeaf>& leaves() const { return leaves_; }

  struct Nearest {
    std::size_t held = 0, loose = 0;  // children
  };
  // The heaviest of those that are equally near. Nothing when all is held.
  std::optional<Nearest> nearest() {
    std::optional<Nearest> best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < leaves_.size(); ++a) {
      if (is_held(a)) continue;
      for (std::size_t b = 0; b < leaves_.size(); ++b) {
        if (!is_held(b)) continue;
        const double gap = gap_between(boxes_[a], boxes_[b]);
        const bool is_heavier = best && masses_[leaves_[b].path.front()] > masses_[best->held];
        if (gap > least || (gap == least && !is_heavier)) continue;
        least = gap;
        best = Nearest{leaves_[b].path.front(), leaves_[a].path.front()};
      }
    }
    return best;
  }

  // The others that hang on a child.
  std::vector<std::size_t> group_of(std::size_t child) {
    std::vector<std::size_t> group;
    for (std::size_t i = 0; i < count_; ++i) {
      if (i != child && sets_.leader(i) == sets_.leader(child)) group.push_back(i);
    }
    return group;
  }

 private:
  bool is_held(std::size_t leaf) { return sets_.leader(leaves_[leaf].path.front()) == sets_.leader(ground_); }

  std::vector<ImportedLeaf> leaves_;
  std::vector<geometry::Bounds> boxes_;
  std::vector<double> masses_;  // of the children
  DisjointSets sets_;
  std::size_t ground_, count_;
};

}  // namespace

ImportedJoint hold_as_drawn(const formats::ImportedModel& model, const std::vector<ImportedLeaf>& leaves,
                            std::size_t to, std::size_t child, const std::string& reason,
                            formats::NameRegister& names) {
  const std::vector<ImportedChild>& children = model.assemblies.front().children;
  const auto first_leaf = [&](std::size_t of) {
    return *std::find_if(leaves.begin(), leaves.end(),
                         [&](const ImportedLeaf& leaf) { return leaf.path.front() == of; });
  };
  const ImportedLeaf a = first_leaf(to), b = first_leaf(child);
  ImportedJoint joint;
  joint.name = names.unique(children[to].name + "_" + children[child].name);
  joint.type = "fixed";
  joint.ends = {formats::ImportedEnd{a.path, a.X_WP.inverse() * b.X_WP}, formats::ImportedEnd{b.path, Pose{}}};
  joint.origin = formats::Origin::assumed;
  joint.score = 0.0;
  joint.reason = reason;
  return joint;
}

std::vector<std::string> hold_loose_groups(formats::ImportedModel& model, std::size_t ground) {
  const std::vector<ImportedChild>& children = model.assemblies.front().children;
  formats::NameRegister names;
  for (const ImportedChild& child : children) names.unique(child.name);
  for (const ImportedJoint& joint : model.joints) names.unique(joint.name);
  LooseGroups groups(model, ground);
  std::vector<std::string> held;
  while (const std::optional<LooseGroups::Nearest> next = groups.nearest()) {
    const std::vector<std::size_t> others = groups.group_of(next->loose);
    const std::string& name = children[next->loose].name;
    if (!others.empty()) {
      model.notes.push_back(
          fmt::format("no joint leads from the ground to {} and {}: {} is fixed to {}, the nearest part", name,
                      others.size() == 1 ? children[others.front()].name : fmt::format("{} others", others.size()),
                      name, children[next->held].name));
    }
    model.joints.push_back(
        hold_as_drawn(model, groups.leaves(), next->held, next->loose, "nothing else holds it", names));
    held.push_back(name);
    groups.join(next->held, next->loose);
  }
  return held;
}

}  // namespace gelenk::cad
