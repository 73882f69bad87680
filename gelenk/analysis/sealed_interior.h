#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/analysis/assemble.h"
#include "gelenk/analysis/machine/machine_subsystem.h"
#include "gelenk/analysis/machine/problem.h"
#include "gelenk/analysis/published_outputs.h"
#include "gelenk/component/code_library.h"
#include "gelenk/component/host.h"
#include "gelenk/component/sealed_subsystem.h"
#include "gelenk/component/subsystem_server.h"
#include "gelenk/model/expand.h"

namespace gelenk::analysis {

// The inside of a sealed component: a machine of its own, made from a model and mounted where its owner says. It does
// what the owner commands (component::SubsystemServer).
class SealedInterior {
 public:
  using ReadFile = decltype(model::ExpandOptions::read);
  // Makes one of the sealed components inside, and reports how it is drawn; null with a sentence in the drawing.
  using CarrySealed =
      std::function<std::unique_ptr<component::Host>(const model::SealedNode& node, model::SealedDrawing& drawing)>;
  // The model must stay. Values of its parameters, SI, in their order; NaN: as written.
  SealedInterior(const model::Model& model, std::vector<double> parameters, ReadFile read = read_file,
                 CarrySealed carry = {});
  // Outputs of the model that the owner may read, in their order. Before it is mounted.
  void publish(std::vector<std::string> outputs) { outputs_ = std::move(outputs); }
  // Those that the owner hears in every step, likewise; see can_be_signal().
  void publish_signals(std::vector<std::string> outputs) { signals_ = std::move(outputs); }
  // Inputs of the model: numbers that come with LOAD.
  std::size_t input_count() const { return input_count_; }
  // Functions of the model's sections `code:`, one after the other, which must stay; null: there are none. Before it is
  // mounted. False, with an error(): they do not match the sections. Without them a machine with code can be mounted,
  // but not move.
  bool use_code(const gelenk_code_api* api);

  // Why the last call failed; for its maker only: it names what is inside.
  const std::string& error() const { return error_; }
  // The same for its owner, with numbers in the place of names (inside_names.h).
  const std::string& public_error() const { return public_error_; }

  // Where its ports are drawn, in its own coordinates.
  const std::vector<component::DrawnPort>& ports() const { return ports_; }
  double length() const { return length_; }
  component::ComponentSizes sizes() const;

  bool mount(const component::HostMounting& mounting);
  gelenk_status perform(std::span<const gelenk_command> commands, std::size_t& done);
  std::string read(gelenk_bytes what, std::int32_t slot) const;
  bool write(gelenk_bytes what, std::int32_t slot, std::string_view bytes);

 private:
  using Hosts = std::vector<std::unique_ptr<component::Host>>;
  // What stays where it is once it is mounted.
  struct Mounted {
    Hosts inside;                            // sealed components
    component::SealedSubsystems subsystems;  // the same
    model::Machine machine;
    system::System system;
    system::Params params;
    std::unique_ptr<MachineProblem> problem;
    std::unique_ptr<PublishedOutputs> outputs;
    std::unique_ptr<subsystem::Subsystem> subsystem;
    std::unique_ptr<component::SubsystemServer> server;
  };

  model::ExpandOptions expand_options() const;
  model::Machine expand(model::ExpandOptions options, Hosts& inside, Diagnostics& diagnostics) const;
  bool place_mounts(const component::HostMounting& mounting);
  bool compile(const component::HostMounting& mounting);
  std::optional<Assembly> assemble_inside(const component::HostMounting& mounting, Diagnostics& diagnostics);
  bool start(const component::HostMounting& mounting, Assembly&& assembly);
  void keep_error(const Diagnostics& diagnostics);
  // Without a name in it.
  void keep_error(const std::string& text) { error_ = public_error_ = text; }

  const model::Model& model_;
  std::vector<double> parameters_;
  ReadFile read_;
  CarrySealed carry_;
  std::vector<std::string> outputs_, signals_;
  std::size_t input_count_ = 0;
  std::vector<component::CodeCounts> code_counts_;  // of the sections
  std::vector<system::CodeFunction> codes_;
  std::vector<component::DrawnPort> ports_;
  double length_ = 1.0;
  std::unique_ptr<Mounted> mounted_;
  std::string error_, public_error_;
};

}  // namespace gelenk::analysis
