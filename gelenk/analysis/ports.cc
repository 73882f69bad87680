#include "gelenk/analysis/ports.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "gelenk/base/index.h"

namespace gelenk::analysis {
namespace {

class PortFinder {
 public:
  PortFinder(const system::System& system, const system::Params& params, solve::Partition& partition)
      : system_(system),
        params_(params),
        partition_(partition),
        depth_(partition.owner.size(), 0),
        of_body_(system.bodies.size()) {
    for (std::size_t c = 1; c < depth_.size(); ++c) depth_[c] = depth_[at(partition.owner[c])] + 1;
    ports_.of_frame.assign(system.frames.size(), -1);
  }

  mechanics::Ports find() {
    partition_.ports.clear();
    for (const system::Joint& joint : system_.joints) {
      if (!joint.is_welded) add(std::array{joint.frame_a, joint.frame_b});
    }
    // Forces on a coordinate act by the frames of its joint.
    for (const system::Force& force : system_.forces) {
      if (force.coordinate < 0) add(std::array{force.frame_a, force.frame_b, force.axes});
    }
    if (ports_.is_empty()) ports_.of_frame.clear();
    return std::move(ports_);
  }

 private:
  std::int32_t component_of(std::int32_t frame) const {
    const std::int32_t body = frame < 0 ? system::kGround : system_.frames[at(frame)].body;
    return body == system::kGround ? solve::kNone : partition_.component_of_body[at(body)];
  }

  // Frames of one element.
  void add(std::span<const std::int32_t> frames) {
    std::int32_t home = solve::kNone;
    for (const std::int32_t frame : frames) {
      const std::int32_t component = component_of(frame);
      if (component == solve::kNone) continue;
      home = home == solve::kNone ? component : partition_.common_owner(home, component);
    }
    for (const std::int32_t frame : frames) {
      const std::int32_t component = component_of(frame);
      if (component == solve::kNone || component == home) continue;
      const std::size_t port = port_at(frame);
      ports_.of_frame[at(frame)] = static_cast<std::int32_t>(port);
      std::int32_t& outermost = partition_.ports[port].home;
      if (outermost == solve::kNone || depth_[at(home)] < depth_[at(outermost)]) outermost = home;
    }
  }

  std::size_t port_at(std::int32_t frame) {
    const std::int32_t body = system_.frames[at(frame)].body;
    const Pose& X_BF = params_.frames[at(frame)];
    for (const std::size_t port : of_body_[at(body)]) {
      const Pose& there = params_.frames[at(ports_.list[port].frame)];
      if (there.position == X_BF.position && there.rotation == X_BF.rotation) return port;
    }
    of_body_[at(body)].push_back(ports_.size());
    ports_.list.push_back({frame, body});
    partition_.ports.push_back({body, solve::kNone});
    return ports_.size() - 1;
  }

  const system::System& system_;
  const system::Params& params_;
  solve::Partition& partition_;
  std::vector<int> depth_;
  mechanics::Ports ports_;
  std::vector<std::vector<std::size_t>> of_body_;
};

}  // namespace

mechanics::Ports find_ports(const system::System& system, const system::Params& params, solve::Partition& partition) {
  if (partition.owner.size() == 1) return {};
  return PortFinder(system, params, partition).find();
}

}  // namespace gelenk::analysis
