#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/component/host.h"
#include "gelenk/subsystem/subsystem.h"

namespace gelenk::component {

// A subsystem that does what an owner commands (gelenk_component.h): the other side of as_subsystem(). Whatever the
// owner sends, slots and sizes are looked at first.
class SubsystemServer {
 public:
  // It must stay.
  explicit SubsystemServer(subsystem::Subsystem& served);

  const ComponentSizes& sizes() const { return sizes_; }
  gelenk_status perform(std::span<const gelenk_command> commands, std::size_t& done);
  // Empty: there is no such slot.
  std::string read(gelenk_bytes what, std::int32_t slot) const;
  // False: there is no such slot, or these are not its bytes.
  bool write(gelenk_bytes what, std::int32_t slot, std::string_view bytes);

  // Why a command was refused or failed; it names nothing of the inside.
  const std::string& error() const { return error_; }

 private:
  bool has_right_slots(const gelenk_command& command) const;
  bool has_slot(gelenk_bytes what, std::int32_t slot) const;
  gelenk_status perform(const gelenk_command& command);
  gelenk_status states(const gelenk_command& command);
  gelenk_status events(const gelenk_command& command);
  gelenk_status evaluation(const gelenk_command& command);
  gelenk_status sweep(const gelenk_command& command);
  gelenk_status newton(const gelenk_command& command);
  gelenk_status stage(const gelenk_command& command);
  gelenk_status outputs(const gelenk_command& command);
  void show_drawing(std::span<double> out);
  std::span<const integrate::Term> terms_of(const gelenk_command& command);
  gelenk_status refuse(const char* why) {
    error_ = why;
    return GELENK_REFUSED;
  }

  subsystem::Subsystem& served_;
  ComponentSizes sizes_;
  int states_ = 0, rates_ = 0;  // slots
  std::vector<integrate::Term> terms_;
  std::vector<integrate::StageTerm> stage_terms_;
  std::vector<double> unwanted_;                                           // answers
  subsystem::RightSide right_side_ = subsystem::RightSide::accelerations;  // of the sweep
  static constexpr int kNoSlot = -2;
  int solved_slot_ = kNoSlot;  // of the last sweep, if it found accelerations
  std::string error_;
};

}  // namespace gelenk::component
