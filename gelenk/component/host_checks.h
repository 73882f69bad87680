#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "gelenk/component/description.h"
#include "gelenk/component/host.h"

namespace gelenk::component {

constexpr std::uint32_t kMostSwitches = 100'000;

// Looks at what goes to a component and at what comes back, for both hosts. Everything throws ComponentFailure with
// the name of the component.
class HostChecks {
 public:
  explicit HostChecks(const Manifest& manifest);

  // The text begins where the name ends, and is untrusted.
  [[noreturn]] void fail(ComponentFailure::Kind kind, std::string_view text) const;
  // A failure inside is reported with the name.
  template <class Work>
  auto named(Work&& work) const {
    try {
      return work();
    } catch (const ComponentFailure& failure) {
      fail(failure.kind(), failure.what());
    }
  }

  // That the component is what its manifest says: ports, parameters and outputs by name, kind, width and unit, and
  // sizes that follow from them. Places of frames and its length must make sense. Nothing is mounted then, and switches
  // are not known yet.
  ComponentSizes check_description(const Description& description) const;
  // Whether the owner mounts it at frames, then at shafts, and nowhere else.
  void check_mounting(const HostMounting& mounting) const;
  // Those of a component that is mounted there.
  ComponentSizes with_mounts(ComponentSizes sizes, const HostMounting& mounting) const;
  // Only the switches may be other ones when it is mounted.
  ComponentSizes check_mounted(const Description& before, Description after) const;

  // Numbers that a command takes and gives, by its code. Whether the owner's buffers are as long.
  void check_request(const gelenk_command& command, const ComponentSizes& sizes) const;
  // False: not solvable here. `done` commands of `count` are.
  bool check_outcome(std::uint32_t status, std::size_t done, std::size_t count, std::string_view last_error) const;
  // The status of something else than commands.
  void check_status(std::uint32_t status, std::string_view last_error) const;
  // Numbers at command.out, of a command that check_request() let through: finite, and a mobility D that is one,
  // symmetric and without a negative direction.
  void check_answer(const gelenk_command& command, const ComponentSizes& sizes) const;

 private:
  void check_place(const DescribedPort& port) const;
  void check_mobility(const double* D, std::size_t size) const;

  const Manifest* manifest_;
};

// An untrusted text without anything that could rewrite a screen, and not too long.
std::string cleaned(std::string_view text);

// That a command takes and gives, of all but those with terms.
std::size_t most_numbers(const ComponentSizes& sizes);

}  // namespace gelenk::component
