#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/gelenk/model_input.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/component/container.h"
#include "gelenk/math/pose.h"

// Where sealed components are tried: by themselves, and in a machine of their own.
namespace gelenk::app {

struct TrialSetup {
  std::string file;
  std::vector<std::string> settings;  // "spring=40 kN/m"
  bool trust_once = false;
  HostChoice host = HostChoice::by_trust;
};

// One evaluation at state 0 as a run asks for it: load, factor, right side, up, down. Its numbers are here, too.
class Evaluation {
 public:
  explicit Evaluation(const component::ComponentSizes& sizes);
  Evaluation(const Evaluation&) = delete;  // commands point at the numbers
  Evaluation& operator=(const Evaluation&) = delete;

  std::span<const gelenk_command> commands() const { return commands_; }
  // The same five in words.
  static std::span<const std::string_view> names();

  std::size_t size() const { return load.size(); }

  std::vector<double> load;     // of the owner, in
  std::vector<double> D, r, a;  // mobility row by row and three numbers more, r, accelerations under the load

 private:
  double rank_tolerance_;
  std::vector<double> motions_, gaps_;
  std::vector<gelenk_command> commands_;
};

class TrialBed {
 public:
  TrialBed(TrialSetup setup, Console& console) : setup_(std::move(setup)), console_(console) {}

  // Opens the file. Returns why there is nothing to try, or nothing.
  std::string open();
  const component::Container& container() const { return container_; }
  bool is_trusted() const { return verdict_.is_trusted(); }
  const component::Verdict& verdict() const { return verdict_; }
  // Where its frames are drawn; known once one was made.
  const std::vector<Pose>& ports() const { return ports_; }

  // One of it, at work and not mounted; it lives in the input. Returns why not, or nothing.
  std::string make(ModelInput& input);
  // Mounted where it is drawn, with a joint at each of its frames and shafts, or at one port alone.
  void mount(component::Host& host, const Vector3& gravity, std::optional<std::size_t> only = {}) const;

  // They are zero, or step to one in the middle of the motion.
  enum class Inputs : std::uint8_t { zero, stepped };
  bool has_inputs() const;

  struct Motion {
    analysis::RunOptions options;
    Inputs inputs = Inputs::zero;
    analysis::Progress progress;
    analysis::Checkpointing checkpointing;
  };
  // A block of 10 kg at each of its frames, held by springs where it is drawn, and a wheel that is driven at each of
  // its shafts: a fresh machine, and its motion. Nothing with a sentence in `error`, which is also there when the
  // motion ends early. Throws component::ComponentFailure.
  std::optional<analysis::RunResult> move(const Motion& motion, std::string& error) const;

 private:
  std::string read(const std::string& text, ModelInput& input) const;
  std::string alone(const Motion& motion) const;
  std::string machine(const Motion& motion) const;

  TrialSetup setup_;
  Console& console_;
  component::Container container_;
  component::Verdict verdict_;
  std::vector<Pose> ports_;
};

// Slots for one state that moves and one rate, and the state as drawn.
bool begin(component::Host& host);

}  // namespace gelenk::app
