#pragma once

#include <array>
#include <vector>

#include "gelenk/mechanics/rows.h"
#include "gelenk/minimal/trace_scope.h"
#include "gelenk/minimal/tree_kernel.h"

namespace gelenk::minimal {

// Where frames are and how they move, in world axes, as formulas of the coordinates of the tree.
class TracedMotions {
 public:
  TracedMotions(const system::System& system, const system::Params& params, TracedMachine& machine,
                Parameters& parameters);

  const TreeKernel<Traced>& kernel() const { return kernel_; }

  Motion<Traced> body(std::int32_t body) const;
  Motion<Traced> part(std::int32_t part) const;
  Motion<Traced> frame(std::int32_t frame) const;
  // Accelerations of a frame while the rates of all coordinates are constant.
  struct Bias {
    Vec3<Traced> linear = Vec3<Traced>::Zero(), angular = Vec3<Traced>::Zero();
  };
  Bias frame_bias(std::int32_t frame) const;

  // What a wrench at a frame, about its origin, does on the coordinates, is added to the forces on these.
  void project(std::int32_t frame, const mechanics::Wrench<Traced>& wrench, std::span<Traced> forces) const;
  // The same of a force at the center of mass of a body.
  void project_on_body(std::int32_t body, const Vec3<Traced>& force, std::span<Traced> forces) const;

  Traced coordinate(std::int32_t coordinate) const;
  Traced rate(std::int32_t coordinate) const;

 private:
  struct World {
    Mat3<Traced> before = Mat3<Traced>::Identity();  // axes of where the link begins
    Mat3<Traced> R = Mat3<Traced>::Identity();
    Vec3<Traced> p = Vec3<Traced>::Zero(), v = p, w = p;
    Vec3<Traced> a = p, alpha = p;  // while the rates are constant
  };
  // A place on a link, or in the world.
  struct Place {
    std::int32_t link = -1;
    Vec3<Traced> arm;
    Mat3<Traced> axes;
  };

  void place_frames(Parameters& parameters);
  void project(const Place& place, const mechanics::Wrench<Traced>& wrench, std::span<Traced> forces) const;
  World carried_by(std::size_t link) const;
  Motion<Traced> motion(const Place& place) const;
  Place place_on(std::int32_t body, const Pose& pose, const std::string& name, Parameters& parameters) const;
  std::array<Motion<Traced>, 2> frames_of(const system::Joint& joint) const {
    return {frame(joint.frame_a), frame(joint.frame_b)};
  }

  const system::System& system_;
  const system::Params& params_;
  const TracedMachine& machine_;
  std::vector<LinkNumbers<Traced>> numbers_;
  std::vector<Traced> x_, v_;
  TreeKernel<Traced> kernel_;
  std::vector<World> world_;
  std::vector<Place> frames_, parts_, bodies_;
};

}  // namespace gelenk::minimal
