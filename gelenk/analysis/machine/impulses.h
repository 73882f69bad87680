#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/analysis/machine/contact_finder.h"
#include "gelenk/analysis/machine/contact_memory.h"
#include "gelenk/analysis/machine/contact_nodes.h"
#include "gelenk/analysis/machine/dynamics.h"
#include "gelenk/analysis/machine/hard_forces.h"
#include "gelenk/contact/problem.h"
#include "gelenk/integrate/problem.h"

namespace gelenk::analysis {

// Time steps of a machine with contacts and hard forces, contact.md, section 3: what is smooth by the midpoint rule,
// then impulses. A step is divided where contacts and stops with restitution meet.
class MachineImpulses final : public integrate::JumpProblem {
 public:
  MachineImpulses(const system::System& system, const system::Params& params, MachineSlots& slots,
                  MachineDynamics& dynamics);

  void use_slots(int first_state, int first_rate) override;
  bool take_step(int from, double end, int to) override;
  void mean_rate(int from, int to, int rate) override;
  void accept_step() override { kept_ = tried_; }
  void save_memory(ByteWriter& out) const override { kept_.save(out); }
  void load_memory(ByteReader& in) override { kept_.load(in); }

  // Of the last accepted step: what contacts do to the bodies on average, six each; what happened.
  std::span<const double> loads() const { return kept_.loads; }
  std::span<const ContactEvent> events() const { return events_; }
  const ContactReport& report() const { return kept_.report; }
  // Channels of all forces, of which those of hard forces are set; channels of the contacts.
  std::span<const double> hard_channels() const;
  std::span<const double> contact_channels() const { return kept_.contacts; }

 private:
  // One part of a step, and the way it goes.
  struct Part {
    double start = 0.0, length = 0.0;
    int from = 0, to = 0;
  };
  bool take_part(Part& part, double step_end);
  void find_approach(const MachineSlot& slot, double length);
  bool bounce(int slot, double time);
  bool solve_bounce(const MachineSlot& slot, bool has_restitution);
  double next_arrival(double length);
  void expect_friction(const Part& part);
  bool move_smoothly(const Part& part);
  void choose_points(double length);
  void solve_contacts(const Part& part);
  void find_velocities(double length);
  void correct_overlap(double length);
  void put_motion(const Part& part);
  double work_of_drivers();
  void put_works(const Part& part);
  void start_smoothly();
  // Nothing is in the problem.
  bool is_free() const { return chosen_.empty() && hard_.chosen().empty(); }
  // Accelerations of the bodies in a rate.
  std::span<const double> velocity_rates(int rate) const {
    return std::span(slots_.rate(rate)).subspan(accelerations_.size(), accelerations_.size());
  }
  mechanics::Context context_of(int slot) const { return {system_, params_, slots_[slot].state}; }
  mechanics::Workspace& workspace() { return dynamics_.equations().workspace(); }
  void note_law_impacts(double time);
  void note_laws(double time);
  void finish_channels(double length);
  void note_solve(const contact::SolveReport& solved, double tolerance, double time);
  void note_impacts(double time);
  void remember(double length);
  void note_modes(double time);

  double tolerance(double length) const { return kTolerance * length * scale_; }
  bool is_bouncing(std::size_t point) const;

  // Of the change of velocity that gravity makes in a step.
  static constexpr double kTolerance = 1e-3;
  // A step is divided at most so often; further impacts in it wait for its end.
  static constexpr int kMostDivisions = 16;

  const system::System& system_;
  const system::Params& params_;
  MachineSlots& slots_;
  MachineDynamics& dynamics_;
  ContactFinder finder_;
  ContactNodes nodes_;
  HardForces hard_;
  contact::Problem problem_;
  double scale_ = 1.0;           // acceleration, m/s²
  double slowest_bounce_ = 0.0;  // below this there is no restitution, m/s
  double touching_ = 0.0;        // gaps below this are closed, m
  int first_state_ = 0, first_rate_ = 0;

  ContactMemory kept_, tried_;
  std::vector<ContactEvent> events_;
  int divisions_ = 0;  // of the step

  std::span<const FoundPoint> points_;
  std::vector<double> approach_;      // γ_N of each point at the start of the part, m/s
  std::vector<double> acceleration_;  // its rate without contacts
  std::vector<std::int32_t> chosen_;  // points of the problem
  std::vector<Vector3> before_;       // γ of the points of the problem at the start
  // Points that pushed in the part.
  struct Carried {
    std::int32_t point = -1;
    Vector3 impulse = Vector3::Zero();  // world axes, on b
    bool slides = false;
  };
  std::vector<Carried> carried_;
  std::vector<ContactMemory::Pair> next_pairs_;
  mutable std::vector<double> hard_channels_;
  double impact_work_ = 0.0;       // of impacts in the part, J
  double sticking_speed_ = 0.0;    // m/s
  std::vector<char> has_changed_;  // groups of which a contact closed or opened
  std::vector<double> accelerations_, smooth_, velocities_, changes_, loads_, shifts_, multipliers_;
};

}  // namespace gelenk::analysis
