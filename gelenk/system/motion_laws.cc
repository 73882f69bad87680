#include "gelenk/system/motion_laws.h"

#include <algorithm>
#include <cmath>

namespace gelenk::system {
namespace {

using expression::ExpressionNode;
using expression::Interval;
using expression::Op;

constexpr int kMostLooks = 200;
constexpr int kNotPolynomial = 100;
constexpr int kSeenDegree = 3;  // polynomials up to this one hide nothing

bool varies(const Symbol& symbol) { return symbol.kind == Symbol::Kind::time || symbol.kind == Symbol::Kind::channel; }

// Degree of a node as a polynomial of all that varies, on the sides in force.
int degree_of(const Signal& signal, const ExpressionNode& node, bool is_held, std::span<const int> before) {
  const auto of = [&](std::int32_t operand) { return operand < 0 ? 0 : before[static_cast<std::size_t>(operand)]; };
  const int a = of(node.a), b = of(node.b), c = of(node.c);
  const int highest = std::max({a, b, c});
  switch (node.op) {
    case Op::symbol:
      return varies(signal.symbols[static_cast<std::size_t>(node.index)]) ? 1 : 0;
    case Op::add:
    case Op::subtract:
    case Op::negate:
      return highest;
    case Op::multiply:
      return std::min(a + b, kNotPolynomial);
    case Op::divide:
      return b == 0 ? a : kNotPolynomial;
    case Op::choose:
      return std::max(b, c);
    case Op::power: {
      const ExpressionNode& exponent = signal.formula.nodes()[static_cast<std::size_t>(node.b)];
      const bool is_low = exponent.op == Op::constant && (exponent.value == 2.0 || exponent.value == 3.0);
      if (highest == 0 || (is_low && a * exponent.value <= kSeenDegree))
        return is_low ? a * static_cast<int>(exponent.value) : 0;
      return kNotPolynomial;
    }
    default:
      break;
  }
  if (highest == 0) return 0;
  if (!is_held) return kNotPolynomial;
  if (only_kinks(node.op)) return highest;
  return node.op == Op::mod ? a : is_table(node.op) ? kNotPolynomial : 0;  // else a number on each side
}

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

}  // namespace

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

class MotionLaws::Path {
 public:
  Path(MotionLaws& laws, const Law& law, const Way& way) : laws_(laws), law_(law), way_(way) {}

  double value(double place) {
    for (std::size_t i = law_.first; i < law_.first + law_.count; ++i)
      laws_.symbols_[symbol(i)] = parabola(i).at(place);
    return laws_.evaluator_.value(law_.formula, laws_.symbols_);
  }

  Interval bounds(double from, double to) {
    for (std::size_t i = law_.first; i < law_.first + law_.count; ++i) {
      laws_.symbol_bounds_[symbol(i)] = parabola(i).over(from, to);
    }
    return laws_.evaluator_.bounds(law_.formula, laws_.symbol_bounds_);
  }

  // Where all arguments are free to go by this many lengths of the way.
  Interval bounds_around(double lengths) {
    for (std::size_t i = law_.first; i < law_.first + law_.count; ++i) {
      const Interval way = parabola(i).over(0.0, 1.0);
      const double more = lengths * way.width();
      laws_.symbol_bounds_[symbol(i)] = {way.low - more, way.high + more};
    }
    return laws_.evaluator_.bounds(law_.formula, laws_.symbol_bounds_);
  }

 private:
  std::size_t symbol(std::size_t argument) const { return static_cast<std::size_t>(laws_.arguments_[argument].symbol); }
  Parabola parabola(std::size_t i) const { return {way_.start[i], way_.middle[i], way_.end[i]}; }

  MotionLaws& laws_;
  const Law& law_;
  const Way& way_;
};

MotionLaws::MotionLaws(const System& system, const Params& params)
    : system_(system), params_(params), evaluator_(system) {
  std::size_t most_symbols = 0;
  for (std::size_t s = 0; s < system.signals.size(); ++s) {
    const Signal& signal = system.signals[s];
    if (!signal.moves_machine || !signal.reads_channels || signal.level > Level::velocity) continue;
    if (std::any_of(signal.symbols.begin(), signal.symbols.end(), has_no_way)) continue;
    find_law(static_cast<std::int32_t>(s));
    most_symbols = std::max(most_symbols, signal.symbols.size());
  }
  symbols_.resize(most_symbols);
  symbol_bounds_.resize(most_symbols);
}

void MotionLaws::find_law(std::int32_t number) {
  const Signal& signal = system_.signals[static_cast<std::size_t>(number)];
  const std::span<const ExpressionNode> nodes = signal.formula.nodes();
  std::vector<int> degrees;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    degrees.push_back(degree_of(signal, nodes[i], signal.switch_of_node[i] >= 0, degrees));
  }
  if (degrees.empty() || degrees.back() <= kSeenDegree) return;
  Law law{{number, nodes.size() - 1}, arguments_.size(), 0};
  for (std::size_t i = 0; i < signal.symbols.size(); ++i) {
    if (varies(signal.symbols[i])) arguments_.push_back({number, static_cast<std::int32_t>(i)});
  }
  law.count = arguments_.size() - law.first;
  laws_.push_back(law);
}

// Where the formula has no bounds so far away, it counts beside what it does nearer.
double MotionLaws::size_around(const Law& law, const Way& way) {
  Path path(*this, law, way);
  for (const double lengths : {kHiddenAround * way.longest, way.longest, 1.0, 0.0}) {
    const double size = path.bounds_around(lengths).size();
    if (std::isfinite(size)) return size;
  }
  return 0.0;
}

std::int32_t MotionLaws::hidden(const Way& way, std::span<const std::int32_t> sides) {
  evaluator_.set_sides(sides);
  for (const Law& law : laws_) {
    const SignalParams& params = params_.signals[static_cast<std::size_t>(law.formula.signal)];
    const Signal& signal = system_.signals[static_cast<std::size_t>(law.formula.signal)];
    for (std::size_t i = 0; i < params.constants.size(); ++i) {
      const Symbol& symbol = signal.symbols[i];
      const double constant = symbol.kind == Symbol::Kind::input
                                  ? params_.inputs[static_cast<std::size_t>(symbol.input)]
                                  : params.constants[i];
      symbols_[i] = constant;
      symbol_bounds_[i] = {constant, constant};
    }
    Path path(*this, law, way);
    double floor = -1.0;  // asked for where it matters only: far around, a table has many pieces
    for (int part = 0; part < way.parts; ++part) {
      const double begin = static_cast<double>(part) / way.parts;
      const double end = static_cast<double>(part + 1) / way.parts;
      if (LawShape<Path>(path, kMostLooks).is_resolved(begin, end, 0.0)) continue;
      if (floor < 0.0) floor = kHiddenNegligible * size_around(law, way);
      if (!LawShape<Path>(path, kMostLooks).is_resolved(begin, end, floor)) return law.formula.signal;
    }
  }
  return -1;
}

}  // namespace gelenk::system
