#include "apps/gelenk/component_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "apps/gelenk/console.h"
#include "gelenk/analysis/partition.h"
#include "gelenk/base/index.h"
#include "gelenk/base/name_list.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

// One component in numbers.
struct Line {
  std::size_t bodies = 0, joints = 0, ports = 0;
  std::size_t loops = 0;           // places where rows close a loop
  std::size_t rows = 0, rank = 0;  // of these
  std::size_t widest = 0;          // columns of the largest front
  double operations = 0.0;
};

// Nodes come owners last, components owners first.
const solve::NodePlan& node_of(const solve::Plan& plan, std::size_t component) {
  return plan.nodes[plan.nodes.size() - 1 - component];
}

// Joints as designed; loops where they are closed.
Line describe(const solve::Plan& plan, std::size_t component) {
  const solve::NodePlan& node = node_of(plan, component);
  Line line;
  line.bodies = node.own_count();
  line.joints = static_cast<std::size_t>(
      std::count(plan.home_of_joint.begin(), plan.home_of_joint.end(), static_cast<std::int32_t>(component)));
  line.ports = node.ports.size();
  const solve::ProgramCost cost = solve::cost_of(node.program);
  line.operations = cost.factor + cost.sweep;
  std::vector<std::size_t> columns(node.program.ops.size(), 0);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const solve::Op& op = node.program.ops[i];
    std::size_t in = 0;
    for (const std::int32_t source : op.source) in += source == solve::kNone ? 0 : columns[at(source)];
    columns[i] = in + at(std::max(op.free_count, 0));
    if (op.kind == solve::OpKind::given)
      columns[i] = op.front == solve::kNone ? 6 * at(op.live_count) : at(op.planned_rank);
    if (op.kind == solve::OpKind::tree) columns[i] = 0;
    line.widest = std::max(line.widest, columns[i]);
    if (op.kind == solve::OpKind::compress) columns[i] = at(op.planned_rank);
    if (op.kind != solve::OpKind::close) continue;
    ++line.loops;
    line.rows += at(op.row_count);
    line.rank += at(op.planned_rank);
    columns[i] -= std::min(columns[i], at(op.planned_rank));
  }
  return line;
}

std::string name_of(const system::System& system, std::size_t component) {
  return component == 0 ? system.name : system.components[component].path;
}

std::string bodies_text(std::size_t count) { return fmt::format("{} {}", count, count == 1 ? "body" : "bodies"); }

std::string text_of(const Line& line) {
  std::string text = fmt::format("{}, {}", bodies_text(line.bodies), counted(line.joints, "joint"));
  if (line.ports > 0) text += fmt::format(", {}", counted(line.ports, "port"));
  if (line.loops > 0) {
    text += fmt::format(", {} closed by {} of {} rows", counted(line.loops, "loop"), line.rank, line.rows);
    text += fmt::format(", fronts up to {} wide", line.widest);
  }
  return text + fmt::format(", {:.1f} k operations", line.operations / 1e3);
}

// "12.3 k"
std::string thousands(double operations) { return fmt::format("{:.1f} k", operations / 1e3); }

// A factorization and a sweep.
constexpr double kOperationsOfCall = 2.0 * solve::kCallOperations;

std::size_t count_calls(const solve::Plan& plan) {
  std::size_t calls = 0;
  for (const solve::NodePlan& node : plan.nodes) {
    for (const solve::GivenFront& front : node.program.given) calls += front.is_called ? 1 : 0;
  }
  return calls;
}

std::string names_of(const system::System& system, const std::vector<std::int32_t>& components) {
  constexpr std::size_t kMostNames = 4;
  std::vector<std::string> names;
  for (const std::int32_t component : components) names.push_back(system.components[at(component)].path);
  return list_names(std::move(names), kMostNames);
}

// What was decided about each boundary, and what it was compared with.
std::string boundaries_text(const system::System& system, const analysis::PartitionChoice& choice) {
  std::string text;
  for (const analysis::BoundaryGroup& group : choice.groups) {
    const std::int32_t owner = system.components[at(group.components.front())].owner;
    const bool is_one = group.components.size() == 1;
    text += fmt::format("{:<14}{}: {}, with {} {} operations if kept, {} if dissolved\n", "",
                        names_of(system, group.components), group.is_kept ? "kept" : "dissolved",
                        is_one ? name_of(system, at(owner)) : name_of(system, at(owner)) + " together",
                        thousands(group.kept), thousands(group.dissolved));
  }
  return text;
}

std::string partition_text(const system::System& system, const analysis::PartitionChoice& choice) {
  using Way = analysis::PartitionChoice::Way;
  if (system.components.size() == 1) return "partition     there is only one assembly: one program\n";
  if (choice.way == Way::unseen) {
    return fmt::format(
        "partition     auto: one program for the whole machine, {} operations for an evaluation; {} "
        "boundaries are too many to be compared\n",
        thousands(choice.operations), system.components.size() - 1);
  }
  std::string verdict =
      fmt::format("{} of {} boundaries kept", choice.plan->nodes.size() - 1, system.components.size() - 1);
  if (choice.plan->partition.is_whole()) verdict = "one program for the whole machine";
  std::string text = fmt::format(
      "partition     auto: {}, {} operations for an evaluation; {} as designed, {} in one "
      "program\n",
      verdict, thousands(choice.operations), thousands(choice.designed), thousands(choice.whole));
  if (choice.way == Way::extremes) {
    return text +
           fmt::format("{:<14}only these two are compared: {} in {} assemblies are too many for every boundary\n", "",
                       bodies_text(system.bodies.size()), system.components.size());
  }
  text += fmt::format("{:<14}as long as any is kept, {} of these deal out the machine's numbers to its programs\n", "",
                      thousands(choice.dealing));
  text += boundaries_text(system, choice);
  if (choice.is_whole_cheaper) {
    text += fmt::format("{:<14}together: dissolved, {} operations if decided one by one, {} in one program\n", "",
                        thousands(choice.one_by_one), thousands(choice.whole));
  }
  return text;
}

}  // namespace

std::string components_text(const system::System& system, const system::Params& params) {
  const auto divided = analysis::make_plan(system, params, analysis::Partitioning::model);
  std::string text;
  for (std::size_t c = 0; c < system.components.size(); ++c) {
    std::size_t depth = 0;
    for (std::int32_t owner = system.components[c].owner; owner >= 0; owner = system.components[at(owner)].owner)
      ++depth;
    text += fmt::format("{:<14}{:{}}{}: {}\n", c == 0 ? "components" : "", "", 2 * depth, name_of(system, c),
                        text_of(describe(*divided, c)));
  }
  if (const std::size_t calls = count_calls(*divided); calls > 0) {
    text += fmt::format("{:<14}{} of components {} as {} operations each, in their owners\n", "",
                        counted(calls, "call"), calls == 1 ? "counts" : "count", thousands(kOperationsOfCall));
  }
  return text + partition_text(system, analysis::choose_partition(system, params));
}

void write_components_json(JsonWriter& json, const system::System& system, const system::Params& params) {
  const auto divided = analysis::make_plan(system, params, analysis::Partitioning::model);
  const analysis::PartitionChoice choice = analysis::choose_partition(system, params);
  const std::size_t nodes = choice.plan->nodes.size();
  const char* const kind = nodes == 1 ? "whole" : nodes == system.components.size() ? "model" : "mixed";
  const char* const ways[] = {"boundaries", "extremes", "unseen"};
  json.begin_object().member("partition", kind).member("compared", ways[static_cast<std::size_t>(choice.way)]);
  json.member("operations", choice.operations).member("operationsAsDesigned", choice.designed);
  json.member("operationsInOneProgram", choice.whole).member("operationsOfDealing", choice.dealing);
  json.member("calls", count_calls(*divided)).member("operationsOfCall", kOperationsOfCall);
  json.key("boundaries").begin_array();
  for (const analysis::BoundaryGroup& group : choice.groups) {
    for (const std::int32_t component : group.components) {
      json.begin_object().member("path", system.components[at(component)].path).member("kept", group.is_kept);
      json.member("operationsKept", group.kept).member("operationsDissolved", group.dissolved);
      json.member("together", group.components.size()).end_object();
    }
  }
  json.end_array().key("components").begin_array();
  for (std::size_t c = 0; c < system.components.size(); ++c) {
    const Line line = describe(*divided, c);
    json.begin_object().member("path", system.components[c].path).member("bodies", line.bodies);
    json.member("joints", line.joints).member("ports", line.ports).member("loops", line.loops);
    json.member("closingRows", line.rows).member("closingRank", line.rank).member("widestFront", line.widest);
    json.member("operations", line.operations).end_object();
  }
  json.end_array().end_object();
}

}  // namespace gelenk::app
