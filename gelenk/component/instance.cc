#include "gelenk/component/instance.h"

#include <array>
#include <cstring>

#include "gelenk/component/code_library.h"

namespace gelenk::component {
namespace {

using Kind = ComponentFailure::Kind;

constexpr std::size_t kLongestMessage = 1000;

}  // namespace

Instance::Instance(const SharedLibrary& library, const SharedLibrary* code)
    : code_(code == nullptr ? nullptr : code_in(*code)) {
  auto* get_api = library.find<decltype(gelenk_component_get_api)>("gelenk_component_get_api");
  if (get_api == nullptr) throw ComponentFailure(Kind::not_loaded, "has no function gelenk_component_get_api");
  api_ = get_api(GELENK_COMPONENT_ABI_MAJOR);
  if (api_ == nullptr || api_->abi_major != GELENK_COMPONENT_ABI_MAJOR) {
    throw ComponentFailure(Kind::not_loaded, "does not support version " + std::to_string(GELENK_COMPONENT_ABI_MAJOR) +
                                                 " of the component interface");
  }
  const bool is_whole = api_->size >= sizeof(gelenk_component_api) && api_->create != nullptr &&
                        api_->destroy != nullptr && api_->describe != nullptr && api_->mount != nullptr &&
                        api_->perform != nullptr && api_->read != nullptr && api_->write != nullptr &&
                        api_->last_error != nullptr;
  if (!is_whole) throw ComponentFailure(Kind::not_loaded, "lacks some functions");
}

Instance::~Instance() {
  if (component_ != nullptr) api_->destroy(component_);
}

void Instance::create(const HostSettings& settings) {
  gelenk_settings raw{};
  raw.size = sizeof raw;
  raw.resource = settings.resource.empty() ? nullptr : settings.resource.data();
  raw.resource_size = settings.resource.size();
  raw.parameters = settings.parameters.data();
  raw.parameter_count = settings.parameters.size();
  raw.code = code_;

  std::array<char, kLongestMessage> message{};
  const gelenk_status status = api_->create(&raw, &component_, message.data(), message.size());
  message.back() = '\0';
  if (status == GELENK_OK && component_ != nullptr) return;
  component_ = nullptr;
  const std::string reason = message.data();
  throw ComponentFailure(status == GELENK_REFUSED ? Kind::refused : Kind::failed,
                         reason.empty() ? "cannot be created, and gives no reason" : "cannot be created: " + reason);
}

std::uint32_t Instance::mount(const HostMounting& mounting) {
  gelenk_mounting raw = mounting.rest;
  raw.size = sizeof raw;
  raw.mounts = mounting.mounts.data();
  raw.mount_count = mounting.mounts.size();
  return static_cast<std::uint32_t>(api_->mount(component_, &raw));
}

Instance::Outcome Instance::perform(std::span<const gelenk_command> commands) {
  Outcome outcome;
  outcome.status =
      static_cast<std::uint32_t>(api_->perform(component_, commands.data(), commands.size(), &outcome.done));
  return outcome;
}

std::uint32_t Instance::read(std::uint32_t what, std::int32_t slot, std::string& bytes) {
  bytes.clear();
  std::size_t size = 0;
  auto status = static_cast<std::uint32_t>(api_->read(component_, what, slot, nullptr, 0, &size));
  if (status != GELENK_OK || size == 0) return status;
  if (size > kMostBytes) throw ComponentFailure(Kind::wrong_sizes, "has too many bytes of state to store");
  bytes.resize(size);
  std::size_t written = 0;
  status = static_cast<std::uint32_t>(api_->read(component_, what, slot, bytes.data(), bytes.size(), &written));
  if (status == GELENK_OK && written != size) {
    throw ComponentFailure(Kind::wrong_sizes, "returns a different number of bytes than it announced");
  }
  return status;
}

std::uint32_t Instance::write(std::uint32_t what, std::int32_t slot, std::string_view bytes) {
  return static_cast<std::uint32_t>(api_->write(component_, what, slot, bytes.data(), bytes.size()));
}

std::string Instance::last_error() const {
  const char* text = api_->last_error(component_);
  return text == nullptr ? std::string() : std::string(text, ::strnlen(text, kLongestMessage));
}

}  // namespace gelenk::component
