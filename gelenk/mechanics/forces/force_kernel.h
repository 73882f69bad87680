#pragma once

#include <array>
#include <cstdint>

#include "gelenk/mechanics/motion.h"

// What a force element is given and what it answers. Every kernel is a pure function, templated on the scalar, so that
// its exact derivatives come from dual numbers.
namespace gelenk::mechanics {

template <class T>
struct ForceInput {
  Motion<T> a, b;  // its frames; a is unused by a force that is `applied_to` one frame
  bool has_a = false;
  Vec3<T> direction = Vec3<T>::Zero();  // world axes
  T value{0.0};                         // of its signal
  T coordinate{0.0}, rate{0.0};         // of the joint coordinate that it drives
};

template <class T>
struct ForceResult {
  std::int32_t frame_a = -1, frame_b = -1;  // where the wrenches act; -1: nowhere
  Wrench<T> on_a, on_b;                     // about the frames' origins, world axes
  T effort{0.0};                            // on the joint coordinate, positive when it pushes it up
  std::array<T, 6> channels{};              // what it records, in the order of its descriptor
  T potential{0.0};                         // energy stored, J
};

}  // namespace gelenk::mechanics
