#include "gelenk/analysis/subsystem_shafts.h"

#include "gelenk/analysis/subsystem_equations.h"

namespace gelenk::analysis {

void SubsystemShafts::clear_right_sides() { subsystems_.put_right_side(subsystem::RightSide::impulses); }

void SubsystemShafts::put_shaft_loads(std::span<const double> loads) {
  for (std::size_t s = 0; s < shafts_.size(); ++s) {
    for (ShaftBorder* const border : {shafts_[s].border, shafts_[s].newton_border}) {
      border->shaft_loads()[shafts_[s].place] = loads[s];
    }
  }
}

void SubsystemShafts::shaft_motions(std::span<double> motions) const {
  for (std::size_t s = 0; s < shafts_.size(); ++s) motions[s] = shafts_[s].border->shaft_motion(shafts_[s].place);
}

void SubsystemShafts::shaft_mobilities(std::span<double> mobilities) const {
  for (std::size_t s = 0; s < shafts_.size(); ++s) mobilities[s] = shafts_[s].border->shaft_mobility(shafts_[s].place);
}

void SubsystemShafts::newton_motions(std::span<double> motions) const {
  for (std::size_t s = 0; s < shafts_.size(); ++s) {
    motions[s] = shafts_[s].newton_border->shaft_motion(shafts_[s].place);
  }
}

}  // namespace gelenk::analysis
