#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/analysis/machine/problem.h"
#include "gelenk/base/diagnostics.h"
#include "gelenk/mechanics/quantities.h"
#include "gelenk/model/model.h"

// What the owner of a machine may read beside the motion of its mounts.
namespace gelenk::analysis {

// Outputs that stand for channels have such names, and are in no list for people.
inline constexpr std::string_view kPublishedPrefix = "gelenk_published_";
// Names of outputs of a model that have these values: "stroke" is an output of the root already, a channel such as
// "strut.length" becomes one. Nothing when one of them cannot be added; whether a channel exists is known when the
// model is expanded.
std::optional<std::vector<std::string>> publish_outputs(model::Model& model, std::span<const std::string> wanted,
                                                        Diagnostics& diagnostics);

// The signal of an output of this path, -1: there is none.
std::int32_t find_output(const system::System& system, const std::string& path);
// Whether an output is known before forces are: it reads positions, velocities and time, no inputs, and does not
// switch, because nobody could hold a switch inside of a value that others read in the middle of a step.
bool can_be_signal(const system::System& system, std::int32_t output);

// Values of the model's outputs, some of them, in an order of its own.
class PublishedOutputs {
 public:
  PublishedOutputs(const system::System& system, const system::Params& params);

  // False when the machine has no output of this path.
  bool add(const std::string& path);
  std::size_t size() const { return signals_.size(); }
  // At a slot whose accelerations are solved.
  void read(MachineProblem& problem, int slot, std::span<double> out);

 private:
  const system::System& system_;
  const system::Params& params_;
  std::vector<std::int32_t> signals_;
  mechanics::Reactions reactions_;
  std::vector<double> body_accelerations_, multipliers_;
  std::vector<double> part_accelerations_, joint_reactions_, driver_efforts_, coupling_efforts_;
};

}  // namespace gelenk::analysis
