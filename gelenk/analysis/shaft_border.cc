#include "gelenk/analysis/shaft_border.h"

#include <algorithm>

namespace gelenk::analysis {

void ShaftBorder::set_size(std::size_t frame_numbers, std::size_t shafts, std::size_t width) {
  frames_ = frame_numbers;
  width_ = width;
  shaft_loads_.assign(shafts, 0.0);
  shaft_motions_.assign(shafts, 0.0);
  mobility_.assign(width * size() * size(), 0.0);
  motions_.assign(width * size(), 0.0);
  loads_.assign(size(), 0.0);
}

void ShaftBorder::give_mobility(double* D) const {
  for (std::size_t row = 0; row < width_ * frames_; ++row) {
    std::copy_n(&mobility_[row * size()], frames_, D + row * frames_);
  }
}

void ShaftBorder::give_r(bool has_loads, double* r) const {
  for (std::size_t row = 0; row < width_ * frames_; ++row) {
    r[row] = motions_[row];
    if (!has_loads) continue;
    for (std::size_t s = 0; s < shaft_loads_.size(); ++s) {
      r[row] += mobility_[row * size() + frames_ + s] * shaft_loads_[s];
    }
  }
}

const double* ShaftBorder::loads(bool has_loads, const double* on_frames) {
  std::copy_n(on_frames, frames_, loads_.begin());
  const auto on_shafts = loads_.begin() + static_cast<std::ptrdiff_t>(frames_);
  std::copy(shaft_loads_.begin(), shaft_loads_.end(), on_shafts);
  if (!has_loads) std::fill(on_shafts, loads_.end(), 0.0);
  return loads_.data();
}

void ShaftBorder::give_motions(bool is_rest, double* of_frames) {
  std::copy_n(motions_.begin(), width_ * frames_, of_frames);
  for (std::size_t s = 0; s < shaft_motions_.size(); ++s) {
    const double found = motions_[width_ * (frames_ + s)];
    shaft_motions_[s] = is_rest ? shaft_motions_[s] + found : found;
  }
}

}  // namespace gelenk::analysis
