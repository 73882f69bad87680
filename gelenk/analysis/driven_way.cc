#include "gelenk/analysis/driven_way.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gelenk/analysis/closer.h"
#include "gelenk/base/index.h"
#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"
#include "gelenk/mechanics/evaluate.h"

namespace gelenk::analysis {
namespace {

constexpr double kNear = 0.05;              // lengths of the machine and rad: parts do not jump further in an increment
constexpr double kLongestIncrement = 0.05;  // the same, of a led coordinate
constexpr double kShortestIncrement = 1e-7;
constexpr double kOpen = 1e-11;    // lengths of the machine and rad: rounding
constexpr double kLoaded = 0.05;   // of the largest load: joints with less do not hold the machine
constexpr double kInLine = 0.999;  // cosine between a load and the line that carries it
constexpr std::size_t kMostNamedJoints = 4;

bool is_length(const system::System& system, const HeldCoordinate& one) {
  return system.coordinates[at(one.coordinate)].type->motion == model::Coordinate::Motion::translation;
}

// In lengths of the machine and rad.
double way_of(const system::System& system, const system::Params& params, const HeldCoordinate& one) {
  return std::abs(one.value - one.from) / (is_length(system, one) ? params.length : 1.0);
}

struct JointLoad {
  std::int32_t joint = -1;
  Vector3 on_b = Vector3::Zero();  // force on the body of frame B
  double size = 0.0;               // with the moment, which counts by the length of the machine
};

std::vector<JointLoad> joint_loads(const system::System& system, const system::Params& params,
                                   const Closer::Push& push) {
  std::vector<JointLoad> loads(system.joints.size());
  for (std::size_t j = 0; j < loads.size(); ++j) loads[j].joint = static_cast<std::int32_t>(j);
  std::vector<Vector3> moments(loads.size(), Vector3::Zero());
  for (const Closer::RowLoad& row : push.joints) {
    JointLoad& load = loads[at(row.joint)];
    load.on_b += row.force;
    moments[at(row.joint)] += row.moment;
  }
  for (std::size_t j = 0; j < loads.size(); ++j) {
    loads[j].size = loads[j].on_b.norm() + moments[j].norm() / params.length;
  }
  return loads;
}

// The part whose load goes straight from one joint to another, over the longest distance.
std::optional<LoadedPart> loaded_part(const system::System& system, const std::vector<JointLoad>& loads,
                                      const std::vector<mechanics::FrameMotion>& frames) {
  std::optional<LoadedPart> found;
  double largest = 0.0;
  for (std::size_t body = 0; body < system.bodies.size(); ++body) {
    struct End {
      std::int32_t joint, frame;
      Vector3 force;  // on this body
    };
    std::vector<End> ends;
    for (const JointLoad& load : loads) {
      const system::Joint& joint = system.joints[at(load.joint)];
      for (const bool is_b : {false, true}) {
        const std::int32_t frame = is_b ? joint.frame_b : joint.frame_a;
        if (system.frames[at(frame)].body != static_cast<std::int32_t>(body)) continue;
        ends.push_back({load.joint, frame, is_b ? load.on_b : Vector3(-load.on_b)});
      }
    }
    if (ends.size() != 2) continue;
    const Vector3 from_a_to_b = frames[at(ends[1].frame)].p - frames[at(ends[0].frame)].p;
    const double work = ends[1].force.dot(from_a_to_b);
    const double straight = ends[1].force.norm() * from_a_to_b.norm();
    if (!(std::abs(work) > kInLine * straight) || !(std::abs(work) > largest)) continue;
    largest = std::abs(work);
    found = {system.frames[at(ends[0].frame)].part, ends[0].joint, ends[1].joint, work > 0.0};
  }
  return found;
}

// What stops the led coordinates in a state just before they can go no further: near a dead center a little motion
// needs loads without bound, and these show who holds it.
void find_what_locks(const system::System& system, const system::Params& params, Closer& closer, DrivenWay& way) {
  closer.set_fraction(way.done);
  const Closer::Push push = closer.push(way.state);
  std::vector<JointLoad> loads = joint_loads(system, params, push);
  std::stable_sort(loads.begin(), loads.end(), [](const JointLoad& a, const JointLoad& b) { return a.size > b.size; });
  const double largest = loads.empty() ? 0.0 : loads.front().size;
  std::erase_if(loads, [&](const JointLoad& load) { return !(load.size > kLoaded * largest); });
  mechanics::Workspace workspace(system);
  mechanics::update_positions({system, params, way.state}, workspace);
  way.part = loaded_part(system, loads, workspace.frames);
  for (const JointLoad& load : loads) {
    if (way.joints.size() < kMostNamedJoints) way.joints.push_back(load.joint);
  }
  double hardest = -1.0;
  for (std::size_t h = 0; h < push.efforts.size(); ++h) {
    const HeldCoordinate& one = closer.held()[h];
    const double power = std::abs(push.efforts[h] * (one.value - one.from));
    if (!(power > hardest)) continue;
    hardest = power;
    way.led = h;
  }
  const HeldCoordinate& one = closer.held()[way.led];
  way.coordinate = one.coordinate;
  way.reached = one.from + way.done * (one.value - one.from);
}

}  // namespace

DrivenWay follow_way(const system::System& system, const system::Params& params, const system::State& from,
                     std::vector<HeldCoordinate> led) {
  DrivenWay way;
  way.state = from;
  double longest = 0.0;
  for (const HeldCoordinate& one : led) longest = std::max(longest, way_of(system, params, one));
  if (!(longest > 0.0)) return way;
  Closer closer(system, params, std::move(led));
  // Joints that contradict each other are open a little from the start; on the way none may open further.
  closer.set_fraction(0.0);
  const double open = kOpen + 2.0 * closer.close(way.state, kNear).residual;
  double done = 0.0;
  double increment = kLongestIncrement / longest;
  while (done < 1.0 && increment * longest >= kShortestIncrement) {
    const double next = std::min(1.0, done + increment);
    closer.set_fraction(next);
    system::State tried = way.state;
    const Closer::Result result = closer.close(tried, kNear + 2.0 * increment * longest);
    if (!result.is_closed || !(result.residual <= open)) {
      increment *= 0.5;
      continue;
    }
    way.state = std::move(tried);
    done = next;
    increment = std::min(2.0 * increment, kLongestIncrement / longest);
  }
  way.done = done;
  if (!way.is_complete()) find_what_locks(system, params, closer, way);
  return way;
}

std::vector<HeldCoordinate> next_drives(const system::System& system, const system::Params& params,
                                        const system::State& state, double ahead) {
  std::vector<HeldCoordinate> led;
  mechanics::Workspace workspace(system);
  const mechanics::Context context{system, params, state};
  mechanics::update_positions(context, workspace);
  mechanics::update_velocities(context, workspace);
  const mechanics::View<double> now = mechanics::view(context, workspace);
  double longest = 0.0;  // per second
  for (const system::Driver& driver : system.drivers) {
    HeldCoordinate one;
    one.coordinate = driver.coordinate;
    one.is_driver = true;
    one.from = now.coordinate(driver.coordinate);
    one.value = one.from + now.rate(driver.coordinate);
    if (!std::isfinite(one.value)) return {};
    longest = std::max(longest, way_of(system, params, one));
    led.push_back(one);
  }
  if (!(longest > 0.0)) return {};
  for (HeldCoordinate& one : led) one.value = one.from + ahead / longest * (one.value - one.from);
  return led;
}

std::string limit_text(const system::System& system, const DrivenWay& way) {
  const system::Coordinate& c = system.coordinates[at(way.coordinate)];
  const std::string& joint = system.joints[at(c.joint)].path;
  return fmt::format("cannot {} '{}' past {}",
                     c.type->motion == model::Coordinate::Motion::translation ? "move" : "turn", joint,
                     shown_quantity(system.display, way.reached, c.type->quantity(), 4));
}

std::string lock_text(const system::System& system, const DrivenWay& way) {
  const auto joint = [&](std::int32_t index) { return system.joints[at(index)].path; };
  if (way.part) {
    return fmt::format("'{}' is {} between '{}' and '{}' (dead center)", system.parts[at(way.part->part)].path,
                       way.part->is_stretched ? "stretched" : "compressed", joint(way.part->joint_a),
                       joint(way.part->joint_b));
  }
  std::vector<std::string> names;
  for (const std::int32_t index : way.joints) names.push_back(fmt::format("'{}'", joint(index)));
  if (names.empty()) return "nothing lets it move";
  return fmt::format("{} hold{} it there (dead center)", join(names, ", "), names.size() == 1 ? "s" : "");
}

}  // namespace gelenk::analysis
