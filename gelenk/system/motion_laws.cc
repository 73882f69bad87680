#include "gelenk/system/motion_laws.h"

#include <algorithm>
#include <cmath>

namespace gelenk::system {
namespace {

constexpr int kMostLooks = 200;
constexpr int kSeenDegree = 3;  // polynomials up to this one hide nothing

}  // namespace

MotionLaws::MotionLaws(const System& system, const Params& params) : track_(system, params) {
  for (std::size_t s = 0; s < system.signals.size(); ++s) {
    const Signal& signal = system.signals[s];
    if (!signal.moves_machine || !signal.reads_channels || signal.level > Level::velocity) continue;
    if (!LawTrack::has_way(signal)) continue;
    const std::vector<int> degrees = degrees_of(signal);
    if (degrees.empty() || degrees.back() <= kSeenDegree) continue;
    laws_.push_back(track_.add({static_cast<std::int32_t>(s), degrees.size() - 1}));
  }
}

// Where the formula has no bounds so far away, it counts beside what it does nearer.
double MotionLaws::size_around(double longest) {
  for (const double lengths : {kHiddenAround * longest, longest, 1.0, 0.0}) {
    const double size = track_.bounds_around(lengths).size();
    if (std::isfinite(size)) return size;
  }
  return 0.0;
}

std::int32_t MotionLaws::hidden(const ArgumentWay& way, double longest, int parts,
                                std::span<const std::int32_t> sides) {
  for (const LawTrack::Law& law : laws_) {
    track_.follow(law, way, sides);
    double floor = -1.0;  // asked for where it matters only: far around, a table has many pieces
    for (int part = 0; part < parts; ++part) {
      const double begin = static_cast<double>(part) / parts;
      const double end = static_cast<double>(part + 1) / parts;
      if (LawShape<LawTrack>(track_, kMostLooks).is_resolved(begin, end, 0.0)) continue;
      if (floor < 0.0) floor = kHiddenNegligible * size_around(longest);
      if (!LawShape<LawTrack>(track_, kMostLooks).is_resolved(begin, end, floor)) return law.formula.signal;
    }
  }
  return -1;
}

std::int32_t MotionLaws::between_ends(const ArgumentWay& way, std::span<const std::int32_t> sides) {
  for (const LawTrack::Law& law : laws_) {
    track_.follow(law, way, sides);
    const double size = size_between_ends([&](double place) { return track_.value(place); });
    if (size > 0.0 && size > kHiddenNegligible * size_around(1.0)) return law.formula.signal;
  }
  return -1;
}

}  // namespace gelenk::system
