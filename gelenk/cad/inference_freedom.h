#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gelenk/cad/inference_contacts.h"

namespace gelenk::cad {

// What all contacts of two rigid bodies together leave free. World axes.
struct InferredJoint {
  std::string type;  // as the model format calls it
  Pose X_WA, X_WB;   // the frame on the body of the first parts and on that of the second ones; z is the axis
  std::size_t first = 0, second = 0;  // placed parts that carry the frames
  double score = 0.0;
  std::string reason;  // "shaft in bore of 12 mm, 2 touching planes"
  bool only_planes = false;
  bool is_guide = false;  // a slide between planes that hold from opposite sides
  double area = 0.0;      // of the planes, m²
};

// Nothing when more is free than any joint allows. The parts `first` of all contacts are one rigid body, the parts
// `second` are the other.
std::optional<InferredJoint> infer_joint(std::span<const Contact> contacts);

// A joint of the type that somebody says, where the contacts show its axis, normal or center. Nothing when they do not.
std::optional<InferredJoint> infer_joint_of_type(std::span<const Contact> contacts, std::string_view type);

}  // namespace gelenk::cad
