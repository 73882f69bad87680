#include "gelenk/analysis/partition.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "gelenk/analysis/ports.h"
#include "gelenk/base/index.h"
#include "gelenk/mechanics/coordinates.h"
#include "gelenk/mechanics/dynamics.h"
#include "gelenk/system/compile.h"

namespace gelenk::analysis {
namespace {

constexpr std::array<std::pair<Partitioning, std::string_view>, 4> kPartitionNames{{{Partitioning::automatic, "auto"},
                                                                                    {Partitioning::model, "model"},
                                                                                    {Partitioning::sealed, "sealed"},
                                                                                    {Partitioning::none, "none"}}};

// A boundary is dissolved when that saves more than this part of the operations.
constexpr double kWorthDissolving = 0.1;
// Every trial plans the machine anew, some microseconds for each body: with more than this in all it would be noticed.
constexpr std::size_t kMostPlannedBodies = 20'000;
// With more assemblies even planning them once would.
constexpr std::size_t kMostAssemblies = 200;

// As long as any boundary is kept, masses, forces and rows of the machine are dealt out to programs and motions
// collected: so many operations for each body. Measured on rows of four-bars and on chains.
constexpr double kDealingOfBody = 90.0;

bool is_worth(double without, double with) { return without < (1.0 - kWorthDissolving) * with; }

// What one evaluation takes: a factorization and a sweep.
double operations(const solve::ProgramCost& cost) { return cost.factor + cost.sweep; }

// The machine where it is drawn, to plan programs for.
class Drawing {
 public:
  Drawing(const system::System& system, const system::Params& params, std::span<const subsystem::Drawing> sealed)
      : system_(system), params_(params), sealed_(sealed), state_(system::drawn_state(system, params)) {}

  std::shared_ptr<const solve::Plan> plan(solve::Partition partition,
                                          solve::BorderForm borders = solve::BorderForm::anchored) const {
    // Undivided, but with ports: they belong to a component that must have a number.
    if (partition.component_of_body.empty()) partition.component_of_body.assign(system_.bodies.size(), 0);
    mechanics::Workspace workspace(system_, find_ports(system_, params_, partition));
    const mechanics::Context context{system_, params_, state_};
    mechanics::update_bodies(context, workspace);
    std::vector<std::size_t> seen(sealed_.size(), 0);
    for (std::size_t p = 0; p < workspace.ports.size(); ++p) {
      const model::SealedPort& port = system_.frames[at(workspace.ports.list[p].frame)].port;
      if (!port.is_set()) continue;
      const std::size_t number = seen[at(port.component)]++;
      mechanics::take_port_motion(&sealed_[at(port.component)].motions[mechanics::kPortMotion * number], p, workspace);
    }
    // Drivers hold their coordinates where they are: their laws are not met yet.
    const mechanics::View<double> view = mechanics::view(context, workspace);
    for (std::size_t d = 0; d < system_.drivers.size(); ++d) {
      const system::Coordinate& coordinate = system_.coordinates[at(system_.drivers[d].coordinate)];
      const system::Joint& joint = system_.joints[at(coordinate.joint)];
      workspace.drivers[d].value = mechanics::coordinate_value<double>(
          *coordinate.type, view.frame(joint.frame_a), view.frame(joint.frame_b), params_.curve(coordinate.curve));
    }
    mechanics::update_joints(context, workspace);
    solve::PlanRequest request;
    request.partition = std::move(partition);
    request.port_arms = workspace.port_arms;
    request.foreign = foreign(workspace.ports, request.partition);
    request.borders = borders;
    return solve::make_plan(workspace.joints.layout, workspace.masses, workspace.joint_values, std::move(request));
  }

 private:
  std::vector<solve::ForeignComponent> foreign(const mechanics::Ports& ports, const solve::Partition& partition) const {
    std::vector<solve::ForeignComponent> result(sealed_.size());
    for (std::size_t s = 0; s < sealed_.size(); ++s) {
      result[s].component = partition.component_of_sealed[s];
      result[s].mobility = sealed_[s].D;
    }
    for (std::size_t p = 0; p < ports.size(); ++p) {
      const model::SealedPort& port = system_.frames[at(ports.list[p].frame)].port;
      if (!port.is_set()) continue;
      solve::ForeignComponent& component = result[at(port.component)];
      const double* const reference = &sealed_[at(port.component)].references[2 * component.ports.size()];
      component.ports.push_back(static_cast<std::int32_t>(p));
      BodyMass& mass = component.references.emplace_back();
      mass.mass = reference[0];
      mass.mean_inverse_inertia = reference[1];
    }
    return result;
  }

  const system::System& system_;
  const system::Params& params_;
  std::span<const subsystem::Drawing> sealed_;
  system::State state_;
};

// The assemblies of a machine, some of them dissolved in their owners.
class Boundaries {
 public:
  explicit Boundaries(const system::System& system) : system_(system), is_kept_(system.components.size(), 1) {}

  void set_kept(std::span<const std::int32_t> components, bool is_kept) {
    for (const std::int32_t component : components) is_kept_[at(component)] = is_kept ? 1 : 0;
  }

  solve::Partition partition() const {
    solve::Partition partition;
    partition.owner.clear();
    // Owners come before what they own: the place of the one that a component is dissolved in is known.
    std::vector<std::int32_t> place(is_kept_.size(), solve::kNone);
    for (std::size_t c = 0; c < is_kept_.size(); ++c) {
      const std::int32_t owner = system_.components[c].owner;
      const std::int32_t inside = owner < 0 ? solve::kNone : place[at(owner)];
      place[c] = is_kept_[c] != 0 ? static_cast<std::int32_t>(partition.owner.size()) : inside;
      if (is_kept_[c] != 0) partition.owner.push_back(inside);
    }
    for (const system::Body& body : system_.bodies) {
      partition.component_of_body.push_back(place[at(body.component)]);
    }
    for (const system::SealedComponent& sealed : system_.sealed) {
      partition.component_of_sealed.push_back(place[at(sealed.component)]);
    }
    return partition;
  }

  // Nodes of a plan come owners last, components owners first.
  const solve::NodePlan& node(const solve::Plan& plan, std::int32_t component) const {
    const auto before = std::count(is_kept_.begin(), is_kept_.begin() + component, 1);
    return plan.nodes[plan.nodes.size() - 1 - static_cast<std::size_t>(before)];
  }

 private:
  const system::System& system_;
  std::vector<char> is_kept_;
};

// Goes through the assemblies from the innermost out. A boundary that is dissolved lets the bodies move into the
// owner's program; programs of other components stay as they are.
class BoundarySearch {
 public:
  BoundarySearch(const system::System& system, const Drawing& drawing, std::shared_ptr<const solve::Plan> designed)
      : system_(system), drawing_(drawing), boundaries_(system), plan_(std::move(designed)) {}

  // Nothing when there is too much to try. Counted, not timed: the same model has the same answer everywhere.
  std::optional<std::vector<BoundaryGroup>> run() {
    std::vector<BoundaryGroup> groups;
    // Owners come before what they own: backwards, all assemblies inside are decided.
    for (std::size_t owner = system_.components.size(); owner-- > 0;) {
      for (BoundaryGroup& group : groups_of(static_cast<std::int32_t>(owner))) {
        planned_ += system_.bodies.size();
        if (planned_ > kMostPlannedBodies) return std::nullopt;
        decide(static_cast<std::int32_t>(owner), group);
        groups.push_back(std::move(group));
      }
    }
    return groups;
  }
  const std::shared_ptr<const solve::Plan>& plan() const { return plan_; }

 private:
  double cost(std::int32_t component) const {
    return operations(solve::cost_of(boundaries_.node(*plan_, component).program));
  }

  // One of many equal assemblies saves little of what its owner takes; all of them together may save most of it.
  std::vector<BoundaryGroup> groups_of(std::int32_t owner) const {
    std::vector<BoundaryGroup> groups;
    for (std::size_t c = 1; c < system_.components.size(); ++c) {
      const auto component = static_cast<std::int32_t>(c);
      if (system_.components[c].owner != owner) continue;
      const auto same = std::find_if(groups.begin(), groups.end(), [&](const BoundaryGroup& group) {
        return are_equal(group.components.front(), component);
      });
      (same == groups.end() ? groups.emplace_back() : *same).components.push_back(component);
    }
    return groups;
  }

  bool are_equal(std::int32_t a, std::int32_t b) const {
    const solve::NodePlan& left = boundaries_.node(*plan_, a);
    const solve::NodePlan& right = boundaries_.node(*plan_, b);
    return left.own_count() == right.own_count() && left.program_bodies() == right.program_bodies() &&
           left.joints.size() == right.joints.size() && left.ports.size() == right.ports.size() && cost(a) == cost(b);
  }

  void decide(std::int32_t owner, BoundaryGroup& group) {
    group.kept = cost(owner);
    for (const std::int32_t component : group.components) group.kept += cost(component);
    boundaries_.set_kept(group.components, false);
    auto without = drawing_.plan(boundaries_.partition());
    group.dissolved = group.kept + operations(without->cost()) - operations(plan_->cost());
    group.is_kept = !is_worth(group.dissolved, group.kept);
    if (group.is_kept) {
      boundaries_.set_kept(group.components, true);
    } else {
      plan_ = std::move(without);
    }
  }

  const system::System& system_;
  const Drawing& drawing_;
  Boundaries boundaries_;
  std::shared_ptr<const solve::Plan> plan_;
  std::size_t planned_ = 0;  // bodies, in all trials
};

PartitionChoice choose(const system::System& system, const Drawing& drawing) {
  PartitionChoice choice;
  choice.plan = drawing.plan({});
  choice.whole = choice.operations = operations(choice.plan->cost());
  choice.designed = choice.whole;
  if (system.components.size() == 1) return choice;
  if (system.components.size() > kMostAssemblies) {
    choice.way = PartitionChoice::Way::unseen;
    choice.designed = 0.0;
    return choice;
  }
  auto divided = drawing.plan(Boundaries(system).partition());
  choice.dealing = kDealingOfBody * static_cast<double>(system.bodies.size());
  choice.designed = operations(divided->cost()) + choice.dealing;
  BoundarySearch search(system, drawing, divided);
  if (std::optional<std::vector<BoundaryGroup>> groups = search.run()) {
    choice.groups = std::move(*groups);
    divided = search.plan();
  } else {
    choice.way = PartitionChoice::Way::extremes;
  }
  // Savings that no boundary has alone.
  choice.one_by_one = operations(divided->cost()) + (divided->is_whole() ? 0.0 : choice.dealing);
  choice.is_whole_cheaper = is_worth(choice.whole, choice.one_by_one);
  if (choice.is_whole_cheaper) {
    for (BoundaryGroup& group : choice.groups) group.is_kept = false;
    return choice;
  }
  choice.operations = choice.one_by_one;
  choice.plan = std::move(divided);
  return choice;
}

}  // namespace

std::string_view partitioning_name(Partitioning partitioning) {
  return kPartitionNames[static_cast<std::size_t>(partitioning)].second;
}

std::optional<Partitioning> partitioning_of_name(std::string_view name) {
  for (const auto& [partitioning, known] : kPartitionNames) {
    if (known == name) return partitioning;
  }
  return std::nullopt;
}

solve::Partition designed_partition(const system::System& system) { return Boundaries(system).partition(); }

PartitionChoice choose_partition(const system::System& system, const system::Params& params,
                                 std::span<const subsystem::Drawing> sealed) {
  return choose(system, Drawing(system, params, sealed));
}

std::shared_ptr<const solve::Plan> make_plan(const system::System& system, const system::Params& params,
                                             Partitioning partitioning, std::span<const subsystem::Drawing> sealed) {
  const Drawing drawing(system, params, sealed);
  // Which of the other boundaries to keep is not looked at beside sealed components.
  if (keeps_assemblies(partitioning) || !sealed.empty()) {
    return drawing.plan(Boundaries(system).partition(), partitioning == Partitioning::sealed
                                                            ? solve::BorderForm::mobility
                                                            : solve::BorderForm::anchored);
  }
  return choose(system, drawing).plan;
}

}  // namespace gelenk::analysis
