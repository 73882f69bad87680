#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/analysis/machine/contact_memory.h"
#include "gelenk/analysis/machine/contact_nodes.h"
#include "gelenk/contact/problem.h"
#include "gelenk/mechanics/evaluate.h"

namespace gelenk::analysis {

// A row of a hard force that may act in a step: γ = sign × rate of what the force acts on.
struct HardRow {
  std::int32_t law = -1;
  std::int32_t side = 0;  // 1: an upper stop, whose sign is negative
  double sign = 1.0;
  bool pushes = false;   // its impulse is not negative; otherwise it is friction, within its limit on both sides
  bool has_gap = false;  // it acts where this closes
  double gap = 0.0;      // m or rad
  double restitution = 0.0;
  double length = 1.0;                    // m per unit of the coordinate, to compare angles with
  double rate = 0.0, acceleration = 0.0;  // γ at the start of the part, and its rate without contacts
};

// Hard forces of a machine in its time steps, contact.md, section 4: which rows they have, their bounds, what they did.
class HardForces {
 public:
  HardForces(const system::System& system, const system::Params& params);

  bool is_empty() const { return system_.hard_laws.empty(); }
  std::span<const HardRow> rows() const { return rows_; }
  // Whether a law is one of friction.
  bool is_friction(std::size_t law) const;

  // The rows of a part of a step: the workspace holds its start, `accelerations` are those there, six per body.
  void find(const mechanics::Context& context, const mechanics::Workspace& workspace,
            std::span<const double> accelerations, double length, std::vector<ContactMemory::Law>& memory);

  // Adds what dry friction did in the last part to the loads of the bodies. Whether there was any.
  bool add_last_friction(const mechanics::Context& context, const mechanics::Workspace& workspace,
                         std::span<const ContactMemory::Law> memory, std::span<double> loads) const;

  // Choose those of the problem that comes. Of an impact: all that are closed and push; whether one of them bounces.
  // `touching`: gaps that count as closed, m; `slowest`: approaches that do not bounce, m/s.
  bool choose_closed(double touching, double slowest);
  void choose_for_step(double touching, double slowest, double length);
  void choose_none() { chosen_.clear(); }
  std::span<const std::int32_t> chosen() const { return chosen_; }
  bool is_bouncing(std::size_t row, double slowest) const;
  // When the first one with restitution closes; the length when none does.
  double next_arrival(double touching, double slowest, double length) const;
  // The chosen ones on the bodies as the workspace has them.
  std::span<const RowOnBodies> on_bodies(const mechanics::Context& context, const mechanics::Workspace& workspace);

  // Bounds and targets of the rows of a problem that was built with them. Of an impact:
  void begin_impact(bool has_restitution, double slowest, contact::Problem& problem);
  // Of a step, with the workspace and the accelerations in its middle; the problem has the velocities without contacts.
  void begin_step(const mechanics::Context& context, mechanics::Workspace& workspace,
                  std::span<const double> accelerations, double length, std::span<const ContactMemory::Law> memory,
                  contact::Problem& problem);
  // After a solution: what breaks away slides with less. Whether it must be solved again.
  bool break_away(contact::Problem& problem);
  // Of positions, contact.md (3.5). Whether something overlaps by more than is allowed.
  bool begin_correction(double allowed, double share, contact::Problem& problem);

  // γ of the chosen rows when the part begins.
  double before(std::size_t row) const { return rows_[static_cast<std::size_t>(chosen_[row])].rate; }
  // Adds what the rows of a solved problem do to the memory, and what they take: across and along.
  void take(const contact::Problem& problem, std::vector<ContactMemory::Law>& memory, double& pushed,
            double& rubbed) const;
  // Of a step: what the next one begins with. `slip`: slower than this is standing, m/s.
  void remember(const contact::Problem& problem, double length, double slip, std::vector<ContactMemory::Law>& memory);
  // Groups of bodies with a stop that has closed or opened in the part, or was reached just before it. Before
  // remember().
  void mark_changed(const contact::Problem& problem, double length, std::span<const ContactMemory::Law> memory,
                    const ContactNodes& nodes, std::span<char> groups) const;

  // Of all channels of forces, those of hard ones.
  void put_channels(std::span<const ContactMemory::Law> memory, std::span<double> channels) const;

 private:
  bool has_changed(std::size_t row, const contact::Problem& problem, double length,
                   std::span<const ContactMemory::Law> memory) const;
  struct Motion {
    double value = 0.0, rate = 0.0, acceleration = 0.0;
  };
  Motion motion(std::size_t law, const mechanics::Context& context, const mechanics::Workspace& workspace,
                std::span<const double> accelerations) const;
  void put_wrenches(std::size_t law, double sign, const mechanics::Context& context,
                    const mechanics::Workspace& workspace, RowOnBodies& row) const;
  void add_stop(const HardRow& pattern, const Motion& motion, double lower, double upper, double margin);

  const system::System& system_;
  const system::Params& params_;
  std::vector<HardRow> rows_;
  std::vector<std::int32_t> chosen_;
  std::vector<RowOnBodies> on_bodies_;
  std::vector<double> limits_;  // of the chosen rows: what friction has when it slides, as an impulse
};

}  // namespace gelenk::analysis
