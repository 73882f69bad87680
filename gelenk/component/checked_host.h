#pragma once

#include <span>

#include "gelenk/component/description.h"
#include "gelenk/component/host.h"
#include "gelenk/component/host_checks.h"

namespace gelenk::component {

// What both hosts have in common: what the component said about itself, and in which order it may be asked.
class CheckedHost : public Host {
 public:
  void mount(const HostMounting& mounting) final;
  bool perform(std::span<const gelenk_command> commands) final;
  void post(const gelenk_command& command) final;
  void begin(std::span<const gelenk_command> commands) final;

 protected:
  explicit CheckedHost(const Manifest& manifest);
  // What it says when it is made.
  void learn(const Description& description);
  const HostChecks& checks() const { return checks_; }

  // Where the component is. What it says once it is mounted.
  virtual Description mount_there(const HostMounting& mounting) = 0;
  virtual bool perform_there(std::span<const gelenk_command> commands) = 0;
  virtual void send_there(const gelenk_command& command);
  virtual void begin_there(std::span<const gelenk_command> /*commands*/) {}
  // What was asked for was not solvable.
  [[noreturn]] void fail_sent() const;

 private:
  void check_requests(std::span<const gelenk_command> commands) const;

  Manifest manifest_;
  HostChecks checks_;
  Description description_;
  bool is_mounted_ = false;
};

}  // namespace gelenk::component
