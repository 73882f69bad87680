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
#include "gelenk/analysis/led_code.h"
#include "gelenk/analysis/led_outputs.h"
#include "gelenk/analysis/machine_problem.h"
#include "gelenk/component/carrier.h"
#include "gelenk/model/expand.h"

namespace gelenk::analysis {

// The inside of a sealed component: a machine of its own, which does what its owner commands (gelenk_component.h).
class LedMachine {
 public:
  using ReadFile = decltype(model::ExpandOptions::read);
  // Makes one of the sealed components inside, and tells how it is drawn; null with a sentence in the drawing.
  using CarrySealed =
      std::function<std::unique_ptr<component::Carrier>(const model::SealedNode& node, model::SealedDrawing& drawing)>;
  // The model must stay. Values of its parameters, SI, in their order; NaN: as written.
  LedMachine(const model::Model& model, std::vector<double> parameters, ReadFile read = read_file,
             CarrySealed carry = {});
  // Outputs of the model that the owner may read, in their order. Before it is mounted.
  void publish(std::vector<std::string> outputs) { outputs_ = std::move(outputs); }
  // Those that LOAD answers, likewise; see can_be_signal().
  void tell_on_load(std::vector<std::string> outputs) { told_outputs_ = std::move(outputs); }
  // Inputs of the model: numbers that come with LOAD.
  std::size_t input_count() const { return input_count_; }
  // Functions of the model's section `code:`, which must stay; null: there are none. Before it is mounted. False, with
  // an error(): they do not fit the section. Without them a machine with code can be mounted, but not move.
  bool use_code(const gelenk_code_api* api);

  // Why the last call failed; for its maker only: it names what is inside.
  const std::string& error() const { return error_; }
  // The same for its owner, with numbers in the place of names (inside_names.h).
  const std::string& told_error() const { return told_error_; }

  // Where its ports are drawn, in its own coordinates.
  const std::vector<component::CarrierPort>& ports() const { return ports_; }
  double length() const { return length_; }
  component::CarrierSizes sizes() const;

  bool mount(const component::CarrierMounting& mounting);
  gelenk_status perform(std::span<const gelenk_command> commands, std::size_t& done);
  std::string read(gelenk_bytes what, std::int32_t slot) const;
  bool write(gelenk_bytes what, std::int32_t slot, std::string_view bytes);

 private:
  using Carriers = std::vector<std::unique_ptr<component::Carrier>>;
  // What stays where it is once it is mounted.
  struct Mounted {
    Carriers inside;  // sealed components
    model::Machine machine;
    system::System system;
    system::Params params;
    system::State start;
    std::vector<std::string> sealed_start;
    std::unique_ptr<MachineProblem> problem;
    std::unique_ptr<LedOutputs> outputs;
    std::vector<std::int32_t> told;  // signals of the system that LOAD answers
  };

  model::ExpandOptions expand_options() const;
  model::Machine expand(model::ExpandOptions options, Carriers& inside, Diagnostics& diagnostics) const;
  bool compile(const component::CarrierMounting& mounting);
  std::optional<Assembly> assemble_inside(const component::CarrierMounting& mounting,
                                          std::span<component::Carrier* const> inside, Diagnostics& diagnostics);
  bool has_right_slots(const gelenk_command& command) const;
  gelenk_status perform(const gelenk_command& command);
  gelenk_status combine(const gelenk_command& command);
  gelenk_status code_status(int slot);
  gelenk_status sweep(const gelenk_command& command);
  gelenk_status newton(const gelenk_command& command);
  gelenk_status stage(const gelenk_command& command);
  void begin_stage(const gelenk_command& command);
  void place_stage();
  gelenk_status load(const gelenk_command& command);
  void tell_motions(int slot, std::span<double> out);
  void tell_signals(int slot, int seen, std::span<double> out);
  void tell_drawn(std::span<double> out);
  gelenk_status tell_outputs(int slot, std::span<double> out);
  void open_books(int slot);
  mechanics::Energy energy_of(int slot);
  double power_of_mounts(int slot);
  void keep_error(const Diagnostics& diagnostics);
  // Without a name in it.
  void keep_error(const std::string& text) { error_ = told_error_ = text; }
  gelenk_status refuse(const std::string& text) {
    keep_error(text);
    return GELENK_REFUSED;
  }

  const model::Model& model_;
  std::vector<double> parameters_;
  ReadFile read_;
  CarrySealed carry_;
  std::vector<std::string> outputs_, told_outputs_;
  std::size_t input_count_ = 0;
  CodeCounts code_counts_;
  system::CodeFunction code_;
  std::vector<component::CarrierPort> ports_;
  double length_ = 1.0;
  std::unique_ptr<Mounted> mounted_;
  int states_ = 0, rates_ = 0;  // slots
  std::vector<integrate::Term> terms_;
  std::vector<double> unwanted_;  // answers
  double start_energy_ = 0.0;     // when the books were opened
  LedEnergy given_;
  double stage_energy_ = 0.0;                            // of a stage, without what its own rate adds
  gelenk_right_side right_side_ = GELENK_ACCELERATIONS;  // of the sweep
  static constexpr int kNoSlot = -2;
  int solved_slot_ = kNoSlot;                  // of the last sweep, if it found accelerations
  std::vector<double> loads_, mount_motions_;  // of that sweep
  double start_time_ = 0.0;
  std::string error_, told_error_;
};

}  // namespace gelenk::analysis
