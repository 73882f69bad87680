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
        at_body_(system.bodies.size()),
        at_sealed_(system.sealed.size()) {
    for (std::size_t c = 1; c < depth_.size(); ++c) depth_[c] = depth_[at(partition.owner[c])] + 1;
    ports_.of_frame.assign(system.frames.size(), -1);
  }

  mechanics::Ports find() {
    partition_.ports.clear();
    // In the order in which a machine that has this one for a component would find them: owners come first.
    add_mounts(true);
    for (const system::Joint& joint : system_.joints) {
      if (!joint.is_welded) add(std::array{joint.frame_a, joint.frame_b});
    }
    add_mounts(false);
    // Forces on a coordinate act by the frames of its joint.
    for (const system::Force& force : system_.forces) {
      if (force.coordinate < 0) add(std::array{force.frame_a, force.frame_b, force.axes});
    }
    for (const system::NativeCode& code : system_.codes) add(code.frames);
    // Only a component that is sealed is asked for motions that nothing acts on.
    for (const std::int32_t frame : system_.read_frames) {
      if (system_.frames[at(frame)].body == system::kUnknownBody) add(std::array{frame});
    }
    if (ports_.is_empty()) ports_.of_frame.clear();
    return std::move(ports_);
  }

 private:
  std::int32_t component_of(std::int32_t frame) const {
    if (frame < 0) return solve::kNone;
    const system::Frame& f = system_.frames[at(frame)];
    if (f.body == system::kUnknownBody) return partition_.component_of_sealed[at(f.port.component)];
    return f.body < 0 ? solve::kNone : partition_.component_of_body[at(f.body)];  // the ground, or a node
  }

  void add_mounts(bool with_joint) {
    for (const system::Mount& mount : system_.mounts) {
      if (mount.has_joint != with_joint || component_of(mount.frame) == solve::kNone) continue;
      const std::size_t port = add_port(mount.frame);  // one for each, whatever else is there
      ports_.of_frame[at(mount.frame)] = static_cast<std::int32_t>(port);
      is_mount_.resize(ports_.size(), 0);
      is_mount_[port] = 1;
    }
  }

  std::vector<std::size_t>& ports_beside(std::int32_t frame) {
    const system::Frame& f = system_.frames[at(frame)];
    return f.body == system::kUnknownBody ? at_sealed_[at(f.port.component)] : at_body_[at(f.body)];
  }

  std::size_t add_port(std::int32_t frame) {
    ports_beside(frame).push_back(ports_.size());
    const std::int32_t carrier = system_.frames[at(frame)].body;
    const std::int32_t body = carrier == system::kUnknownBody ? solve::kNone : carrier;
    ports_.list.push_back({frame, body});
    partition_.ports.push_back({body, solve::kNone});
    return ports_.size() - 1;
  }

  // Frames of one element.
  void add(std::span<const std::int32_t> frames) {
    std::int32_t home = solve::kNone;
    for (const std::int32_t frame : frames) {
      const std::int32_t component = component_of(frame);
      if (component == solve::kNone) continue;
      home = home == solve::kNone ? component : partition_.common_owner(home, component);
    }
    // A sealed component takes nothing in: what acts between its ports, or from the ground, is its owner's.
    const std::vector<std::int32_t>& sealed = partition_.component_of_sealed;
    if (std::find(sealed.begin(), sealed.end(), home) != sealed.end()) home = partition_.owner[at(home)];
    for (const std::int32_t frame : frames) {
      const std::int32_t component = component_of(frame);
      if (component == solve::kNone || component == home) continue;
      const std::size_t port = port_at(frame);
      ports_.of_frame[at(frame)] = static_cast<std::int32_t>(port);
      if (port < is_mount_.size() && is_mount_[port] != 0) continue;  // its home is outside
      std::int32_t& outermost = partition_.ports[port].home;
      if (outermost == solve::kNone || depth_[at(home)] < depth_[at(outermost)]) outermost = home;
    }
  }

  std::size_t port_at(std::int32_t frame) {
    const Pose& X_BF = params_.frames[at(frame)];
    for (const std::size_t port : ports_beside(frame)) {
      const std::int32_t other = ports_.list[port].frame;
      const Pose& there = params_.frames[at(other)];
      if (system_.frames[at(other)].port == system_.frames[at(frame)].port && there.position == X_BF.position &&
          there.rotation == X_BF.rotation) {
        return port;
      }
    }
    return add_port(frame);
  }

  const system::System& system_;
  const system::Params& params_;
  solve::Partition& partition_;
  std::vector<int> depth_;
  mechanics::Ports ports_;
  std::vector<std::vector<std::size_t>> at_body_, at_sealed_;
  std::vector<char> is_mount_;  // by port
};

}  // namespace

mechanics::Ports find_ports(const system::System& system, const system::Params& params, solve::Partition& partition) {
  if (partition.owner.size() == 1 && system.mounts.empty()) return {};
  return PortFinder(system, params, partition).find();
}

}  // namespace gelenk::analysis
