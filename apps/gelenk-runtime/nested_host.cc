#include "apps/gelenk-runtime/nested_host.h"

#include <algorithm>
#include <utility>

namespace gelenk::runtime {

NestedHost::NestedHost(std::string name, std::string_view resource, std::span<const double> parameters)
    : name_(std::move(name)), machine_(resource, parameters, nullptr) {
  const gelenk_description& description = machine_.description();
  sizes_.inputs = description.input_size;
  sizes_.signals = description.signal_size;
  sizes_.outputs = description.output_count;
  length_ = description.length;
  for (const gelenk_port& port : std::span(description.ports, description.port_count)) {
    component::DrawnPort& to = ports_.emplace_back();
    std::copy(std::begin(port.position), std::end(port.position), to.position);
    std::copy(std::begin(port.rotation), std::end(port.rotation), to.rotation);
  }
}

void NestedHost::fail() const {
  throw component::ComponentFailure(component::ComponentFailure::Kind::failed, name_ + ": " + machine_.error());
}

void NestedHost::mount(const component::HostMounting& mounting) {
  gelenk_mounting given = mounting.rest;
  given.mounts = mounting.mounts.data();
  given.mount_count = mounting.mounts.size();
  if (machine_.mount(given) != GELENK_OK) fail();
  sizes_.mounts = mounting.mounts.size();
  sizes_.switches = machine_.description().switch_count;
}

bool NestedHost::perform(std::span<const gelenk_command> commands) {
  std::size_t done = 0;
  const gelenk_status status = machine_.perform(commands, done);
  if (status != GELENK_OK && status != GELENK_NOT_SOLVABLE) fail();
  return status == GELENK_OK;
}

void NestedHost::post(const gelenk_command& command) {
  if (!perform({&command, 1})) fail();
}

std::string NestedHost::read(gelenk_bytes what, std::int32_t slot) {
  std::string bytes;
  if (machine_.read(what, slot, bytes) != GELENK_OK) fail();
  return bytes;
}

void NestedHost::write(gelenk_bytes what, std::int32_t slot, std::string_view bytes) {
  if (machine_.write(what, slot, bytes) != GELENK_OK) fail();
}

}  // namespace gelenk::runtime
