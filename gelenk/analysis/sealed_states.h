#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gelenk/base/bytes.h"
#include "gelenk/component/carrier.h"
#include "gelenk/integrate/problem.h"

namespace gelenk::analysis {

// The states of sealed components go along with those of their owner: every slot has the same number inside.
class SealedStates {
 public:
  explicit SealedStates(std::span<component::Carrier* const> carriers) : carriers_(carriers.begin(), carriers.end()) {}

  void reserve(int states, int rates, integrate::Chart chart, bool has_stages);
  // As drawn; or from bytes of each, where there are any.
  void start(int slot, std::span<const std::string> bytes);
  std::vector<std::string> read_states(int slot) const;
  void copy(int from, int to);
  void combine(int from, double time, std::span<const integrate::Term> terms, int to);
  void combine_stage(int from, double time, std::span<const integrate::StageTerm> terms, int to);
  void combine_rates(std::span<const integrate::Term> terms, int to);
  integrate::Norm error_norm(std::size_t component, int from, int to, std::span<const integrate::Term> error);

  double next_jump(double time);
  void cross(int slot);
  // All sides as the state and the inputs say.
  void start_sides(int slot);
  std::size_t switch_count() const;
  void slacks(int slot, std::span<double> values);
  // which: among the switches of all; -1: of somebody else.
  void flip(int slot, int which);

  // Of a slot whose accelerations were just found: published outputs, one component after the other.
  struct Told {
    std::vector<double> outputs;
    double received = 0.0;   // J, of all, through their mounts since the start
    double exchanged = 0.0;  // J, sum of the sizes of that
    double error = 0.0;      // J, sum of the sizes of what their books lack
  };
  void tell(int slot, Told& told);

  void save(gelenk_bytes what, int slot, ByteWriter& out) const;
  void load(gelenk_bytes what, int slot, ByteReader& in);

 private:
  void tell_all(const gelenk_command& command);
  void put_terms(std::span<const integrate::Term> terms);

  std::vector<component::Carrier*> carriers_;
  std::vector<double> terms_;
};

}  // namespace gelenk::analysis
