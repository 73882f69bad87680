#include "gelenk/system/switch_dips.h"

#include <algorithm>
#include <cmath>

namespace gelenk::system {
namespace {

using expression::ExpressionNode;
using expression::Interval;
using expression::Op;

constexpr int kSeenDegreeOfSlacks = 1;  // along a parabola such a slack is one, and three samples show where it dips

bool is_comparison(Op op) {
  switch (op) {
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::min:
    case Op::max:
    case Op::step:
    case Op::sign:
    case Op::abs:
    case Op::floor:
    case Op::ceil:
      return true;
    default:
      return false;
  }
}

}  // namespace

class SwitchDips::Slack {
  static constexpr int kMostLooks = 2000;
  static constexpr int kDeepest = 30;      // halvings of the way
  static constexpr double kNoise = 1e-10;  // of what is compared

 public:
  Slack(LawTrack& track, const ExpressionNode& node, std::int32_t side) : track_(track), node_(node), side_(side) {
    track_.bounds(0.0, 1.0);
    const double size = std::max(a().size(), b().size());
    if (std::isfinite(size)) noise_ = kNoise * size;
  }

  std::optional<double> first_below(double from, double to, int depth = kDeepest) {
    if (--left_to_look_ < 0) {
      searched_until_ = std::min(searched_until_, from);
      return std::nullopt;
    }
    if (depth == 0 || least(from, to) >= -noise_) return std::nullopt;
    const double middle = 0.5 * (from + to);
    const bool is_below = value(middle) < -noise_;
    const std::optional<double> earlier = first_below(from, middle, depth - 1);
    if (earlier) return earlier;
    return is_below ? middle : first_below(middle, to, depth - 1);
  }

  double searched_until() const { return searched_until_; }

 private:
  Interval a() const { return track_.evaluator().node_bounds(node_.a); }
  Interval b() const { return node_.b >= 0 ? track_.evaluator().node_bounds(node_.b) : Interval{}; }

  double value(double place) {
    track_.value(place);
    const LawEvaluator& nodes = track_.evaluator();
    return slack_of(node_.op, side_, nodes.node_value(node_.a), node_.b >= 0 ? nodes.node_value(node_.b) : 0.0);
  }

  // A slack is linear in each of the two, or the lesser of two such: its least value is at an end of both intervals.
  double least(double from, double to) {
    track_.bounds(from, to);
    const Interval first = a(), second = b();
    double found = slack_of(node_.op, side_, first.low, second.low);
    for (const double x : {first.low, first.high}) {
      for (const double y : {second.low, second.high}) found = std::min(found, slack_of(node_.op, side_, x, y));
    }
    return found;
  }

  LawTrack& track_;
  const ExpressionNode& node_;
  std::int32_t side_;
  double noise_ = 0.0;
  int left_to_look_ = kMostLooks;
  double searched_until_ = 1.0;
};

SwitchDips::SwitchDips(const System& system, const Params& params) : system_(system), track_(system, params) {
  std::int32_t number = -1;
  std::vector<int> degrees;
  for (std::size_t i = 0; i < system.state_switches.size(); ++i) {
    const Switch& one = system.switches[static_cast<std::size_t>(system.state_switches[i])];
    const Signal& signal = system.signals[static_cast<std::size_t>(one.signal)];
    if (!signal.moves_machine || signal.level > Level::velocity || !LawTrack::has_way(signal)) continue;
    if (one.signal != number) degrees = degrees_of(signal);
    number = one.signal;
    const ExpressionNode& node = signal.formula.nodes()[static_cast<std::size_t>(one.node)];
    const auto degree = [&](std::int32_t operand) {
      return operand < 0 ? 0 : degrees[static_cast<std::size_t>(operand)];
    };
    if (!is_comparison(node.op) || std::max(degree(node.a), degree(node.b)) <= kSeenDegreeOfSlacks) continue;
    watched_.push_back({track_.add({one.signal, static_cast<std::size_t>(one.node)}), i});
  }
}

SwitchDips::Search SwitchDips::first(const ArgumentWay& way, double until, std::span<const std::int32_t> sides) {
  Search search;
  double searched_until = 1.0;
  for (const Watched& one : watched_) {
    const Switch& compared = system_.switches[static_cast<std::size_t>(system_.state_switches[one.which])];
    const Signal& signal = system_.signals[static_cast<std::size_t>(compared.signal)];
    const std::int32_t side = sides[static_cast<std::size_t>(system_.state_switches[one.which])];
    track_.follow(one.law, way, sides);
    Slack slack(track_, signal.formula.nodes()[static_cast<std::size_t>(compared.node)], side);
    const std::optional<double> place = slack.first_below(0.0, search.dip ? search.dip->place : until);
    if (place) search.dip = Dip{one.which, *place};
    if (slack.searched_until() >= searched_until) continue;
    searched_until = slack.searched_until();
    search.unsearched = compared.signal;
  }
  if (search.dip && search.dip->place <= searched_until) search.unsearched = -1;
  return search;
}

}  // namespace gelenk::system
