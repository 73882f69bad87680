// The functions of gelenk_component.h around a sealed machine. No exception leaves them.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

#include "apps/gelenk-runtime/sealed_machine.h"
#include "gelenk/component/gelenk_component.h"
#include "gelenk/component/host.h"

using gelenk::runtime::NotMade;
using gelenk::runtime::SealedMachine;

struct gelenk_component {
  SealedMachine machine;
};

namespace {

// Of version 1.0, without code.
constexpr std::size_t kFirstSettings = offsetof(gelenk_settings, code);
constexpr const char* kNoMemory = "needs more memory than is available";
constexpr const char* kUnexpected = "an unexpected error occurred inside";

void set_message(std::string_view text, char* message, std::size_t size) noexcept {
  if (message == nullptr || size == 0) return;
  const std::size_t count = std::min(text.size(), size - 1);
  std::memcpy(message, text.data(), count);
  message[count] = '\0';
}

gelenk_status create(const gelenk_settings* settings, gelenk_component** component, char* message,
                     std::size_t message_size) noexcept {
  *component = nullptr;
  const auto fail = [&](gelenk_status status, std::string_view text) {
    set_message(text, message, message_size);
    return status;
  };
  try {
    if (settings == nullptr || settings->size < kFirstSettings || settings->resource == nullptr) {
      return fail(GELENK_REFUSED, "its contents are missing");
    }
    const std::string_view resource(static_cast<const char*>(settings->resource), settings->resource_size);
    const bool may_have_code = settings->size >= sizeof(gelenk_settings);
    *component = new gelenk_component{
        {resource, {settings->parameters, settings->parameter_count}, may_have_code ? settings->code : nullptr}};
    return GELENK_OK;
  } catch (const NotMade& reason) {
    return fail(reason.status(), reason.what());
  } catch (const std::bad_alloc&) {
    return fail(GELENK_FAILED, kNoMemory);
  } catch (...) {
    return fail(GELENK_FAILED, kUnexpected);
  }
}

void destroy(gelenk_component* component) noexcept { delete component; }

const gelenk_description* describe(const gelenk_component* component) noexcept {
  return &component->machine.description();
}

template <class Work>
gelenk_status guarded(gelenk_component* component, Work&& work) noexcept {
  try {
    return work(component->machine);
  } catch (const gelenk::component::ComponentFailure& inside) {  // of a component inside: it names nothing
    return component->machine.fail(GELENK_FAILED, inside.what());
  } catch (const std::bad_alloc&) {
    return component->machine.fail(GELENK_FAILED, kNoMemory);
  } catch (...) {
    return component->machine.fail(GELENK_FAILED, kUnexpected);
  }
}

gelenk_status mount(gelenk_component* component, const gelenk_mounting* mounting) noexcept {
  return guarded(component, [&](SealedMachine& machine) {
    if (mounting->size < sizeof(gelenk_mounting)) return machine.fail(GELENK_REFUSED, "a mounting of a wrong size");
    return machine.mount(*mounting);
  });
}

gelenk_status perform(gelenk_component* component, const gelenk_command* commands, std::size_t count,
                      std::size_t* done) noexcept {
  *done = 0;
  return guarded(component, [&](SealedMachine& machine) { return machine.perform({commands, count}, *done); });
}

gelenk_status read(gelenk_component* component, std::uint32_t what, std::int32_t slot, void* buffer,
                   std::size_t capacity, std::size_t* size) noexcept {
  *size = 0;
  return guarded(component, [&](SealedMachine& machine) {
    std::string bytes;
    const gelenk_status status = machine.read(what, slot, bytes);
    *size = bytes.size();
    if (buffer != nullptr && bytes.size() <= capacity)
      std::copy(bytes.begin(), bytes.end(), static_cast<char*>(buffer));
    return status;
  });
}

gelenk_status write(gelenk_component* component, std::uint32_t what, std::int32_t slot, const void* bytes,
                    std::size_t size) noexcept {
  return guarded(component, [&](SealedMachine& machine) {
    return machine.write(what, slot, std::string_view(static_cast<const char*>(bytes), size));
  });
}

const char* last_error(const gelenk_component* component) noexcept { return component->machine.error().c_str(); }

constexpr gelenk_component_api kApi = {
    sizeof(gelenk_component_api),
    GELENK_COMPONENT_ABI_MAJOR,
    GELENK_COMPONENT_ABI_MINOR,
    create,
    destroy,
    describe,
    mount,
    perform,
    read,
    write,
    last_error,
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const gelenk_component_api* gelenk_component_get_api(
    std::uint32_t abi_major) {
  return abi_major == GELENK_COMPONENT_ABI_MAJOR ? &kApi : nullptr;
}
