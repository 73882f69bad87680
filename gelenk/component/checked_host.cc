#include "gelenk/component/checked_host.h"

#include <algorithm>

namespace gelenk::component {
namespace {

using Kind = ComponentFailure::Kind;

// A signal has the place of the component.
DrawnPort port_of(const DescribedPort& described) {
  DrawnPort port;
  if (described.kind != GELENK_FRAME) return port;
  std::copy(described.position.begin(), described.position.end(), port.position);
  std::copy(described.rotation.begin(), described.rotation.end(), port.rotation);
  return port;
}

}  // namespace

CheckedHost::CheckedHost(const Manifest& manifest) : manifest_(manifest), checks_(manifest_) {}

void CheckedHost::learn(const Description& description) {
  sizes_ = checks_.check_description(description);
  description_ = description;
  for (const DescribedPort& port : description.ports) ports_.push_back(port_of(port));
  length_ = description.length;
}

void CheckedHost::mount(const HostMounting& mounting) {
  if (is_mounted_) checks_.fail(Kind::wrong_sizes, "was mounted twice");
  checks_.check_mounting(mounting);
  const Description description = mount_there(mounting);
  sizes_ = checks_.with_mounts(checks_.check_mounted(description_, description), mounting);
  is_mounted_ = true;
}

void CheckedHost::check_requests(std::span<const gelenk_command> commands) const {
  if (!is_mounted_) checks_.fail(Kind::wrong_sizes, "was called before it was mounted");
  for (const gelenk_command& command : commands) checks_.check_request(command, sizes_);
}

bool CheckedHost::perform(std::span<const gelenk_command> commands) {
  check_requests(commands);
  return perform_there(commands);
}

void CheckedHost::post(const gelenk_command& command) {
  check_requests({&command, 1});
  send_there(command);
}

void CheckedHost::send_there(const gelenk_command& command) {
  if (!perform_there({&command, 1})) fail_sent();
}

void CheckedHost::begin(std::span<const gelenk_command> commands) {
  check_requests(commands);
  begin_there(commands);
}

void CheckedHost::fail_sent() const {
  checks_.fail(Kind::failed, "cannot continue: it failed at a command that always has an answer");
}

}  // namespace gelenk::component
