#include "gelenk/analysis/published_outputs.h"

#include <algorithm>

#include "gelenk/base/document.h"
#include "gelenk/mechanics/code.h"
#include "gelenk/mechanics/couplings.h"
#include "gelenk/mechanics/view.h"
#include "gelenk/model/edit.h"

namespace gelenk::analysis {

std::optional<std::vector<std::string>> publish_outputs(model::Model& model, std::span<const std::string> wanted,
                                                        Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const std::string& name : wanted) {
    if (model::find_named(model.root().object.section("outputs"), name) != nullptr) {
      names.push_back(name);
      continue;
    }
    Node channel;
    channel.kind = Node::Kind::scalar;
    channel.text = name;
    std::string own = std::string(kPublishedPrefix) + std::to_string(names.size());
    if (!model::create(model, {model.root().name, "outputs", own}, channel, diagnostics)) return std::nullopt;
    names.push_back(std::move(own));
  }
  return names;
}

PublishedOutputs::PublishedOutputs(const system::System& system, const system::Params& params)
    : system_(system),
      params_(params),
      reactions_(system),
      body_accelerations_(6 * system.bodies.size(), 0.0),
      multipliers_(system.row_count(), 0.0),
      part_accelerations_(6 * system.parts.size(), 0.0),
      joint_reactions_(6 * system.joints.size(), 0.0),
      driver_efforts_(2 * system.drivers.size(), 0.0),
      coupling_efforts_(system.couplings.size(), 0.0) {}

std::int32_t find_output(const system::System& system, const std::string& path) {
  const auto found = std::find_if(system.outputs.begin(), system.outputs.end(),
                                  [&](const system::Output& output) { return output.path == path; });
  return found == system.outputs.end() ? -1 : found->value;
}

bool can_be_signal(const system::System& system, std::int32_t output) {
  const system::Signal& signal = system.signals[static_cast<std::size_t>(output)];
  const std::span<const expression::ExpressionNode> nodes = signal.formula.nodes();
  return signal.level <= system::Level::velocity && !signal.reads_inputs &&
         std::none_of(nodes.begin(), nodes.end(),
                      [](const expression::ExpressionNode& node) { return system::is_switch(node.op); });
}

bool PublishedOutputs::add(const std::string& path) {
  const std::int32_t found = find_output(system_, path);
  if (found >= 0) signals_.push_back(found);
  return found >= 0;
}

// As an Observer does, but with the loads of the owner. Reactions that joints share are not split evenly here: forces
// in balance may go through the owner, who alone could find them.
void PublishedOutputs::read(MachineProblem& problem, int slot, std::span<double> out) {
  if (signals_.empty()) return;
  Equations& equations = problem.dynamics().equations_of(slot);
  equations.take_accelerations(body_accelerations_, multipliers_);
  equations.load_rows(problem.state(slot));
  mechanics::Workspace& workspace = equations.workspace();
  const mechanics::Context context{system_, params_, problem.state(slot)};
  mechanics::evaluate_codes(context, workspace);
  mechanics::part_accelerations(context, workspace, body_accelerations_, part_accelerations_);
  reactions_.evaluate(context, workspace, body_accelerations_, multipliers_, joint_reactions_);
  mechanics::driver_efforts(context, workspace, multipliers_, driver_efforts_);
  mechanics::coupling_efforts(system_, params_, multipliers_, coupling_efforts_);
  mechanics::View<double> now = mechanics::view(context, workspace);
  now.set_results({part_accelerations_, joint_reactions_, driver_efforts_, workspace.codes, coupling_efforts_});
  for (std::size_t i = 0; i < signals_.size(); ++i) out[i] = now.signal(signals_[i]);
}

}  // namespace gelenk::analysis
