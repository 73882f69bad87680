#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/analysis/machine_problem.h"
#include "gelenk/base/bytes.h"
#include "gelenk/base/diagnostics.h"
#include "gelenk/integrate/problem.h"
#include "gelenk/mechanics/quantities.h"
#include "gelenk/model/model.h"

// What the owner of a led machine may read beside the motion of its mounts.
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
class LedOutputs {
 public:
  LedOutputs(const system::System& system, const system::Params& params);

  // False when the machine has no output of this path.
  bool add(const std::string& path);
  std::size_t size() const { return signals_.size(); }
  // At a slot whose accelerations are solved.
  void tell(MachineProblem& problem, int slot, std::span<double> out);

 private:
  const system::System& system_;
  const system::Params& params_;
  std::vector<std::int32_t> signals_;
  mechanics::Reactions reactions_;
  std::vector<double> body_accelerations_, multipliers_;
  std::vector<double> part_accelerations_, joint_reactions_, driver_efforts_;
};

// How much energy a led machine got from its owner through its mounts since the start. One number for each state, which
// is integrated as the motion is, J.
class LedEnergy {
 public:
  void reserve(std::size_t states, std::size_t rates) {
    energies_.resize(std::max(energies_.size(), states));
    powers_.resize(std::max(powers_.size(), rates));
  }
  void set(std::size_t state, double energy) { energies_[state] = energy; }
  void set_power(std::size_t rate, double power) { powers_[rate] = power; }
  double operator[](std::size_t state) const { return energies_[state]; }
  void copy(std::size_t from, std::size_t to) { energies_[to] = energies_[from]; }
  void combine(std::size_t from, std::span<const integrate::Term> terms, std::size_t to) {
    energies_[to] = energies_[from] + sum(terms);
  }
  void combine_rates(std::span<const integrate::Term> terms, std::size_t to) { powers_[to] = sum(terms); }
  void combine_stage(std::size_t from, std::span<const integrate::StageTerm> terms, std::size_t to) {
    double change = 0.0;
    for (const integrate::StageTerm& term : terms) change += term.velocity * power(term.rate);
    energies_[to] = energies_[from] + change;
  }
  double power(int rate) const { return powers_[static_cast<std::size_t>(rate)]; }

  void save_state(std::size_t state, ByteWriter& out) const { out.put(energies_[state]); }
  void load_state(std::size_t state, ByteReader& in) { in.get(energies_[state]); }
  void save_rate(std::size_t rate, ByteWriter& out) const { out.put(powers_[rate]); }
  void load_rate(std::size_t rate, ByteReader& in) { in.get(powers_[rate]); }

 private:
  double sum(std::span<const integrate::Term> terms) const {
    double result = 0.0;
    for (const integrate::Term& term : terms) {
      result += term.coefficient * power(term.rate);
    }
    return result;
  }

  std::vector<double> energies_, powers_;
};

}  // namespace gelenk::analysis
