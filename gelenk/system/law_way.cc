#include "gelenk/system/law_way.h"

#include <algorithm>

namespace gelenk::system {
namespace {

using expression::Interval;

// No parabola goes through a channel that jumps while the motion does not: an angle that ends at half a turn, the sign
// of a quaternion, the rate of a distance that comes to zero. What a component gives inside of a step is not known.
bool has_no_way(const Symbol& symbol) {
  using Kind = ChannelRef::Kind;
  if (symbol.kind != Symbol::Kind::channel) return false;
  switch (symbol.channel.kind) {
    case Kind::frame_angle:
    case Kind::part_orientation:
    case Kind::joint_orientation:
    case Kind::frame_orientation:
    case Kind::frame_distance_rate:
    case Kind::sealed_signal:
      return true;
    default:
      return false;
  }
}

// Where along the parabola through the three values at 0, 1/2 and 1.
struct Parabola {
  double start, slope, bend;
  Parabola(double a, double b, double c) : start(a), slope(4.0 * b - 3.0 * a - c), bend(2.0 * (a + c) - 4.0 * b) {}
  double at(double s) const { return start + s * (slope + s * bend); }
  Interval over(double from, double to) const {
    const double first = at(from), last = at(to);
    Interval found{std::min(first, last), std::max(first, last)};
    const double vertex = bend != 0.0 ? -0.5 * slope / bend : from;
    if (vertex > from && vertex < to) {
      found.low = std::min(found.low, at(vertex));
      found.high = std::max(found.high, at(vertex));
    }
    return found;
  }
};

Parabola parabola(const ArgumentWay& way, std::size_t i) { return {way.start[i], way.middle[i], way.end[i]}; }

}  // namespace

LawTrack::LawTrack(const System& system, const Params& params) : system_(system), params_(params), evaluator_(system) {}

bool LawTrack::has_way(const Signal& signal) {
  return std::none_of(signal.symbols.begin(), signal.symbols.end(), has_no_way);
}

LawTrack::Law LawTrack::add(const LawFormula& formula) {
  const Signal& signal = system_.signals[static_cast<std::size_t>(formula.signal)];
  Law law{formula, arguments_.size(), 0};
  for (std::size_t i = 0; i < signal.symbols.size(); ++i) {
    const Symbol::Kind kind = signal.symbols[i].kind;
    const bool varies = kind == Symbol::Kind::time || kind == Symbol::Kind::channel;
    if (varies) arguments_.push_back({formula.signal, static_cast<std::int32_t>(i)});
  }
  law.count = arguments_.size() - law.first;
  symbols_.resize(std::max(symbols_.size(), signal.symbols.size()));
  symbol_bounds_.resize(symbols_.size());
  return law;
}

void LawTrack::follow(const Law& law, const ArgumentWay& way, std::span<const std::int32_t> sides) {
  law_ = law;
  way_ = way;
  evaluator_.set_sides(sides);
  const SignalParams& params = params_.signals[static_cast<std::size_t>(law.formula.signal)];
  const Signal& signal = system_.signals[static_cast<std::size_t>(law.formula.signal)];
  for (std::size_t i = 0; i < params.constants.size(); ++i) {
    const Symbol& symbol = signal.symbols[i];
    const double constant = symbol.kind == Symbol::Kind::input ? params_.inputs[static_cast<std::size_t>(symbol.input)]
                                                               : params.constants[i];
    symbols_[i] = constant;
    symbol_bounds_[i] = {constant, constant};
  }
}

double LawTrack::value(double place) {
  for (std::size_t i = law_.first; i < law_.first + law_.count; ++i) symbols_[symbol(i)] = parabola(way_, i).at(place);
  return evaluator_.value(law_.formula, symbols_);
}

Interval LawTrack::bounds(double from, double to) {
  for (std::size_t i = law_.first; i < law_.first + law_.count; ++i) {
    symbol_bounds_[symbol(i)] = parabola(way_, i).over(from, to);
  }
  return evaluator_.bounds(law_.formula, symbol_bounds_);
}

Interval LawTrack::bounds_around(double lengths) {
  for (std::size_t i = law_.first; i < law_.first + law_.count; ++i) {
    const Interval way = parabola(way_, i).over(0.0, 1.0);
    const double more = lengths * way.width();
    symbol_bounds_[symbol(i)] = {way.low - more, way.high + more};
  }
  return evaluator_.bounds(law_.formula, symbol_bounds_);
}

}  // namespace gelenk::system
