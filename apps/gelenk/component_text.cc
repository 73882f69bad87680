#include "apps/gelenk/component_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "apps/gelenk/console.h"
#include "gelenk/analysis/partition.h"
#include "gelenk/base/index.h"

namespace gelenk::app {
namespace {

// One component in numbers.
struct Line {
  std::size_t bodies = 0, joints = 0, border = 0;
  std::size_t loops = 0;           // places where rows close a loop
  std::size_t rows = 0, rank = 0;  // of these
  std::size_t widest = 0;          // columns of the largest front
  double operations = 0.0;
};

Line describe(const solve::NodePlan& node) {
  Line line;
  line.bodies = node.own_count;
  line.joints = node.joints.size();
  line.border = node.border.size();
  const solve::ProgramCost cost = solve::cost_of(node.program);
  line.operations = cost.factor + cost.sweep;
  std::vector<std::size_t> columns(node.program.ops.size(), 0);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const solve::Op& op = node.program.ops[i];
    std::size_t in = 0;
    for (const std::int32_t source : op.source) in += source == solve::kNone ? 0 : columns[at(source)];
    columns[i] = in + at(std::max(op.free_count, 0));
    if (op.kind == solve::OpKind::given) columns[i] = 6 * at(op.live_count);
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
  if (line.border > 0) text += fmt::format(", border of {}", bodies_text(line.border));
  if (line.loops > 0) {
    text += fmt::format(", {} closed by {} of {} rows", counted(line.loops, "loop"), line.rank, line.rows);
    text += fmt::format(", fronts up to {} wide", line.widest);
  }
  return text + fmt::format(", {:.1f} k operations", line.operations / 1e3);
}

double operations(const solve::Plan& plan) {
  const solve::ProgramCost cost = plan.cost();
  return cost.factor + cost.sweep;
}

// Nodes come owners last, components owners first.
const solve::NodePlan& node_of(const solve::Plan& plan, std::size_t component) {
  return plan.nodes[plan.nodes.size() - 1 - component];
}

}  // namespace

std::string components_text(const system::System& system, const system::Params& params) {
  const auto divided = analysis::make_plan(system, params, analysis::Partitioning::model);
  const auto used = analysis::make_plan(system, params, analysis::Partitioning::automatic);
  std::string text;
  for (std::size_t c = 0; c < system.components.size(); ++c) {
    std::size_t depth = 0;
    for (std::int32_t owner = system.components[c].owner; owner >= 0; owner = system.components[at(owner)].owner)
      ++depth;
    text += fmt::format("{:<14}{:{}}{}: {}\n", c == 0 ? "components" : "", "", 2 * depth, name_of(system, c),
                        text_of(describe(node_of(*divided, c))));
  }
  if (system.components.size() == 1) return text + "partition     there is only one assembly: one program\n";
  if (used->partition.is_whole()) {
    return text + fmt::format(
                      "partition     auto: one program for the whole machine, {:.1f} k operations for an evaluation "
                      "instead of {:.1f} k\n",
                      operations(*used) / 1e3, operations(*divided) / 1e3);
  }
  return text + fmt::format("partition     auto: as designed, {:.1f} k operations for an evaluation\n",
                            operations(*divided) / 1e3);
}

void write_components_json(JsonWriter& json, const system::System& system, const system::Params& params) {
  const auto divided = analysis::make_plan(system, params, analysis::Partitioning::model);
  const auto used = analysis::make_plan(system, params, analysis::Partitioning::automatic);
  json.begin_object().member("partition", used->partition.is_whole() ? "whole" : "model");
  json.member("operations", operations(*used)).member("operationsAsDesigned", operations(*divided));
  json.key("components").begin_array();
  for (std::size_t c = 0; c < system.components.size(); ++c) {
    const Line line = describe(node_of(*divided, c));
    json.begin_object().member("path", system.components[c].path).member("bodies", line.bodies);
    json.member("joints", line.joints).member("border", line.border).member("loops", line.loops);
    json.member("closingRows", line.rows).member("closingRank", line.rank).member("widestFront", line.widest);
    json.member("operations", line.operations).end_object();
  }
  json.end_array().end_object();
}

}  // namespace gelenk::app
