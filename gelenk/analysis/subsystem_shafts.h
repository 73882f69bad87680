#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "gelenk/analysis/shaft_border.h"
#include "gelenk/solve/coupled_solver.h"

namespace gelenk::analysis {

class SubsystemEquations;

// The shafts of all subsystems, as the machine counts them. Loads are those of both kinds of sweeps.
class SubsystemShafts final : public solve::CoupledComponents {
 public:
  struct Shaft {
    ShaftBorder* border = nullptr;
    ShaftBorder* newton_border = nullptr;
    std::size_t place = 0;  // among the shafts of its subsystem
  };

  explicit SubsystemShafts(SubsystemEquations& subsystems) : subsystems_(subsystems) {}
  void connect(std::vector<Shaft> shafts) { shafts_ = std::move(shafts); }

  std::size_t shaft_count() const override { return shafts_.size(); }
  void clear_right_sides() override;
  void put_shaft_loads(std::span<const double> loads) override;
  void shaft_motions(std::span<double> motions) const override;
  void shaft_mobilities(std::span<double> mobilities) const override;
  // Of the last sweep of an implicit method: changes of the position.
  void newton_motions(std::span<double> motions) const;

 private:
  SubsystemEquations& subsystems_;
  std::vector<Shaft> shafts_;
};

}  // namespace gelenk::analysis
