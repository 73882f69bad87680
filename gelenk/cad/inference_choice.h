#pragma once

#include <span>
#include <vector>

#include "gelenk/cad/inference_freedom.h"

namespace gelenk::cad {

// What was found between two rigid bodies, by their numbers.
struct JointCandidate {
  std::size_t first = 0, second = 0;  // first < second
  InferredJoint joint;
};

// Surfaces show more than is meant: plates that are bolted or glued touch like plates that slide, and a pin without a
// collar looks as if it could leave its hole. What is left follows from the machine as a whole:
//  1. Shafts, balls, and planes that guide from opposite sides are joints.
//  2. Other touching planes fix what nothing else joins, the largest contact first.
//  3. Where a chain of joints that move leads from one body to the other already, planes are a joint only if one of the
//     two would hang on a single joint otherwise, the planes hold more than that joint does, and the chain has three
//     joints or more: shorter ones are structures.
//  4. A pin slides in its hole only where that serves something: in a closed loop whose axes are not all parallel.
struct JointChoice {
  std::vector<JointCandidate> joints;
  std::size_t fixed_planes = 0;    // by 2
  std::size_t ignored_planes = 0;  // by 2 and 3
};
JointChoice choose_joints(std::vector<JointCandidate> found, std::size_t bodies);

}  // namespace gelenk::cad
