#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gelenk/component/host.h"
#include "gelenk/subsystem/subsystem.h"

namespace gelenk::component {

// A sealed component, which is mounted, as a subsystem of its owner's machine: the typed verbs become commands of
// gelenk_component.h. The host must stay.
std::unique_ptr<subsystem::Subsystem> as_subsystem(Host& host);

// Those of a machine, in their order.
class SealedSubsystems {
 public:
  void add(Host& host) {
    owned_.push_back(as_subsystem(host));
    all_.push_back(owned_.back().get());
  }
  std::span<subsystem::Subsystem* const> all() const { return all_; }

 private:
  std::vector<std::unique_ptr<subsystem::Subsystem>> owned_;
  std::vector<subsystem::Subsystem*> all_;
};

}  // namespace gelenk::component
