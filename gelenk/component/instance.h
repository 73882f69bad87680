#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "gelenk/base/shared_library.h"
#include "gelenk/component/description.h"
#include "gelenk/component/gelenk_code.h"
#include "gelenk/component/gelenk_component.h"
#include "gelenk/component/host.h"

namespace gelenk::component {

// States and shapes: more is refused.
constexpr std::size_t kMostBytes = std::size_t{256} << 20;

// A component in the process where its library is loaded. Its functions throw ComponentFailure where the component does
// not keep to the interface; a status it answers with is given back as it is, for the owner to judge. Messages begin
// where the name of the component ends: "does not describe itself".
class Instance {
 public:
  // The library must outlive it, and so must the second one with the maker's forces, if there is one.
  explicit Instance(const SharedLibrary& library, const SharedLibrary* code = nullptr);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  void create(const HostSettings& settings);
  std::uint32_t mount(const HostMounting& mounting);
  Description describe() const { return read_description(api_->describe(component_)); }

  struct Outcome {
    std::uint32_t status = GELENK_FAILED;
    std::size_t done = 0;
  };
  Outcome perform(std::span<const gelenk_command> commands);
  std::uint32_t read(std::uint32_t what, std::int32_t slot, std::string& bytes);
  std::uint32_t write(std::uint32_t what, std::int32_t slot, std::string_view bytes);
  // Untrusted text.
  std::string last_error() const;

 private:
  const gelenk_component_api* api_ = nullptr;
  const gelenk_code_api* code_ = nullptr;
  gelenk_component* component_ = nullptr;
};

}  // namespace gelenk::component
