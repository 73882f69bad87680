#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gelenk/contact/broad_phase.h"
#include "gelenk/contact/contour.h"
#include "gelenk/system/system.h"

namespace gelenk::analysis {

// A point of two contours of a machine.
struct FoundPoint {
  contact::ContactPoint point;
  std::int32_t contour_a = -1, contour_b = -1;
  std::int32_t body_a = -1, body_b = -1;  // negative: the ground
  std::int32_t contact = -1;              // whose friction and restitution it has
};

// Finds the points of a machine in a pose: all that may close within a step, sorted by contours and feature.
class ContactFinder {
 public:
  ContactFinder(const system::System& system, const system::Params& params);

  // accelerations: six per body, for how far a step leads.
  std::span<const FoundPoint> find(const system::State& state, std::span<const double> accelerations, double step);

 private:
  std::int32_t contact_of(std::int32_t a, std::int32_t b) const;

  const system::System& system_;
  const system::Params& params_;
  // Which sides of each contact a contour is on, contact after contact.
  std::vector<std::uint8_t> sides_;
  std::vector<double> reach_;  // of each contour from the center of mass of its body, m
  contact::BroadPhase broad_phase_;
  std::vector<Pose> places_;  // X_WS
  std::vector<double> margins_;
  std::vector<contact::Extent> extents_;
  std::vector<std::pair<std::int32_t, std::int32_t>> near_;
  contact::ContactPoints points_;
  std::vector<FoundPoint> found_;
};

}  // namespace gelenk::analysis
