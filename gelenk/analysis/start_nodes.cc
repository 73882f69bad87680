#include "gelenk/analysis/start_nodes.h"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/base/text.h"
#include "gelenk/math/small_dense.h"
#include "gelenk/math/vector.h"
#include "gelenk/mechanics/node_balance.h"
#include "gelenk/mechanics/switches.h"

namespace gelenk::analysis {
namespace {

constexpr double kNotHeld = 1e-9;    // of the stiffest direction
constexpr double kSymmetric = 1e-6;  // forces that have a potential
constexpr double kOneAxis = 0.99;    // of a unit vector

class NodeChecks {
 public:
  NodeChecks(const system::System& system, const mechanics::Workspace& workspace, Diagnostics& diagnostics)
      : system_(system), workspace_(workspace), diagnostics_(diagnostics) {}

  bool is_held(std::size_t number) {
    const system::NodeGroup& group = system_.node_groups[number];
    const std::vector<double>& matrix = workspace_.nodes.matrices[number];
    bool is_finite = true;
    for (const double value : matrix) is_finite = is_finite && std::isfinite(value);
    if (is_finite) {
      const WeakestWay weakest = weakest_way(matrix, group.unknowns.size());
      if (!(weakest.ratio > kNotHeld)) {
        report_free(group, weakest.direction);
        return false;
      }
    }
    if (workspace_.nodes.is_found[number] == 0) {
      report(group.nodes.front(), "its forces are in balance nowhere near",
             "draw it closer to where they balance, or check their free lengths");
      return false;
    }
    return is_stable(group, matrix);
  }

 private:
  // The node that a motion of a group moves most, and how.
  struct Way {
    std::int32_t node = -1;
    Vector3 direction = Vector3::Zero();  // along its axes
  };
  Way largest(const system::NodeGroup& group, std::span<const double> motion) const {
    Way result;
    for (const std::int32_t n : group.nodes) {
      Vector3 own = Vector3::Zero();
      for (std::size_t u = 0; u < group.unknowns.size(); ++u) {
        if (group.unknowns[u].node == n) own(group.unknowns[u].axis) = motion[u];
      }
      if (own.norm() > result.direction.norm()) result = {n, own};
    }
    result.direction.normalize();
    return result;
  }

  static std::string text(const Vector3& direction) {
    constexpr std::string_view kAxes[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k) {
      if (std::abs(direction(k)) > kOneAxis) return "its " + std::string(kAxes[k]);
    }
    const auto number = [](double value) { return format_rounded(std::abs(value) < 1e-9 ? 0.0 : value, 3); };
    return fmt::format("[{}, {}, {}] of its axes", number(direction.x()), number(direction.y()), number(direction.z()));
  }

  void report(std::int32_t number, const std::string& message, const std::string& hint) {
    const system::Node& node = system_.nodes[at(number)];
    const ElementScope element(diagnostics_, node.path, "node");
    diagnostics_.error(Code::node_not_held, node.where, message, hint);
  }

  void report_free(const system::NodeGroup& group, std::span<const double> motion) {
    const Way way = largest(group, motion);
    if (system_.nodes[at(way.node)].flows) {
      report(way.node,
             fmt::format("no force at it resists its speed along {}, but others follow its speed", text(way.direction)),
             "give all of its forces damping, or none; or hold it in that direction: `moves`");
    } else {
      report(way.node, fmt::format("no force at it changes when it moves along {}", text(way.direction)),
             "add a force that pulls it back, or hold it in that direction: `moves`");
    }
  }

  // Of places, where the forces have a potential: it must have its smallest value there.
  bool is_stable(const system::NodeGroup& group, std::span<const double> matrix) {
    std::vector<std::size_t> still;
    const std::size_t count = group.unknowns.size();
    for (std::size_t u = 0; u < count; ++u) {
      if (!system_.nodes[at(group.unknowns[u].node)].flows) still.push_back(u);
    }
    std::vector<double> stiffness;
    for (const std::size_t i : still) {
      for (const std::size_t j : still) stiffness.push_back(-matrix[count * i + j]);
    }
    const LowestMode lowest = lowest_mode(stiffness, still.size());
    if (still.empty() || lowest.asymmetry > kSymmetric || lowest.value > 0.0) return true;
    std::vector<double> motion(count, 0.0);
    for (std::size_t i = 0; i < still.size(); ++i) motion[still[i]] = lowest.direction[i];
    const Way way = largest(group, motion);
    report(way.node, fmt::format("its balance does not last: pushed along {}, it is pushed on", text(way.direction)),
           "springs that push each other give way to the side: hold it in that direction by `moves`, or let them pull");
    return false;
  }

  const system::System& system_;
  const mechanics::Workspace& workspace_;
  Diagnostics& diagnostics_;
};

}  // namespace

bool start_nodes(const system::System& system, const system::Params& params, system::State& state,
                 Diagnostics& diagnostics) {
  if (system.nodes.empty()) return true;
  const mechanics::Context context{system, params, state};
  mechanics::Workspace workspace(system);
  mechanics::update_positions(context, workspace);
  mechanics::update_velocities(context, workspace);
  mechanics::set_all_sides(system, params, workspace, state);
  mechanics::balance_nodes(context, workspace);
  mechanics::settle_nodes(context, workspace, state);
  NodeChecks checks(system, workspace, diagnostics);
  bool are_held = true;
  for (std::size_t g = 0; g < system.node_groups.size(); ++g) are_held = checks.is_held(g) && are_held;
  return are_held;
}

}  // namespace gelenk::analysis
