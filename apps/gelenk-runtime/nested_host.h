#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "apps/gelenk-runtime/sealed_machine.h"
#include "gelenk/component/host.h"

namespace gelenk::runtime {

// A sealed component inside a sealed one. Its maker's library stayed behind: the one that reads the outer model reads
// this one, too. What it does wrong is not looked at here: whoever carries the outer one does that.
class NestedHost : public component::Host {
 public:
  // `name`: in errors, "assembly#2". Throws NotMade.
  NestedHost(std::string name, std::string_view resource, std::span<const double> parameters);

  void mount(const component::HostMounting& mounting) override;
  bool perform(std::span<const gelenk_command> commands) override;
  void post(const gelenk_command& command) override;
  std::string read(gelenk_bytes what, std::int32_t slot) override;
  void write(gelenk_bytes what, std::int32_t slot, std::string_view bytes) override;

 private:
  [[noreturn]] void fail() const;

  std::string name_;
  SealedMachine machine_;
};

}  // namespace gelenk::runtime
