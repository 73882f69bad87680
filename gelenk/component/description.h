#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/component/gelenk_component.h"

// What a loaded component says about itself, in memory of our own: a gelenk_description without pointers.
namespace gelenk::component {

struct DescribedPort {
  std::string name, unit;
  std::uint32_t kind = 0, width = 0;
  std::array<double, 3> position{};  // of a frame
  std::array<double, 9> rotation{};
};

struct DescribedParameter {
  std::string name, unit;
  double default_value = 0.0, min = 0.0, max = 0.0;
};

struct DescribedOutput {
  std::string name, unit;
};

struct Description {
  std::vector<DescribedPort> ports;
  std::vector<DescribedParameter> parameters;
  std::vector<DescribedOutput> outputs;
  std::uint32_t switch_count = 0, input_size = 0, signal_size = 0;
  double length = 0.0;
};

// Counts beyond all reason are refused before anything is read. Throws ComponentFailure.
Description read_description(const gelenk_description* raw);

std::string encode(const Description& description);
// Untrusted bytes: false when they are none of encode().
bool decode(std::string_view bytes, Description& description);

}  // namespace gelenk::component
