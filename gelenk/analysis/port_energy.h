#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "gelenk/base/bytes.h"
#include "gelenk/base/index.h"
#include "gelenk/integrate/problem.h"

namespace gelenk::analysis {

// How much energy a machine got from its owner through its mounts since the start. One number for each state, which is
// integrated as the motion is, J.
class PortEnergy {
 public:
  void reserve(int states, int rates) {
    energies_.resize(std::max(energies_.size(), at(states)));
    powers_.resize(std::max(powers_.size(), at(rates)));
  }
  void set(int state, double energy) { energies_[at(state)] = energy; }
  void set_power(int rate, double power) { powers_[at(rate)] = power; }
  double operator[](int state) const { return energies_[at(state)]; }
  double power(int rate) const { return powers_[at(rate)]; }
  void copy(int from, int to) { energies_[at(to)] = energies_[at(from)]; }
  void combine(int from, std::span<const integrate::Term> terms, int to) {
    energies_[at(to)] = energies_[at(from)] + sum(terms);
  }
  void combine_rates(std::span<const integrate::Term> terms, int to) { powers_[at(to)] = sum(terms); }
  void combine_stage(int from, std::span<const integrate::StageTerm> terms, int to) {
    double change = 0.0;
    for (const integrate::StageTerm& term : terms) change += term.velocity * power(term.rate);
    energies_[at(to)] = energies_[at(from)] + change;
  }

  void save_state(int state, ByteWriter& out) const { out.put(energies_[at(state)]); }
  void load_state(int state, ByteReader& in) { in.get(energies_[at(state)]); }
  void save_rate(int rate, ByteWriter& out) const { out.put(powers_[at(rate)]); }
  void load_rate(int rate, ByteReader& in) { in.get(powers_[at(rate)]); }

 private:
  double sum(std::span<const integrate::Term> terms) const {
    double result = 0.0;
    for (const integrate::Term& term : terms) result += term.coefficient * power(term.rate);
    return result;
  }

  std::vector<double> energies_, powers_;
};

}  // namespace gelenk::analysis
