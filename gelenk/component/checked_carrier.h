#pragma once

#include <span>

#include "gelenk/component/carrier.h"
#include "gelenk/component/carrier_checks.h"
#include "gelenk/component/description.h"

namespace gelenk::component {

// What both carriers have in common: what the component said about itself, and in which order it may be asked.
class CheckedCarrier : public Carrier {
 public:
  void mount(const CarrierMounting& mounting) final;
  bool perform(std::span<const gelenk_command> commands) final;
  void tell(const gelenk_command& command) final;
  void begin(std::span<const gelenk_command> commands) final;

 protected:
  explicit CheckedCarrier(const Manifest& manifest);
  // What it says when it is made.
  void learn(const Description& description);
  const CarrierChecks& checks() const { return checks_; }

  // Where the component is. What it says once it is mounted.
  virtual Description mount_there(const CarrierMounting& mounting) = 0;
  virtual bool perform_there(std::span<const gelenk_command> commands) = 0;
  virtual void tell_there(const gelenk_command& command);
  virtual void begin_there(std::span<const gelenk_command> /*commands*/) {}
  // What was told was not solvable.
  [[noreturn]] void fail_told() const;

 private:
  void check_requests(std::span<const gelenk_command> commands) const;

  Manifest manifest_;
  CarrierChecks checks_;
  Description description_;
  bool is_mounted_ = false;
};

}  // namespace gelenk::component
