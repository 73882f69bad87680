#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gelenk/cad/feature.h"
#include "gelenk/formats/imported.h"

namespace gelenk::cad {

// Two surfaces of two placed parts that guide each other. World axes.
struct Contact {
  enum class Kind {
    shaft_in_bore,
    aligned_bores,  // of equal radius, with room for a pin that is not in the file
    ball_in_socket,
    touching_planes,
  };
  // The surface as each of the two has it: a point on the axis or plane, or the center; the axis, or the normal of the
  // first part's plane. Those of the second are turned to the same side.
  struct Side {
    Vector3 point = Vector3::Zero(), direction = Vector3::UnitZ();
  };

  Kind kind = Kind::shaft_in_bore;
  std::size_t first = 0, second = 0;  // numbers of placed parts, first < second
  Side on_first, on_second;
  double radius = 0.0;  // of the bore or socket, or of a circle as large as the common area
  double score = 0.0;   // how sure it is, from 0 to 1
  bool is_loose = false;
};

struct ContactTolerances {
  double angle;   // rad, between axes or normals
  double offset;  // m, of axes and centers; a thousandth of the radius comes on top
  bool is_loose;  // parts of a drawing that was not put together well; planes are not looked at
};
inline constexpr ContactTolerances kDrawnWell{3.5e-3, 0.05e-3, false};   // 0.2 degrees
inline constexpr ContactTolerances kDrawnLoosely{3.5e-2, 0.6e-3, true};  // 2 degrees

// A placed part with what it has to offer, in the world.
struct PlacedFeatures {
  std::vector<Feature> features;
  geometry::Bounds box;
};
std::vector<PlacedFeatures> place_features(std::span<const formats::ImportedLeaf> leaves,
                                           std::span<const std::vector<Feature>> features);

// Between two placed parts; `first` and `second` are their numbers among all. Bores only count as aligned when no shaft
// of any part is in them.
std::vector<Contact> find_contacts(std::span<const PlacedFeatures> parts, std::size_t first, std::size_t second,
                                   const ContactTolerances& tolerances);

}  // namespace gelenk::cad
