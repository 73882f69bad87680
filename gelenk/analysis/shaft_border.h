#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gelenk::analysis {

// Between a subsystem with shafts and a solver that knows frames alone. In numbers of its ports, frames before shafts,
//
//   a_f = D_ff τ_f + (D_fs τ_s + r_f),   a_s = D_sf τ_f + D_ss τ_s + r_s,
//
// the solver gets D_ff and what is in parentheses: in a sweep, loads on shafts are loads inside. `width`: numbers of a
// motion for one of a load; two in implicit methods, where the first is a change of the position.
class ShaftBorder {
 public:
  void set_size(std::size_t frame_numbers, std::size_t shafts, std::size_t width);
  // Without shafts there is no border: numbers pass as they are.
  bool is_empty() const { return shaft_loads_.empty(); }

  std::span<double> shaft_loads() { return shaft_loads_; }
  // What the last sweep found: the first number of each.
  double shaft_motion(std::size_t shaft) const { return shaft_motions_[shaft]; }
  // What a unit load on a shaft does to it.
  double shaft_mobility(std::size_t shaft) const {
    return mobility_[width_ * (frames_ + shaft) * size() + frames_ + shaft];
  }

  // D, r and motions of all ports, for the subsystem to fill in; then of the frames.
  std::span<double> mobility() { return mobility_; }
  void give_mobility(double* D) const;
  double* motions() { return motions_.data(); }
  // has_loads: the sweep has those on shafts; a rest does not.
  void give_r(bool has_loads, double* r) const;
  // Loads on all ports.
  const double* loads(bool has_loads, const double* on_frames);
  // is_rest: by how much motions change.
  void give_motions(bool is_rest, double* of_frames);

 private:
  std::size_t size() const { return frames_ + shaft_loads_.size(); }

  std::size_t frames_ = 0, width_ = 1;
  std::vector<double> mobility_, motions_, loads_;
  std::vector<double> shaft_loads_, shaft_motions_;
};

}  // namespace gelenk::analysis
