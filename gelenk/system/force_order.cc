#include "gelenk/system/force_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gelenk/system/system.h"

namespace gelenk::system {
namespace {

class ForceOrder {
 public:
  ForceOrder(const System& system, Diagnostics& diagnostics)
      : system_(system), diagnostics_(diagnostics), depth_(system.forces.size(), 0) {}

  // False: there is a circle, which is reported.
  bool visit(std::size_t f) {
    if (depth_[f] > 0) return true;
    const Force& force = system_.forces[f];
    if (depth_[f] == kOpen) {
      const ElementScope element(diagnostics_, force.path, "force");
      diagnostics_.error(Code::forces_in_circle, force.where, fmt::format("its value depends on itself: {}", circle(f)),
                         "let one of them read a position or rate instead");
      return false;
    }
    depth_[f] = kOpen;
    chain_.push_back(f);
    int deepest = 0;
    if (force.value >= 0) {
      for (const Symbol& symbol : system_.signals[static_cast<std::size_t>(force.value)].symbols) {
        if (symbol.kind != Symbol::Kind::channel || !is_of_force(symbol.channel.kind)) continue;
        const auto other = static_cast<std::size_t>(symbol.channel.element);
        if (!visit(other)) return false;
        deepest = std::max(deepest, depth_[other]);
      }
    }
    depth_[f] = deepest + 1;
    chain_.pop_back();
    return true;
  }

  // Formulas that are open at once while this force is evaluated.
  std::size_t depth(std::size_t f) const { return static_cast<std::size_t>(depth_[f]); }

 private:
  static constexpr int kOpen = -1;  // being visited

  // "spring -> motor -> spring": the end of the chain, which closes at this force.
  std::string circle(std::size_t f) const {
    std::string text;
    for (auto it = std::find(chain_.begin(), chain_.end(), f); it != chain_.end(); ++it) {
      text += system_.forces[*it].path + " -> ";
    }
    return text + system_.forces[f].path;
  }

  const System& system_;
  Diagnostics& diagnostics_;
  std::vector<int> depth_;
  std::vector<std::size_t> chain_;  // those being visited, each read by the one before
};

}  // namespace

std::size_t check_force_order(const System& system, Diagnostics& diagnostics) {
  ForceOrder order(system, diagnostics);
  std::size_t depth = 1;
  for (std::size_t f = 0; f < system.forces.size(); ++f) {
    if (!order.visit(f)) break;
    depth = std::max(depth, order.depth(f) + 1);  // and what reads the force
  }
  return depth;
}

}  // namespace gelenk::system
