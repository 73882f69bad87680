#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gelenk/base/bytes.h"
#include "gelenk/integrate/problem.h"
#include "gelenk/subsystem/subsystem.h"

namespace gelenk::analysis {

// The states of subsystems go along with those of the machine: every slot has the same number in each.
class SubsystemStates {
 public:
  explicit SubsystemStates(std::span<subsystem::Subsystem* const> all) : all_(all.begin(), all.end()) {}

  void reserve(int states, int rates, integrate::Chart chart, bool has_stages);
  // As drawn; or from bytes of each, where there are any.
  void start(int slot, std::span<const std::string> bytes);
  std::vector<std::string> read_states(int slot) const;
  void copy(int from, int to);
  void combine(int from, double time, std::span<const integrate::Term> terms, int to);
  void combine_stage(int from, double time, std::span<const integrate::StageTerm> terms, int to);
  void combine_rates(std::span<const integrate::Term> terms, int to);
  integrate::Norm error_norm(std::size_t which, int from, int to, std::span<const integrate::Term> error);

  bool can_be_implicit() const;

  double next_jump(double time);
  void cross(int slot);
  // All sides as the state and the inputs say.
  void set_all_sides(int slot);
  std::size_t switch_count() const;
  void slacks(int slot, std::span<double> values);
  // which: among the switches of all.
  void flip(int slot, std::size_t which);
  // A switch of the machine itself has flipped.
  void mark_event(int slot);

  // Of a slot whose accelerations were just found.
  struct Report {
    std::vector<double> outputs;  // of one after the other
    double received = 0.0;        // J, of all, through their ports since the start
    double exchanged = 0.0;       // J, sum of the sizes of that
    double error = 0.0;           // J, sum of the sizes of what their books lack
  };
  void read_outputs(int slot, Report& report);

  void save(subsystem::States::Kept what, int slot, ByteWriter& out) const;
  void load(subsystem::States::Kept what, int slot, ByteReader& in);

 private:
  std::vector<subsystem::Subsystem*> all_;
};

}  // namespace gelenk::analysis
